//! The tools on standard input and output.

use std::collections::BTreeSet;

use hindlore_api::catalog;
use serde_json::{Value, json};

use super::agent::{Agent, WITH_SESSIONS, WITHOUT_SESSIONS, repository};
use crate::world::World;

const DEFAULT: [&str; 8] = [
    "remember",
    "recall",
    "forget",
    "lessons_for_error",
    "report_outcome",
    "learn_from_execution",
    "get_playbook",
    "explain",
];

fn names(tools: &[Value]) -> Vec<&str> {
    tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect()
}

/// A failure, and the step that mended it.
fn steps() -> Value {
    json!([
        {"action": "tar --extrct -f b.tgz", "error": "tar: unrecognized option '--extrct', did you mean '--extract'?", "exit_code": 64},
        {"action": "tar --extract -f b.tgz", "exit_code": 0},
    ])
}

#[test]
fn an_agent_of_each_age_sees_the_same_tools_in_the_same_order() {
    let world = World::seeded();
    let mut old = Agent::start(&world, &[]);
    let mut new = Agent::without_sessions(&world, &[]);
    let discovered = new.ask("server/discover", json!({}));
    let versions = &discovered["result"]["supportedVersions"];
    let versions: Vec<&str> = versions
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert!(versions.contains(&WITH_SESSIONS) && versions.contains(&WITHOUT_SESSIONS));
    let tools = old.tools();
    assert_eq!(names(&tools), DEFAULT);
    assert_eq!(new.tools(), tools);
    for tool in &tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(
            tool["annotations"]["readOnlyHint"].is_boolean(),
            "{}",
            tool["name"]
        );
    }
    let ask = json!({"question": "start the engine"});
    let (first, second) = (old.done("recall", ask.clone()), new.done("recall", ask));
    let text = |found: &Value| found["bullets"][0]["text"].as_str().unwrap().to_owned();
    assert_eq!(text(&first), text(&second));
    assert!(text(&first).contains("pump"));
}

#[test]
fn an_agent_retrieves_judges_learns_and_is_helped_next_time() {
    let world = World::seeded();
    let mut agent = Agent::start(&world, &[]);
    let found = agent.done("recall", json!({"question": "how do I start the engine"}));
    let id = found["bullets"][0]["id"].as_str().unwrap().to_owned();
    let judged = json!({"retrieval": found["retrieval"], "helped": [id]});
    agent.done("report_outcome", judged);
    let learned = agent.done(
        "learn_from_execution",
        json!({"run": "r1", "steps": steps(), "passed": true}),
    );
    assert_eq!(learned["steps"], 2, "{learned}");
    let help = agent.done(
        "lessons_for_error",
        json!({"error": "tar: unrecognized option '--extrct', did you mean '--extract'?", "action": "tar --extrct -f c.tgz"}),
    );
    let lesson = help["lessons"][0]["id"].as_str().unwrap().to_owned();
    let shown = agent.done("explain", json!({"id": id}));
    assert_eq!((&shown["id"], &shown["helpful"]), (&json!(id), &json!(1)));
    let shown = agent.done("explain", json!({ "id": lesson }));
    assert!(shown.to_string().contains(&lesson), "{shown}");
    // The command line sees the work of the agent.
    assert_eq!(world.json(&format!("bullets show {id}"))["helpful"], 1);
    assert_eq!(agent.end(), (Vec::new(), Some(0)));
}

#[test]
fn what_is_wrong_is_told_in_words_of_the_tools_and_changes_nothing() {
    let world = World::seeded();
    let before = world.digest();
    let mut agent = Agent::start(&world, &[]);
    let problem = agent.refused("recall", json!({"qestion": "x"}), "invalid_request");
    let message = problem["message"].as_str().unwrap();
    assert!(
        message.contains("qestion") && message.contains("`question`"),
        "{message}"
    );
    agent.refused(
        "recall",
        json!({"question": "x", "limit": 0}),
        "invalid_request",
    );
    agent.refused("remember", json!({"text": " "}), "invalid_request");
    // A field that may have been meant to spare something is never passed over.
    let asked = json!({"text": "prime the pump", "before": "2020-01-01"});
    agent.refused("forget", asked, "invalid_request");
    agent.refused("forget", json!({}), "invalid_request");
    let problem = agent.refused("explain", json!({"id": "b_nothing"}), "no_bullet");
    let hint = problem["hint"].as_str().unwrap();
    assert!(
        hint.contains("command line") && !hint.contains('<'),
        "{hint}"
    );
    let unknown = agent.ask("tools/call", json!({"name": "recal", "arguments": {}}));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    let message = unknown["error"]["message"].as_str().unwrap();
    assert!(message.contains("`recall`"), "{message}");
    let no_method = agent.ask("tools/run", json!({}));
    assert_eq!(no_method["error"]["code"], -32601, "{no_method}");
    assert_eq!(agent.tools().len(), DEFAULT.len());
    assert_eq!(world.digest(), before);
}

