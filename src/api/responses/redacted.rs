//! What is said of secrets that were taken out of a request.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::redact::Redactions;

/// Secrets that were taken out before anything was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct RedactedResponse {
    /// How many.
    pub secrets: u64,
    /// How many, by the rule that found them.
    pub by_rule: BTreeMap<String, u64>,
}

impl RedactedResponse {
    /// What there is to say; nothing where there was no secret.
    pub fn of(redactions: &Redactions) -> Option<Self> {
        (!redactions.is_empty()).then(|| Self {
            secrets: redactions.total(),
            by_rule: redactions.by_rule().clone(),
        })
    }
}
