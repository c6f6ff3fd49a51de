//! Traces as steps: the records of other agents and tools, in addition to the project's own form.
//!
//! The format is guessed from the content. An action that a person refused or interrupted is no evidence about a tool,
//! and an unreadable part is no step; both are reported and left out. Steps are numbered within their run, so that the
//! same file read again is the same evidence.

mod reading;

use std::io::{self, BufRead, Read};

use super::problem::Problem;
use super::steps::{STEPS_MAX, StepDefaults, StepsRead, read_steps};
use hindlore::lessons::StepInput;
use hindlore_primitives::identity::{self, content_name};
use hindlore_trace::{Format, Guess, HEAD_BYTES, describe_unknown, guess, read};
use reading::Reading;

/// Prefix of the names of runs that are named after their trace.
const TRACE: &str = "trace-";
/// Steps of one portion.
const PORTION: usize = 250;

/// Reads the steps of a trace of any format; bytes of no known format are read as steps of our own form.
///
/// `too_many_steps`; else those of [`read_steps`].
pub fn read_trace(bytes: &[u8], defaults: &StepDefaults) -> Result<StepsRead, Problem> {
    let format = match guess(bytes) {
        Guess::Trace(format) => format,
        Guess::Steps => return read_steps(bytes, defaults),
        Guess::Unknown => {
            return read_steps(bytes, defaults).map_err(|problem| unknown(problem, bytes));
        }
    };
    let (mut steps, mut seen) = (Vec::new(), 0_usize);
    let mut take = |portion: Vec<StepInput>| {
        seen += portion.len();
        if seen <= STEPS_MAX {
            steps.extend(portion);
        }
    };
    let run = defaults.run.clone().unwrap_or_else(|| name_of(bytes));
    let read = read_portions((format, bytes), run, defaults, &mut take)?;
    if seen > STEPS_MAX {
        let message = format!("there are more than {STEPS_MAX} steps");
        return Err(Problem::new("too_many_steps", message).with_hint("send them in parts"));
    }
    Ok(StepsRead { steps, ..read })
}

/// Returns the format of a trace, judged by its first [`HEAD_BYTES`]; none for our own steps and for unknown content.
pub fn format_of(head: &[u8]) -> Option<Format> {
    match guess(head) {
        Guess::Trace(format) => Some(format),
        Guess::Steps | Guess::Unknown => None,
    }
}

/// Reads a trace of any length and hands its steps out in portions of equal length; they are not in the answer. `run` is the
/// run of steps that name none.
///
/// # Errors
///
/// `unreadable_input`.
pub fn read_portions(
    (format, source): (Format, impl BufRead),
    run: String,
    defaults: &StepDefaults,
    take: &mut dyn FnMut(Vec<StepInput>),
) -> Result<StepsRead, Problem> {
    let mut reading = Reading::new(run, defaults);
    let summary = read(format, source, &mut |item| {
        reading.take(item);
        if reading.steps.len() >= PORTION {
            take(std::mem::take(&mut reading.steps));
        }
    })
    .map_err(|error| Problem::new("unreadable_input", error.to_string()))?;
    if !reading.steps.is_empty() {
        take(std::mem::take(&mut reading.steps));
    }
    let mut read = reading.finish(format);
    if summary.replaced_bytes > 0 {
        let bytes = summary.replaced_bytes;
        let note = format!("{bytes} bytes that are no UTF-8 were read as cp1252 or replaced");
        read.notes.push(note);
    }
    Ok(read)
}

/// The name of the run of a trace that names none, derived from its content: the same trace is the same run.
pub fn name_of(content: &[u8]) -> String {
    content_name(TRACE, content)
}

/// As [`name_of`], of a source that need not fit into memory; also returns its length in bytes.
///
/// # Errors
///
/// Those of the source.
pub fn name_of_source(source: impl Read) -> io::Result<(String, u64)> {
    identity::name_of_source(TRACE, source)
}

/// Input that is no step of our own form is meant as a trace of another program: the answer describes it and names the
/// known formats. A step with one wrong field keeps its own message.
fn unknown(problem: Problem, bytes: &[u8]) -> Problem {
    if problem.code == "invalid_json" {
        let message = format!("{}\n{}", problem.message, describe_unknown(bytes));
        return Problem::new(problem.code, message);
    }
    if holds_own_fields(bytes) {
        return problem;
    }
    Problem::new(problem.code, describe_unknown(bytes))
}

