//! The parameters of operations: the headers that all share, and the queries of those that read.

use serde_json::{Map, Value, json};

/// The headers that choose the memory, with their meanings.
pub(in crate::http) const SUBJECT: [(&str, &str); 3] = [
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
pub(in crate::http) const AUTHOR: (&str, &str) = (
    "hindlore-author",
    "Author of the change, for the history; the server's own by default. The holder of a key or token signs as that.",
);
/// The header that names who calls.
pub(in crate::http) const AS: (&str, &str) = (
    "hindlore-as",
    "Principal that calls, `agent:NAME` or `user:NAME`, who may do what it was granted. A credential determines the caller: \
        one for a learner is that learner, one for a tenant may name a principal of it.",
);
/// The header by which a repeated request counts once.
pub(in crate::http) const IDEMPOTENCY_KEY: (&str, &str) = (
    "idempotency-key",
    "Makes a repeated request count once: the id of the delta, where the body names none.",
);

/// Names, of which the ends are trimmed; an empty one is as if it were not there.
const NAME: &str = r"^[^\x00-\x1f\x7f-\x9f]*$";
/// The name with a kind before it.
const PRINCIPAL: &str =
    r"^[ \t]*((agent|user)[ \t]*:[ \t]*[^\x00-\x20\x7f-\xa0][^\x00-\x1f\x7f-\x9f]*)?$";

/// The headers of every operation, by name.
pub(super) fn components() -> Map<String, Value> {
    let text = |pattern: &str| json!({ "type": "string", "pattern": pattern });
    let mut all: Vec<Value> = SUBJECT.map(|subject| header(subject, text(NAME))).to_vec();
    all.push(header(AUTHOR, json!({ "type": "string" })));
    all.push(header(AS, text(PRINCIPAL)));
    all.push(header(IDEMPOTENCY_KEY, json!({ "type": "string" })));
    let named = |header: Value| {
        let name = header["name"].as_str().unwrap_or_default();
        (short(name).to_owned(), header)
    };
    all.into_iter().map(named).collect()
}

/// References to the headers of an operation.
pub(super) fn headers(counts_once: bool) -> Vec<Value> {
    let names = SUBJECT.iter().chain([&AUTHOR, &AS]);
    let names = names.chain(counts_once.then_some(&IDEMPOTENCY_KEY));
    let reference = |(name, _): &(&str, &str)| json!({ "$ref": format!("#/components/parameters/{}", short(name)) });
    names.map(reference).collect()
}

/// The name of a header among the parameters.
fn short(header: &str) -> &str {
    header.trim_start_matches("hindlore-")
}

fn header((name, about): (&str, &str), schema: Value) -> Value {
    json!({
        "name": name,
        "in": "header",
        "description": about,
        "schema": schema,
    })
}

/// The fields of a request as parameters of a query, with the values of an example.
pub(super) fn query(request: &Value, example: &Value) -> Vec<Value> {
    let required = request["required"].as_array().cloned().unwrap_or_default();
    let properties = request["properties"].as_object().cloned();
    let parameter = |(name, mut schema): (String, Value)| {
        let about = schema
            .as_object_mut()
            .and_then(|it| it.remove("description"));
        let mut parameter = json!({
            "name": name,
            "in": "query",
            "description": about,
            "schema": without_null(schema),
        });
        if required.contains(&Value::from(name.as_str())) {
            parameter["required"] = true.into();
        }
        if let Some(value) = example.get(&name) {
            parameter["example"] = value.clone();
        }
        parameter
    };
    properties.into_iter().flatten().map(parameter).collect()
}

/// A schema without null, which no query can hold.
fn without_null(mut schema: Value) -> Value {
    let is_null = |one: &Value| *one == "null" || one["type"] == "null";
    for keyword in ["type", "anyOf"] {
        let Some(Value::Array(among)) = schema.get_mut(keyword) else {
            continue;
        };
        among.retain(|one| !is_null(one));
        if let [one] = among.as_slice() {
            let one = one.clone();
            if keyword == "type" {
                schema["type"] = one;
                continue;
            }
            let fields = schema.as_object_mut();
            let rest = fields.map(|fields| {
                fields.remove("anyOf");
                std::mem::take(fields)
            });
            schema = one;
            for (keyword, value) in rest.into_iter().flatten() {
                schema[keyword] = value;
            }
        }
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_holds_no_null() {
        for (schema, expected) in [
            (
                json!({"type": ["string", "null"], "maxLength": 3}),
                json!({"type": "string", "maxLength": 3}),
            ),
            (
                json!({"anyOf": [{"$ref": "#/x"}, {"type": "null"}]}),
                json!({"$ref": "#/x"}),
            ),
            (json!({"type": "integer"}), json!({"type": "integer"})),
        ] {
            assert_eq!(without_null(schema), expected);
        }
    }
}
