//! What one vendor's wire is.

use serde_json::Value;

use super::settings::Settings;
use crate::model::{ModelError, Reply, Request};

/// A header of a request.
pub(super) type Header = (&'static str, String);

/// One vendor's wire.
pub(super) struct Wire {
    /// Path below the base address.
    pub(super) path: fn(&Settings) -> String,
    /// Headers; where the key is.
    pub(super) headers: fn(&Settings) -> Vec<Header>,
    /// Body of a request.
    pub(super) body: fn(&Settings, &Request) -> Value,
    /// Reads the body of an answer.
    pub(super) reply: fn(&Value) -> Result<Reply, ModelError>,
    /// Reads the vendor's own words out of the body of a refusal.
    pub(super) said: fn(&Value) -> Option<&str>,
}

/// The words in `error.message`, where three of the four put them.
pub(super) fn error_message(body: &Value) -> Option<&str> {
    body.pointer("/error/message")?.as_str()
}
