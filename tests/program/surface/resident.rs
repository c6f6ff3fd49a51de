//! The process that keeps a large memory loaded: the same answers, nothing of it in the way, and an end.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::world::{Ran, World};

const QUERY: [&str; 4] = ["retrieve", "start the engine", "--json", "--peek"];
const WAIT: Duration = Duration::from_secs(20);

/// A world in which any file is large enough.
fn world() -> World {
    let mut world = World::seeded();
    let run = world.path("run");
    fs::create_dir(&run).unwrap();
    world.set("XDG_RUNTIME_DIR", run.to_str().unwrap());
    world.set("HINDLORE_RESIDENT_ABOVE_BYTES", "0");
    world
}

/// Processes that keep memories of the world loaded.
fn residents(world: &World) -> Vec<u64> {
    let shown = world.run(&["resident", "--json"]).document();
    let running = shown["running"].as_array().unwrap().iter();
    running.map(|id| id.as_u64().unwrap()).collect()
}

fn until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < WAIT, "{what}");
        sleep(Duration::from_millis(20));
    }
}

/// Starts a process, and waits until it takes calls.
fn with_resident(world: &World) -> u64 {
    world.run(&QUERY);
    until("nobody listens", || {
        let sockets = fs::read_dir(world.path("run/hindlore"))
            .into_iter()
            .flatten();
        let mut names = sockets.flatten().map(|entry| entry.path());
        names.any(|path| path.extension().is_some_and(|end| end == "sock"))
    });
    match residents(world)[..] {
        [one] => one,
        ref several => panic!("{several:?}"),
    }
}

/// As the program answers on its own.
fn alone(world: &World, arguments: &[&str]) -> Ran {
    let mut command = world.command();
    command.env("HINDLORE_RESIDENT", "off").args(arguments);
    world.feed(&mut command, b"")
}

/// A retrieval without the parts that differ between any two.
fn compared(ran: &Ran) -> Value {
    let mut answer = ran.document();
    for own in ["retrieval", "clock", "tick", "memories"] {
        answer.as_object_mut().unwrap().remove(own);
    }
    answer
}

fn stop(world: &World) {
    world.run(&["resident", "--stop"]);
    until("it does not end", || residents(world).is_empty());
}

/// Kills without a chance to tidy up.
fn kill(process: u64) {
    let killed = Command::new("kill")
        .args(["-9", &process.to_string()])
        .status();
    assert!(killed.unwrap().success());
}

#[test]
fn a_call_answers_alike_with_and_without_it() {
    let world = world();
    let process = with_resident(&world);
    for arguments in [
        &QUERY[..],
        &[
            "retrieve",
            "--json",
            "--peek",
            "--prompt",
            "--budget",
            "300",
            "close the valve",
        ],
        &[
            "retrieve",
            "--json",
            "nothing of the kind xyzzy",
            "--peek",
            "--strict",
            "--min-score",
            "0.99",
        ],
        &[
            "lessons",
            "retrieve",
            "--json",
            "--error",
            "error: no such file",
        ],
    ] {
        let (handed, own) = (world.run(arguments), alone(&world, arguments));
        assert_eq!(
            (handed.code, &handed.err),
            (own.code, &own.err),
            "{arguments:?}"
        );
        assert_eq!(compared(&handed), compared(&own), "{arguments:?}");
    }
    assert_eq!(
        residents(&world),
        [process],
        "the calls left more behind, or it died"
    );
    stop(&world);
}

#[test]
fn people_and_their_mistakes_are_answered_alike() {
    let world = world();
    with_resident(&world);
    for arguments in [
        &[
            "retrieve",
            "--peek",
            "--color",
            "always",
            "start the engine",
        ][..],
        &["retrieve", "--top-k", "none", "start"],
        &[
            "retrieve",
            "--peek",
            "--learner",
            "nobody",
            "start the engine",
        ],
        &["retrieve", "", "--json"],
    ] {
        let (handed, own) = (world.run(arguments), alone(&world, arguments));
        assert_eq!(handed.code, own.code, "{arguments:?}");
        assert_eq!(handed.err, own.err, "{arguments:?}");
        let is_numbered = |c: char| c.is_ascii_hexdigit();
        let words = |ran: &Ran| ran.out.replace(is_numbered, "");
        assert_eq!(words(&handed), words(&own), "{arguments:?}");
    }
    stop(&world);
}

