//! Tools of the agent from the settings: a command, an HTTP endpoint and an MCP server, each a tiny one of the test.

use hindlore_testkit::{ModelAnswer, ScriptedModel};
use serde_json::{Value, json};

use crate::world::World;

const ASKED: &str = r#"{"messages": [{"role": "user", "content": "Look up the berth."}], "without_learning": true}"#;

/// A model that takes these steps, each a tool with its input, and then answers.
fn stepping(steps: &[(&str, Value)]) -> ScriptedModel {
    let step = |(tool, input): &(&str, Value)| {
        ModelAnswer::json(&json!({"thought": "t", "tool": tool, "input": input}))
    };
    let mut answers: Vec<ModelAnswer> = steps.iter().map(step).collect();
    answers.push(ModelAnswer::json(&json!({
        "thought": "t", "tool": "", "final_answer": "done", "bullet_ids": [], "verdict": "unknown", "reason": "",
    })));
    ScriptedModel::in_turn(answers).unwrap()
}

fn world(server: &ScriptedModel, settings: &str) -> World {
    let mut world = World::new();
    let (url, file) = (server.url(), world.file("config.toml", settings));
    for (name, value) in [
        ("HINDLORE_MODEL_VENDOR", "ollama"),
        ("HINDLORE_MODEL", "scripted"),
        ("HINDLORE_MODEL_URL", url.as_str()),
        ("HINDLORE_MODEL_RETRIES", "0"),
        ("HINDLORE_CONFIG", file.as_str()),
    ] {
        world.set(name, value);
    }
    world
}

#[test]
fn a_command_an_endpoint_and_a_server_are_tools_of_a_turn() {
    let endpoint = ScriptedModel::in_turn(vec![ModelAnswer::Raw(json!({"berth": 12}))]).unwrap();
    let model = stepping(&[
        ("berths", json!("north")),
        ("berths", json!({"side": "south"})),
        ("fees", json!("berth 12")),
        ("notes_recall", json!({"question": "red gate"})),
        ("broken", json!("x")),
    ]);
    let program = crate::PROGRAM;
    let settings = format!(
        "[agent.tools.berths]\nabout = 'berths of a side'\ncommand = 'cat'\n\
         [agent.tools.broken]\nabout = 'never works'\ncommand = 'echo no such key >&2; exit 4'\n\
         [agent.tools.fees]\nabout = 'fees of a berth'\nurl = '{}/fees'\n\
         [agent.tools.notes]\nmcp = \"'{program}' mcp --store other.db\"\n\
         [agent.tools.silent]\nmcp = 'sleep 20'\ntimeout_ms = 200\n",
        endpoint.url()
    );
    let world = world(&model, &settings);
    let added = world.run(&["add", "the red gate opens at noon", "--store", "other.db"]);
    assert_eq!(added.code, 0, "{added:?}");
    let ran = world.run_with(&["agent", "run", "--json"], ASKED);
    let shown = ran.document();
    let steps = shown["scratch"]["state"]["steps"].as_array().unwrap();
    let result = |at: usize| steps[at]["result"].as_str().unwrap();
    assert_eq!(result(0), r#"{"input":"north"}"#);
    assert_eq!(result(1), r#"{"side":"south"}"#);
    assert_eq!(result(2), r#"{"berth":12}"#);
    assert!(result(3).contains("opens at noon"), "{}", result(3));
    assert!(result(4).contains("no such key"), "{}", result(4));
    let failed: Vec<bool> = steps.iter().map(|step| step["failed"] == true).collect();
    assert_eq!(failed, [false, false, false, false, true]);
    assert_eq!(shown["answer"], "done");
    assert_eq!(endpoint.asked()[0].body, json!({"input": "berth 12"}));
    let notes = shown["scratch"]["notes"].to_string();
    assert!(
        notes.contains("silent") && notes.contains("200ms"),
        "{notes}"
    );
    let first = model.asked()[0].text();
    for about in [
        "- berths: berths of a side",
        "- fees: fees of a berth",
        "- notes_recall: ",
    ] {
        assert!(first.contains(about), "{about}: {first}");
    }
}

#[test]
fn a_tool_that_cannot_be_is_refused_when_an_agent_is_asked() {
    let model = stepping(&[]);
    for (settings, words) in [
        ("[agent.tools.x]\nabout = 'a'\n", "agent.tools.x"),
        ("[agent.tools.x]\ncommand = 'cat'\n", "no `about`"),
        (
            "[agent.tools.x]\nabout = 'a'\nurl = 'no address'\n",
            "agent.tools.x.url",
        ),
        (
            "[agent.tools.x]\nabout = 'a'\ncommand = 'a'\nmcp = 'b'\n",
            "agent.tools.x",
        ),
        (
            "[agent.tools.calculator]\nabout = 'a'\ncommand = 'a'\n",
            "calculator",
        ),
        ("[agent]\nanalyst = true\n", "no Neo4j server"),
    ] {
        let world = world(&model, settings);
        world.json("health");
        let refused = world.run_with(&["agent", "run", "--json"], ASKED);
        let message = refused.problem("invalid_config");
        assert!(message.contains(words), "{settings}: {message}");
    }
    let world = world(&model, "[agent.tools.x]\nabuot = 'a'\n");
    let refused = world.run_with(&["agent", "run", "--json"], ASKED);
    assert!(
        refused.out.contains("agent.tools.x.abuot") || refused.err.contains("agent.tools.x.abuot"),
        "{refused:?}"
    );
}
