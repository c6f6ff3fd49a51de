//! Notes: a sentence that an agent keeps is there at the next session, answers questions, and goes by its own words.

use serde_json::{Value, json};

use super::agent::{Agent, repository};
use crate::world::{World, texts};

/// The scope of the repository in `repository`.
const SCOPE: &str = "example.org/team/shop";

/// What the hook adds to the context when a session begins in the folder of the world.
fn session_start(world: &World) -> String {
    let event = json!({"session_id": "s", "hook_event_name": "SessionStart", "source": "startup", "cwd": world.path("")});
    let ran = world.run_with(&["hook", "--timeout-ms", "60000"], event.to_string());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    ran.out
}

#[test]
fn a_remembered_sentence_is_shown_at_the_next_session_start() {
    let world = World::new();
    repository(&world);
    // A file of rules fills the room of a session start many times over.
    let rules: Vec<String> = (0..200)
        .map(|number| format!("[rule-{number:05}] helpful=9 harmful=0 :: Rule {number}: keep the crane of pier {number} clear.\n"))
        .collect();
    let file = world.file("RULES.md", format!("## PIERS\n{}", rules.concat()));
    world.json(&format!(
        "import --format ace-playbook --scope {SCOPE} {file}"
    ));
    let mut agent = Agent::start(&world, &[]);
    let note = json!({"text": "Never push to main directly."});
    let kept = agent.done("remember", note);
    assert_eq!(kept["outcome"], "added", "{kept}");
    let shown = session_start(&world);
    let place = |text: &str| shown.find(text);
    let kept = place("Never push to main directly.");
    assert!(kept.is_some() && kept < place("Rule 0"), "{shown}");
}

