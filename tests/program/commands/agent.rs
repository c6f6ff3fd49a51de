//! The commands `agent`, `session` and `model`: the real program with a scripted model.

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use hindlore_testkit::{ModelAnswer, ModelAsked, ScriptedModel};
use serde_json::{Value, json};

use crate::world::World;

/// The input of the seed's own verification.
const SEED: &str = r#"{"messages": [{"role": "user", "content": "Help me multiply 12 by 5."}], "learner": "tester", "scope": "global"}"#;

/// A question that the lesson of the script answers.
const ABOUT_UNITS: &str = r#"{"messages": [{"role": "user", "content": "Which unit has the number 12 * 5?"}], "learner": "tester", "scope": "global"}"#;

fn with_model(server: &ScriptedModel) -> World {
    let mut world = World::new();
    let url = server.url();
    for (name, value) in [
        ("HINDLORE_MODEL_VENDOR", "anthropic"),
        ("HINDLORE_MODEL", "scripted"),
        ("HINDLORE_MODEL_URL", url.as_str()),
        ("HINDLORE_MODEL_KEY", "sk-very-secret"),
        ("HINDLORE_MODEL_RETRIES", "0"),
    ] {
        world.set(name, value);
    }
    world
}

/// Answers each part of a turn by its question.
fn script(asked: &ModelAsked) -> ModelAnswer {
    let text = asked.text();
    if text.contains("You may use tools") {
        return ModelAnswer::json(&if text.contains("<result") {
            json!({"thought": "t", "final_answer": "60", "bullet_ids": []})
        } else {
            json!({"thought": "t", "tool": "calculator", "input": "12 * 5"})
        });
    }
    if text.contains("Judge whether") {
        return ModelAnswer::json(
            &json!({"verdict": "fail", "reason": "The unit of the answer is missing there."}),
        );
    }
    if text.contains("bullet_tags") {
        return ModelAnswer::json(&json!({
            "lessons": [{"content": "Name the unit beside every number of an answer.", "type": "failure", "tags": []}],
            "bullet_tags": [],
        }));
    }
    ModelAnswer::text("thinking\nAnswer: 60")
}

#[test]
fn the_seeds_verification_answers_and_learns() {
    let server = ScriptedModel::start(script).unwrap();
    for (world, says_so) in [(World::new(), 1), (with_model(&server), 0)] {
        let ran = world.run_with(&["agent", "run", "--json"], SEED);
        assert_eq!(ran.code, 0, "{ran:?}");
        let shown = ran.document();
        let fields: Vec<&String> = shown.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["answer", "mode", "result", "scratch"]);
        assert!(shown["answer"].as_str().unwrap().contains("60"), "{shown}");
        assert_eq!(shown["mode"], "react");
        assert!(shown["scratch"].get("ace_delta").is_some(), "{shown}");
        assert_eq!(
            ran.err.matches("no model is configured").count(),
            says_so,
            "{}",
            ran.err
        );
    }
    let world = with_model(&server);
    let shown = world.run_with(&["agent", "run", "--json"], SEED).document();
    assert_eq!(
        shown["scratch"]["ace_delta"]["added"]
            .as_array()
            .map(Vec::len),
        Some(1),
        "{shown}"
    );
    let bullets = world.json("bullets list --learner tester --scope global");
    assert!(
        bullets.to_string().contains("Name the unit"),
        "it was learned where the input says: {bullets}"
    );
}

#[test]
fn a_turn_that_was_killed_goes_on_to_the_same_end() {
    let slow = |asked: &ModelAsked| ModelAnswer::Slow(60, Box::new(script(asked)));
    let server = ScriptedModel::start(slow).unwrap();
    let outcome = |shown: &Value| {
        let parts = ["answer", "mode"].map(|part| shown[part].clone());
        (
            parts,
            shown["scratch"]["ace_delta"]["added"]
                .as_array()
                .map(Vec::len),
        )
    };
    let run = ["agent", "run", "input", "--state", "state", "--json"];
    let whole = with_model(&server);
    whole.file("input", SEED);
    let expected = outcome(&whole.run(&run).document());
    // Each saved state of the turn is one to die after.
    let mut seen = Vec::new();
    while seen.len() < 20 {
        let world = with_model(&server);
        world.file("input", SEED);
        let mut child = world.command();
        let child = child.args(run).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = child.spawn().unwrap();
        let began = Instant::now();
        let node = loop {
            let text = fs::read_to_string(world.path("state")).unwrap_or_default();
            let state: Value = serde_json::from_str(&text).unwrap_or_default();
            let node = state["turn"]["node"].as_str().map(str::to_owned);
            match node {
                Some(node) if !seen.contains(&node) => break Some(node),
                _ if child.try_wait().unwrap().is_some() => break None,
                _ => thread::sleep(Duration::from_millis(1)),
            }
            assert!(began.elapsed() < Duration::from_secs(60), "it stands still");
        };
        child.kill().unwrap();
        child.wait().unwrap();
        let Some(node) = node else { break };
        let resumed = world.run(&run);
        assert_eq!(resumed.code, 0, "{node}: {resumed:?}");
        assert_eq!(outcome(&resumed.document()), expected, "killed at {node}");
        assert!(
            !world.path("state").exists(),
            "nothing is kept of a turn that ended"
        );
        let bullets = world.json("bullets list --learner tester --scope global");
        assert_eq!(
            bullets.to_string().matches("Name the unit").count(),
            1,
            "{node}"
        );
        seen.push(node);
    }
    assert!(seen.len() >= 3, "{seen:?}");
}

