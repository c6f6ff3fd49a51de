//! The founding documents as stories: the same commands on a file and on a server, with equal answers.

use serde_json::Value;

use crate::program::{Side, pair};
use crate::server::Server;

/// A command, its stdin, and parts of its answer by JSON pointer.
struct Step {
    words: &'static [&'static str],
    input: &'static str,
    wanted: &'static [(&'static str, &'static str)],
}

const fn step(
    words: &'static [&'static str],
    input: &'static str,
    wanted: &'static [(&'static str, &'static str)],
) -> Step {
    Step {
        words,
        input,
        wanted,
    }
}

const LOAD_ERROR: &str = "load: path must be quoted";
const FIRST_RUN: &str = r#"[
    {"run": "a1", "domain": "tables", "action": "LOAD data.csv", "error": "load: path must be quoted", "exit_code": 1},
    {"run": "a1", "domain": "tables", "action": "LOAD \"data.csv\"", "exit_code": 0}]"#;
const SECOND_RUN: &str = r#"[
    {"run": "a2", "domain": "tables", "action": "LOAD other.csv", "error": "load: path must be quoted", "exit_code": 1},
    {"run": "a2", "domain": "tables", "action": "LOAD \"other.csv\"", "exit_code": 0}]"#;
const ROBOT: &str = r#"[
    {"run": "robot", "action": "move north", "progress": -0.5, "at": "2026-03-01T10:00:00Z"},
    {"run": "robot", "action": "move north", "progress": 0, "at": "2026-03-01T10:00:01Z"},
    {"run": "robot", "action": "press red", "unsafe_action": true, "at": "2026-03-01T10:00:02Z"}]"#;

/// Phases A to D of the lessons' plan: capture, candidates, retrieval, proof and health.
#[rustfmt::skip]
const LESSONS: &[Step] = &[
    step(&["errors", "capture", "-"], ROBOT, &[("/steps/1/error/channels/0", "progress_signal")]),
    step(&["errors", "list"], "", &[("/errors/0/channels/0", "hard_failure"), ("/errors/1/channels/0", "progress_signal")]),
    step(&["learn", "-"], FIRST_RUN, &[]),
    step(&["lessons", "list", "--status", "observed"], "",
        &[("/lessons/0/rule", "WRONG LOAD <word> → CORRECT LOAD \"<word>\"")]),
    step(&["lessons", "retrieve", "--error", LOAD_ERROR], "", &[]),
    step(&["learn", "-"], SECOND_RUN, &[]),
    step(&["lessons", "list", "--status", "candidate"], "",
        &[("/lessons/0/rule", "WRONG LOAD <word> → CORRECT LOAD \"<word>\"")]),
    step(&["lessons", "retrieve", "load a table", "--domain", "tables"], "", &[]),
    step(&["lessons", "retrieve", "--error", LOAD_ERROR, "--exact"], "", &[("/lessons/0/status", "candidate")]),
    step(&["lessons", "retrieve", "--action", "LOAD third.csv"], "", &[]),
    step(&["lessons", "review", "{lesson}", "--to", "suppressed"], "", &[]),
    step(&["lessons", "retrieve", "--error", LOAD_ERROR, "--exact"], "", &[]),
    step(&["lessons", "review", "{lesson}", "--to", "candidate"], "", &[]),
    step(&["lessons", "explain", "{lesson}"], "", &[]),
    step(&["runs", "list"], "", &[]),
    step(&["health"], "", &[]),
];

