//! The document of the HTTP API: named schemas, documented problems, and examples that the server accepts.

use hindlore_api::catalog;
use serde_json::{Map, Value};

use super::served::{Answered, Served};

const METHODS: [&str; 4] = ["get", "post", "patch", "delete"];

/// An operation of the document with its place.
struct Operation<'d> {
    path: &'d str,
    method: &'static str,
    value: &'d Value,
}

fn operations(document: &Value) -> Vec<Operation<'_>> {
    let mut all = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in METHODS {
            if let Some(value) = methods.get(method) {
                all.push(Operation {
                    path,
                    method,
                    value,
                });
            }
        }
    }
    all
}

impl Operation<'_> {
    /// Sends the example of the operation.
    fn tried(&self, served: &Served) -> Answered {
        let (mut path, mut query) = (self.path.to_owned(), Vec::new());
        for parameter in self.value["parameters"].as_array().unwrap() {
            let Some(example) = parameter.get("example") else {
                continue;
            };
            let name = parameter["name"].as_str().unwrap();
            let text = example.as_str().map_or(example.to_string(), str::to_owned);
            let text = text.replace(' ', "%20");
            match parameter["in"].as_str() {
                Some("path") => path = path.replace(&format!("{{{name}}}"), &text),
                _ => query.push(format!("{name}={text}")),
            }
        }
        if !query.is_empty() {
            path = format!("{path}?{}", query.join("&"));
        }
        let content = &self.value["requestBody"]["content"]["application/json"];
        let body = content.get("example").map(Value::to_string);
        let method = self.method.to_ascii_uppercase();
        served.send(&served.request(&method, &path, &[], body.as_deref()))
    }
}

#[test]
fn the_server_accepts_every_example() {
    let served = Served::start(&[]);
    let document = served.get("/v1/openapi.json").body;
    let all = operations(&document);
    assert!(all.len() > catalog::all().len());
    for operation in all {
        let answered = operation.tried(&served);
        let (path, status) = (operation.path, answered.status);
        let is_there = matches!(status, 200 | 201);
        // An example may name an object that is not there.
        assert!(
            is_there || matches!(status, 404 | 409),
            "{path}: {}",
            answered.body
        );
        if is_there {
            let responses = operation.value["responses"].as_object().unwrap();
            assert!(
                responses.contains_key(&status.to_string()),
                "{path}: {status}"
            );
        }
    }
}

#[test]
fn every_type_is_one_named_schema() {
    let served = Served::start(&[]);
    let document = served.get("/v1/openapi.json").body;
    let text = document.to_string();
    assert!(text.len() < 420_000, "{}", text.len());
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let has_number = |name: &&String| name.ends_with(|last: char| last.is_ascii_digit());
    assert_eq!(
        schemas.keys().find(has_number),
        None,
        "two types have one name"
    );
    let mut found = Vec::new();
    faults("", &document["paths"], schemas, &mut found);
    for (name, schema) in schemas {
        faults(name, schema, schemas, &mut found);
    }
    assert_eq!(found, [""; 0]);
    for operation in operations(&document) {
        let path = operation.path;
        let content = &operation.value["requestBody"]["content"]["application/json"];
        let request = content["schema"]["$ref"].as_str();
        assert!(
            content.is_null() || request.is_some(),
            "{path}: the request has no name"
        );
        let responses = &operation.value["responses"];
        let answer = [&responses["200"], &responses["201"]]
            .map(|one| &one["content"]["application/json"]["schema"]);
        assert!(
            answer.iter().any(|one| one["$ref"].is_string()),
            "{path}: the answer has no name"
        );
        for status in ["400", "401", "403", "404", "409", "422", "429", "503"] {
            assert!(responses[status]["$ref"].is_string(), "{path}: {status}");
        }
    }
}

/// Finds references to nothing, and lists whose entries have no schema.
fn faults(place: &str, schema: &Value, known: &Map<String, Value>, found: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            let target = fields.get("$ref").and_then(Value::as_str);
            let name = target.and_then(|target| target.strip_prefix("#/components/schemas/"));
            if name.is_some_and(|name| !known.contains_key(name)) {
                found.push(format!("{place}: nothing is named {name:?}"));
            }
            if fields.get("items").is_some_and(Value::is_boolean) {
                found.push(format!("{place}: entries without a schema"));
            }
            for (name, value) in fields {
                faults(&format!("{place}/{name}"), value, known, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|it| faults(place, it, known, found)),
        _ => {}
    }
}

#[test]
fn every_list_has_pages() {
    // They answer about one thing, of which they show all.
    const WHOLE: [&str; 11] = [
        "bullets.show",
        "graph.read",
        "groups.show",
        "lessons.show",
        "memory.export",
        "memory.figures",
        "playbook.diff",
        "playbook.show",
        "reflection.show",
        "runs.show",
        "trajectory.show",
    ];
    for verb in catalog::all().iter().filter(|verb| verb.method() == "GET") {
        let answer = verb.answer();
        let fields = answer["properties"]
            .as_object()
            .cloned()
            .unwrap_or_default();
        let is_list = fields.values().any(|field| field["type"] == "array");
        let is_paged =
            verb.request()["properties"]["after"].is_object() && fields.contains_key("next");
        let is_whole =
            WHOLE.contains(&verb.name) || ["replay", "store.health"].contains(&verb.name);
        assert!(!is_list || is_paged || is_whole, "{}", verb.name);
    }
}
