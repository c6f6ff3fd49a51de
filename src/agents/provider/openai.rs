//! The wire of OpenAI's chat completions, which many servers speak.
//!
//! Source: <https://platform.openai.com/docs/api-reference/chat>.

use serde_json::{Value, json};

use super::read::Reader;
use super::settings::Settings;
use super::wire::{Wire, bearer, chat, error_message};
use crate::model::{ModelError, Reply, Request, Usage};

pub(super) const WIRE: Wire = Wire {
    path: |_| "/chat/completions".to_owned(),
    headers: bearer,
    body,
    reply,
    said: error_message,
};

const READER: Reader = Reader { vendor: "OpenAI" };

fn body(settings: &Settings, request: &Request) -> Value {
    let mut body = json!({
        "model": settings.model,
        "messages": chat(request),
        "temperature": request.temperature.unwrap_or(settings.temperature),
        "max_completion_tokens": settings.max_tokens,
    });
    if let Some(form) = &request.form {
        body["response_format"] = json!({
            "type": "json_schema",
            "json_schema": {"name": form.name, "strict": true, "schema": form.schema},
        });
    }
    body
}

fn reply(body: &Value) -> Result<Reply, ModelError> {
    let first = READER.list(body, "/choices", "choices")?.first();
    let first = first.ok_or_else(|| READER.missing("choices[0]"))?;
    let refusal = first.pointer("/message/refusal").and_then(Value::as_str);
    let text = match refusal {
        Some(said) => said,
        None => READER.text(first, "/message/content", "choices[0].message.content")?,
    };
    Ok(Reply {
        text: text.to_owned(),
        usage: Usage {
            input_tokens: READER.count(body, "/usage/prompt_tokens", "usage.prompt_tokens")?,
            output_tokens: READER.count(
                body,
                "/usage/completion_tokens",
                "usage.completion_tokens",
            )?,
        },
        is_cut: first.get("finish_reason").and_then(Value::as_str) == Some("length"),
        ..Reply::default()
    })
}
