//! The rows of a learner's lessons that are more than a value of the domain: runs with their steps,
//! activations with what they were in force for, fingerprints with their counts.

use serde::{Deserialize, Serialize};

use mnemograph_domain::lesson::activation::Activation;
use mnemograph_domain::lesson::candidate::Origin;
use mnemograph_domain::lesson::event::ErrorEvent;
use mnemograph_domain::lesson::fingerprint::Fingerprint;
use mnemograph_domain::lesson::ids::{EventId, FingerprintId, LessonId};
use mnemograph_domain::lesson::lesson::{Place, Status};
use mnemograph_domain::lesson::run::{Followed, InForce, Occurrence, RunRecord};
use mnemograph_domain::timestamp::Timestamp;

/// A run, open or ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunRow {
    /// Its name, unique among the runs of its learner.
    pub id: String,
    /// Task, domain and tool.
    pub place: Place,
    /// What is to be reached, in the caller's words; empty when nobody said.
    pub intent: String,
    /// True when lessons are withheld from it.
    pub control: bool,
    /// How many steps it may take.
    pub allowed_steps: Option<u32>,
    /// The highest step that was reported so far, or what the end says.
    pub steps: u32,
    /// Commits that touched it: what was read without the lock is still true while this is the same.
    pub changes: u64,
    /// When it began.
    pub started_at: Timestamp,
    /// When something was last reported of it; idle runs are found by this.
    pub last_at: Timestamp,
    /// How it ended; absent while it is open.
    pub end: Option<RunEnd>,
}

/// How a run ended, with all that later decisions need of it, so that a history is read run by run
/// and not row by row. Written once; only `passed` and `score` may come in later.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunEnd {
    /// Passed or failed, where an evaluator said so.
    pub passed: Option<bool>,
    /// The score of an evaluator or a referee, 0..=1.
    pub score: Option<f64>,
    /// When.
    pub at: Timestamp,
    /// True when it was ended because nothing was reported of it any more.
    pub idle: bool,
    /// The failures, in the order of the steps; at most [`super::RUN_ROWS_MAX`], the last ones.
    pub occurrences: Vec<Occurrence>,
    /// The lessons that were returned and not withheld, in the order of their return.
    pub in_force: Vec<InForce>,
    /// The steps taken on the advice of lessons.
    pub followed: Vec<Followed>,
    /// Its metrics (JSON), opaque to the store.
    pub metrics: String,
}

impl RunRow {
    /// The run as the rules see it; absent while it is open.
    pub fn record(&self) -> Option<RunRecord> {
        let end = self.end.as_ref()?;
        Some(RunRecord {
            id: self.id.clone(),
            place: self.place.clone(),
            passed: end.passed,
            score: end.score,
            steps: self.steps,
            occurrences: end.occurrences.clone(),
            in_force: end.in_force.clone(),
            followed: end.followed.clone(),
            control: self.control,
            ended_at: end.at,
        })
    }
}

/// One step of a run, failed or not: learning needs both.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StepRow {
    /// The run.
    pub run: String,
    /// Its number.
    pub step: u32,
    /// What was tried (JSON).
    pub action: String,
    /// The step of the plan, where the adapter names it.
    pub plan_step: Option<String>,
    /// True when it was written down as an error event.
    pub failed: bool,
    /// The lessons whose advice it was taken on.
    pub followed: Vec<LessonId>,
    /// When it was reported.
    pub at: Timestamp,
}

/// A run with what it holds; of each list the last [`super::RUN_ROWS_MAX`] rows.
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
    /// The same with every list in its order, however the store has read it.
    #[must_use]
    pub fn in_order(mut self) -> Self {
        self.steps.sort_unstable_by_key(|step| step.step);
        self.errors
            .sort_unstable_by_key(|error| (error.step, error.id));
        let order = |row: &ActivationRow| (row.activation.step, row.activation.id);
        self.activations.sort_unstable_by_key(order);
        self
    }
}

/// An activation with what only its record holds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ActivationRow {
    /// The activation, with its outcome once it is settled.
    pub activation: Activation,
    /// The fingerprints that the lesson was in force for, sorted.
    pub triggers: Vec<FingerprintId>,
    /// Path and parts of the score (JSON), opaque to the store.
    pub explanation: String,
}

/// A fingerprint that the rules were told of, to be made unless it is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewFingerprint {
    /// Its identity and its normalised text; empty when only the identity is known.
    pub fingerprint: Fingerprint,
    /// Tags that it gets besides those that it has.
    pub tags: Vec<String>,
}

/// A fingerprint with what the store counted of it.
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
    /// When it was first raised; absent when it never was.
    pub first_at: Option<Timestamp>,
    /// When it was last raised.
    pub last_at: Option<Timestamp>,
}

/// A conflict between two lessons: one row, whichever of the two came first.
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
}

impl Conflict {
    /// The conflict of an unordered pair.
    pub fn between(a: LessonId, b: LessonId, reason: String, at: Timestamp) -> Self {
        let (first, second) = (a.min(b), a.max(b));
        Self {
            first,
            second,
            reason,
            at,
        }
    }
}

/// What a run showed that a lesson rests on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LessonSource {
    /// The lesson.
    pub lesson: LessonId,
    /// The run, or the name of the file that it was imported from.
    pub run: String,
    /// Who proposed it.
    pub origin: Origin,
    /// The steps that show it.
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
    /// From this
    pub from: Status,
    /// to that.
    pub to: Status,
    /// Who looked at it.
    pub author: Option<String>,
    /// What they say.
    pub note: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// What an operation answered, so that a resent one is answered alike and does nothing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OperationReceipt {
    /// The id that the caller gave, or one derived from what is done (`end:RUN`).
    pub operation: String,
    /// SHA-256 hex of what was asked: the same id with another digest is refused by the engine.
    pub body_digest: String,
    /// The answer (JSON), opaque to the store.
    pub answer: String,
    /// When.
    pub at: Timestamp,
}
