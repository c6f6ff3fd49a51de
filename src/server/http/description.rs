//! The description of the API: an OpenAPI 3.1 document, written from the catalogue.
//!
//! OpenAPI 3.1 takes JSON Schema 2020-12 as it is, so it contains the schemas of the verbs, with the entries of their
//! lists: the bounds that a reader sees are those that are enforced. Each type is one named schema, because generators of
//! clients make one class of each.

mod batch;
mod operation;
mod parameters;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::problem::{STATUSES, Status};
use super::resources::{RESOURCES, Resource};
pub(super) use batch::{CALLS_MAX, NAME as BATCH};
use hindlore_api::catalog::{Registered, all, find};
use hindlore_api::definitions::{Definitions, Named};
use operation::{Place, described};
pub(super) use parameters::{AS, AUTHOR, IDEMPOTENCY_KEY, SUBJECT};

/// Writes the document.
pub(super) fn document() -> Value {
    let mut definitions = Definitions::default();
    all().iter().for_each(|verb| verb.define(&mut definitions));
    let mut named = definitions.named(|name| find(name).is_ok_and(|verb| verb.method() == "GET"));
    let mut paths = Map::new();
    for verb in all() {
        let place = Place::of_verb(verb);
        put(
            &mut paths,
            &place.path,
            verb.method(),
            described(&place, &mut named),
        );
    }
    for resource in &RESOURCES {
        if let Some(place) = Place::of_resource(resource) {
            put(
                &mut paths,
                resource.path,
                resource.method,
                described(&place, &mut named),
            );
        }
    }
    put(&mut paths, "/v1/batch", "POST", batch::operation());
    let schemas = used(&paths, named.schemas);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "hindlore",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "A memory engine for AI agents. Each path is a verb, or a resource that a verb serves; \
                `hindlore call` reaches the same verbs. With `Accept: text/event-stream` a POST of a verb answers as \
                events: `step` while it works, then `answer` or `problem`.",
            "license": { "name": "Apache-2.0 OR MIT", "identifier": "Apache-2.0 OR MIT" },
        },
        "servers": [{ "url": "/" }],
        // A server on loopback needs none.
        "security": [{}, { "bearer": [] }],
        "tags": tags(),
        "paths": paths,
        "components": {
            "schemas": schemas,
            "parameters": parameters::components(),
            "responses": responses(),
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "An API key of `hindlore key create`, or a token of the provider that the server trusts.",
                },
            },
        },
    })
}

fn put(paths: &mut Map<String, Value>, path: &str, method: &str, operation: Value) {
    let methods = paths.entry(path).or_insert_with(|| json!({}));
    methods[method.to_ascii_lowercase()] = operation;
}

/// The schemas that the paths refer to, and those that these refer to.
fn used(paths: &Map<String, Value>, mut schemas: Map<String, Value>) -> Map<String, Value> {
    schemas.extend(batch::schemas());
    schemas.insert("Problem".to_owned(), problem());
    let mut names = BTreeSet::from(["Problem".to_owned()]);
    let mut open: Vec<String> = vec!["Problem".to_owned()];
    for path in paths.values() {
        names_in(path, &mut open);
    }
    while let Some(name) = open.pop() {
        if names.insert(name.clone()) {
            names_in(schemas.get(&name).unwrap_or(&Value::Null), &mut open);
        }
    }
    schemas.retain(|name, _| names.contains(name));
    schemas
}

fn names_in(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            let target = fields.get("$ref").and_then(Value::as_str);
            let name = target.and_then(|target| target.strip_prefix("#/components/schemas/"));
            names.extend(name.map(str::to_owned));
            fields.values().for_each(|it| names_in(it, names));
        }
        Value::Array(items) => items.iter().for_each(|it| names_in(it, names)),
        _ => {}
    }
}

fn tags() -> Vec<Value> {
    let mut nouns: Vec<&str> = all().iter().map(|verb| operation::noun(verb)).collect();
    nouns.push(BATCH);
    nouns.sort_unstable();
    nouns.dedup();
    let tag = |noun: &str| {
        let of_noun = all().iter().filter(|verb| operation::noun(verb) == noun);
        let about = match of_noun.count() {
            0 => "Several verbs in one request.".to_owned(),
            count => format!("Verbs about `{noun}`: {count}."),
        };
        json!({ "name": noun, "description": about })
    };
    nouns.into_iter().map(tag).collect()
}

/// The responses that operations share: one for each status of a problem.
fn responses() -> Map<String, Value> {
    let response = |status: &Status| {
        let codes: Vec<String> = status
            .problems
            .iter()
            .map(|code| format!("`{code}`"))
            .collect();
        let about = format!("{} Codes: {}.", status.about, codes.join(", "));
        let code = status
            .problems
            .first()
            .map_or("", |code| code.trim_end_matches('*'));
        let example = json!({
            "type": format!("urn:hindlore:problem:{code}"),
            "title": status.code.canonical_reason(),
            "status": status.code.as_u16(),
            "detail": status.about,
            "code": code,
            "hint": null,
        });
        let content = json!({ "application/problem+json": {
            "schema": { "$ref": "#/components/schemas/Problem" },
            "example": example,
        } });
        (
            status.name.to_owned(),
            json!({ "description": about, "content": content }),
        )
    };
    let named = STATUSES.iter().filter(|status| operation::names(status));
    let mut responses: Map<String, Value> = named.map(response).collect();
    responses.insert(
        "Problem".to_owned(),
        json!({
            "description": "Another problem.",
            "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } },
        }),
    );
    responses
}

/// The schema of problem details.
fn problem() -> Value {
    json!({
        "type": "object",
        "description": "A problem, by RFC 9457.",
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
    fn every_verb_and_resource_is_described_with_its_fields() {
        let document = document();
        for verb in all() {
            let path = format!("/v1/{}", verb.path());
            let operation = &document["paths"][path][verb.method().to_ascii_lowercase()];
            assert_eq!(operation["operationId"], verb.name);
            let fields = verb.request()["properties"].as_object().map_or(0, Map::len);
            let known = if verb.method() == "GET" {
                let parameters = operation["parameters"].as_array().unwrap().iter();
                parameters.filter(|one| one["in"] == "query").count()
            } else {
                let body = &operation["requestBody"]["content"]["application/json"]["schema"];
                let name = body["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
                let schema = &document["components"]["schemas"][name];
                schema["properties"].as_object().map_or(0, Map::len)
            };
            assert_eq!(known, fields, "{}", verb.name);
        }
        for resource in &RESOURCES {
            let operation = &document["paths"][resource.path][resource.method.to_ascii_lowercase()];
            assert_eq!(operation["operationId"], resource.operation);
        }
    }
}
