//! The report on secrets redacted from a request.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use hindlore_redact::Redactions;

/// Secrets redacted before anything was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct RedactedResponse {
    /// Number of secrets.
    pub secrets: u64,
    /// Numbers by rule.
    pub by_rule: BTreeMap<String, u64>,
}

impl RedactedResponse {
    /// The report; none if there was no secret.
    pub fn from_redactions(redactions: &Redactions) -> Option<Self> {
        (!redactions.is_empty()).then(|| Self {
            secrets: redactions.total(),
            by_rule: redactions.by_rule().clone(),
        })
    }
}
