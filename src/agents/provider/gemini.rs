//! The wire of Gemini's `generateContent`.
//!
//! Source: <https://ai.google.dev/api/generate-content>.

use serde_json::{Value, json};

use super::read::Reader;
use super::settings::Settings;
use super::wire::{Header, Wire, apart, error_message};
use crate::model::{ModelError, Reply, Request, Role, Usage};

pub(super) const WIRE: Wire = Wire {
    path: |settings| format!("/v1beta/models/{}:generateContent", settings.model),
    headers,
    body,
    reply,
    said: error_message,
};

const READER: Reader = Reader { vendor: "Gemini" };

fn headers(settings: &Settings) -> Vec<Header> {
    // In a header, since an address ends up in logs.
    let key = settings.key.iter();
    key.map(|key| ("x-goog-api-key", key.clone())).collect()
}

fn body(settings: &Settings, request: &Request) -> Value {
    let part = |text: &str| json!([{"text": text}]);
    let (system, others) = apart(request);
    let contents: Vec<Value> = others
        .map(|message| {
            let role = if message.role == Role::Assistant {
                "model"
            } else {
                "user"
            };
            json!({"role": role, "parts": part(&message.content)})
        })
        .collect();
    let mut generation = json!({
        "temperature": request.temperature.unwrap_or(settings.temperature),
        "maxOutputTokens": settings.max_tokens,
    });
    if let Some(form) = &request.form {
        generation["responseMimeType"] = Value::from("application/json");
        generation["responseJsonSchema"] = form.schema.clone();
    }
    let mut body = json!({"contents": contents, "generationConfig": generation});
    if let Some(system) = system {
        body["systemInstruction"] = json!({"parts": part(&system)});
    }
    body
}

fn reply(body: &Value) -> Result<Reply, ModelError> {
    if let Some(reason) = body
        .pointer("/promptFeedback/blockReason")
        .and_then(Value::as_str)
    {
        let said = format!("the prompt was blocked: {reason}");
        return Err(ModelError::Refused { status: 200, said });
    }
    let first = READER.list(body, "/candidates", "candidates")?.first();
    let first = first.ok_or_else(|| READER.missing("candidates[0]"))?;
    let is_cut = first.get("finishReason").and_then(Value::as_str) == Some("MAX_TOKENS");
    let mut text = String::new();
    // An answer that was cut while the model still thought has no parts.
    if !(is_cut && first.pointer("/content/parts").is_none()) {
        for part in READER.list(first, "/content/parts", "candidates[0].content.parts")? {
            let is_thought = part.get("thought").and_then(Value::as_bool) == Some(true);
            if let Some(said) = part.get("text").filter(|_| !is_thought) {
                let said = said.as_str();
                text.push_str(
                    said.ok_or_else(|| READER.missing("candidates[0].content.parts[].text"))?,
                );
            }
        }
    }
    let thoughts = READER.count(
        body,
        "/usageMetadata/thoughtsTokenCount",
        "usageMetadata.thoughtsTokenCount",
    )?;
    let written = READER.count(
        body,
        "/usageMetadata/candidatesTokenCount",
        "usageMetadata.candidatesTokenCount",
    )?;
    Ok(Reply {
        text,
        usage: Usage {
            input_tokens: READER.count(
                body,
                "/usageMetadata/promptTokenCount",
                "usageMetadata.promptTokenCount",
            )?,
            output_tokens: written + thoughts,
        },
        is_cut,
        ..Reply::default()
    })
}