#[test]
fn a_recorded_retrieval_counts_once_and_another_process_is_seen() {
    let world = world();
    with_resident(&world);
    let clock = || world.digest()["clock"].as_u64().unwrap();
    let before = clock();
    world.json("retrieve start");
    assert_eq!(clock(), before + 1);
    world.apply(
        &json!({"operations": [{"op": "ADD", "content": "grease the crank of the engine"}]}),
    );
    let found = world.run(&["retrieve", "grease the crank", "--json"]);
    assert!(
        found.out.contains("grease the crank of the engine"),
        "{found:?}"
    );
    // It succeeds only if every memory is sound.
    world.json("doctor verify");
    stop(&world);
}

#[test]
fn the_file_alone_is_the_memory_and_another_file_is_another() {
    let world = world();
    let process = with_resident(&world);
    world.apply(&json!({"operations": [{"op": "ADD", "content": "a late bullet about rust"}]}));
    world.json("retrieve rust");
    let log = world.path("memory.db-wal");
    until("the log is not written back", || {
        fs::metadata(&log).is_ok_and(|log| log.len() == 0)
    });
    let other = World::new();
    fs::copy(world.store(), other.store()).unwrap();
    assert_eq!(other.digest()["digest"], world.digest()["digest"]);

    // A file in its place, by a move as by a copy over it.
    for moves in [true, false] {
        let text = format!("a bullet of another file, moved: {moves}");
        let another = World::new();
        another.apply(&json!({"operations": [{"op": "ADD", "content": text}]}));
        if moves {
            fs::rename(another.store(), world.store()).unwrap();
        } else {
            sleep(Duration::from_millis(300));
            fs::copy(another.store(), world.store()).unwrap();
        }
        let found = world.run(&["retrieve", "bullet of another file", "--json"]);
        assert!(found.out.contains(&text), "{found:?}");
    }
    assert_eq!(residents(&world), [process]);
    fs::remove_file(world.store()).unwrap();
    until("it stays without a file", || residents(&world).is_empty());
}

/// The log is back in the file when the answer is there, so that a move needs no wait.
#[test]
fn a_file_moved_into_the_place_at_once_is_whole() {
    let world = world();
    with_resident(&world);
    for round in 0..5 {
        let text = format!("a bullet of the file number {round}");
        let another = World::new();
        another.apply(&json!({"operations": [{"op": "ADD", "content": text}]}));
        // Each of the files has one of these words, so the call writes.
        world.json("retrieve pump bullet file");
        fs::rename(another.store(), world.store()).unwrap();
        let found = alone(
            &world,
            &["retrieve", "bullet of the file", "--json", "--peek"],
        );
        assert!(found.code == 0 && found.out.contains(&text), "{found:?}");
    }
    stop(&world);
}

#[test]
fn an_erase_ends_the_process_that_holds_the_texts() {
    let world = world();
    with_resident(&world);
    world.json("erase --learner default --yes");
    until("it stays after an erase", || residents(&world).is_empty());
}

#[test]
fn it_ends_when_idle_and_its_death_is_no_harm() {
    let mut world = world();
    world.set("HINDLORE_RESIDENT_IDLE_SECONDS", "1");
    with_resident(&world);
    until("it does not idle out", || residents(&world).is_empty());
    let process = with_resident(&world);
    kill(process);
    let found = world.run(&["retrieve", "start the engine", "--json"]);
    assert!(found.out.contains("prime the pump"), "{found:?}");
    let next = with_resident(&world);
    assert_ne!(next, process);
    stop(&world);
}

