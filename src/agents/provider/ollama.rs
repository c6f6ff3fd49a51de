//! The wire of Ollama's own chat, which takes a schema as `format`.
//!
//! Source: <https://docs.ollama.com/api/chat>.

use serde_json::{Value, json};

use super::read::Reader;
use super::settings::Settings;
use super::wire::{Wire, bearer, chat};
use crate::model::{ModelError, Reply, Request, Usage};

pub(super) const WIRE: Wire = Wire {
    path: |_| "/api/chat".to_owned(),
    headers: bearer,
    body,
    reply,
    said: |body| body.get("error")?.as_str(),
};

const READER: Reader = Reader { vendor: "Ollama" };

fn body(settings: &Settings, request: &Request) -> Value {
    let mut body = json!({
        "model": settings.model,
        "messages": chat(request),
        "stream": false,
        "options": {
            "temperature": request.temperature.unwrap_or(settings.temperature),
            "num_predict": settings.max_tokens,
        },
    });
    if let Some(form) = &request.form {
        body["format"] = form.schema.clone();
    }
    body
}

fn reply(body: &Value) -> Result<Reply, ModelError> {
    Ok(Reply {
        text: READER
            .text(body, "/message/content", "message.content")?
            .to_owned(),
        usage: Usage {
            input_tokens: READER.count(body, "/prompt_eval_count", "prompt_eval_count")?,
            output_tokens: READER.count(body, "/eval_count", "eval_count")?,
        },
        is_cut: body.get("done_reason").and_then(Value::as_str) == Some("length"),
        ..Reply::default()
    })
}
