//! The description of `POST /v1/batch` in the API.

use serde_json::{Map, Value, json};

use super::parameters::headers;

/// Most calls of a batch.
pub(in crate::http) const CALLS_MAX: usize = 100;
/// Its name, in the description and in the metrics.
pub(in crate::http) const NAME: &str = "batch";

/// The schemas of a batch, by name.
pub(super) fn schemas() -> Map<String, Value> {
    let text = |about: &str| json!({ "type": "string", "description": about });
    let schemas = json!({
        "BatchCall": {
            "type": "object",
            "description": "A call of a verb.",
            "required": ["verb"],
            "additionalProperties": false,
            "properties": {
                "verb": text("Name of a verb, such as `bullets.add`."),
                "request": { "type": "object", "description": "Its request, as its own route takes it." },
            },
        },
        "Batch": {
            "type": "object",
            "description": "Calls of verbs.",
            "required": ["calls"],
            "additionalProperties": false,
            "properties": {
                "calls": {
                    "type": "array", "minItems": 1, "maxItems": CALLS_MAX,
                    "description": "The calls, in order.",
                    "items": { "$ref": "#/components/schemas/BatchCall" },
                },
                "stop_at_problem": {
                    "type": "boolean",
                    "default": false,
                    "description": "Leave out the calls after the first that fails.",
                },
            },
        },
        "BatchAnswer": {
            "type": "object",
            "description": "`answer` or `problem` of a call.",
            "properties": {
                "answer": { "description": "The answer of the verb." },
                "problem": { "$ref": "#/components/schemas/Problem" },
            },
        },
        "BatchAnswers": {
            "type": "object",
            "description": "The answers, in the order of the calls.",
            "required": ["answers"],
            "properties": {
                "answers": {
                    "type": "array",
                    "description": "One answer for each call.",
                    "items": { "$ref": "#/components/schemas/BatchAnswer" },
                },
            },
        },
    });
    match schemas {
        Value::Object(schemas) => schemas,
        _ => Map::new(),
    }
}

/// The operation, with the headers that every verb takes.
pub(super) fn operation() -> Value {
    let example =
        json!({ "calls": [{ "verb": "bullets.add", "request": { "text": "Close the valve." } }] });
    json!({
        "operationId": NAME,
        "tags": [NAME],
        "summary": "Call several verbs, one after the other",
        "description": "Each answers or fails for itself. It is no transaction: what is to be all or nothing is one delta.",
        "parameters": headers(false),
        "requestBody": {
            "required": true,
            "content": { "application/json": {
                "schema": { "$ref": "#/components/schemas/Batch" },
                "example": example,
            } },
        },
        "responses": super::operation::problems(true).into_iter().chain([("200".to_owned(), json!({
            "description": "The answers.",
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/BatchAnswers" } } },
        }))]).collect::<Map<String, Value>>(),
    })
}