#[test]
fn none_is_left_for_a_small_file_or_where_it_is_forbidden() {
    for (name, value) in [
        ("HINDLORE_RESIDENT_ABOVE_BYTES", "4000000"),
        ("HINDLORE_RESIDENT", "off"),
    ] {
        let mut world = world();
        world.set(name, value);
        world.run(&QUERY);
        sleep(Duration::from_millis(300));
        assert!(residents(&world).is_empty(), "{name}");
    }
    let world = world();
    let config = world.file("config.toml", "resident = false\n");
    let mut command = world.command();
    let ran = world.feed(command.env("HINDLORE_CONFIG", config).args(QUERY), b"");
    assert_eq!(ran.code, 0, "{ran:?}");
    sleep(Duration::from_millis(300));
    assert!(residents(&world).is_empty());
}

#[test]
fn a_store_named_from_the_folder_of_the_caller_is_answered_by_the_caller() {
    let mut world = world();
    with_resident(&world);
    world.set("HINDLORE_STORE", "memory.db");
    for arguments in [
        &QUERY[..],
        &[
            "retrieve",
            "--store",
            "memory.db",
            "start the engine",
            "--json",
            "--peek",
        ],
        &[
            "retrieve",
            "--store=./memory.db",
            "start the engine",
            "--json",
            "--peek",
        ],
    ] {
        // Again, so that a remaining process would have its turn.
        for _ in 0..2 {
            let found = world.run(arguments);
            assert!(
                found.out.contains("prime the pump"),
                "{arguments:?}: {found:?}"
            );
            sleep(Duration::from_millis(200));
        }
    }
    assert_eq!(
        residents(&world).len(),
        1,
        "one for a folder that it does not run in"
    );
    stop(&world);
}

#[test]
fn a_folder_that_others_may_enter_is_not_used() {
    use std::os::unix::fs::PermissionsExt;
    let world = world();
    let folder = world.path("run/hindlore");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
    world.run(&QUERY);
    sleep(Duration::from_millis(500));
    let is_empty = |folder: &Path| fs::read_dir(folder).unwrap().next().is_none();
    assert!(is_empty(&folder));
}

#[test]
fn hooks_learn_and_warn_through_it() {
    let world = world();
    let process = with_resident(&world);
    let hook = |event: Value| {
        let ran = world.run_with(&["hook", "--timeout-ms", "20000"], event.to_string());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
        ran.out
    };
    let event = |session: &str, name: &str, rest: Value| {
        let mut event = json!({"session_id": session, "cwd": "/w", "hook_event_name": name, "tool_name": "Bash"});
        event
            .as_object_mut()
            .unwrap()
            .extend(rest.as_object().unwrap().clone());
        event
    };
    let wrong = json!({"command": "cargo test --workspce --locked"});
    let right = json!({"command": "cargo test --workspace --locked"});
    let error = "Exit code 1\nerror: unexpected argument '--workspce' found\n\n  tip: a similar argument exists: '--workspace'";
    for session in ["s1", "s2"] {
        let failed = json!({"tool_input": wrong, "tool_use_id": "1", "error": error});
        hook(event(session, "PostToolUseFailure", failed));
        let worked =
            json!({"tool_input": right, "tool_use_id": "2", "tool_response": {"stdout": "ok"}});
        hook(event(session, "PostToolUse", worked));
        hook(event(session, "Stop", json!({})));
    }
    let asked = json!({"tool_input": wrong, "tool_use_id": "3"});
    let warned = hook(event("s3", "PreToolUse", asked));
    assert!(warned.contains("--workspace"), "{warned}");
    assert_eq!(residents(&world), [process]);
    stop(&world);
}

#[test]
fn calls_at_the_same_time_are_all_answered() {
    let world = world();
    with_resident(&world);
    let before = world.digest()["clock"].as_u64().unwrap();
    let calls: Vec<_> = (0..24)
        .map(|_| {
            let mut command = world.command();
            command.args(["retrieve", "start the engine", "--json"]);
            command
                .stdout(Stdio::piped())
                .stdin(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for call in calls {
        let output = call.wait_with_output().unwrap();
        assert!(String::from_utf8_lossy(&output.stdout).contains("prime the pump"));
    }
    assert_eq!(world.digest()["clock"], before + 24);
    stop(&world);
}
