//! What is told of the catalogue: its verbs, and the schemas of one.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::api::verb::{Effect, Subject};

/// The verbs of the catalogue.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct VerbsResponse {
    /// The verbs.
    pub verbs: Vec<VerbRow>,
}

/// One verb.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct VerbRow {
    /// Noun and verb, such as `bullets.pin`.
    pub name: &'static str,
    /// What it does, in one line.
    pub title: String,
    /// What it is about.
    pub subject: Subject,
    /// What it does to that.
    pub effect: Effect,
    /// True when the same request again changes nothing more.
    pub idempotent: bool,
}

/// The schemas of a verb.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct SchemasResponse {
    /// Noun and verb.
    pub name: &'static str,
    /// Schema that a request must match.
    pub request: Value,
    /// Schema that an answer matches.
    pub answer: Value,
}
