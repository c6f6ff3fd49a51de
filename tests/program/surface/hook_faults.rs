//! With any fault around a hook, it ends with 0, writes nothing to stderr, and loses no event.

use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::world::{Ran, World};

/// Catches a hook that hangs; how long one takes is not looked at.
const HANGS: Duration = Duration::from_secs(60);

fn failed(n: usize) -> Value {
    json!({"session_id": "s", "cwd": "/w", "hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
        "tool_input": {"command": format!("make target{n}")}, "tool_use_id": format!("t{n}"),
        "error": format!("Exit code 2\nmake: no rule for target{n}")})
}

pub(super) fn hook(world: &World, arguments: &[&str], event: impl AsRef<[u8]>) -> Ran {
    let arguments = [&["hook", "--timeout-ms", "60000"], arguments].concat();
    let ran = world.run_with(&arguments, event);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    ran
}

fn errors(world: &World) -> Vec<String> {
    let shown = world.json("errors list --limit 500");
    let errors = shown["errors"].as_array().unwrap();
    errors.iter().map(Value::to_string).collect()
}

fn log(world: &World) -> Vec<String> {
    let file = world.path(".local/share/hindlore/hook-failures.log");
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Waits for a process that must end by itself.
pub(super) fn ended(mut child: Child) -> Ran {
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < HANGS, "it hangs");
        sleep(Duration::from_millis(5));
    }
    Ran::of(child.wait_with_output().unwrap())
}

#[test]
fn wrong_settings_and_stores_are_a_line_in_the_log_and_no_word_to_the_agent() {
    type Spoil = fn(&mut World);
    let spoils: [(&str, Spoil, &[&str]); 9] = [
        ("variable", |world| world.set("HINDLORE_SCOEP", "x"), &[]),
        (
            "value",
            |world| world.set("HINDLORE_BUSY_TIMEOUT_MS", "soon"),
            &[],
        ),
        (
            "key",
            |world| {
                let file = world.file("own.toml", "scoep = \"x\"\n");
                world.set("HINDLORE_CONFIG", &file);
            },
            &[],
        ),
        (
            "folder as settings",
            |world| {
                let folder = world.path("");
                world.set("HINDLORE_CONFIG", folder.to_str().unwrap());
            },
            &[],
        ),
        (
            "no settings",
            |world| world.set("HINDLORE_CONFIG", "/none/own.toml"),
            &[],
        ),
        ("option", |_| {}, &["--no-such-option"]),
        ("limit", |_| {}, &["--timeout-ms", "never"]),
        (
            "folder as store",
            |world| {
                let folder = world.path("");
                world.set("HINDLORE_STORE", folder.to_str().unwrap());
            },
            &[],
        ),
        (
            "damaged store",
            |world| {
                let file = world.file("other.db", "this is no database");
                world.set("HINDLORE_STORE", &file);
            },
            &[],
        ),
    ];
    for (what, spoil, words) in spoils {
        let mut world = World::new();
        spoil(&mut world);
        let ran = hook(&world, words, failed(1).to_string());
        assert_eq!(ran.out, "", "{what}");
        assert_eq!(log(&world).len(), 1, "{what}: {:?}", log(&world));
    }
}

#[test]
fn a_missing_home_stops_no_agent() {
    let world = World::new();
    for home in [None, Some("/none/at/all")] {
        let mut command = world.command();
        command.env_remove("HINDLORE_STORE").env_remove("HOME");
        command.env("XDG_DATA_HOME", "/proc/none");
        if let Some(home) = home {
            command.env("HOME", home);
        }
        command.args(["hook", "--timeout-ms", "60000"]);
        let ran = world.feed(&mut command, failed(1).to_string().as_bytes());
        assert_eq!(
            (ran.code, ran.out.as_str(), ran.err.as_str()),
            (0, "", ""),
            "{home:?}"
        );
    }
}

#[test]
fn the_end_of_the_document_is_the_end_of_the_event() {
    let world = World::new();
    for (n, tail) in [(1, ""), (2, "\n"), (3, " \r\n{\"another\": 1")] {
        let mut command = world.command();
        command.args(["hook", "--timeout-ms", "60000"]);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut held = child.stdin.take().unwrap();
        write!(held, "{}{tail}", failed(n)).unwrap();
        let ran = ended(child);
        drop(held);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{n}");
    }
    assert_eq!(errors(&world).len(), 3);
    assert_eq!(log(&world), [""; 0]);
}

