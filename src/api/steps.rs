//! Steps as adapters report them in JSON: one object, a list, or one object after the other.
//!
//! Only the error or the action is required; the rest has defaults, and one table defines all fields. Invalid UTF-8 is
//! replaced and reported, because the output of a broken program must be captured, too.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Deserializer, Map, Value};

use super::fields::{Shape, Table, described, faults};
use super::json::{HALVES_REPLACED, Unique, complaint, replace_halves, strip_bom};
use super::problem::Problem;
use hindlore::lessons::{StepDetail, StepInput};
use hindlore_domain::lesson::event::{NEXT_STEP, StepReport};
use hindlore_domain::lesson::feedback::Feedback;
use hindlore_domain::lesson::lesson::Place;
use hindlore_errors::fingerprint::Evidence;
use hindlore_primitives::ids::LessonId;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_trace::Skipped;

/// Maximum steps in one text.
pub const STEPS_MAX: usize = 10_000;

/// The name of the project's own format.
const FORMAT: &str = "steps";

/// The fields of a step.
pub(super) const STEP: Table = &[
    ("run", Shape::Name),
    ("step", Shape::Days),
    ("allowed_steps", Shape::Days),
    ("error", Shape::Any),
    ("state", Shape::Any),
    ("action", Shape::Any),
    ("state_after", Shape::Any),
    ("reason", Shape::Text),
    ("hard_failure", Shape::Flag),
    ("failed_constraints", Shape::Texts),
    ("progress", Shape::Number),
    ("no_progress", Shape::Flag),
    ("efficiency", Shape::Number),
    ("wasteful", Shape::Flag),
    ("exit_code", Shape::Code),
    ("unsafe_action", Shape::Flag),
    ("task", Shape::Text),
    ("domain", Shape::Text),
    ("tool", Shape::Text),
    ("tags", Shape::Texts),
    ("plan_step", Shape::Text),
    ("followed", Shape::Texts),
    ("at", Shape::Time),
];

/// Names of fields in the documents of the original programs, and ours.
const ORIGINALS: &[(&str, &str)] = &[
    ("state_before", "state"),
    ("failure_reason", "reason"),
    ("progress_signal", "progress"),
    ("efficiency_signal", "efficiency"),
    ("safety_violation", "unsafe_action"),
    ("constraint_failures", "failed_constraints"),
    ("task_id", "task"),
    ("timestamp", "at"),
];

/// The meaning of the fields of a step that a caller without an adapter fills in.
pub(super) const MEANINGS: &[(&str, &str)] = &[
    (
        "action",
        "The action: a command line, or a call such as `{\"name\": …, \"arguments\": {…}}`.",
    ),
    (
        "error",
        "The error that it ended with; left out if it worked.",
    ),
    ("exit_code", "The exit code of its process; 0 if it worked."),
    ("tool", "The tool that was used."),
    ("reason", "Why it was taken, or why it failed."),
    ("state", "The state before it."),
    ("state_after", "The state after it."),
    (
        "followed",
        "Ids of the lessons whose advice it was taken on.",
    ),
    ("at", "When it was taken."),
];

/// How a step without a number gets one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbering {
    /// From its position, after the step before it.
    Place,
    /// From the store, as the next one of its run.
    Store,
}

/// Defaults for steps.
#[derive(Clone, PartialEq, Debug)]
pub struct StepDefaults {
    /// Its run; without one, every step must name its own.
    pub run: Option<String>,
    /// Task, domain and tool.
    pub place: Place,
    /// When it happened.
    pub at: Timestamp,
    /// How it is numbered.
    pub numbering: Numbering,
}

/// Parsed steps.
#[derive(Clone, PartialEq, Debug)]
pub struct StepsRead {
    /// The name of their format.
    pub format: &'static str,
    /// The steps in order.
    pub steps: Vec<StepInput>,
    /// Skipped places of a trace.
    pub skipped: Vec<Skipped>,
    /// Runs whose result the trace states.
    pub passed: BTreeMap<String, bool>,
    /// Replies of the agent that may state a lesson, with their runs.
    pub replies: Vec<(String, String)>,
    /// Notes on replaced input.
    pub notes: Vec<String>,
}

