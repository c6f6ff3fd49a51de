//! The nine tools of the reference memory server: its calls, its answers, its file.

use serde_json::{Value, json};

use super::agent::Agent;
use crate::world::World;

const NINE: [&str; 9] = [
    "create_entities",
    "create_relations",
    "add_observations",
    "delete_entities",
    "delete_observations",
    "delete_relations",
    "read_graph",
    "search_nodes",
    "open_nodes",
];

fn agent(world: &World) -> Agent {
    Agent::start(world, &["--profile", "graph"])
}

fn people() -> Value {
    json!({"entities": [
        {"name": "Ada", "entityType": "person", "observations": ["likes tea", "wrote the first program"]},
        {"name": "Engine 2", "entityType": "machine", "observations": ["was never built"]},
    ]})
}

fn names(graph: &Value) -> Vec<&str> {
    let entities = graph["entities"].as_array().unwrap().iter();
    entities.map(|one| one["name"].as_str().unwrap()).collect()
}

#[test]
fn the_nine_are_there_with_schemas_and_hints() {
    let world = World::new();
    let tools = agent(&world).tools();
    let names: Vec<&str> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, NINE);
    for tool in &tools {
        assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
        let deletes = tool["name"].as_str().unwrap().starts_with("delete");
        assert_eq!(tool["annotations"]["destructiveHint"], deletes, "{tool}");
    }
}

#[test]
fn a_graph_is_made_searched_and_unmade() {
    let world = World::seeded();
    let mut agent = agent(&world);
    assert_eq!(
        agent.done("read_graph", json!({})),
        json!({"entities": [], "relations": []})
    );
    assert_eq!(agent.done("create_entities", people()), people());
    // What exists is left as it is.
    assert_eq!(
        agent.done("create_entities", people()),
        json!({"entities": []})
    );
    let relation = json!({"from": "Ada", "to": "Engine 2", "relationType": "writes_for"});
    let relations = json!({"relations": [relation]});
    assert_eq!(agent.done("create_relations", relations.clone()), relations);
    let added = agent.done(
        "add_observations",
        json!({"observations": [{"entityName": "Ada", "contents": ["likes tea", "plays the harp"]}]}),
    );
    assert_eq!(
        added,
        json!({"results": [{"entityName": "Ada", "addedObservations": ["plays the harp"]}]})
    );
    let whole = agent.done("read_graph", json!({}));
    assert_eq!(names(&whole), ["Ada", "Engine 2"]);
    assert_eq!(
        whole["entities"][0]["observations"],
        json!(["likes tea", "wrote the first program", "plays the harp"])
    );
    assert_eq!(whole["relations"], json!([relation]));
    let found = agent.done("search_nodes", json!({"query": "never built"}));
    assert_eq!(names(&found), ["Engine 2"]);
    assert_eq!(found["relations"], json!([relation]));
    let opened = agent.done("open_nodes", json!({"names": ["Ada", "nobody"]}));
    assert_eq!(names(&opened), ["Ada"]);

    let gone = json!({"deletions": [{"entityName": "Ada", "observations": ["likes tea"]}]});
    assert_eq!(agent.done("delete_observations", gone)["success"], true);
    agent.done("delete_relations", relations);
    agent.done("delete_entities", json!({"entityNames": ["Engine 2"]}));
    let left = agent.done("read_graph", json!({}));
    assert_eq!(names(&left), ["Ada"]);
    assert_eq!(left["relations"], json!([]));
    assert_eq!(
        left["entities"][0]["observations"],
        json!(["wrote the first program", "plays the harp"])
    );
}

#[test]
fn what_is_wrong_is_told_in_the_words_of_the_caller() {
    let world = World::new();
    let mut agent = agent(&world);
    for (tool, arguments, word) in [
        ("create_entities", json!({}), "entities"),
        (
            "create_entities",
            json!({"entities": [{"name": "Ada"}]}),
            "entityType",
        ),
        (
            "add_observations",
            json!({"observations": [{"entityName": "Ada", "contents": ["x"]}]}),
            "Ada",
        ),
        ("read_graph", json!({"more": 1}), "more"),
    ] {
        let refused = agent.call(tool, arguments);
        assert_eq!(refused["isError"], true, "{tool}: {refused}");
        assert!(refused.to_string().contains(word), "{tool}: {refused}");
    }
    assert_eq!(agent.done("read_graph", json!({}))["entities"], json!([]));
}

#[test]
fn the_file_of_that_server_becomes_the_graph() {
    let world = World::new();
    let file = world.file(
        "memory.jsonl",
        "{\"type\":\"entity\",\"name\":\"Ada\",\"entityType\":\"person\",\"observations\":[\"likes tea\",\"Ada wrote the first program\"]}\n\
         {\"type\":\"relation\",\"from\":\"Ada\",\"to\":\"Engine 2\",\"relationType\":\"writes_for\"}\n",
    );
    world.json(&format!("import {file}"));
    let graph = agent(&world).done("read_graph", json!({}));
    assert_eq!(
        graph,
        json!({
            "entities": [{"name": "Ada", "entityType": "person", "observations": ["likes tea", "Ada wrote the first program"]}],
            "relations": [{"from": "Ada", "to": "Engine 2", "relationType": "writes_for"}],
        })
    );
    assert!(
        world.json("retrieve who likes tea")["results"][0]["content"]
            .as_str()
            .unwrap()
            .contains("Ada")
    );
}
