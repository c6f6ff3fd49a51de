//! The reads and writes of a decision about lessons.

use super::rows::{
    ActivationRow, Conflict, FingerprintRow, LessonSource, NewFingerprint, OperationReceipt,
    Review, RunRow, StepRow,
};
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson, Place};
use hindlore_domain::lesson::promotion::Decision;
use hindlore_domain::lesson::run::RunRecord;
use hindlore_primitives::ids::{ActivationId, EventId, FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;

/// The rows that a decision needs, all by name. A caller that does not know the names reads them first without the
/// lock; [`RunRow::changes`] then shows whether they are still current.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Ask {
    /// The operation whose receipt is read.
    pub operation: Option<String>,
    /// Runs by id.
    pub runs: Vec<String>,
    /// Error events whose existence is checked.
    pub events: Vec<EventId>,
    /// Steps by run and number.
    pub steps: Vec<(String, u32)>,
    /// Steps by run and id.
    pub step_ids: Vec<(String, String)>,
    /// Fingerprints by id; with `runs` also which of them each run raised.
    pub fingerprints: Vec<FingerprintId>,
    /// Lessons by id, in any status.
    pub lessons: Vec<LessonId>,
    /// Lessons by trigger, in any status: those out of use first, then newest evidence, then by id; at most
    /// [`super::TRIGGERED_MAX`].
    pub triggered_by: Vec<FingerprintId>,
    /// Activations by id.
    pub activations: Vec<ActivationId>,
    /// Activations by lesson: the last [`hindlore_domain::lesson::evidence::evidence_rows::ROWS_MAX`] of each that were not
    /// withheld, by (at, id).
    pub activations_of: Vec<LessonId>,
    /// Ended runs to compare with.
    pub history: Option<HistoryAsk>,
}

/// The ended runs to read: the union of two bounded lists, each the newest by (ended, id), of every outcome.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct HistoryAsk {
    /// The last [`super::HISTORY_MAX`] runs of its task, if it has one, and as many of its domain with its tool, if it
    /// has a domain (without a tool: runs that have none either).
    pub place: Place,
}

impl Ask {
    /// Refuses more than [`super::NAMES_MAX`] names of one kind; `Err` has their number.
    pub fn check(&self) -> Result<(), String> {
        let counts = [
            self.runs.len(),
            self.events.len(),
            self.steps.len(),
            self.step_ids.len(),
            self.fingerprints.len(),
            self.lessons.len(),
            self.triggered_by.len(),
            self.activations.len(),
            self.activations_of.len(),
        ];
        // Each kind is bounded by itself, so the largest count decides.
        super::check_names(counts.into_iter().max().unwrap_or_default())
    }
}

/// A fingerprint that was raised in a run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Raised {
    /// The run.
    pub run: String,
    /// The fingerprint, on either level.
    pub fingerprint: FingerprintId,
    /// The first step that raised it.
    pub first_step: u32,
}

/// The rows of an [`Ask`], read under the lock. Unknown names are left out; no row comes twice.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Gathered {
    /// The receipt of the operation, if it was carried out before.
    pub receipt: Option<OperationReceipt>,
    /// The runs, ascending by id.
    pub runs: Vec<RunRow>,
    /// The existing events, ascending.
    pub events: Vec<EventId>,
    /// The steps by number and by id, ascending by run, then by number.
    pub steps: Vec<StepRow>,
    /// The fingerprints, ascending by id.
    pub fingerprints: Vec<FingerprintRow>,
    /// Which of the fingerprints were raised in which of the runs, ascending.
    pub raised: Vec<Raised>,
    /// Lessons by id and by trigger, ascending by id.
    pub lessons: Vec<Lesson>,
    /// The conflicts among these lessons, ascending by pair.
    pub conflicts: Vec<Conflict>,
    /// The activations by id and by lesson, ascending by (at, id).
    pub activations: Vec<ActivationRow>,
    /// The ended runs to compare with, ascending by (ended, id).
    pub history: Vec<RunRecord>,
}

/// The writes of one transaction, in this order. Every row belongs to the owner of the transaction; a row of another
/// owner refuses the whole commit (`Invalid`).
///
/// Rows with a derived id are written *if absent*: an existing row stays as it is, so that a repeated commit counts once.
/// Runs and lessons *replace* the existing ones, which were read under the same lock.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct LessonCommit {
    /// Fingerprints that no event of this commit brings along: if absent. An existing one gains the missing tags, and
    /// the text if it had none.
    pub fingerprints: Vec<NewFingerprint>,
    /// Runs: replaced. The store also records the end of a run on its raised fingerprints.
    pub runs: Vec<RunRow>,
    /// Steps by (run, step): if absent. A step or an error of a run that neither exists nor is in this commit refuses
    /// the whole commit (`Invalid`).
    pub steps: Vec<StepRow>,
    /// Runs whose steps are deleted, with the bodies that no other step has.
    pub stripped: Vec<String>,
    /// Runs whose errors lose their texts: error, states, action and reason. Their ids, fingerprints, channels, tags,
    /// numbers and times stay.
    pub emptied: Vec<String>,
    /// Error events by id: if absent. A new one creates its missing fingerprints, adds its tags to them, and counts in
    /// their `events`; its run counts once in their `runs`.
    pub errors: Vec<ErrorEvent>,
    /// Lessons by id: replaced, with triggers, tags and places. Unknown triggers and tags are created. The postings
    /// follow status and `evidence_at`.
    pub lessons: Vec<Lesson>,
    /// Sources by (lesson, run, origin): if absent.
    pub sources: Vec<LessonSource>,
    /// Conflicts by pair: if absent. An existing one gains the settlement of one that has it.
    pub conflicts: Vec<Conflict>,
    /// Activations by id: if absent. An existing one without an outcome gains it.
    pub activations: Vec<ActivationRow>,
    /// Activations by id whose outcome is another than the one that is there: it takes the place of that one. An
    /// unknown activation is left out.
    pub revised: Vec<ActivationRow>,
    /// Decisions by id: if absent.
    pub decisions: Vec<Decision>,
    /// Reviews by id: if absent.
    pub reviews: Vec<Review>,
    /// The receipt; an existing one is never overwritten (`Invalid`).
    pub receipt: Option<OperationReceipt>,
    /// The oldest receipts from before this time go, at most [`super::RECEIPTS_GONE_MAX`] with each commit.
    pub receipts_before: Option<Timestamp>,
}

impl LessonCommit {
    /// True when there is nothing to write.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Refuses rows that name another owner; `Err` names it.
    pub fn check_owner(&self, owner: &LearnerId) -> Result<(), String> {
        let lessons = self.lessons.iter().map(|lesson| &lesson.owner);
        let mut owners = lessons.chain(self.errors.iter().map(|error| &error.owner));
        match owners.find(|other| *other != owner) {
            None => Ok(()),
            Some(other) => Err(format!(
                "a row of {}/{} was given to the learner {}/{}; write it under its own",
                other.tenant(),
                other.learner(),
                owner.tenant(),
                owner.learner()
            )),
        }
    }
}

/// Decides under the lock: takes the rows, returns the writes. It is called again when the transaction is retried, and
/// must then decide from its new argument alone.
pub type DecideLessons = Box<dyn FnMut(Gathered) -> LessonCommit + Send>;