#[test]
fn lines_that_are_no_messages_do_not_end_it() {
    let world = World::seeded();
    let mut agent = Agent::start(&world, &[]);
    for line in ["not json", "[]", "{\"jsonrpc\": \"2.0\"}", "", "{\"id\": "] {
        agent.send(line);
    }
    let id = agent.send_request("tools/list", json!({}));
    let answer = loop {
        let heard = agent.heard();
        if heard["id"] == id {
            break heard;
        }
        assert!(heard["error"]["code"].is_i64(), "{heard}");
    };
    assert!(answer["result"]["tools"].is_array(), "{answer}");
}

#[test]
fn the_full_profile_has_every_verb_and_answers_to_each() {
    let world = World::seeded();
    let mut agent = Agent::start(&world, &["--profile", "full"]);
    let tools = agent.tools();
    let names: BTreeSet<&str> = names(&tools).into_iter().collect();
    assert_eq!(names.len(), tools.len());
    // `explain` covers two verbs, which have tools of their own here.
    assert_eq!(tools.len(), catalog::all().len() + 1);
    for tool in &tools {
        let name = tool["name"].as_str().unwrap();
        // Every tool has a field of another type than this, or a slip for one of its fields.
        let fields = tool["inputSchema"]["properties"].as_object().unwrap();
        let Some(field) = fields.keys().find(|field| field.len() > 3) else {
            continue;
        };
        let arguments = json!({format!("{field}x"): 1});
        let message = agent.refused(name, arguments, "invalid_request");
        let message = message["message"].as_str().unwrap();
        assert!(message.contains(field.as_str()), "{name}: {message}");
    }
    let listed = agent.done("bullets_list", json!({"learned_only": true}));
    assert_eq!(listed["bullets"].as_array().unwrap().len(), 3, "{listed}");
    assert_eq!(
        agent.done("digest", json!({})),
        world.digest(),
        "the same answer as that of the command line"
    );
}

#[test]
fn a_huge_answer_is_cut_and_says_where_and_how_to_get_the_rest() {
    let world = World::new();
    let operations: Vec<Value> = (0..120)
        .map(|number| {
            let content = format!(
                "Rule {number} of the harbour: {}",
                format!("crane{number} ").repeat(80)
            );
            json!({"op": "ADD", "content": content})
        })
        .collect();
    world.apply(&json!({"id": "many", "operations": operations}));
    let mut agent = Agent::start(&world, &["--profile", "full"]);
    let result = agent.call("bullets_list", json!({"limit": 200}));
    assert_eq!(result["isError"], false);
    let shown = result["structuredContent"]["bullets"].as_array().unwrap();
    assert!((10..120).contains(&shown.len()), "{}", shown.len());
    assert!(result["structuredContent"].to_string().len() <= 40_000);
    let text = result["content"][0]["text"].as_str().unwrap();
    let same: Value = serde_json::from_str(text).unwrap();
    assert_eq!(same, result["structuredContent"]);
    let told = result["content"][1]["text"].as_str().unwrap();
    let count = format!("`bullets` has {} of ", shown.len());
    assert!(
        told.starts_with("truncated: ") && told.contains(&count),
        "{told}"
    );
    assert!(told.contains("`limit`"), "{told}");
}

#[test]
fn a_cancelled_call_leaves_the_change_whole_and_the_server_at_work() {
    let world = World::seeded();
    let mut agent = Agent::start(&world, &["--profile", "full"]);
    for number in 0..20 {
        let content = format!("Rule {number} about cancelled calls and their {number} changes.");
        let arguments =
            json!({"id": format!("c{number}"), "operations": [{"op": "ADD", "content": content}]});
        let call = json!({"name": "delta_apply", "arguments": arguments});
        let id = agent.send_request("tools/call", call);
        agent.tell(
            "notifications/cancelled",
            json!({"requestId": id, "reason": "changed my mind"}),
        );
    }
    agent.tell("notifications/cancelled", json!({"requestId": 999_999}));
    let asked = agent.send_request("tools/list", json!({}));
    while agent.heard()["id"] != asked {}
    // Each counts once, whether or not it had begun: sent again by its id it is there, as a whole.
    let mut again = Agent::start(&world, &["--profile", "full"]);
    for number in 0..20 {
        let content = format!("Rule {number} about cancelled calls and their {number} changes.");
        again.done(
            "delta_apply",
            json!({"id": format!("c{number}"), "operations": [{"op": "ADD", "content": content}]}),
        );
    }
    assert_eq!(world.digest()["revision"], 21);
}

#[test]
fn the_end_of_the_input_is_the_normal_end() {
    let world = World::new();
    assert_eq!(Agent::silent(&world, &[]).end(), (Vec::new(), Some(0)));
    let mut agent = Agent::start(&world, &[]);
    let kept = agent.done("remember", json!({"text": "End when the input closes."}));
    assert_eq!(agent.end(), (Vec::new(), Some(0)));
    let log = world.json("delta log");
    assert_eq!(log["deltas"][0]["delta"], kept["delta"], "{log}");
}

