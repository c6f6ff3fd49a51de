//! The description of `POST /v1/batch` in the API.

use serde_json::{Value, json};

/// Most calls of a batch.
pub(super) const CALLS_MAX: usize = 100;
/// Its name, in the description and in the metrics.
pub(super) const NAME: &str = "batch";

/// The operations of its path, with the headers that every verb takes.
pub(super) fn described(headers: Vec<Value>) -> Value {
    let text = |about: &str| json!({ "type": "string", "description": about });
    let call = json!({
        "type": "object",
        "required": ["verb"],
        "additionalProperties": false,
        "properties": {
            "verb": text("Name of a verb, such as `bullets.add`."),
            "request": { "type": "object", "description": "Its request, as its own route takes it." },
        },
    });
    let request = json!({
        "type": "object",
        "required": ["calls"],
        "additionalProperties": false,
        "properties": {
            "calls": { "type": "array", "minItems": 1, "maxItems": CALLS_MAX, "items": call },
            "stop_at_problem": {
                "type": "boolean",
                "default": false,
                "description": "Leave out the calls after the first that fails.",
            },
        },
    });
    let answers = json!({
        "type": "object",
        "required": ["answers"],
        "properties": {
            "answers": {
                "type": "array",
                "items": {
                    "type": "object",
                    "description": "`answer` or `problem`, in the order of the calls.",
                    "properties": {
                        "answer": {},
                        "problem": { "$ref": "#/components/schemas/Problem" },
                    },
                },
            },
        },
    });
    json!({ "post": {
        "operationId": NAME,
        "tags": [NAME],
        "summary": "Call several verbs, one after the other",
        "description": "Each answers or fails for itself. It is no transaction: what is to be all or nothing is one delta.",
        "parameters": headers,
        "requestBody": {
            "required": true,
            "content": { "application/json": { "schema": request } },
        },
        "responses": {
            "200": {
                "description": "The answers.",
                "content": { "application/json": { "schema": answers } },
            },
            "4XX": { "$ref": "#/components/responses/Problem" },
            "5XX": { "$ref": "#/components/responses/Problem" },
        },
    } })
}