#[test]
fn a_silent_stdin_and_a_closed_one_end_the_hook() {
    let world = World::new();
    let mut command = world.command();
    command.args(["hook", "PreToolUse"]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let held = child.stdin.take();
    let ran = ended(child);
    drop(held);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    assert_eq!(hook(&world, &["PreToolUse"], "").out, "");
    assert_eq!(log(&world).len(), 2);
}

#[test]
fn no_event_is_lost_for_its_encoding() {
    let world = World::new();
    let text = |n: usize| failed(n).to_string();
    let wide: Vec<u8> = format!("\u{feff}{}", text(2))
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let split = |n: usize, by: &[u8]| {
        let (text, mark) = (text(n), "no rule");
        let at = text.find(mark).unwrap();
        [&text.as_bytes()[..at], by, &text.as_bytes()[at..]].concat()
    };
    for event in [
        format!("\u{feff}{}", text(1)).into_bytes(),
        wide,
        split(3, b"\xe9 "),
        split(4, b"\\ud83d "),
        split(5, b"\\udc00\\ud800 "),
        split(6, b"\xf0\x9f "),
    ] {
        hook(&world, &[], event);
    }
    let errors = errors(&world);
    assert_eq!(errors.len(), 6, "{errors:#?}");
    let replaced = errors.iter().filter(|error| error.contains('\u{fffd}'));
    assert_eq!(replaced.count(), 4, "{errors:#?}");
}

#[test]
fn a_reader_that_has_left_is_no_fault() {
    let world = World::new();
    world.json("add --scope shared the label printer needs the long paper");
    let mut command = world.command();
    command.args(["hook", "SessionStart", "--timeout-ms", "60000"]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    stdin
        .write_all(br#"{"session_id": "s", "cwd": "/w"}"#)
        .unwrap();
    let ran = ended(child);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

/// Processes that use a processor each until they are dropped.
struct Busy(Vec<Child>);

impl Busy {
    fn of(count: usize) -> Self {
        let one = || {
            Command::new("sh")
                .args(["-c", "while :; do :; done"])
                .spawn()
        };
        Self((0..count).map(|_| one().unwrap()).collect())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[cfg(unix)]
#[test]
fn a_busy_machine_and_the_shortest_limit_lose_no_event() {
    const EVENTS: usize = 60;
    let world = World::new();
    world.json("add something");
    let busy = Busy::of(8);
    for first in (0..EVENTS).step_by(4) {
        let children = (first..first + 4).map(|n| {
            let mut command = world.command();
            let limit = ["10", "200"][n % 2];
            command.args(["hook", "PostToolUseFailure", "--timeout-ms", limit]);
            command
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            let mut stdin = child.stdin.take().unwrap();
            stdin.write_all(failed(n).to_string().as_bytes()).unwrap();
            child
        });
        for child in children.collect::<Vec<_>>() {
            let ran = ended(child);
            assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        }
    }
    drop(busy);
    let errors = errors(&world);
    for n in 0..EVENTS {
        let own = format!("for target{n}\"");
        let found = errors.iter().filter(|error| error.contains(&own));
        assert_eq!(found.count(), 1, "target{n}");
    }
    assert!(!world.path("memory.db-waiting").exists());
}

#[test]
fn the_end_of_a_run_waits_for_a_busy_store_too() {
    let world = World::new();
    world.json("add something");
    let event = |name: &str, command: &str, extra: &Value| {
        let mut event = json!({"session_id": "s", "cwd": "/w", "hook_event_name": name,
            "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": command});
        for (field, value) in extra.as_object().unwrap() {
            event[field] = value.clone();
        }
        event.to_string()
    };
    let error = "error: unexpected argument '--workspce' found\n\n  tip: a similar argument exists: '--workspace'";
    let lock = rusqlite::Connection::open(world.store()).unwrap();
    lock.execute_batch("BEGIN EXCLUSIVE").unwrap();
    for event in [
        event(
            "PostToolUseFailure",
            "cargo test --workspce",
            &json!({"error": error}),
        ),
        event(
            "PostToolUse",
            "cargo test --workspace",
            &json!({"tool_response": {"stdout": "ok"}}),
        ),
        event("Stop", "", &json!({})),
    ] {
        let ran = world.run_with(&["hook", "--timeout-ms", "200"], event);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    }
    drop(lock);
    let begin = json!({"session_id": "s2", "cwd": "/w", "hook_event_name": "SessionStart"});
    hook(&world, &[], begin.to_string());
    let before = json!({"session_id": "s2", "cwd": "/w", "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": "cargo test --workspce"}});
    let reply = hook(&world, &[], before.to_string()).out;
    assert!(reply.contains("--workspace"), "{reply}");
    let runs = world.json("runs list");
    let mut runs_of_s = runs["runs"].as_array().unwrap().iter();
    let run = runs_of_s.find(|run| run["id"] == "s").unwrap();
    assert!(!run["ended_at"].is_null(), "{runs}");
}
