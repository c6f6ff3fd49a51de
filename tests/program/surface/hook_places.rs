//! The places of a hook: the project of the agent, files that are no files, calls that count.

use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::{Command, Stdio};

use serde_json::{Value, json};

#[cfg(unix)]
use super::hook_faults::ended;
use super::hook_faults::hook;
use crate::world::World;

/// A repository as git makes it, without its settings.
fn repository(world: &World) -> PathBuf {
    let git = world.path("repo/.git");
    for folder in ["objects", "refs"] {
        fs::create_dir_all(git.join(folder)).unwrap();
    }
    fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    world.path("repo")
}

#[cfg(unix)]
fn pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
}

#[cfg(unix)]
#[test]
fn special_files_in_a_repository_or_as_input_never_hang() {
    let world = World::new();
    let git = repository(&world).join(".git");
    pipe(&git.join("config"));
    pipe(&world.path("pipe.md"));
    let (repository, piped) = (world.path("repo"), world.path("pipe.md"));
    let event = json!({"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": "ls"}, "cwd": repository});
    hook(&world, &[], event.to_string());
    let import = ["import", piped.to_str().unwrap()];
    for (arguments, folder) in [(&import[..], "."), (&["mcp"], "repo")] {
        let mut command = world.command();
        command.current_dir(world.path(folder)).args(arguments);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let ran = ended(command.spawn().unwrap());
        assert_eq!(ran.code, if folder == "." { 2 } else { 0 }, "{ran:?}");
    }
    let mut command = world.command();
    command
        .env("HINDLORE_CONFIG", &piped)
        .arg("digest")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    assert_eq!(ended(command.spawn().unwrap()).code, 2);
}

#[test]
fn the_project_decides_the_scope_wherever_the_agent_is() {
    let mut world = World::new();
    let git = repository(&world).join(".git");
    fs::write(
        git.join("config"),
        "[remote \"origin\"]\n\turl = ssh://git@host.example:22/a/b\n",
    )
    .unwrap();
    world.json("add --scope host.example/a/b money is an integer of cents");
    let repository = world.path("repo").to_str().unwrap().to_owned();
    let begin = |world: &World, fields: Value| {
        let mut event = json!({"session_id": "s", "hook_event_name": "SessionStart"});
        for (field, value) in fields.as_object().unwrap() {
            event[field] = value.clone();
        }
        hook(world, &[], event.to_string()).out.contains("cents")
    };
    assert!(begin(&world, json!({"cwd": repository})));
    assert!(begin(
        &world,
        json!({"workspace_roots": ["/none", repository]})
    ));
    assert!(!begin(&world, json!({"cwd": "/"})));
    world.set("CLAUDE_PROJECT_DIR", &repository);
    assert!(begin(&world, json!({"cwd": "/"})));
    assert!(begin(&world, json!({})));
}

#[test]
fn calls_that_were_stopped_and_calls_of_our_own_tools_are_no_failures() {
    let world = World::new();
    for event in [
        json!({"tool_name": "mcp__hindlore__recall", "error": "top_k must be a whole number"}),
        json!({"tool_name": "hindlore_remember", "error": "no text"}),
        json!({"tool_name": "Bash", "error": "PreToolUse:Bash hook error: [guard]: forbidden"}),
        json!({"tool_name": "Bash", "toolResult": {"resultType": "denied", "textResultForLlm": "no"}}),
        json!({"tool_name": "Bash", "error": "stopped", "is_interrupt": true}),
    ] {
        let mut event = event;
        event["session_id"] = "s".into();
        event["hook_event_name"] = "PostToolUseFailure".into();
        event["tool_input"] = json!({"command": "make all"});
        hook(&world, &[], event.to_string());
    }
    let ran = world.run(&["errors", "list", "--json"]);
    assert!(!ran.out.contains("\"fingerprint\""), "{ran:?}");
}