#[test]
fn a_session_begins_with_what_the_memory_knows() {
    let world = World::new();
    let mut agent = Agent::start(&world, &[]);
    let resources = agent.ask("resources/list", json!({}));
    let uri = resources["result"]["resources"][0]["uri"].clone();
    let read = |agent: &mut Agent| {
        let read = agent.ask("resources/read", json!({ "uri": uri }));
        let text = read["result"]["contents"][0]["text"].as_str();
        text.unwrap_or_else(|| panic!("{read}")).to_owned()
    };
    assert!(read(&mut agent).contains("nothing to say"));
    agent.done("remember", json!({"text": "prime the pump first"}));
    assert!(read(&mut agent).contains("prime the pump first"));
    let prompts = agent.ask("prompts/list", json!({}));
    assert_eq!(prompts["result"]["prompts"].as_array().unwrap().len(), 2);
    let asked = json!({"name": "before_task", "arguments": {"task": "start the pump"}});
    let prompt = agent.ask("prompts/get", asked);
    let text = prompt["result"]["messages"][0]["content"]["text"].as_str();
    assert!(text.unwrap().contains("prime the pump first"), "{prompt}");
    let lacking = agent.ask("prompts/get", json!({"name": "before_task"}));
    assert_eq!(lacking["error"]["code"], -32602, "{lacking}");
    let unknown = agent.ask("resources/read", json!({"uri": "hindlore://nothing"}));
    assert!(unknown["error"]["code"].is_i64(), "{unknown}");
}

#[test]
fn a_playbook_is_a_tool_and_a_resource() {
    let world = World::new();
    let mut agent = Agent::start(&world, &["--profile", "full"]);
    let made = json!({"playbook": "big reports", "description": "how reports are fetched", "strategies": [
        {"pattern": "Read the header before the rows.", "context": "large reports"},
    ]});
    agent.done("playbook_create", made);
    let shown = agent.done("get_playbook", json!({"playbook": "big reports"}));
    assert_eq!(
        shown["strategies"][0]["pattern"],
        "Read the header before the rows."
    );
    let listed = agent.ask("resources/list", json!({}));
    let resource = &listed["result"]["resources"][1];
    assert_eq!(
        resource["uri"], "hindlore://playbook/big%20reports",
        "{listed}"
    );
    assert_eq!(resource["description"], "how reports are fetched");
    let read = agent.ask("resources/read", json!({"uri": resource["uri"]}));
    let text = read["result"]["contents"][0]["text"].as_str().unwrap();
    assert!(text.contains("Read the header before the rows."), "{text}");
    let templates = agent.ask("resources/templates/list", json!({}));
    let template = &templates["result"]["resourceTemplates"][0]["uriTemplate"];
    assert_eq!(template, "hindlore://playbook/{name}");
    let unknown = agent.ask("resources/read", json!({"uri": "hindlore://playbook/none"}));
    assert_eq!(unknown["error"]["code"], -32002, "{unknown}");
    agent.refused("get_playbook", json!({"playbook": "none"}), "no_playbook");
}

#[test]
fn an_agent_that_was_not_let_in_reads_and_changes_nothing() {
    let world = World::seeded();
    let before = world.digest();
    let mut agent = Agent::start(&world, &["--as", "agent:stranger"]);
    for (tool, arguments) in [
        ("recall", json!({"question": "engine"})),
        ("remember", json!({"text": "Let me in."})),
        ("forget", json!({"text": "prime the pump"})),
    ] {
        let problem = agent.refused(tool, arguments, "not_allowed");
        assert!(!problem.to_string().contains("pump"), "{problem}");
    }
    let prompt = json!({"name": "before_task", "arguments": {"task": "start the engine"}});
    let refused = agent.ask("prompts/get", prompt);
    assert!(
        refused["error"]["message"]
            .as_str()
            .unwrap()
            .contains("not_allowed")
    );
    assert_eq!(world.digest(), before);
    world.json("grant agent:stranger editor");
    let found = agent.done("recall", json!({"question": "engine"}));
    assert!(found.to_string().contains("pump"), "{found}");
}

#[test]
fn the_scope_is_the_repository_unless_another_is_named() {
    let world = World::new();
    repository(&world);
    let note = json!({"text": "the shop has two doors"});
    let mut agent = Agent::start(&world, &[]);
    agent.done("remember", note.clone());
    let mut plain = Agent::start(&world, &["--scope", "default"]);
    plain.done("remember", note);
    let listed = world.json("memory list");
    let scopes: Vec<&str> = listed["memories"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|memory| memory["scope"].as_str())
        .collect();
    assert!(scopes.contains(&"example.org/team/shop"), "{scopes:?}");
    assert_eq!(scopes.len(), 2, "{scopes:?}");
}
