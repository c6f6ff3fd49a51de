//! The catalogue: its verbs, and the schemas of one.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::entry;
use crate::verb::{Effect, Subject};

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
    /// Its title, in one line.
    pub title: String,
    /// Its subject.
    pub subject: Subject,
    /// Its effect.
    pub effect: Effect,
    /// True if repeating the request changes nothing more.
    pub idempotent: bool,
}

/// The schemas of a verb.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct SchemasResponse {
    /// Noun and verb.
    pub name: &'static str,
    /// Schema of requests.
    #[serde(serialize_with = "entry::serialize")]
    #[schemars(with = "Value")]
    pub request: Value,
    /// Schema of answers.
    pub answer: Value,
}
