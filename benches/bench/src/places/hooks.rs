//! Row 9: the hook after a failed tool, compared with the other hooks of a session, each a process as an agent starts it.

use std::fs::{self, File};
use std::path::Path;

use serde_json::{Value, json};

use super::child::{self, Memory};
use super::{Run, failed, median, within_limit};
use crate::error::EvalError;
use crate::report::{Goal, Ratio, Report, Row};

/// Texts in the memory.
const FEW: u64 = 100;
/// Failed calls that are timed, and those of one session.
const CALLS: usize = 300;
const OF_SESSION: usize = 15;
/// How many times the other hooks the one after a failure may take, and its longest time in seconds.
const MEDIAN_MAX: f64 = 1.5;
const SLOWEST_MAX: f64 = 0.1;
/// Where the program keeps the faults of hooks, below the home.
const FAULTS: &str = ".local/share/hindlore/hook-failures.log";
/// The events in the order of a session, with the arguments that `install` writes.
const EVENTS: [(&str, &[&str]); 5] = [
    ("SessionStart", &["--timeout-ms", "2000"]),
    ("UserPromptSubmit", &[]),
    ("PreToolUse", &[]),
    ("PostToolUse", &[]),
    (FAILURE, &[]),
];
const FAILURE: &str = "PostToolUseFailure";

/// Measures sessions over a small store.
pub(super) fn rows(run: &Run<'_>, report: &mut Report) -> Result<(), EvalError> {
    let store = run.user.copied(FEW, "hooks")?;
    let calls = run.often(CALLS, 3);
    let mut seconds: [Vec<f64>; EVENTS.len()] = Default::default();
    for number in 0..calls {
        if number % 50 == 0 {
            run.say(&format!("row 9: {number} of {calls} failed calls"));
        }
        for event in session_part(&run.user.home, number) {
            let name = event["hook_event_name"].as_str().unwrap_or_default();
            let at = EVENTS.iter().position(|(event, _)| *event == name);
            let options = at.map_or(&["--timeout-ms", "3000"][..], |at| EVENTS[at].1);
            let file = run.user.home.join("event.json");
            fs::write(&file, event.to_string()).map_err(failed)?;
            let mut hook = run
                .user
                .command(&store, &[&["hook", name], options].concat());
            hook.stdin(File::open(&file).map_err(failed)?);
            let spent = child::run(&mut hook, Memory::Unwatched, &[])?;
            if let Some(at) = at {
                seconds[at].push(spent.seconds);
            }
        }
    }
    run.user.end_residents(&store)?;
    let [others @ .., failures] = &seconds;
    let each: Vec<String> = EVENTS
        .iter()
        .zip(others)
        .map(|((name, _), seconds)| format!("{name} {:.1} ms", median(seconds) * 1e3))
        .collect();
    let row = Row::measured("9 hook after a failed tool, median", median(failures), "s");
    report.push(
        row.of_size(calls as u64)
            .beside(
                "the other hooks",
                median(&others.concat()),
                Ratio::OursToTheirs,
            )
            .with_note(format!(
                "medians: {}; {} hooks gave no answer",
                each.join(", "),
                unanswered(&run.user.home)
            ))
            .with_goal(Goal::RatioAtMost(MEDIAN_MAX)),
    );
    let slowest = failures.iter().copied().fold(0.0, f64::max);
    let row = Row::measured("9 hook after a failed tool, slowest", slowest, "s");
    report.push(within_limit(row.of_size(calls as u64), SLOWEST_MAX));
    Ok(())
}

/// Hooks that ran out of time or met a fault. They end well, so only the program's own log has them.
fn unanswered(home: &Path) -> usize {
    let log = fs::read_to_string(home.join(FAULTS)).unwrap_or_default();
    log.lines().count()
}

/// The events around one failed call and the call that corrects it, with the begin and the end of its session.
fn session_part(folder: &Path, number: usize) -> Vec<Value> {
    let wrong = json!({"command": format!("npm test -- part{}", number % 40)});
    let right = json!({"command": format!("npm run unit -- part{}", number % 40)});
    let error = "Exit code 1\nnpm error Missing script: \"test\"";
    let tool = |name: &str, input: &Value| json!({"hook_event_name": name, "tool_name": "Bash", "tool_input": input});
    let mut failure = tool(FAILURE, &wrong);
    failure["error"] = json!(error);
    let mut success = tool("PostToolUse", &right);
    success["tool_response"] = json!({"stdout": "12 passed", "stderr": "", "interrupted": false});
    let mut events = Vec::new();
    if number.is_multiple_of(OF_SESSION) {
        events.push(json!({"hook_event_name": "SessionStart", "source": "startup"}));
        events
            .push(json!({"hook_event_name": "UserPromptSubmit", "prompt": "make the tests pass"}));
    }
    events.extend([
        tool("PreToolUse", &wrong),
        failure,
        tool("PreToolUse", &right),
        success,
    ]);
    if number % OF_SESSION == OF_SESSION - 1 {
        events.push(json!({"hook_event_name": "SessionEnd", "reason": "exit"}));
    }
    for (at, event) in events.iter_mut().enumerate() {
        event["session_id"] = json!(format!("session-{}", number / OF_SESSION));
        event["cwd"] = json!(folder);
        if event.get("tool_name").is_some() {
            event["tool_use_id"] = json!(format!("toolu_{number}_{}", at / 2));
        }
    }
    events
}