#[test]
fn a_model_is_checked_and_its_key_stays_out_of_every_text() {
    let server = ScriptedModel::start(script).unwrap();
    let world = with_model(&server);
    let ran = world.run(&["model", "check"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let broken = ScriptedModel::in_turn(vec![ModelAnswer::Status(401)]).unwrap();
    let world = with_model(&broken);
    let refused = world.run(&["model", "check"]);
    assert_ne!(refused.code, 0);
    assert!(
        refused.err.contains("401") || refused.out.contains("401"),
        "{refused:?}"
    );
    for text in [
        ran.out,
        ran.err,
        refused.out,
        refused.err,
        world.run(&["config", "show"]).out,
    ] {
        assert!(!text.contains("sk-very-secret"), "{text}");
    }
    assert_eq!(
        broken.asked()[0].header("x-api-key"),
        Some("sk-very-secret")
    );
}

#[test]
fn a_session_is_prepared_without_chatter_and_leaves_what_it_learned() {
    let world = World::new();
    world.json(
        "add Grease~the~bearings~with~the~blue~can."
            .replace('~', "\u{a0}")
            .as_str(),
    );
    let session = json!([
        {"role": "user", "content": "list the machines"},
        {"role": "assistant", "content": "Of course, I will do that for you."},
        {"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function",
            "function": {"name": "ls", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c", "content": "lathe"},
        {"role": "user", "content": "grease the bearings"},
    ]);
    let prepared = world
        .run_with(&["session", "prepare", "--json"], session.to_string())
        .document();
    assert_eq!(prepared["left_out"], 1);
    let messages = prepared["messages"].as_array().unwrap();
    let kept: Vec<&Value> = messages
        .iter()
        .filter(|one| session.as_array().unwrap().contains(one))
        .collect();
    assert_eq!(kept.len(), 4, "all others are as they were: {messages:?}");
    assert!(
        prepared["messages"].to_string().contains("blue\u{a0}can"),
        "{prepared}"
    );
}

#[test]
fn the_settings_of_a_model_concern_only_those_who_ask_it() {
    for settings in [
        &[("OPENAI_API_KEY", "k")][..],
        &[("OPENAI_API_KEY", "k"), ("GEMINI_API_KEY", "k")],
        &[("HINDLORE_MODEL_VENDOR", "nobody")],
        &[("GEMINI_API_KEY", "k"), ("GEMINI_BASE_URL", "no address")],
        &[("ACE_INJECTION_MODE", "sideways")],
    ] {
        let mut world = World::new();
        for (name, value) in settings {
            world.set(name, value);
        }
        world.json("add grease the bearings");
        assert_eq!(
            world.json("retrieve grease")["results"]
                .as_array()
                .map(Vec::len),
            Some(1)
        );
        world.json("health");
        let session = r#"[{"role": "user", "content": "grease the bearings"}]"#;
        let prepared = world.run_with(&["session", "prepare", "--json"], session);
        let asked = world.run_with(&["agent", "run", "--json"], SEED);
        asked.problem("invalid_config");
        let is_of_the_agent = settings[0].0 == "ACE_INJECTION_MODE";
        assert_eq!(
            prepared.code == 0,
            !is_of_the_agent,
            "{settings:?}: {prepared:?}"
        );
    }
}

#[test]
fn a_turn_names_the_bullets_that_it_changed() {
    let server = ScriptedModel::start(script).unwrap();
    let world = with_model(&server);
    let first = world.run_with(&["agent", "run"], SEED);
    assert_eq!(first.code, 0, "{first:?}");
    assert!(
        first
            .out
            .contains("added a bullet: Name the unit beside every number"),
        "{}",
        first.out
    );
    assert!(first.out.contains("1 step"), "{}", first.out);
    let again = world.run_with(&["agent", "run"], SEED);
    assert!(
        again.out.contains("strengthened a bullet: Name the unit"),
        "{}",
        again.out
    );
    let shown = world.run_with(&["agent", "run"], ABOUT_UNITS).out;
    assert!(shown.contains("1 bullet, 0 used"), "{shown}");
    assert!(
        shown.contains("refused a takeaway") && shown.contains("nothing was learned"),
        "{shown}"
    );
    let asked = r#"{"messages": [{"role": "user", "content": "Which colour has the gate?"}]}"#;
    let unknown = World::new().run_with(&["agent", "run"], asked);
    assert_eq!(unknown.code, 1, "{unknown:?}");
    assert!(
        unknown.out.contains("there is no answer"),
        "{}",
        unknown.out
    );
    assert!(
        unknown.out.contains("nothing was learned"),
        "{}",
        unknown.out
    );
}

#[test]
fn the_operator_sets_a_system_prompt_and_the_numbers_of_a_plan() {
    let server = ScriptedModel::start(script).unwrap();
    let mut world = with_model(&server);
    world.set("HINDLORE_AGENT_SYSTEM", "You are a harbour clerk.");
    let settings = "[agent]\nmax_turns = 1\ntemperature = 0.5\n";
    let file = world.file("config.toml", settings);
    world.set("HINDLORE_CONFIG", &file);
    let run = |options: &[&str]| {
        let before = server.asked().len();
        let words: Vec<&str> = ["agent", "run", "--json"]
            .iter()
            .chain(options)
            .copied()
            .collect();
        let shown = world.run_with(&words, SEED).document();
        (shown, server.asked()[before].clone())
    };
    let (shown, asked) = run(&[]);
    assert!(asked.text().contains("harbour clerk"), "{}", asked.text());
    assert_eq!(asked.body["temperature"], 0.5);
    assert!(
        shown["scratch"]["notes"][0]
            .as_str()
            .unwrap()
            .contains("within 1 steps"),
        "{shown}"
    );
    assert!(
        !shown["scratch"]["state"]["messages"]
            .to_string()
            .contains("clerk")
    );
    let options = [
        "--system",
        "You are a pilot.",
        "--max-turns",
        "3",
        "--temperature",
        "0.9",
    ];
    let (shown, asked) = run(&options);
    assert!(asked.text().contains("pilot") && !asked.text().contains("clerk"));
    assert_eq!(asked.body["temperature"], 0.9);
    assert_eq!(shown["answer"], "60");
    let before = server.asked().len();
    world.json("agent chat What~is~the~fee? --system Be~kind.");
    assert!(server.asked()[before].text().contains("Be~kind."));
    let config = world.json("config show");
    let value = |name: &str| {
        let all = config["settings"].as_array().unwrap();
        all.iter().find(|one| one["name"] == name).unwrap()["value"].clone()
    };
    assert_eq!(
        (value("agent.breadth"), value("agent.depth")),
        (json!(3), json!(2))
    );
    assert_eq!(value("agent.max_turns"), json!(1));
    world.file("config.toml", "[agent]\ndepth = 99\n");
    let wrong = world.run_with(&["agent", "run", "--json"], SEED);
    assert!(wrong.problem("invalid_config").contains("agent.depth"));
}

#[test]
fn the_log_shows_contents_of_a_turn_only_if_it_may() {
    let server = ScriptedModel::start(script).unwrap();
    for (options, is_shown) in [(&["-vv"][..], false), (&["-vv", "--log-contents"], true)] {
        let world = with_model(&server);
        let words: Vec<&str> = ["agent", "run", "--json"]
            .iter()
            .chain(options)
            .copied()
            .collect();
        let first = world.run_with(&words, SEED).err;
        let second = world.run_with(&words, ABOUT_UNITS).err;
        assert!(
            first.contains("event=\"lesson\"") && first.contains("event=\"tool\""),
            "{first}"
        );
        assert_eq!(first.contains("Name the unit beside"), is_shown, "{first}");
        assert_eq!(first.contains("12 * 5"), is_shown, "{first}");
        assert!(
            second.contains("event=\"injected\"") && second.contains("score="),
            "{second}"
        );
        assert_eq!(
            second.contains("Name the unit beside"),
            is_shown,
            "{second}"
        );
    }
}

#[test]
fn the_reasoning_of_a_model_that_curates_is_in_the_delta_log() {
    let server = ScriptedModel::start(|asked| {
        if asked.text().contains("Turn lessons into operations") {
            return ModelAnswer::json(&json!({
                "reasoning": "No note names units yet.",
                "operations": [{"type": "ADD", "content": "Name the unit beside every number."}],
            }));
        }
        script(asked)
    })
    .unwrap();
    let mut world = with_model(&server);
    world.set("ACE_CURATOR_USE_LLM", "true");
    world.run_with(&["agent", "run", "--json"], SEED).document();
    let log = world.json("delta log --learner tester --scope global");
    let reasoning = log["deltas"][0]["reasoning"].as_str().unwrap();
    assert!(reasoning.starts_with("No note names units yet."), "{log}");
    assert!(reasoning.contains("curated by scripted"), "{log}");
}
