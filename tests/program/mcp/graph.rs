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
    // Existing elements stay as they are.
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
        ("open_nodes", json!({"names": null}), "names"),
        (
            "delete_entities",
            json!({"entityNames": ["Ada"], "onlyOlderThan": 3}),
            "onlyOlderThan",
        ),
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

#[test]
fn two_entities_of_one_name_are_one_with_all_observations() {
    let world = World::new();
    let mut agent = agent(&world);
    let cellar = |observations: Value| json!({"name": "Cellar", "entityType": "room", "observations": observations});
    let asked = json!({"entities": [
        cellar(json!(["Cold"])),
        {"name": "Kitchen", "entityType": "room", "observations": []},
        cellar(json!(["Wine rack", "Cold"])),
    ]});
    let made = agent.done("create_entities", asked);
    let both = cellar(json!(["Cold", "Wine rack"]));
    assert_eq!(made["entities"][0], both);
    let opened = agent.done("open_nodes", json!({"names": ["Cellar", "Cellar"]}));
    assert_eq!(opened["entities"], json!([both]));
}

#[test]
fn every_name_is_opened_extended_and_deleted_as_it_is_written() {
    let world = World::new();
    let mut agent = agent(&world);
    for name in [
        " Attic ",
        "\tTab",
        "two\nlines",
        "\"quoted\"",
        "",
        "Attic",
        "attic",
        "At\u{200b}tic",
    ] {
        let entity = json!({"name": name, "entityType": " a room ", "observations": ["Dusty"]});
        if name.is_empty() {
            agent.refused(
                "create_entities",
                json!({ "entities": [entity] }),
                "invalid_request",
            );
            continue;
        }
        let made = agent.done("create_entities", json!({ "entities": [entity] }));
        assert_eq!(made["entities"], json!([entity]), "{name:?}");
        let more =
            json!({"observations": [{"entityName": name, "contents": ["Holds 7 boxes of books"]}]});
        let added = agent.done("add_observations", more);
        assert_eq!(
            added["results"][0]["addedObservations"],
            json!(["Holds 7 boxes of books"]),
            "{name:?}"
        );
        let relation = json!({"from": name, "to": " the roof", "relationType": "is under "});
        let relations = json!({"relations": [relation]});
        assert_eq!(agent.done("create_relations", relations.clone()), relations);
        let opened = agent.done("open_nodes", json!({"names": [name]}));
        assert_eq!(
            opened["entities"][0]["observations"],
            json!(["Dusty", "Holds 7 boxes of books"])
        );
        assert_eq!(opened["relations"], json!([relation]), "{name:?}");
        assert_eq!(agent.done("delete_relations", relations)["success"], true);
    }
    let whole = agent.done("read_graph", json!({}));
    assert_eq!(names(&whole).len(), 7);
    let gone = agent.done("delete_entities", json!({"entityNames": [" Attic "]}));
    assert_eq!(gone["success"], true);
    let left = agent.done("read_graph", json!({}));
    assert_eq!(names(&left).len(), 6);
    assert!(names(&left).contains(&"Attic") && !names(&left).contains(&" Attic "));
}

#[test]
fn parts_of_the_graph_with_equal_texts_stay_apart() {
    let world = World::new();
    let mut agent = agent(&world);
    let entities = json!({"entities": [
        {"name": "A", "entityType": "b", "observations": ["B: C", "is a b"]},
        {"name": "A: B", "entityType": "b", "observations": ["C"]},
        {"name": "a", "entityType": "b", "observations": ["b: c"]},
    ]});
    assert_eq!(
        agent.done("create_entities", entities.clone())["entities"],
        entities["entities"]
    );
    let relations = json!({"relations": [
        {"from": "A", "to": "b", "relationType": "is_a"},
        {"from": "A", "to": "b", "relationType": "is a"},
        {"from": "A", "to": "b", "relationType": "is_a"},
        {"from": "A", "to": "nobody", "relationType": "knows"},
    ]});
    let made = agent.done("create_relations", relations.clone());
    let whole = agent.done("read_graph", json!({}));
    assert_eq!(names(&whole), ["A", "A: B", "a"]);
    assert_eq!(
        made["relations"], whole["relations"],
        "what is told is there"
    );
    for at in [0, 1, 2] {
        assert_eq!(
            whole["entities"][at]["observations"],
            entities["entities"][at]["observations"]
        );
    }
    // A type of its own after the entity was deleted, and no relations.
    agent.done("delete_entities", json!({"entityNames": ["A"]}));
    let again =
        json!({"entities": [{"name": "A", "entityType": "city", "observations": ["B: C"]}]});
    assert_eq!(agent.done("create_entities", again.clone()), again);
    let opened = agent.done("open_nodes", json!({"names": ["A"]}));
    assert_eq!(
        opened,
        json!({"entities": again["entities"], "relations": []})
    );
}

