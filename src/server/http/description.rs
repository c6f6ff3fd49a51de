//! The description of the API: an OpenAPI 3.1 document, written from the catalogue.
//!
//! OpenAPI 3.1 takes JSON Schema 2020-12 as it is, so it contains the schemas of the verbs, with the entries of their
//! lists: the bounds that a reader sees are those that are enforced.

use serde_json::{Map, Value, json};

use super::batch_description;
use hindlore_api::catalog::{Registered, all};
use hindlore_api::entry;

/// The headers that choose the memory, with their meanings.
pub(super) const SUBJECT: [(&str, &str); 3] = [
    (
        "hindlore-tenant",
        "Tenant of the memory; the server's own by default.",
    ),
    (
        "hindlore-learner",
        "Learner of the memory; the server's own by default.",
    ),
    (
        "hindlore-scope",
        "Scope of the memory; the server's own by default.",
    ),
];
/// The header that names who asks.
pub(super) const AUTHOR: (&str, &str) = (
    "hindlore-author",
    "Author of the change, for the history; the server's own by default. The holder of a key or token signs as that.",
);
/// The header that names who calls.
pub(super) const AS: (&str, &str) = (
    "hindlore-as",
    "Principal that calls, `agent:NAME` or `user:NAME`, who may do what it was granted. A credential determines the caller: \
        one for a learner is that learner, one for a tenant may name a principal of it.",
);
/// The header by which a repeated request counts once.
pub(super) const IDEMPOTENCY_KEY: (&str, &str) = (
    "idempotency-key",
    "Makes a repeated request count once: the id of the delta, where the body names none.",
);

/// Names, of which the ends are trimmed; an empty one is as if it were not there.
const NAME: &str = r"^[^\x00-\x1f\x7f-\x9f]*$";
/// The name with a kind before it.
const PRINCIPAL: &str = r"^[ \t]*((agent|user)[ \t]*:[^\x00-\x1f\x7f-\x9f]*)?$";

/// Writes the document.
pub(super) fn document() -> Value {
    let mut paths = Map::new();
    for verb in all() {
        let method = verb.method().to_ascii_lowercase();
        let path = format!("/v1/{}", verb.path());
        paths.insert(path, json!({ method: operation(verb) }));
    }
    paths.insert(
        "/v1/batch".to_owned(),
        batch_description::described(headers()),
    );
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "hindlore",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "A memory engine for AI agents. Each path is a verb; `hindlore call` reaches the same. With \
                `Accept: text/event-stream` a POST answers as events: `step` while it works, then `answer` or `problem`.",
            "license": { "name": "Apache-2.0 OR MIT", "identifier": "Apache-2.0 OR MIT" },
        },
        "servers": [{ "url": "/" }],
        // A server on loopback needs none.
        "security": [{}, { "bearer": [] }],
        "tags": tags(),
        "paths": paths,
        "components": {
            "schemas": { "Problem": problem() },
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "An API key of `hindlore key create`, or a token of the provider that the server trusts.",
                },
            },
            "responses": {
                "Problem": {
                    "description": "What went wrong, and what to do about it.",
                    "content": {
                        "application/problem+json": {
                            "schema": { "$ref": "#/components/schemas/Problem" },
                        },
                    },
                },
            },
        },
    })
}

fn tags() -> Vec<Value> {
    let mut nouns: Vec<&str> = all().iter().map(|verb| noun(verb)).collect();
    nouns.push(batch_description::NAME);
    nouns.sort_unstable();
    nouns.dedup();
    let told = |noun: &str| {
        let of_noun = all().iter().filter(|verb| self::noun(verb) == noun);
        let titles: Vec<String> = of_noun.map(Registered::title).collect();
        let about = match titles.as_slice() {
            [] => "Several verbs in one request.".to_owned(),
            titles => format!("{}.", titles.join("; ")),
        };
        json!({ "name": noun, "description": about })
    };
    nouns.into_iter().map(told).collect()
}

fn noun(verb: &Registered) -> &'static str {
    verb.name.split('.').next().unwrap_or_default()
}

fn operation(verb: &Registered) -> Value {
    let mut operation = json!({
        "operationId": verb.name,
        "tags": [noun(verb)],
        "summary": verb.title(),
        "description": verb.about(),
        "parameters": headers(),
        "responses": {
            "200": {
                "description": "The answer.",
                "content": { "application/json": { "schema": verb.answer() } },
            },
            "4XX": { "$ref": "#/components/responses/Problem" },
            "5XX": { "$ref": "#/components/responses/Problem" },
        },
    });
    let request = verb.request();
    if let (Some(_), Value::Array(parameters)) = (verb.once_by, &mut operation["parameters"]) {
        parameters.push(header(IDEMPOTENCY_KEY, json!({ "type": "string" })));
    }
    if verb.method() == "GET" {
        if let Value::Array(parameters) = &mut operation["parameters"] {
            parameters.extend(query(request));
        }
    } else {
        operation["requestBody"] = json!({
            "required": true,
            "content": { "application/json": { "schema": entry::described(request) } },
        });
    }
    operation
}

fn header((name, about): (&str, &str), schema: Value) -> Value {
    json!({
        "name": name,
        "in": "header",
        "required": false,
        "description": about,
        "schema": schema,
    })
}

fn headers() -> Vec<Value> {
    let text = |pattern: &str| json!({ "type": "string", "pattern": pattern });
    let mut all = SUBJECT.map(|subject| header(subject, text(NAME))).to_vec();
    all.push(header(AUTHOR, json!({ "type": "string" })));
    all.push(header(AS, text(PRINCIPAL)));
    all
}

fn query(request: &Value) -> Vec<Value> {
    let required = request["required"].as_array().cloned().unwrap_or_default();
    let properties = request["properties"].as_object().cloned();
    let parameter = |(name, mut schema): (String, Value)| {
        let about = schema
            .as_object_mut()
            .and_then(|it| it.remove("description"));
        json!({
            "name": name,
            "in": "query",
            "required": required.contains(&Value::from(name.as_str())),
            "description": about,
            "schema": schema,
        })
    };
    properties.into_iter().flatten().map(parameter).collect()
}

/// The schema of problem details.
fn problem() -> Value {
    json!({
        "type": "object",
        "required": ["type", "title", "status", "detail", "code", "hint"],
        "properties": {
            "type": { "type": "string", "description": "URN of the code." },
            "title": { "type": "string", "description": "Phrase of the status." },
            "status": { "type": "integer", "description": "Status of the answer." },
            "detail": { "type": "string", "description": "The operation, and why it failed." },
            "code": { "type": "string", "description": "A word for programs to compare." },
            "hint": { "type": ["string", "null"], "description": "The remedy." },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_is_described_with_its_fields() {
        let document = document();
        for verb in all() {
            let path = &document["paths"][format!("/v1/{}", verb.path())];
            let operation = &path[verb.method().to_ascii_lowercase()];
            assert_eq!(operation["operationId"], verb.name);
            let parameters = operation["parameters"].as_array().unwrap();
            let fields = verb.request()["properties"].as_object().map_or(0, Map::len);
            if verb.method() == "GET" {
                assert_eq!(parameters.len(), fields + headers().len(), "{}", verb.name);
            } else {
                let body = &operation["requestBody"]["content"]["application/json"]["schema"];
                assert_eq!(*body, entry::described(verb.request()), "{}", verb.name);
            }
        }
    }
}
