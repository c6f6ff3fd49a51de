//! Rows that extend a value of the domain: runs with their ends, activations with their triggers, fingerprints with
//! their counts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::trajectory::TrajectoryFields;
use hindlore_domain::lesson::activation::Activation;
use hindlore_domain::lesson::conflict::ConflictReason;
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::learning::candidate::Origin;
use hindlore_domain::lesson::lesson::{Place, Status};
use hindlore_domain::lesson::lifecycle::Contradiction;
use hindlore_domain::lesson::run::{Followed, InForce, Occurrence, RunRecord};
use hindlore_domain::trajectory::trace_hash::body_hash;
use hindlore_domain::trajectory::{Status as Outcome, StepKind};
use hindlore_errors::fingerprint::Fingerprint;
use hindlore_primitives::ids::{EventId, FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_primitives::word_enum;

/// A run, open or ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunRow {
    /// Its name, unique among the runs of its learner.
    pub id: String,
    /// Task, domain and tool.
    pub place: Place,
    /// Its goal in the caller's words; empty when unknown.
    pub intent: String,
    /// True for a control run, from which lessons are withheld.
    pub control: bool,
    /// Its budget of steps, if it has one.
    pub allowed_steps: Option<u32>,
    /// The highest step reported so far, or the number given at its end.
    pub steps: u32,
    /// Number of commits that touched it. While it stays the same, rows read without the lock are current.
    pub changes: u64,
    /// When it began.
    pub started_at: Timestamp,
    /// Time of its last report; idle runs are found by it.
    pub last_at: Timestamp,
    /// Its end; `None` while it is open.
    pub end: Option<RunEnd>,
    /// Its fields as a trajectory.
    pub trajectory: TrajectoryFields,
}

/// The end of a run, with everything that later decisions need: a history is then read run by run, not row by row.
/// Written once; only `passed` and `score` may arrive later.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunEnd {
    /// Whether it passed; `None` until an evaluator decides.
    pub passed: Option<bool>,
    /// The score of an evaluator, 0..=1.
    pub score: Option<f64>,
    /// When it ended.
    pub at: Timestamp,
    /// True when it was ended for being idle.
    pub idle: bool,
    /// The failures by step, at most the last [`super::RUN_ROWS_MAX`].
    pub occurrences: Vec<Occurrence>,
    /// The lessons that were returned and not withheld, in that order.
    pub in_force: Vec<InForce>,
    /// The steps taken on the advice of lessons.
    pub followed: Vec<Followed>,
    /// The actions that it attempted, sorted.
    pub subjects: Vec<String>,
    /// Its metrics (JSON), opaque to the store.
    pub metrics: String,
}

impl RunRow {
    /// The outcome of the run; `None` while it is open, and when it was not judged.
    pub fn status(&self) -> Option<Outcome> {
        self.end.as_ref().and_then(|end| self.status_by(end))
    }

    fn status_by(&self, end: &RunEnd) -> Option<Outcome> {
        match end.passed {
            Some(true) => Some(Outcome::Success),
            Some(false) => Some(Outcome::Failure),
            None => self.trajectory.is_partial.then_some(Outcome::Partial),
        }
    }

    /// The run as the domain's rules take it; `None` while it is open.
    pub fn record(&self) -> Option<RunRecord> {
        self.end.as_ref().map(|end| self.ended_by(end))
    }

    /// The run as the domain's rules take it with an end that is not its own yet.
    pub fn ended_by(&self, end: &RunEnd) -> RunRecord {
        RunRecord {
            id: self.id.clone(),
            place: self.place.clone(),
            passed: end.passed,
            score: end.score,
            steps: self.steps,
            occurrences: end.occurrences.clone(),
            in_force: end.in_force.clone(),
            followed: end.followed.clone(),
            subjects: end.subjects.clone(),
            control: self.control,
            ended_at: end.at,
        }
    }
}

/// One step of a run, failed or not: learning needs both.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StepRow {
    /// The run.
    pub run: String,
    /// Its number.
    pub step: u32,
    /// The action (JSON).
    pub action: String,
    /// The step of the plan, if the adapter names it.
    pub plan_step: Option<String>,
    /// True when it has an error event.
    pub failed: bool,
    /// The lessons whose advice it followed.
    pub followed: Vec<LessonId>,
    /// When it was reported.
    pub at: Timestamp,
    /// Its id within the run, where the caller gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its kind.
    pub kind: StepKind,
    /// A description in words; empty if the action is enough.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Further data of the caller (JSON), opaque to the store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<String>,
}

impl StepRow {
    /// The SHA-256 of its body. Equal bodies are stored once.
    pub fn body_hash(&self) -> [u8; 32] {
        body_hash(&self.action, &self.description, self.metadata.as_deref())
    }
}

/// A run with its rows: the last [`super::RUN_ROWS_MAX`] of each list.
#[derive(Clone, PartialEq, Debug)]
pub struct RunContents {
    /// The run.
    pub row: RunRow,
    /// Its steps, ascending.
    pub steps: Vec<StepRow>,
    /// Its error events, ascending by step, then by id.
    pub errors: Vec<ErrorEvent>,
    /// Its activations, ascending by step, then by id; those before the run have step 0.
    pub activations: Vec<ActivationRow>,
}