#[test]
fn what_is_told_as_added_or_deleted_is_what_was_done() {
    let world = World::new();
    let mut agent = agent(&world);
    agent.done("create_entities", json!({"entities": [{"name": "Kitchen", "entityType": "room", "observations": ["Oven on the left"]}]}));
    let texts = [
        "Oven on the left.",
        "Sink at window 4",
        "sink at window 4",
        "Sink at window 5",
    ];
    let more = json!({"observations": [{"entityName": "Kitchen", "contents": texts}]});
    let result = agent.call("add_observations", more);
    let added = &result["structuredContent"]["results"][0]["addedObservations"];
    let opened = agent.done("open_nodes", json!({"names": ["Kitchen"]}));
    let there = opened["entities"][0]["observations"].as_array().unwrap();
    let told = added.as_array().unwrap();
    assert!(
        !told.is_empty() && told.iter().all(|text| there.contains(text)),
        "{told:?} of {there:?}"
    );
    assert_eq!(there.len(), told.len() + 1, "{told:?} of {there:?}");
    if told.len() < texts.len() {
        assert!(
            result["content"][1]["text"]
                .as_str()
                .unwrap()
                .contains("was not added"),
            "{result}"
        );
    }
    for (tool, arguments) in [
        ("delete_entities", json!({"entityNames": ["Cellar"]})),
        (
            "delete_observations",
            json!({"deletions": [{"entityName": "Kitchen", "observations": ["blue"]}]}),
        ),
        (
            "delete_observations",
            json!({"deletions": [{"entityName": "Cellar", "observations": ["blue"]}]}),
        ),
        (
            "delete_relations",
            json!({"relations": [{"from": "Cellar", "to": "Kitchen", "relationType": "under"}]}),
        ),
    ] {
        let answer = agent.done(tool, arguments);
        assert_eq!(answer["success"], false, "{tool}: {answer}");
        let message = answer["message"].as_str().unwrap();
        assert!(
            message.contains("nothing was deleted") && message.contains("no "),
            "{message}"
        );
    }
}

#[test]
fn nothing_is_opened_by_no_names_and_nothing_found_in_tags() {
    let world = World::new();
    let mut agent = agent(&world);
    agent.done("create_entities", people());
    agent.done(
        "create_relations",
        json!({"relations": [{"from": "Ada", "to": "Engine 2", "relationType": "writes_for"}]}),
    );
    let nothing = json!({"entities": [], "relations": []});
    assert_eq!(agent.done("open_nodes", json!({"names": []})), nothing);
    for words in [
        "observation",
        "entity",
        "ent",
        "relation",
        "related",
        "Observations",
        "nothing of this",
    ] {
        assert_eq!(
            agent.done("search_nodes", json!({ "query": words })),
            nothing,
            "{words}"
        );
    }
    for (words, name) in [
        ("harp program", ""),
        ("TEA", "Ada"),
        ("built", "Engine 2"),
        ("machine", "Engine 2"),
        ("eng", "Engine 2"),
    ] {
        let found = agent.done("search_nodes", json!({ "query": words }));
        assert!(
            name.is_empty() || names(&found).contains(&name),
            "{words}: {found}"
        );
    }
}
