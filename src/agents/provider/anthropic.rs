//! The wire of Anthropic's messages.
//!
//! Source: <https://docs.anthropic.com/en/api/messages>.

use serde_json::{Value, json};

use super::read::Reader;
use super::settings::Settings;
use super::wire::{Header, Wire, apart, error_message};
use crate::model::{ModelError, Reply, Request, Role, Usage};

pub(super) const WIRE: Wire = Wire {
    path: |_| "/v1/messages".to_owned(),
    headers,
    body,
    reply,
    said: error_message,
};

const READER: Reader = Reader {
    vendor: "Anthropic",
};

fn headers(settings: &Settings) -> Vec<Header> {
    let version = ("anthropic-version", "2023-06-01".to_owned());
    let key = settings.key.iter().map(|key| ("x-api-key", key.clone()));
    std::iter::once(version).chain(key).collect()
}

fn body(settings: &Settings, request: &Request) -> Value {
    let (system, others) = apart(request);
    let messages: Vec<Value> = others
        .map(|message| {
            let role = if message.role == Role::Assistant {
                "assistant"
            } else {
                "user"
            };
            json!({"role": role, "content": message.content})
        })
        .collect();
    let mut body = json!({
        "model": settings.model,
        "max_tokens": settings.max_tokens,
        "temperature": request.temperature.unwrap_or(settings.temperature).min(1.0),
        "messages": messages,
    });
    if let Some(system) = system {
        body["system"] = Value::from(system);
    }
    if let Some(form) = &request.form {
        body["output_config"] = json!({"format": {"type": "json_schema", "schema": form.schema}});
    }
    body
}

fn reply(body: &Value) -> Result<Reply, ModelError> {
    let blocks = READER.list(body, "/content", "content")?;
    let mut text = String::new();
    for block in blocks {
        if block.get("type").and_then(Value::as_str) == Some("text") {
            text.push_str(READER.text(block, "/text", "content[].text")?);
        }
    }
    let usage = READER.count(body, "/usage/input_tokens", "usage.input_tokens")?
        + READER.count(
            body,
            "/usage/cache_read_input_tokens",
            "usage.cache_read_input_tokens",
        )?
        + READER.count(
            body,
            "/usage/cache_creation_input_tokens",
            "usage.cache_creation_input_tokens",
        )?;
    Ok(Reply {
        text,
        usage: Usage {
            input_tokens: usage,
            output_tokens: READER.count(body, "/usage/output_tokens", "usage.output_tokens")?,
        },
        is_cut: body.get("stop_reason").and_then(Value::as_str) == Some("max_tokens"),
        ..Reply::default()
    })
}
