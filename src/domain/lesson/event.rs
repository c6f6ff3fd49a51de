//! An error event: one failed step, as it is written down.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::feedback::{Channel, Feedback, Place as StepPlace};
use super::lesson::{LearnerId, Place};
use hindlore_errors::fingerprint::{Evidence, Fingerprinter, Fingerprints};
use hindlore_errors::tag::{Circumstances, TagRules};
use hindlore_primitives::ids::{EventId, derive};
use hindlore_primitives::timestamp::Timestamp;

/// The longest text that an event keeps of each part, in bytes: the beginning and the end.
pub const PART_MAX_BYTES: usize = 8 * 1_024;

/// The number of a step without one: the store gives it the next number of its run.
pub const NEXT_STEP: u32 = 0;

/// The report of an adapter about one step.
#[derive(Clone, PartialEq, Debug)]
pub struct StepReport {
    /// The run it belongs to.
    pub run: String,
    /// Its number, from 1, or [`NEXT_STEP`].
    pub step: u32,
    /// How many steps the run may take.
    pub allowed_steps: Option<u32>,
    /// Error, states, action, reason.
    pub evidence: Evidence,
    /// The four channels.
    pub feedback: Feedback,
    /// The exit code of a process.
    pub exit_code: Option<i32>,
    /// A safety rule was violated.
    pub unsafe_action: bool,
    /// Task, domain and tool.
    pub place: Place,
    /// Tags that the adapter gives by itself.
    pub tags: Vec<String>,
    /// When it happened.
    pub at: Timestamp,
}

/// A failed step.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ErrorEvent {
    /// Derived from owner, run, step and fingerprint, so that a resent report is the same event.
    pub id: EventId,
    /// Its owner.
    pub owner: LearnerId,
    /// The run it belongs to.
    pub run: String,
    /// Its number in the run.
    pub step: u32,
    /// The channels by which it failed, the hardest first; never empty.
    pub channels: Vec<Channel>,
    /// The error as a text, cut.
    pub error: String,
    /// The state before as a text, cut.
    pub state: String,
    /// The action as a text, cut.
    pub action: String,
    /// The state after as a text, cut.
    pub state_after: String,
    /// Why it counts as failed.
    pub reason: String,
    /// Task, domain and tool.
    pub place: Place,
    /// Tags of the kind of failure, sorted.
    pub tags: Vec<String>,
    /// Its two identities.
    pub fingerprints: Fingerprints,
    /// How much nearer the goal came.
    pub progress: Option<f64>,
    /// Resources spent above the plan.
    pub efficiency: Option<f64>,
    /// The conditions that were not met.
    pub failed_constraints: Vec<String>,
    /// When it happened.
    pub at: Timestamp,
}

impl ErrorEvent {
    /// Its message: the error, else the reason; empty when there is neither.
    pub fn message(&self) -> &str {
        let texts = [&self.error, &self.reason];
        texts
            .into_iter()
            .find(|text| !text.is_empty())
            .map_or("", String::as_str)
    }
}

/// Writes a step down; absent when it did not fail.
///
/// `seen_in_run` returns whether one of the step's fingerprints was raised earlier in this run.
pub fn capture(
    owner: &LearnerId,
    report: StepReport,
    rules: &TagRules,
    seen_in_run: impl FnOnce(&Fingerprints) -> bool,
) -> Option<ErrorEvent> {
    let fingerprints = Fingerprinter::default().of(&report.evidence);
    let before = Before {
        seen: seen_in_run(&fingerprints),
        stalled: false,
    };
    capture_known(owner, report, rules, (fingerprints, before))
}

/// The part of a run before a step that decides whether the step failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Before {
    /// The run raised one of the step's fingerprints.
    pub seen: bool,
    /// The previous progress that the run reported was zero or negative.
    pub stalled: bool,
}

/// Writes a step down whose fingerprints are known, and the part of its run before it.
pub fn capture_known(
    owner: &LearnerId,
    report: StepReport,
    rules: &TagRules,
    (fingerprints, before): (Fingerprints, Before),
) -> Option<ErrorEvent> {
    let mut report = report;
    // A violated safety rule is a failure, whatever the call returned.
    report.feedback.hard_failure |= report.unsafe_action;
    let place = StepPlace {
        step: report.step,
        allowed_steps: report.allowed_steps,
        seen_in_run: before.seen,
        stalled_before: before.stalled,
    };
    let channels = report.feedback.channels(place);
    if channels.is_empty() {
        return None;
    }
    let step = report.step.to_string();
    let id = derive(&[
        "event",
        &owner.derived(),
        &report.run,
        &step,
        &fingerprints.fine.id.to_string(),
    ]);
    let tags = tags_of(&report, &channels, rules);
    let Evidence {
        error,
        state,
        action,
        state_after,
        reason,
    } = report.evidence;
    Some(ErrorEvent {
        id: EventId(id),
        owner: owner.clone(),
        run: report.run,
        step: report.step,
        channels,
        error: part(&error),
        state: part(&state),
        action: part(&action),
        state_after: part(&state_after),
        reason: part(&Value::from(reason)),
        place: report.place,
        tags,
        fingerprints,
        progress: report.feedback.progress,
        efficiency: report.feedback.efficiency,
        failed_constraints: report.feedback.failed_constraints,
        at: report.at,
    })
}

