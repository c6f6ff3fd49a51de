//! The command `adapt` with a command that judges.

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::world::{Ran, World};

const MACHINES: [&str; 8] = [
    "lathe", "drill", "press", "crane", "pump", "oven", "saw", "fan",
];

/// Eight questions, and a judge who alone knows the answers.
fn world() -> World {
    let world = World::new();
    let line = |name: &&str| {
        let question = format!("Which code has the {name}?");
        format!("{}\n", json!({"id": name, "question": question}))
    };
    world.file("samples", MACHINES.iter().map(line).collect::<String>());
    world.file(
        "judge.sh",
        r#"input=$(cat)
name=$(printf %s "$input" | sed 's/.*"id":"\([a-z]*\)".*/\1/')
answer=$(printf %s "$input" | sed 's/.*"answer":"\([^"]*\)".*/\1/')
correct=false
[ "$answer" = "code-$name" ] && correct=true
sleep 0.02
printf '{"correct":%s,"ground_truth":"code-%s"}' $correct $name
"#,
    );
    world
}

fn command(world: &World, options: &[&str]) -> std::process::Command {
    let mut command = world.command();
    command.env("PATH", std::env::var_os("PATH").unwrap());
    command.args([
        "adapt",
        "offline",
        "samples",
        "--epochs",
        "3",
        "--judge",
        "sh judge.sh",
    ]);
    command.args(options).arg("--json");
    command
}

fn run(world: &World, options: &[&str]) -> Ran {
    let ran = world.feed(&mut command(world, options), b"");
    assert_eq!(ran.code, 0, "{ran:?}");
    ran
}

fn right(ran: &Ran) -> Vec<u64> {
    let epochs = ran.document()["epochs"].clone();
    let correct = |epoch: &Value| epoch["correct"].as_u64().unwrap();
    epochs.as_array().unwrap().iter().map(correct).collect()
}

#[test]
fn what_a_judge_says_is_known_in_the_next_epoch_and_the_control_learns_nothing() {
    assert_eq!(right(&run(&world(), &[])), [0, 8, 8]);
    assert_eq!(right(&run(&world(), &["--without-memory"])), [0, 0, 0]);
}

#[test]
fn an_adaptation_that_was_killed_twice_comes_to_the_same_numbers() {
    let world = world();
    let options = ["--state", "state"];
    for least in [3, 11] {
        let mut child = command(&world, &options);
        let child = child.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = child.spawn().unwrap();
        let done = || {
            let text = fs::read_to_string(world.path("state")).unwrap_or_default();
            let state: Value = serde_json::from_str(&text).unwrap_or_default();
            state["outcomes"].as_array().map_or(0, Vec::len)
        };
        while done() < least {
            let ended = child.try_wait().unwrap();
            assert!(ended.is_none(), "it ended before it was killed");
            thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(right(&run(&world, &options)), [0, 8, 8]);
}

#[test]
fn a_judge_that_fails_stops_the_work_and_says_why() {
    let world = world();
    let mut judged = world.command();
    judged.env("PATH", std::env::var_os("PATH").unwrap());
    judged.args([
        "adapt",
        "online",
        "samples",
        "--judge",
        "echo oops >&2; exit 3",
    ]);
    let ran = world.feed(&mut judged, b"");
    assert_ne!(ran.code, 0, "{ran:?}");
    assert!(ran.err.contains("judge"), "{}", ran.err);
}
