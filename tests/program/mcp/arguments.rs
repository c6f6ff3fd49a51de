//! Arguments as clients send them: as texts, with null, with fields of their own.

use serde_json::{Value, json};

use super::agent::Agent;
use crate::world::World;

fn steps() -> Value {
    json!([
        {"step": "1", "action": "tar --gzipp x", "error": "tar: unrecognized option '--gzipp'", "exit_code": "1"},
        {"step": 2, "action": "tar --gzip x", "exit_code": 0, "tags": "archives"},
    ])
}

#[test]
fn lists_objects_numbers_and_flags_come_as_texts() {
    let world = World::seeded();
    let mut agent = Agent::start(&world, &["--profile", "full"]);
    let operations = json!([{"op": "ADD", "content": "Quote every path with a blank.", "ttl_days": "3", "tags": "[\"a\",\"b\"]"}]);
    let added = agent.done(
        "delta_apply",
        json!({"operations": operations.to_string(), "lenient": "false"}),
    );
    assert_eq!(added["added"].as_array().unwrap().len(), 1, "{added}");
    agent.done("delta_apply", json!({"operations": {"op": "ADD", "content": "One operation is a list of one.", "pinned": "true"}}));
    let captured = agent.done(
        "errors_capture",
        json!({"run": "r", "steps": steps().to_string()}),
    );
    assert_eq!(captured["steps"].as_array().unwrap().len(), 2, "{captured}");
    let learned = agent.done(
        "learn_from_execution",
        json!({"steps": steps(), "score": "0.9", "passed": "True"}),
    );
    assert_eq!(learned["steps"], 2, "{learned}");
    let asked = json!({"query": "start the engine", "top_k": "1", "strict": "false", "tags": "[]", "peek": "true"});
    let found = agent.done("retrieve", asked.clone());
    assert_eq!(found["results"].as_array().unwrap().len(), 1, "{found}");
    // The whole of them as one text.
    let found = agent.ask(
        "tools/call",
        json!({"name": "retrieve", "arguments": asked.to_string()}),
    );
    assert_eq!(found["result"]["isError"], false, "{found}");
    agent.done(
        "lessons_for_error",
        json!({"error": "bad option", "step": "1"}),
    );
}

#[test]
fn what_is_null_or_empty_is_left_out() {
    let world = World::seeded();
    let mut agent = Agent::start(&world, &["--profile", "full"]);
    for tool in agent.tools() {
        if tool["annotations"]["readOnlyHint"] == false {
            continue;
        }
        let fields = tool["inputSchema"]["properties"].as_object().unwrap();
        let required = tool["inputSchema"]["required"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let is_optional = |name: &&String| !required.contains(&json!(name));
        let none: serde_json::Map<String, Value> = fields
            .keys()
            .filter(is_optional)
            .map(|name| (name.clone(), Value::Null))
            .collect();
        let result = agent.call(tool["name"].as_str().unwrap(), Value::Object(none));
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(!text.contains("not null"), "{}: {text}", tool["name"]);
    }
    let asked = json!({"query": "engine", "top_k": "", "prompt": "", "topic_mode": "null", "min_score": null, "peek": true});
    let found = agent.done("retrieve", asked);
    assert!(found.to_string().contains("pump"), "{found}");
}

#[test]
fn fields_of_clients_are_passed_over_and_named() {
    let world = World::seeded();
    let mut agent = Agent::start(&world, &["--profile", "full"]);
    let asked = json!({"query": "engine", "peek": true, "security_risk": "low", "_meta": {"a": 1}, "zone": "x"});
    let result = agent.call("retrieve", asked);
    assert_eq!(result["isError"], false, "{result}");
    let note = result["content"][1]["text"].as_str().unwrap();
    assert!(
        note.contains("`security_risk`") && note.contains("`zone`"),
        "{note}"
    );
    agent.done("memory_list", json!({"random_string": "dummy"}));
    // A slip is refused, and so is every field that might narrow a deletion.
    let problem = agent.refused(
        "retrieve",
        json!({"query": "engine", "topk": 1}),
        "invalid_request",
    );
    assert!(problem.to_string().contains("top_k"), "{problem}");
    let before = world.digest();
    agent.refused(
        "memory_clear",
        json!({"before": "2020-01-01"}),
        "invalid_request",
    );
    assert_eq!(world.digest(), before);
    let mut graph = Agent::start(&world, &["--profile", "graph"]);
    graph.done("read_graph", json!({"random_string": "dummy"}));
    let entity = json!({"name": "C", "entityType": "person", "observations": "likes tea", "id": 5});
    graph.done(
        "create_entities",
        json!({"entities": entity.to_string(), "purpose": "test"}),
    );
    let opened = graph.done("open_nodes", json!({"names": "C"}));
    assert_eq!(opened["entities"][0]["observations"], json!(["likes tea"]));
}