fn tags_of(report: &StepReport, channels: &[Channel], rules: &TagRules) -> Vec<String> {
    let evidence = &report.evidence;
    let step = Circumstances {
        nonzero_exit: report.exit_code.is_some_and(|code| code != 0),
        constraint_failed: channels.contains(&Channel::ConstraintFailure),
        no_progress: channels.contains(&Channel::ProgressSignal),
        state_stall: !evidence.state.is_null() && evidence.state == evidence.state_after,
        goal_distance_increase: report
            .feedback
            .progress
            .is_some_and(|progress| progress < 0.0),
        unsafe_action: report.unsafe_action,
    };
    let text = format!("{}\n{}", text_of(&evidence.error), evidence.reason);
    let mut tags = rules.of_step(&text, &evidence.action, step);
    let own = report
        .tags
        .iter()
        .map(|tag| rules.canonical(tag))
        .filter(|tag| !tag.is_empty());
    tags.extend(own);
    if tags.len() > 1 {
        tags.retain(|tag| tag != hindlore_errors::tag::UNCATEGORIZED);
    }
    super::lesson::sorted(tags)
}

fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        other => hindlore_errors::action::plain(other),
    }
}

/// A part as a text of bounded length.
fn part(value: &Value) -> String {
    let text = text_of(value);
    if text.len() <= PART_MAX_BYTES {
        return text;
    }
    let head = text.floor_char_boundary(PART_MAX_BYTES / 2);
    let tail = text.ceil_char_boundary(text.len() - PART_MAX_BYTES / 2);
    format!(
        "{}\n… {} bytes left out …\n{}",
        &text[..head],
        tail - head,
        &text[tail..]
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report(error: Value) -> StepReport {
        StepReport {
            run: "r".to_owned(),
            step: 2,
            allowed_steps: None,
            evidence: Evidence {
                error,
                action: json!("grid run a"),
                ..Evidence::default()
            },
            feedback: Feedback {
                hard_failure: true,
                ..Feedback::default()
            },
            exit_code: Some(1),
            unsafe_action: false,
            place: Place::default(),
            tags: vec!["Rate Limit".to_owned()],
            at: Timestamp::from_millis(0),
        }
    }

    fn captured(report: StepReport) -> Option<ErrorEvent> {
        capture(
            &LearnerId::new("t", "l").unwrap(),
            report,
            &TagRules::standard(),
            |_| false,
        )
    }

    #[test]
    fn a_failed_step_is_written_down_and_a_resent_report_is_the_same_event() {
        let event = captured(report(json!("ERROR: unknown column 'x'"))).unwrap();
        assert_eq!(event.channels, [Channel::HardFailure]);
        assert_eq!(
            event.tags,
            [
                "column_reference",
                "nonzero_exit",
                "rate_limited",
                "surface_cli"
            ]
        );
        assert_eq!(
            event.id,
            captured(report(json!("ERROR: unknown column 'x'")))
                .unwrap()
                .id
        );
        assert_ne!(
            event.id,
            captured(report(json!("ERROR: unknown column 'y'")))
                .unwrap()
                .id
        );
        let mut later = report(json!("ERROR: unknown column 'x'"));
        later.step = 3;
        assert_ne!(event.id, captured(later).unwrap().id);
    }

    #[test]
    fn a_step_that_worked_is_not_written_down_and_long_texts_are_cut() {
        let mut fine = report(Value::Null);
        fine.feedback.hard_failure = false;
        assert_eq!(captured(fine), None);
        let long = captured(report(Value::from("é".repeat(100_000)))).unwrap();
        assert!(long.error.len() < PART_MAX_BYTES + 100 && long.error.contains("left out"));
        let json = captured(report(json!({"code": 1, "message": "boom"}))).unwrap();
        assert_eq!(json.error, r#"{"code":1,"message":"boom"}"#);
    }
}
