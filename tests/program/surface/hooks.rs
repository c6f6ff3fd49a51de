//! A recorded session of each coding agent, replayed through `hook`: a failure, its lesson, the next session warned.

use std::fs;
use std::time::Instant;

use serde_json::{Value, json};

use crate::world::{Ran, World};

/// An event: its name, and its JSON.
type Told = (&'static str, Value);

/// The form of a runtime's events.
struct HintFormatter {
    runtime: &'static str,
    begin: fn(&str) -> Told,
    before: Option<fn(&str, &str) -> Told>,
    failed: fn(&str, &str, &str) -> Told,
    worked: fn(&str, &str) -> Told,
    stop: fn(&str) -> Told,
    context: fn(&Value) -> Option<&Value>,
}

fn nested(reply: &Value) -> Option<&Value> {
    reply.get("hookSpecificOutput")?.get("additionalContext")
}

const CLAUDE: HintFormatter = HintFormatter {
    runtime: "claude-code",
    begin: |session| {
        (
            "SessionStart",
            json!({"session_id": session, "transcript_path": "/t", "cwd": "/w", "hook_event_name": "SessionStart", "source": "startup"}),
        )
    },
    before: Some(|session, command| {
        (
            "PreToolUse",
            json!({"session_id": session, "cwd": "/w", "hook_event_name": "PreToolUse", "permission_mode": "default",
        "tool_name": "Bash", "tool_input": {"command": command, "description": "run it"}, "tool_use_id": "t0"}),
        )
    }),
    failed: |session, command, error| {
        (
            "PostToolUseFailure",
            json!({"session_id": session, "cwd": "/w", "hook_event_name": "PostToolUseFailure",
        "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": format!("t-{command}"), "error": format!("Exit code 129\n{error}"), "is_interrupt": false}),
        )
    },
    worked: |session, command| {
        (
            "PostToolUse",
            json!({"session_id": session, "cwd": "/w", "hook_event_name": "PostToolUse",
        "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": format!("t-{command}"),
        "tool_response": {"stdout": "done", "stderr": "", "interrupted": false, "isImage": false}}),
        )
    },
    stop: |session| {
        (
            "Stop",
            json!({"session_id": session, "cwd": "/w", "hook_event_name": "Stop", "stop_hook_active": false}),
        )
    },
    context: nested,
};

const CODEX: HintFormatter = HintFormatter {
    runtime: "codex",
    begin: |session| {
        (
            "SessionStart",
            json!({"session_id": session, "transcript_path": null, "cwd": "/w", "hook_event_name": "SessionStart", "model": "m", "source": "startup"}),
        )
    },
    before: Some(|session, command| {
        (
            "PreToolUse",
            json!({"session_id": session, "turn_id": "1", "cwd": "/w", "hook_event_name": "PreToolUse", "model": "m",
        "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t0"}),
        )
    }),
    failed: |session, command, error| {
        (
            "PostToolUse",
            json!({"session_id": session, "turn_id": "1", "cwd": "/w", "hook_event_name": "PostToolUse", "model": "m",
        "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": format!("t-{command}"),
        "tool_response": format!("Exit code: 129\nWall time: 0.1 seconds\nOutput:\n{error}")}),
        )
    },
    worked: |session, command| {
        (
            "PostToolUse",
            json!({"session_id": session, "turn_id": "1", "cwd": "/w", "hook_event_name": "PostToolUse", "model": "m",
        "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": format!("t-{command}"),
        "tool_response": "Exit code: 0\nWall time: 0.1 seconds\nOutput:\ndone"}),
        )
    },
    stop: |session| {
        (
            "Stop",
            json!({"session_id": session, "turn_id": "1", "cwd": "/w", "hook_event_name": "Stop", "stop_hook_active": false}),
        )
    },
    context: nested,
};

const CURSOR: HintFormatter = HintFormatter {
    runtime: "cursor",
    begin: |session| {
        (
            "sessionStart",
            json!({"conversation_id": session, "generation_id": "g", "hook_event_name": "sessionStart", "workspace_roots": ["/w"]}),
        )
    },
    before: None,
    failed: |session, command, error| {
        (
            "postToolUseFailure",
            json!({"conversation_id": session, "generation_id": "g", "hook_event_name": "postToolUseFailure",
        "workspace_roots": ["/w"], "tool_name": "Shell", "tool_input": {"command": command}, "tool_use_id": format!("t-{command}"), "error_message": error}),
        )
    },
    worked: |session, command| {
        (
            "postToolUse",
            json!({"conversation_id": session, "generation_id": "g", "hook_event_name": "postToolUse", "workspace_roots": ["/w"],
        "tool_name": "Shell", "tool_input": {"command": command}, "tool_use_id": format!("t-{command}"), "tool_output": "{\"output\":\"done\",\"exitCode\":0}"}),
        )
    },
    stop: |session| {
        (
            "stop",
            json!({"conversation_id": session, "hook_event_name": "stop", "workspace_roots": ["/w"], "status": "completed"}),
        )
    },
    context: |reply| reply.get("additional_context"),
};

const COPILOT: HintFormatter = HintFormatter {
    runtime: "copilot",
    begin: |session| {
        (
            "sessionStart",
            json!({"sessionId": session, "timestamp": 1, "cwd": "/w", "source": "new"}),
        )
    },
    before: Some(|session, command| {
        (
            "preToolUse",
            json!({"sessionId": session, "timestamp": 1, "cwd": "/w", "toolName": "bash",
        "toolArgs": json!({"command": command}).to_string()}),
        )
    }),
    failed: |session, command, error| {
        (
            "postToolUseFailure",
            json!({"sessionId": session, "timestamp": 1, "cwd": "/w", "toolName": "bash",
        "toolArgs": json!({"command": command}).to_string(), "error": error}),
        )
    },
    worked: |session, command| {
        (
            "postToolUse",
            json!({"sessionId": session, "timestamp": 1, "cwd": "/w", "toolName": "bash",
        "toolArgs": json!({"command": command}).to_string(), "toolResult": {"resultType": "success", "textResultForLlm": "done"}}),
        )
    },
    stop: |session| {
        (
            "agentStop",
            json!({"sessionId": session, "timestamp": 1, "cwd": "/w"}),
        )
    },
    context: |reply| reply.get("additionalContext"),
};

/// The tests are about the texts, on machines under load: the time limit is not their subject.
fn tell(world: &World, (event, json): (&str, Value)) -> Ran {
    let ran = world.run_with(&["hook", event, "--timeout-ms", "60000"], json.to_string());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{event}: {ran:?}");
    ran
}

fn said(world: &World, voice: &HintFormatter, event: (&str, Value)) -> String {
    let ran = tell(world, event);
    if ran.out.is_empty() {
        return String::new();
    }
    let reply = ran.document();
    let context = (voice.context)(&reply).and_then(Value::as_str);
    context.unwrap_or_default().to_owned()
}

const WRONG: &str = "cargo test --workspce --locked";
const RIGHT: &str = "cargo test --workspace --locked";
const ERROR: &str = "error: unexpected argument '--workspce' found\n\n  tip: a similar argument exists: '--workspace'";

#[test]
fn the_session_after_a_failure_is_warned_before_it_acts() {
    for voice in [CLAUDE, CODEX, CURSOR, COPILOT] {
        let world = World::new();
        for session in ["one", "two", "three"] {
            let is_known = session == "three";
            assert_eq!(
                said(&world, &voice, (voice.begin)(session)).contains("--workspace"),
                is_known,
                "{}",
                voice.runtime
            );
            if !is_known {
                said(&world, &voice, (voice.failed)(session, WRONG, ERROR));
                // Reported twice, it counts once.
                said(&world, &voice, (voice.failed)(session, WRONG, ERROR));
                said(&world, &voice, (voice.worked)(session, RIGHT));
                tell(&world, (voice.stop)(session));
            }
        }
        let errors = world.json("errors list");
        let raised = errors["errors"].as_array().map_or(0, Vec::len);
        let is_once_named = !matches!(voice.runtime, "copilot");
        assert!(raised == 2 || !is_once_named, "{}: {errors}", voice.runtime);
        if let Some(before) = voice.before {
            // The session that began with it is not shown it again.
            assert_eq!(said(&world, &voice, before("three", WRONG)), "");
            let warning = said(&world, &voice, before("four", WRONG));
            assert!(
                warning.contains("--workspace"),
                "{}: {warning}",
                voice.runtime
            );
        }
        let after = said(&world, &voice, (voice.failed)("four", WRONG, ERROR));
        assert!(after.contains("--workspace"), "{}: {after}", voice.runtime);
    }
}

#[test]
fn a_session_has_as_many_runs_as_it_rests_and_says_what_it_learned() {
    let world = World::new();
    tell(&world, (CLAUDE.begin)("s"));
    tell(&world, (CLAUDE.failed)("s", WRONG, ERROR));
    tell(&world, (CLAUDE.worked)("s", RIGHT));
    let reply = tell(&world, (CLAUDE.stop)("s")).document();
    let notice = reply["systemMessage"].as_str().unwrap();
    assert!(
        notice.starts_with("hindlore learned") && notice.contains("--workspace"),
        "{notice}"
    );
    assert_eq!(
        tell(&world, (CLAUDE.stop)("s")).out,
        "",
        "nothing happened since"
    );
    tell(&world, (CLAUDE.worked)("s", "ls"));
    tell(&world, (CLAUDE.stop)("s"));
    let runs = world.json("runs list");
    let mut names: Vec<&str> = runs["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["id"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["s", "s-2"]);
    assert!(
        runs["runs"]
            .as_array()
            .unwrap()
            .iter()
            .all(|run| !run["ended_at"].is_null()),
        "{runs}"
    );
}

#[test]
fn a_prompt_is_answered_from_the_memory_of_the_repository_and_the_shared_one() {
    let world = World::new();
    let repository = world.path("repo");
    for folder in [".git/objects", ".git/refs"] {
        fs::create_dir_all(repository.join(folder)).unwrap();
    }
    fs::write(repository.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::create_dir_all(repository.join("src")).unwrap();
    fs::write(
        repository.join(".git/config"),
        "[remote \"origin\"]\n\turl = https://me:pw@git.example/a/b.git\n",
    )
    .unwrap();
    world.json("add --scope git.example/a/b the linter of this repository is run with make lint");
    world.json("add --scope elsewhere the linter of the other repository is run with npm run lint");
    let ask = |folder: &str| {
        let event = json!({"session_id": "s", "cwd": folder, "hook_event_name": "UserPromptSubmit", "prompt": "how is the linter of the repository run?"});
        said(&world, &CLAUDE, ("UserPromptSubmit", event))
    };
    let inside = ask(repository.join("src").to_str().unwrap());
    assert!(
        inside.contains("make lint") && !inside.contains("npm run lint"),
        "{inside}"
    );
    assert_eq!(ask(world.path("nowhere").to_str().unwrap()), "");
}

#[test]
fn a_correction_is_noted_for_the_person_and_released_by_a_second_session() {
    let mut world = World::new();
    let prompt = |session: &str, prompt: &str| {
        let event = json!({"session_id": session, "cwd": "/w", "hook_event_name": "UserPromptSubmit", "prompt": prompt});
        ("UserPromptSubmit", event)
    };
    let notice = |world: &World, session: &str| {
        let ran = tell(world, (CLAUDE.stop)(session));
        if ran.out.is_empty() {
            return String::new();
        }
        ran.document()["systemMessage"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let proposed = |world: &World| {
        world
            .run(&["bullets", "proposed", "--scope", "/w", "--json"])
            .out
    };
    for task in ["fix the login", "should we use pnpm here?", "use pnpm"] {
        tell(&world, prompt("one", task));
        assert_eq!(notice(&world, "one"), "", "{task}");
    }
    let reply = tell(&world, prompt("one", "No, use pnpm here"));
    assert!(
        !reply.out.contains("pnpm"),
        "the model has the prompt: {}",
        reply.out
    );
    let noted = notice(&world, "one");
    assert!(
        noted.starts_with(
            "hindlore noted from you: \"use pnpm here\" - release with: hindlore bullets release p_"
        ),
        "{noted}"
    );
    assert_eq!(notice(&world, "one"), "", "once");
    // A bare order counts after a failure.
    tell(&world, (CLAUDE.failed)("one", WRONG, ERROR));
    tell(&world, prompt("one", "avoid the workspace flag"));
    assert!(notice(&world, "one").contains("avoid the workspace flag"));
    world.set("HINDLORE_LEARN_FROM_USER", "off");
    tell(&world, prompt("two", "use pnpm here"));
    assert_eq!(notice(&world, "two"), "");
    world.set("HINDLORE_LEARN_FROM_USER", "on");
    tell(&world, prompt("two", "use pnpm here"));
    assert!(notice(&world, "two").contains("from two sessions"));
    assert!(!proposed(&world).contains("pnpm"));
    let asked = said(
        &world,
        &CLAUDE,
        prompt("three", "which package manager is pnpm?"),
    );
    assert!(asked.contains("use pnpm here"), "{asked}");
}

/// A sub-agent works in the background while the agent rests.
#[test]
fn hooks_at_the_same_time_lose_no_call() {
    let world = World::new();
    tell(&world, (CLAUDE.begin)("s"));
    let before = CLAUDE.before.unwrap();
    for round in 0..3 {
        std::thread::scope(|scope| {
            for call in 0..2 {
                let world = &world;
                scope.spawn(move || {
                    let line = format!("./paint --round {round} --call {call}");
                    tell(world, before("s", &line));
                    tell(world, (CLAUDE.failed)("s", &line, "paint: no brush"));
                });
            }
            scope.spawn(|| tell(&world, (CLAUDE.stop)("s")));
        });
    }
    tell(&world, (CLAUDE.stop)("s"));
    let failures = world.json("doctor agents")["failures"].clone();
    assert_eq!(failures, json!([]));
    let errors = world.json("errors list --limit 50")["errors"].clone();
    assert_eq!(errors.as_array().map(Vec::len), Some(6), "{errors}");
}

#[test]
fn a_lesson_that_the_agent_states_waits_for_a_second_run() {
    let world = World::new();
    let before = CLAUDE.before.unwrap();
    // The tool names no way out.
    let error = ERROR.lines().next().unwrap();
    let stated = |words: &str| {
        let (name, mut event) = (CLAUDE.stop)("one");
        event["last_assistant_message"] = Value::from(words);
        tell(&world, (name, event));
        let listed = world.run(&["lessons", "list", "--status", "observed", "--json"]);
        listed.document()["lessons"].clone()
    };
    tell(&world, (CLAUDE.failed)("one", WRONG, error));
    assert_eq!(stated("Done. The lesson is: be careful."), json!([]));
    tell(&world, (CLAUDE.failed)("one", WRONG, error));
    let line =
        format!("Done.\nLESSON tar: WRONG {WRONG} -> CORRECT {RIGHT} (because: no such option)");
    let lessons = stated(&line);
    let rule = format!("WRONG {WRONG} → CORRECT {RIGHT}");
    assert_eq!(lessons[0]["rule"], rule, "{lessons}");
    assert_eq!(lessons.as_array().map(Vec::len), Some(1));
    // It is tied to the failed call, and no agent receives it yet.
    let shown = world.json(&format!(
        "lessons show {}",
        lessons[0]["id"].as_str().unwrap()
    ));
    assert_eq!(shown["sources"][0]["origin"], "model", "{shown}");
    assert_ne!(shown["triggers"], json!([]), "{shown}");
    assert_eq!(said(&world, &CLAUDE, before("two", WRONG)), "");
    // A run that shows the contrast confirms it.
    tell(&world, (CLAUDE.failed)("two", WRONG, error));
    tell(&world, (CLAUDE.worked)("two", RIGHT));
    tell(&world, (CLAUDE.stop)("two"));
    let told = said(&world, &CLAUDE, before("three", WRONG));
    assert!(told.contains(RIGHT), "{told}");
}

#[test]
fn a_sub_agent_reads_the_block_and_works_in_the_run_of_its_agent() {
    let starts = [
        (
            CLAUDE,
            "SubagentStart",
            json!({"session_id": "s", "agent_id": "a", "agent_type": "Explore"}),
        ),
        (
            CODEX,
            "SubagentStart",
            json!({"session_id": "s", "turn_id": "1", "agent_id": "a", "agent_type": "default"}),
        ),
        (
            COPILOT,
            "subagentStart",
            json!({"sessionId": "s", "agentName": "explore"}),
        ),
    ];
    for (voice, name, mut start) in starts {
        let world = World::new();
        world.json("add Store money as whole cents.");
        start["cwd"] = "/w".into();
        start["hook_event_name"] = name.into();
        tell(&world, (voice.begin)("s"));
        for _ in [1, 2] {
            let block = said(&world, &voice, (name, start.clone()));
            assert!(block.contains("whole cents"), "{}: {block}", voice.runtime);
        }
        // Its agent has read the note at the start of the session.
        let asks = json!({"session_id": "s", "cwd": "/w", "hook_event_name": "UserPromptSubmit",
            "prompt": "how is money stored?"});
        assert_eq!(
            said(&world, &CLAUDE, ("UserPromptSubmit", asks)),
            "",
            "{}",
            voice.runtime
        );
        let (event, mut failed) = (voice.failed)("s", WRONG, ERROR.lines().next().unwrap());
        failed["agent_id"] = "a".into();
        tell(&world, (event, failed));
        let words = format!("Done.\nLESSON cargo: WRONG {WRONG} -> CORRECT {RIGHT}");
        let end = json!({"session_id": "s", "cwd": "/w", "hook_event_name": "SubagentStop", "agent_id": "a",
            "agent_type": "default", "stop_hook_active": false, "last_assistant_message": words});
        assert_eq!(
            tell(&world, ("SubagentStop", end)).out,
            "",
            "{}",
            voice.runtime
        );
        let stated = world.json("lessons list --status observed")["lessons"].clone();
        let rule = format!("WRONG {WRONG} → CORRECT {RIGHT}");
        assert_eq!(stated[0]["rule"], rule, "{}: {stated}", voice.runtime);
        let runs = world.json("runs list")["runs"].clone();
        assert_eq!(
            (&runs[0]["id"], &runs[0]["ended_at"]),
            (&"s".into(), &Value::Null),
            "{runs}"
        );
        tell(&world, (voice.stop)("s"));
        let runs = world.json("runs list")["runs"].clone();
        assert_eq!(runs.as_array().map(Vec::len), Some(1), "{runs}");
        assert!(runs[0]["ended_at"].is_string(), "{runs}");
    }
}

#[test]
fn nothing_that_goes_wrong_reaches_the_agent_and_the_doctor_tells_it() {
    let mut world = World::new();
    for (event, input) in [
        ("PreToolUse", "no json"),
        ("PreToolUse", "[]"),
        ("SessionStart", ""),
    ] {
        let ran = world.run_with(&["hook", event, "--timeout-ms", "60000"], input);
        assert_eq!(
            (ran.code, ran.out.as_str(), ran.err.as_str()),
            (0, "", ""),
            "{input}"
        );
    }
    // A store that cannot be opened.
    let store = world.file("no-database.db", "this is no database");
    world.set("HINDLORE_STORE", &store);
    let (event, json) = (CLAUDE.failed)("s", WRONG, ERROR);
    let ran = world.run_with(&["hook", event, "--timeout-ms", "60000"], json.to_string());
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    let told = world.run(&["doctor", "agents", "--json"]).document();
    let failures = told["failures"].as_array().unwrap();
    assert_eq!(failures.len(), 4, "{failures:?}");
    assert!(
        failures
            .iter()
            .any(|line| line.as_str().unwrap().contains("no JSON")),
        "{failures:?}"
    );
    assert!(
        told["hook_ms"].is_u64() && told["hook_problem"].is_null(),
        "{told}"
    );
}

#[test]
fn a_hook_gives_up_at_its_time_and_loses_no_failure() {
    let world = World::new();
    world.json("add something");
    let lock = lock(&world.store());
    let (event, json) = (CLAUDE.failed)("s", WRONG, ERROR);
    let began = Instant::now();
    let ran = world.run_with(&["hook", event, "--timeout-ms", "300"], json.to_string());
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
    drop(lock);
    tell(&world, (CLAUDE.worked)("s", RIGHT));
    tell(&world, (CLAUDE.stop)("s"));
    assert_eq!(
        world.json("errors list")["errors"]
            .as_array()
            .map_or(0, Vec::len),
        1,
        "what waited was taken in"
    );
}

/// Holds the lock of a store as a long write of another process does.
fn lock(store: &str) -> rusqlite::Connection {
    let connection = rusqlite::Connection::open(store).unwrap();
    connection.execute_batch("BEGIN EXCLUSIVE").unwrap();
    connection
}