/// Returns true if the first object has a field that only our own steps have together with an action.
fn holds_own_fields(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD_BYTES)]);
    let has = |name: &str| text.contains(&format!("\"{name}\""));
    has("run") || has("exit_code") || (has("action") && has("error"))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::steps::{Numbering, STEP};
    use hindlore_domain::lesson::event::NEXT_STEP;
    use hindlore_domain::lesson::lesson::Place;
    use hindlore_primitives::timestamp::Timestamp;
    use hindlore_trace::OWN_FIELDS;

    const SESSION: &[u8] = include_bytes!("../trace/tests/files/claude_code.jsonl");

    fn defaults(run: Option<&str>, numbering: Numbering) -> StepDefaults {
        StepDefaults {
            run: run.map(str::to_owned),
            place: Place::default(),
            at: Timestamp::from_millis(0),
            numbering,
        }
    }

    fn steps(bytes: &[u8], run: Option<&str>, numbering: Numbering) -> Vec<(String, u32)> {
        let read = read_trace(bytes, &defaults(run, numbering)).unwrap();
        let reports = read.steps.into_iter().map(|step| step.report);
        reports.map(|report| (report.run, report.step)).collect()
    }

    #[test]
    fn what_a_person_stopped_and_what_is_damaged_is_told_and_left_out() {
        let read = read_trace(SESSION, &defaults(None, Numbering::Store)).unwrap();
        assert_eq!((read.format, read.steps.len()), ("claude-code", 7));
        assert!(read.notes[0].starts_with("2 calls that the person"));
        let lines: Vec<usize> = read.skipped.iter().map(|skipped| skipped.line).collect();
        assert_eq!(lines, [15, 23, 22]);
        let failed = read
            .steps
            .iter()
            .map(|step| step.report.feedback.hard_failure);
        assert_eq!(failed.filter(|failed| *failed).count(), 4);
        let first = &read.steps[0].report;
        assert_eq!(first.evidence.action, "python report.py");
        assert_eq!(first.exit_code, Some(127));
        assert_eq!(first.place.tool.as_deref(), Some("Bash"));
    }

    #[test]
    fn runs_keep_their_names_and_numbers_and_unnamed_ones_get_some() {
        let named = steps(SESSION, Some("r"), Numbering::Store);
        assert_eq!(named[0], ("s1".to_owned(), 1));
        // The fourth step of the session was refused.
        assert_eq!(named[3], ("s1".to_owned(), 5));
        let log =
            b"error[E0425]: cannot find `a`\n --> a.rs:1:1\n\nerror[E0425]: cannot find `b`\n";
        let placed = steps(log, Some("r"), Numbering::Place);
        assert_eq!(placed, [("r".to_owned(), 1), ("r".to_owned(), 2)]);
        let next = steps(log, Some("r"), Numbering::Store);
        assert!(next.iter().all(|(_, number)| *number == NEXT_STEP));
        let content = steps(log, None, Numbering::Store);
        assert!(content[1].0.starts_with("trace-") && content[1].1 == 2);
        let chats = br#"{"messages":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"x"}]}
{"messages":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"g","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"x"}]}"#;
        let runs = steps(chats, Some("r"), Numbering::Place);
        assert_eq!(runs, [("r".to_owned(), 1), ("r-2".to_owned(), 1)]);
        let odd = br#"{"type":"thread.started","thread_id":"a\tb"}
{"type":"item.completed","item":{"type":"command_execution","command":"ls","exit_code":0}}"#;
        assert!(steps(odd, None, Numbering::Place)[0].0.starts_with("run-"));
    }

    #[test]
    fn results_of_runs_and_exit_codes_without_words_are_kept() {
        let episodes = include_bytes!("../trace/tests/files/tau_bench.json");
        let read = read_trace(episodes, &defaults(None, Numbering::Place)).unwrap();
        assert_eq!(
            (read.passed["tau-3-1"], read.passed["tau-3-2"]),
            (false, true)
        );
        assert_eq!(read.steps[0].report.place.task.as_deref(), Some("3"));
        let silent = b"$ test -f a\n$ echo $?\n1\n";
        let read = read_trace(silent, &defaults(None, Numbering::Place)).unwrap();
        let evidence = &read.steps[0].report.evidence;
        assert_eq!(
            (&evidence.error, evidence.reason.as_str()),
            (&Value::Null, "exit code 1")
        );
    }

    #[test]
    fn the_guess_knows_every_field_of_our_own_steps() {
        let names: Vec<&str> = STEP.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, OWN_FIELDS);
    }

    #[test]
    fn our_own_steps_and_what_is_nothing_are_left_to_their_reader() {
        let own = br#"{"run": "a", "action": "x", "exit_code": 0}"#;
        let read = read_trace(own, &defaults(None, Numbering::Place)).unwrap();
        assert_eq!((read.format, read.steps.len()), ("steps", 1));
        assert!(
            read_trace(b"", &defaults(None, Numbering::Place))
                .unwrap()
                .steps
                .is_empty()
        );
        let prose = read_trace(b"Use uv.\n", &defaults(None, Numbering::Place)).unwrap_err();
        assert_eq!(prose.code, "invalid_json");
        assert!(prose.to_string().contains("claude-code"), "{prose}");
        let many = "error: x\n".repeat(STEPS_MAX + 1);
        let many = read_trace(many.as_bytes(), &defaults(None, Numbering::Place)).unwrap_err();
        assert_eq!(many.code, "too_many_steps");
    }
}