impl RunContents {
    /// Sorts every list as documented, independent of the store's order.
    #[must_use]
    pub fn in_order(mut self) -> Self {
        self.steps.sort_unstable_by_key(|step| step.step);
        self.errors
            .sort_unstable_by_key(|error| (error.step, error.id));
        let order = |row: &ActivationRow| (row.activation.step, row.activation.id);
        self.activations.sort_unstable_by_key(order);
        self
    }

    /// The errors by step, in their order.
    pub fn errors_by_step(&self) -> BTreeMap<u32, Vec<&ErrorEvent>> {
        let mut errors: BTreeMap<u32, Vec<&ErrorEvent>> = BTreeMap::new();
        for error in &self.errors {
            errors.entry(error.step).or_default().push(error);
        }
        errors
    }
}

/// An activation with its triggers and explanation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ActivationRow {
    /// The activation, with its outcome once it is settled.
    pub activation: Activation,
    /// The fingerprints for which the lesson was in force, sorted.
    pub triggers: Vec<FingerprintId>,
    /// Path and parts of the score (JSON), opaque to the store.
    pub explanation: String,
}

/// A fingerprint to insert if it is unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewFingerprint {
    /// Its identity and its normalised text; empty when only the identity is known.
    pub fingerprint: Fingerprint,
    /// Tags to add.
    pub tags: Vec<String>,
}

/// A fingerprint with its stored counters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FingerprintRow {
    /// Its identity and its normalised text.
    pub fingerprint: Fingerprint,
    /// Its tags, sorted: those of all its events, at most [`super::TAGS_MAX`].
    pub tags: Vec<String>,
    /// Events that match it on either level, each once.
    pub events: u64,
    /// Runs with such an event, each once.
    pub runs: u64,
    /// When it was first raised; `None` when it never was.
    pub first_at: Option<Timestamp>,
    /// When it was last raised.
    pub last_at: Option<Timestamp>,
}

/// A conflict between two lessons: one row for each unordered pair.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Conflict {
    /// The lesson with the smaller id.
    pub first: LessonId,
    /// The other.
    pub second: LessonId,
    /// Why they cannot both be followed.
    pub reason: String,
    /// When it was found.
    pub at: Timestamp,
    /// A person's decision about it; `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<Settlement>,
}

/// A decision of a person about two lessons that contradict each other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Settlement {
    /// The decision.
    pub decision: Settled,
    /// The lesson that stays, where only one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<LessonId>,
    /// Author of the decision.
    pub author: Option<String>,
    /// Why.
    pub note: Option<String>,
    /// The two lessons before it, as JSON that is opaque to the store, for taking it back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// When.
    pub at: Timestamp,
}

word_enum! {
    /// The decision about a conflict.
    Settled {
        /// One lesson stays, the other is archived.
        One = "one",
        /// Both stay.
        Both = "both",
        /// One stays and takes over the evidence of the other.
        Merged = "merged",
        /// The decision was taken back.
        Reopened = "reopened",
    }
}

impl Conflict {
    /// The contradiction that it records.
    pub fn contradiction(&self) -> Contradiction {
        Contradiction {
            lessons: [self.first, self.second],
            excludes: self.reason == ConflictReason::RightAndWrong.to_string(),
        }
    }

    /// Returns true if it is undecided, or the decision was revoked.
    pub fn is_open(&self) -> bool {
        let settled = self.settled.as_ref();
        settled.is_none_or(|settled| settled.decision == Settled::Reopened)
    }

    /// The conflict of an unordered pair.
    pub fn between(a: LessonId, b: LessonId, reason: String, at: Timestamp) -> Self {
        let (first, second) = (a.min(b), a.max(b));
        Self {
            first,
            second,
            reason,
            at,
            settled: None,
        }
    }
}

/// A source of a lesson: the steps of a run that support it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LessonSource {
    /// The lesson.
    pub lesson: LessonId,
    /// The run, or the name of the file that it was imported from.
    pub run: String,
    /// Author of the proposal.
    pub origin: Origin,
    /// The supporting steps.
    pub steps: Vec<u32>,
    /// The error events of these steps.
    pub events: Vec<EventId>,
    /// When.
    pub at: Timestamp,
}

/// A change of status by a person.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Review {
    /// Its id: the operation that made it.
    pub id: String,
    /// The lesson.
    pub lesson: LessonId,
    /// The status before it.
    pub from: Status,
    /// The status after it.
    pub to: Status,
    /// The reviewer.
    pub author: Option<String>,
    /// The reviewer's note.
    pub note: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// The answer of an operation. A repeated operation gets the same answer and does nothing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OperationReceipt {
    /// The caller's id, or one derived from the operation (`end:RUN`).
    pub operation: String,
    /// SHA-256 hex of the request; the engine refuses the same id with another digest.
    pub body_digest: String,
    /// The answer (JSON), opaque to the store.
    pub answer: String,
    /// When.
    pub at: Timestamp,
}