impl Default for StepsRead {
    /// No steps, in the project's own format.
    fn default() -> Self {
        Self {
            format: FORMAT,
            steps: Vec::new(),
            skipped: Vec::new(),
            passed: BTreeMap::new(),
            replies: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// Parses steps.
///
/// # Errors
///
/// `invalid_json` for invalid or too deeply nested JSON; `invalid_step` with all faults of a step.
pub fn read_steps(bytes: &[u8], defaults: &StepDefaults) -> Result<StepsRead, Problem> {
    let text = String::from_utf8_lossy(bytes);
    let mut read = StepsRead::default();
    if let Cow::Owned(_) = text {
        read.notes
            .push("bytes that are no UTF-8 were replaced by `\u{fffd}`".to_owned());
    }
    let whole = replace_halves(strip_bom(&text));
    if let Cow::Owned(_) = whole {
        read.notes.push(HALVES_REPLACED.to_owned());
    }
    let (values, cut) = values(&whole)?;
    read.notes.extend(cut);
    read.steps = steps_of(values, defaults)?;
    Ok(read)
}

/// Reads steps from JSON values.
///
/// # Errors
///
/// `invalid_step` with all faults of a step.
pub fn steps_of(values: Vec<Value>, defaults: &StepDefaults) -> Result<Vec<StepInput>, Problem> {
    let mut steps: Vec<StepInput> = Vec::with_capacity(values.len());
    // The number of the last step of each run, since each counts its own.
    let mut last = BTreeMap::new();
    for value in values {
        let number = steps.len() + 1;
        let Value::Object(mut object) = value else {
            let message = format!("step {number} is {}, not an object", described(&value));
            return Err(Problem::new("invalid_step", message));
        };
        let step = step(number, &mut object, defaults, &last)?;
        last.insert(step.report.run.clone(), step.report.step);
        steps.push(step);
    }
    Ok(steps)
}

/// All values of a text, with lists flattened, and a note if the last value is truncated: a writer that was
/// killed loses its last line only.
fn values(text: &str) -> Result<(Vec<Value>, Option<String>), Problem> {
    let mut values = Vec::new();
    for value in Deserializer::from_str(text).into_iter::<Unique>() {
        let value = match value {
            Err(error) if error.is_eof() && !values.is_empty() => {
                let (line, after) = (error.line(), values.len());
                let cut =
                    format!("line {line} is cut off and was left out, after {after} whole steps");
                return Ok((values, Some(cut)));
            }
            value => value.map(|Unique(value)| value),
        };
        let value = value.map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let state = if error.is_data() {
                "cannot be taken as they are"
            } else {
                "are not valid JSON"
            };
            let message = format!(
                "the steps {state}: {} at line {line} column {column}",
                complaint(&error)
            );
            Problem::new("invalid_json", message)
                .with_hint("send an object, a list of objects, or one object a line")
        })?;
        match value {
            Value::Array(list) => values.extend(list),
            value => values.push(value),
        }
        // Over the limit; reading on would only cost memory.
        if values.len() > STEPS_MAX {
            return Err(Problem::new(
                "too_many_steps",
                format!("there are more than {STEPS_MAX} steps"),
            )
            .with_hint("send them in parts"));
        }
    }
    Ok((values, None))
}

/// The faults of a step, whose fields get our names first.
fn wrong_fields(object: &mut Map<String, Value>) -> Vec<String> {
    for (theirs, ours) in ORIGINALS {
        if !object.contains_key(*ours)
            && let Some(value) = object.remove(*theirs)
        {
            object.insert((*ours).to_owned(), value);
        }
    }
    faults(object, STEP)
}

fn step(
    number: usize,
    object: &mut Map<String, Value>,
    defaults: &StepDefaults,
    last: &BTreeMap<String, u32>,
) -> Result<StepInput, Problem> {
    let refused = |faults: &str| {
        Problem::new("invalid_step", format!("step {number}: {faults}"))
            .with_hint("mend the step and send it again; nothing was written")
    };
    let wrong = wrong_fields(object);
    if !wrong.is_empty() {
        return Err(refused(&wrong.join("; ")));
    }
    let run = text(object, "run").or_else(|| defaults.run.clone());
    let run = run.ok_or_else(|| refused("it names no `run`, and none was given"))?;
    let exit_code = match object.get("exit_code").filter(|code| !code.is_null()) {
        None => None,
        Some(code) => Some(
            code.as_i64()
                .and_then(|code| i32::try_from(code).ok())
                .ok_or_else(|| refused("`exit_code` is not a whole number of 32 bits"))?,
        ),
    };
    let followed: Result<Vec<LessonId>, _> = texts(object, "followed")
        .iter()
        .map(|id| {
            id.parse::<LessonId>()
                .map_err(|error| refused(&format!("`followed`: {error}")))
        })
        .collect();
    let part = |name: &str| object.get(name).cloned().unwrap_or_default();
    let evidence = Evidence {
        error: part("error"),
        state: part("state"),
        action: part("action"),
        state_after: part("state_after"),
        reason: text(object, "reason").unwrap_or_default(),
    };
    let before = last.get(&run).copied().unwrap_or_default();
    let report = StepReport {
        run,
        step: match (whole(object, "step"), defaults.numbering) {
            (Some(NEXT_STEP), _) => return Err(refused("`step` is 0; steps are numbered from 1")),
            (Some(step), _) => step,
            (None, Numbering::Place) => before.saturating_add(1),
            (None, Numbering::Store) => NEXT_STEP,
        },
        allowed_steps: whole(object, "allowed_steps"),
        feedback: feedback(object, &evidence, exit_code),
        evidence,
        exit_code,
        unsafe_action: flag(object, "unsafe_action").unwrap_or_default(),
        place: Place {
            task: text(object, "task").or_else(|| defaults.place.task.clone()),
            domain: text(object, "domain").or_else(|| defaults.place.domain.clone()),
            tool: text(object, "tool").or_else(|| defaults.place.tool.clone()),
        },
        tags: texts(object, "tags"),
        at: time(object, "at").unwrap_or(defaults.at),
    };
    Ok(StepInput {
        report,
        plan_step: text(object, "plan_step"),
        followed: followed?,
        detail: StepDetail::default(),
        scope: None,
    })
}

/// The four feedback channels. Without an explicit hard failure, a step had one if it brought an error or an
/// exit code other than 0.
fn feedback(object: &Map<String, Value>, evidence: &Evidence, exit_code: Option<i32>) -> Feedback {
    let has_error = match &evidence.error {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        _ => true,
    };
    let failed = exit_code.map_or(has_error, |code| code != 0);
    Feedback {
        hard_failure: flag(object, "hard_failure").unwrap_or(failed),
        failed_constraints: texts(object, "failed_constraints"),
        progress: object.get("progress").and_then(Value::as_f64),
        no_progress: flag(object, "no_progress").unwrap_or_default(),
        efficiency: object.get("efficiency").and_then(Value::as_f64),
        wasteful: flag(object, "wasteful").unwrap_or_default(),
    }
}

fn text(object: &Map<String, Value>, name: &str) -> Option<String> {
    object.get(name)?.as_str().map(str::to_owned)
}

fn time(object: &Map<String, Value>, name: &str) -> Option<Timestamp> {
    Timestamp::parse(object.get(name)?.as_str()?)
}

fn flag(object: &Map<String, Value>, name: &str) -> Option<bool> {
    object.get(name)?.as_bool()
}

fn whole(object: &Map<String, Value>, name: &str) -> Option<u32> {
    object.get(name)?.as_u64()?.try_into().ok()
}

fn texts(object: &Map<String, Value>, name: &str) -> Vec<String> {
    let list = object.get(name).and_then(Value::as_array);
    let texts = list.into_iter().flatten().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}