/// The examples of the trajectories' design: start, log, complete, reflect, curate, compare, restore, share.
#[rustfmt::skip]
const TRAJECTORIES: &[Step] = &[
    step(&["trajectory", "start", "remove a record", "--id", "t1", "--task-type", "cleanup"], "", &[]),
    step(&["trajectory", "log", "t1", "use the record's number", "--kind", "decision"], "", &[]),
    step(&["trajectory", "log", "t1", "--action", "LIST /x"], "", &[]),
    step(&["trajectory", "log", "t1", "--action", "DELETE /x", "--error", "403 Forbidden: not your record"], "", &[]),
    step(&["trajectory", "complete", "t1", "--status", "failure", "--score", "0.2",
        "--metrics", "{\"tokens\": 1500, \"cost_usd\": 0.03}"], "", &[]),
    step(&["trajectory", "start", "remove another record", "--id", "t2", "--task-type", "cleanup"], "", &[]),
    step(&["trajectory", "log", "t2", "--action", "DELETE /x", "--error", "403 Forbidden: not your record"], "", &[]),
    step(&["trajectory", "complete", "t2", "--status", "failure"], "", &[]),
    step(&["trajectory", "show", "t1"], "", &[("/status", "failure")]),
    step(&["trajectory", "list", "--task-type", "cleanup"], "", &[]),
    step(&["trajectory", "feedback", "t1", "--score", "0.9"], "", &[]),
    step(&["trajectory", "queue"], "", &[]),
    step(&["reflect", "t1"], "", &[("/reflection/insights/0/pattern", "Do not repeat `DELETE /x` unchanged.")]),
    step(&["reflection", "batch", "--min-trajectories", "2"], "",
        &[("/reflection/proposals/0/pattern", "Do not repeat `DELETE /x` unchanged.")]),
    step(&["playbook", "curate", "cleanup", "--trajectory", "t1", "--trajectory", "t2"], "", &[("/version", "1")]),
    step(&["playbook", "show", "cleanup"], "", &[("/strategies/0/category", "harmful")]),
    step(&["playbook", "update", "cleanup", "--strategies",
        "[{\"pattern\": \"Ask the owner before a removal.\", \"category\": \"helpful\"}]"], "", &[("/version", "2")]),
    step(&["playbook", "versions", "cleanup"], "", &[]),
    step(&["playbook", "diff", "cleanup", "--from", "1", "--to", "2"], "", &[]),
    step(&["playbook", "use", "cleanup", "--success", "1"], "", &[]),
    step(&["playbook", "restore", "cleanup", "--version", "1"], "", &[]),
    step(&["playbook", "list"], "", &[]),
];

const TURN: &str = r#"{"messages": [{"role": "user", "content": "multiply 12 by 5"}]}"#;

/// The check list of the long-term memory: learn, find, use, look, and go back.
#[rustfmt::skip]
const MEMORY: &[Step] = &[
    step(&["agent", "run"], TURN, &[("/answer", "60")]),
    step(&["delta", "apply", "-"], r#"{"id": "d1", "operations": [
        {"op": "ADD", "content": "Check the denominators before you add fractions", "section": "MATH"},
        {"op": "ADD", "content": "Last time the units were wrong"}]}"#, &[]),
    step(&["bullets", "search", "denominators"], "", &[("/bullets/0/memory_type", "procedural")]),
    step(&["bullets", "search", "units"], "", &[("/bullets/0/memory_type", "episodic")]),
    step(&["retrieve", "add fractions", "--peek"], "", &[]),
    step(&["delta", "apply", "-"], r#"{"id": "d2", "operations": [
        {"op": "ADD", "content": "Check the denominators before you add fractions"}]}"#, &[]),
    step(&["bullets", "list", "--as-of", "1"], "", &[("/revision", "1")]),
    step(&["bullets", "list", "--as-of", "9"], "", &[]),
    step(&["retrieve", "add fractions", "--as-of", "clock:1"], "", &[]),
    step(&["analyze", "summary"], "", &[]),
    step(&["delta", "undo", "d2"], "", &[]),
    step(&["doctor", "verify"], "", &[("/sound", "true")]),
    step(&["memory", "consolidate", "--id", "c-1", "--dry-run"], "", &[]),
];

fn text(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}

fn play(sides: &mut [Side; 2], steps: &[Step], different: &mut Vec<String>) {
    for step in steps {
        let [file, graph] = sides
            .each_mut()
            .map(|side| side.say_with(step.words, step.input));
        let said = step.words.join(" ");
        if file != graph {
            let (a, b) = (&file.1, &graph.1);
            different.push(format!("{said}:\n  {} {a}\n  {} {b}", file.0, graph.0));
        }
        for (pointer, wanted) in step.wanted {
            let found = text(file.1.pointer(pointer));
            if found != *wanted {
                let answer = &file.1;
                different.push(format!(
                    "{said}: {pointer} is `{found}`, not `{wanted}`: {answer}"
                ));
            }
        }
    }
}

pub(crate) async fn of_the_documents(server: Server) {
    let mut different = Vec::new();
    for steps in [LESSONS, TRAJECTORIES, MEMORY] {
        play(&mut pair(&server), steps, &mut different);
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}
