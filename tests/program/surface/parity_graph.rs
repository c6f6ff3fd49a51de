//! The parts of the story about the knowledge graph in a memory, its events, and its vectors.

use serde_json::{Value, json};

use super::parity::{Step, step};

/// A graph is changed and read, and the changes are listed.
pub(super) fn a_graph_grows() -> Vec<Step> {
    let entities =
        json!([{"name": "pump", "entity_type": "machine", "observations": ["leaks~at~noon"]}]);
    let typed = format!("graph change --id g1 --create-entities {entities}");
    let blanks = |value: &Value| -> Value {
        serde_json::from_str(&value.to_string().replace('~', " ")).unwrap()
    };
    vec![
        step(
            "graph.change",
            json!({"id": "g1", "create_entities": blanks(&entities)}),
            &typed,
        ),
        step(
            "graph.read",
            json!({"query": "leaks"}),
            "graph read --query leaks",
        ),
        step(
            "memory.events",
            json!({"after": 1, "limit": 3}),
            "memory events --after 1 --limit 3",
        ),
    ]
}

/// Vectors without a model: there are none, and none are missing in an empty memory.
pub(super) fn vectors_come_and_go() -> Vec<Step> {
    let of = |verb: &'static str| step(verb, json!({}), &verb.replace('.', " "));
    ["embeddings.build", "embeddings.status", "embeddings.drop"]
        .map(of)
        .into()
}