#[test]
fn a_sentence_added_by_any_door_is_shown_at_the_next_session_start() {
    let world = World::new();
    repository(&world);
    world.json(&format!(
        "add --scope {SCOPE} Money is an integer of cents."
    ));
    let scoped = ["call", "--scope", SCOPE, "bullets.add"];
    let called = [&scoped[..], &[r#"{"text": "Dates are in UTC."}"#]].concat();
    assert_eq!(world.run(&called).code, 0);
    let mut agent = Agent::start(&world, &["--profile", "full"]);
    agent.done(
        "bullets_add",
        json!({"text": "Names of tables are singular."}),
    );
    let shown = session_start(&world);
    for text in ["integer of cents", "Dates are in UTC", "singular"] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
}

#[test]
fn a_sentence_that_an_agent_had_learned_is_shown_once_it_is_remembered() {
    let world = World::new();
    repository(&world);
    let learned = json!({"id": "d", "operations": [{"op": "ADD", "content": "Sign every release with the team key."}]});
    world.apply_to(&learned, &["--scope", SCOPE]);
    assert!(!session_start(&world).contains("team key"));
    let mut agent = Agent::start(&world, &[]);
    let note = json!({"text": "Sign every release with the team key"});
    let kept = agent.done("remember", note);
    assert_eq!(kept["outcome"], "strengthened", "{kept}");
    assert_eq!(kept["text"], "Sign every release with the team key.");
    assert!(session_start(&world).contains("team key"));
}

#[test]
fn a_question_is_answered_by_bullets_and_lessons_in_short() {
    let world = World::new();
    let mut agent = Agent::start(&world, &[]);
    let note =
        json!({"text": "Archives are extracted with tar, never with unzip.", "tags": "archives"});
    agent.done("remember", note);
    let steps = json!([
        {"action": "tar --extrct -f b.tgz", "error": "tar: unrecognized option '--extrct', did you mean '--extract'?", "exit_code": 64},
        {"action": "tar --extract -f b.tgz", "exit_code": 0},
    ]);
    let run = json!({"steps": steps, "intent": "extract an archive with tar", "passed": true});
    agent.done("learn_from_execution", run);
    let found = agent.done(
        "recall",
        json!({"question": "extract an archive with tar", "limit": 3}),
    );
    assert_eq!(
        texts(&found["bullets"], "text"),
        ["Archives are extracted with tar, never with unzip."]
    );
    let lessons = found["lessons"].to_string();
    assert!(lessons.contains("--extract"), "{found}");
    assert!(found.to_string().len() < 1_500, "{found}");
    let outcome = json!({"retrieval": found["retrieval"], "helped": ["1"]});
    agent.done("report_outcome", outcome);
    let shown = agent.done("explain", json!({"id": found["bullets"][0]["id"]}));
    assert_eq!(shown["helpful"], 1, "{shown}");
}

#[test]
fn a_text_that_fits_several_bullets_archives_none_and_one_archives_it() {
    let world = World::new();
    let mut agent = Agent::start(&world, &[]);
    for text in [
        "The blue crane lifts ten tons.",
        "The red crane lifts two tons.",
        "Feed the harbour cat.",
    ] {
        agent.done("remember", json!({"text": text}));
    }
    let before = world.digest();
    let said = agent.done("forget", json!({"text": "crane lifts"}));
    assert_eq!(said["forgotten"], Value::Null, "{said}");
    assert_eq!(said["candidates"].as_array().unwrap().len(), 2, "{said}");
    // No bullet has these words; the likely one is named.
    let said = agent.done("forget", json!({"text": "harbour cats are fed at noon"}));
    assert_eq!(
        texts(&said["candidates"], "text"),
        ["Feed the harbour cat."]
    );
    assert_eq!(world.digest(), before);
    let said = agent.done("forget", json!({"text": "RED crane"}));
    assert_eq!(said["forgotten"]["text"], "The red crane lifts two tons.");
    let left = json!({"text": "the blue crane lifts ten tons"});
    let said = agent.done("forget", left);
    assert_eq!(said["forgotten"]["text"], "The blue crane lifts ten tons.");
    assert!(said["delta"].is_string(), "{said}");
    let found = agent.done("recall", json!({"question": "crane"}));
    assert_eq!(found["bullets"], json!([]), "{found}");
    let kept = agent.done("remember", json!({"text": "The red crane lifts two tons."}));
    assert_eq!(kept["outcome"], "revived", "{kept}");
    agent.done("forget", json!({"id": kept["id"]}));
    let ran = world.run(&["forget", "red", "crane", "--json"]);
    assert_eq!((ran.code, ran.document()["forgotten"].is_null()), (1, true));
}

#[test]
fn a_viewer_of_one_memory_recalls_its_bullets_and_nothing_else() {
    let world = World::new();
    world.json("remember The vault opens at nine.");
    world.json("remember --scope shared The spare vault opens at ten.");
    world.json("grant agent:guest viewer --of memory:default");
    let mut guest = Agent::start(&world, &["--as", "agent:guest"]);
    let found = guest.done("recall", json!({"question": "when does the vault open"}));
    assert_eq!(
        texts(&found["bullets"], "text"),
        ["The vault opens at nine."]
    );
    assert_eq!(found["retrieval"], Value::Null, "{found}");
    let mut owner = Agent::start(&world, &[]);
    let found = owner.done("recall", json!({"question": "when does the vault open"}));
    assert_eq!(found["bullets"].as_array().unwrap().len(), 2, "{found}");
    assert!(found.to_string().contains(r#""scope":"shared""#), "{found}");
}

#[test]
fn the_installed_skill_names_the_three_verbs_and_commands_that_exist() {
    let world = World::new();
    std::fs::create_dir_all(world.path(".claude")).unwrap();
    world.json("install claude-code");
    let skill = std::fs::read_to_string(world.path(".claude/skills/hindlore/SKILL.md")).unwrap();
    let commands = skill.split("`hindlore ").skip(1);
    let commands: Vec<&str> = commands
        .map(|rest| rest.split('`').next().unwrap())
        .collect();
    for verb in ["remember", "recall", "forget"] {
        assert!(skill.contains(&format!("`{verb}`")), "{verb}");
        let is_named = |command: &&str| command.starts_with(verb);
        assert!(commands.iter().any(is_named), "{verb}");
    }
    for command in commands {
        let is_word = |word: &&str| word.chars().all(char::is_lowercase);
        let mut words: Vec<&str> = command.split(' ').take_while(is_word).collect();
        words.push("--help");
        assert_eq!(world.run(&words).code, 0, "{command}");
    }
}
