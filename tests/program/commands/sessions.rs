//! `session prepare` and `session record`: the lessons of a judged turn reach the next prompt.

use serde_json::{Value, json};

use crate::world::{World, texts};

/// A turn in which a command fails and its cure works.
fn turn(script: &str) -> Value {
    let call = |id: &str, command: &str| {
        let arguments = json!({"command": command}).to_string();
        let function = json!({"name": "Bash", "arguments": arguments});
        json!({"role": "assistant", "content": "", "tool_calls": [
            {"id": id, "type": "function", "function": function}]})
    };
    let answer =
        |id: &str, text: &str| json!({"role": "tool", "tool_call_id": id, "content": text});
    let said = format!(
        "exit code: 1\nUnknown command: \"{script}x\"\n\nDid you mean this?\n  npm {script}"
    );
    json!([
        {"role": "user", "content": "run the checks"},
        call("1", &format!("npm {script}x")),
        answer("1", &said),
        call("2", &format!("npm {script}")),
        answer("2", "exit code: 0\nok"),
        {"role": "assistant", "content": "done"},
    ])
}

fn recorded(world: &World, session: &str, messages: &Value) -> Value {
    let command = ["session", "record", session, "-", "--passed", "--json"];
    world
        .run_with(&command, messages.to_string().as_bytes())
        .document()
}

#[test]
fn a_judged_turn_ends_its_run_and_its_lesson_reaches_the_next_prompt() {
    let world = World::new();
    let first = recorded(&world, "w1", &turn("test"));
    assert_eq!((&first["run"], &first["steps"]), (&"w1".into(), &2.into()));
    let learned = texts(&first["ended"]["learned"], "rule");
    assert!(learned[0].contains("npm test"), "{learned:?}");
    // The same turn again is the same evidence; another one is the next run.
    let again = recorded(&world, "w1", &turn("test"));
    assert_eq!(
        (&again["run"], &again["ended"]["repeated"]),
        (&"w1".into(), &true.into())
    );
    assert_eq!(recorded(&world, "w1", &turn("lint"))["run"], "w1-2");
    // A brief has lessons of two runs.
    assert_eq!(recorded(&world, "w2", &turn("test"))["run"], "w2");
    let question = json!([{"role": "user", "content": "how do I run the checks?"}]).to_string();
    let prepare = ["session", "prepare", "-", "--json"];
    let prepared = world.run_with(&prepare, question.as_bytes()).document();
    assert_eq!(prepared["lessons"].as_array().unwrap().len(), 1);
    let block = prepared["messages"][0]["content"].as_str().unwrap();
    assert!(block.contains("npm test"), "{block}");
}

#[test]
fn general_advice_is_in_the_prompts_of_a_new_memory_and_in_none_where_it_is_off() {
    const ADVICE: &str = "Produce exactly the output format";
    let question = json!([{"role": "user", "content": "which gate is open?"}]).to_string();
    let block = |world: &World| {
        let prepare = ["session", "prepare", "-", "--json"];
        let prepared = world.run_with(&prepare, question.as_bytes()).document();
        prepared["messages"].to_string()
    };
    let mut off = World::new();
    off.set("HINDLORE_ADVICE", "false");
    assert!(!block(&off).contains(ADVICE));
    let mut world = World::new();
    assert!(block(&world).contains(ADVICE), "before there is a memory");
    for text in [
        "the harbour gate is open on Monday",
        "an open gate needs a guard",
        "the tide says which gate is open",
    ] {
        assert_eq!(world.run(&["add", text]).code, 0);
    }
    assert!(!block(&world).contains(ADVICE), "memory has an answer");
    world.set("HINDLORE_ADVICE", "true");
    assert!(block(&world).contains(ADVICE));
    let figures = world.json("analyze");
    assert_eq!(
        (&figures["bullets"], &figures["advice"]),
        (&3.into(), &3.into())
    );
    let strongest = texts(&figures["strongest"], "content");
    assert!(
        strongest.iter().all(|one| one.contains("gate")),
        "{strongest:?}"
    );
}
