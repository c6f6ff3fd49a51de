//! The errors of a `.learnings` file as error events, and those with a cure as lessons.

use hindlore::lessons::{ImportedLesson, StepDetail, StepInput};
use hindlore_domain::lesson::event::StepReport;
use hindlore_domain::lesson::feedback::Feedback;
use hindlore_domain::lesson::lesson::{Counts, Place, Reach, Status};
use hindlore_domain::lesson::rule::{RULE_MAX_CHARS, Rule};
use hindlore_errors::fingerprint::{Evidence, Fingerprinter};
use hindlore_primitives::timestamp::Timestamp;

/// Characters of an error in a rule; the cure has the rest.
const ERROR_MAX_CHARS: usize = 160;

/// An error, and its cure if one is known.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Failure {
    /// Line of its entry, from 1.
    pub(crate) line: u64,
    /// The error.
    pub(crate) error: String,
    /// The remedy.
    pub(crate) cure: Option<String>,
    /// Tags.
    pub(crate) tags: Vec<String>,
    /// When it was written down.
    pub(crate) at: Option<Timestamp>,
}

/// Error events and lessons.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct LearnedFailures {
    /// One step for each error.
    pub(crate) steps: Vec<StepInput>,
    /// One lesson for each error with a cure.
    pub(crate) lessons: Vec<ImportedLesson>,
}

/// Makes events and lessons of failures; `run` is their run, and `now` dates failures without a time.
pub(crate) fn learned_failures(failures: &[Failure], run: &str, now: Timestamp) -> LearnedFailures {
    let mut fingerprinter = Fingerprinter::default();
    let mut learned = LearnedFailures::default();
    for (step, failure) in (1..).zip(failures) {
        let evidence = Evidence {
            error: failure.error.clone().into(),
            ..Evidence::default()
        };
        if let Some(rule) = rule_of(failure) {
            learned.lessons.push(ImportedLesson {
                rule,
                triggers: fingerprinter.of(&evidence).ids(),
                tags: Vec::new(),
                reach: Reach::Global,
                place: Place::default(),
                status: Status::Candidate,
                reliability: 0.5,
                counts: Counts::default(),
                impact: 0.0,
                source_runs: vec![run.to_owned()],
                created_at: failure.at,
                evidence_at: failure.at,
            });
        }
        learned.steps.push(StepInput {
            report: StepReport {
                run: run.to_owned(),
                step,
                allowed_steps: None,
                evidence,
                feedback: Feedback {
                    hard_failure: true,
                    ..Feedback::default()
                },
                exit_code: None,
                unsafe_action: false,
                place: Place::default(),
                tags: failure.tags.clone(),
                at: failure.at.unwrap_or(now),
            },
            plan_step: None,
            followed: Vec::new(),
            detail: StepDetail::default(),
            scope: None,
        });
    }
    learned
}

/// `error — cure`, cut so that the cure has room.
fn rule_of(failure: &Failure) -> Option<Rule> {
    let cure = failure.cure.as_deref()?;
    let first = failure.error.lines().find(|line| !line.trim().is_empty())?;
    let error: String = first.trim().chars().take(ERROR_MAX_CHARS).collect();
    let said: String = format!("{error} — {cure}")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    Rule::parse(&said.chars().take(RULE_MAX_CHARS).collect::<String>()).ok()
}
