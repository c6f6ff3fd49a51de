//! The protocol of one vendor.

use serde_json::{Value, json};

use super::settings::Settings;
use crate::model::message::Message;
use crate::model::{ModelError, Reply, Request, Role};

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

/// The key as a bearer token, if there is one.
pub(super) fn bearer(settings: &Settings) -> Vec<Header> {
    bearer_of(settings.key.as_deref())
}

/// A key as a bearer token, if there is one.
pub(super) fn bearer_of(key: Option<&str>) -> Vec<Header> {
    let key = key.into_iter();
    key.map(|key| ("authorization", format!("Bearer {key}")))
        .collect()
}

/// The words in `error.message`, where three of the four put them.
pub(super) fn error_message(body: &Value) -> Option<&str> {
    body.pointer("/error/message")?.as_str()
}

/// The messages of a chat with the instructions among them.
///
/// A result of a tool has no id here that the vendor gave; its text is data from outside.
pub(super) fn chat(request: &Request) -> Vec<Value> {
    let message = |message: &Message| {
        let role = match message.role {
            Role::System => "system",
            Role::User | Role::Tool => "user",
            Role::Assistant => "assistant",
        };
        json!({"role": role, "content": message.content})
    };
    request.messages.iter().map(message).collect()
}

/// A request for a wire that keeps instructions apart: the instructions as one text, if any, and all other messages.
pub(super) fn apart(request: &Request) -> (Option<String>, impl Iterator<Item = &Message>) {
    let of = |is_system: bool| {
        let messages = request.messages.iter();
        messages.filter(move |message| (message.role == Role::System) == is_system)
    };
    let system: Vec<&str> = of(true).map(|message| message.content.as_str()).collect();
    let system = (!system.is_empty()).then(|| system.join("\n\n"));
    (system, of(false))
}
