//! What a decision about lessons asks for under the lock, and what it writes.

use super::rows::{
    ActivationRow, Conflict, FingerprintRow, LessonSource, NewFingerprint, OperationReceipt,
    Review, RunRow, StepRow,
};
use mnemograph_domain::lesson::event::ErrorEvent;
use mnemograph_domain::lesson::ids::{ActivationId, EventId, FingerprintId, LessonId};
use mnemograph_domain::lesson::lesson::{Lesson, Owner, Place};
use mnemograph_domain::lesson::promotion::Decision;
use mnemograph_domain::lesson::run::RunRecord;

/// The rows that a decision needs, all by name. Whoever does not know the names yet reads them first
/// without the lock, and sees from [`RunRow::changes`] whether that is still true.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Ask {
    /// The operation whose receipt is looked for.
    pub operation: Option<String>,
    /// These runs.
    pub runs: Vec<String>,
    /// Which of these events there are.
    pub events: Vec<EventId>,
    /// These steps, by run and number.
    pub steps: Vec<(String, u32)>,
    /// These fingerprints; together with `runs` also which of them was raised where.
    pub fingerprints: Vec<FingerprintId>,
    /// These lessons, in any status.
    pub lessons: Vec<LessonId>,
    /// The lessons that one of these triggers, in any status: those out of use first, then by newest
    /// evidence, then by id; at most [`super::TRIGGERED_MAX`].
    pub triggered_by: Vec<FingerprintId>,
    /// These activations.
    pub activations: Vec<ActivationId>,
    /// Of each of these lessons the last [`mnemograph_domain::lesson::promotion::ROWS_MAX`] activations
    /// that were not withheld, by (at, id).
    pub activations_of: Vec<LessonId>,
    /// The runs to compare with.
    pub history: Option<HistoryAsk>,
}

/// Which ended runs are delivered: the union of four bounded lists, each the newest by (ended, id).
#[derive(Clone, PartialEq, Default, Debug)]
pub struct HistoryAsk {
    /// The last [`super::HISTORY_MAX`] runs of this task (when there is one), and as many of this domain with
    /// this tool (when there is a domain; no tool means runs without one).
    pub place: Place,
    /// Of each of these the last [`super::HISTORY_PER_FINGERPRINT`] runs that raised it, on either level.
    pub fingerprints: Vec<FingerprintId>,
    /// The runs of the last [`super::HISTORY_MAX`] activations of each of these, withheld or not.
    pub lessons: Vec<LessonId>,
}

impl Ask {
    /// Refuses more than [`super::NAMES_MAX`] names of one kind; `Err` says how many.
    pub fn check(&self) -> Result<(), String> {
        let history = self.history.as_ref();
        let counts = [
            self.runs.len(),
            self.events.len(),
            self.steps.len(),
            self.fingerprints.len(),
            self.lessons.len(),
            self.triggered_by.len(),
            self.activations.len(),
            self.activations_of.len(),
            history.map_or(0, |history| history.fingerprints.len()),
            history.map_or(0, |history| history.lessons.len()),
        ];
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

/// What was asked for, read under the lock. Unknown names are left out; nothing comes twice.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Gathered {
    /// The receipt of the operation, when it was done before.
    pub receipt: Option<OperationReceipt>,
    /// The runs, ascending by id.
    pub runs: Vec<RunRow>,
    /// The events that are there, ascending.
    pub events: Vec<EventId>,
    /// The steps, ascending by run, then by number.
    pub steps: Vec<StepRow>,
    /// The fingerprints, ascending by id.
    pub fingerprints: Vec<FingerprintRow>,
    /// Which of the asked fingerprints were raised in which of the asked runs, ascending.
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

/// What is written in one transaction. Every row belongs to the owner of the transaction; a row of
/// another owner refuses the whole (`Invalid`).
///
/// Rows with a derived id are put *if absent*: a row that is there stays as it is, so that whatever is
/// sent again counts once. Runs and lessons are put *in place* of what is there: they were read under the
/// same lock. The order in here is the order of the writes.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct LessonCommit {
    /// Fingerprints that no event of this commit brings along: if absent. Of one that is there the
    /// missing tags are added, and the text when it had none.
    pub fingerprints: Vec<NewFingerprint>,
    /// Runs: in place. With a run's end the store also notes on its raised fingerprints that it ended.
    pub runs: Vec<RunRow>,
    /// Steps by (run, step): if absent. A step or an error of a run that is neither there nor in this
    /// commit refuses the whole (`Invalid`).
    pub steps: Vec<StepRow>,
    /// Error events by id: if absent. A new one makes its two fingerprints where they are missing, adds
    /// its tags to them, and is counted in their `events`; its run is counted in their `runs` once.
    pub errors: Vec<ErrorEvent>,
    /// Lessons by id: in place, with triggers, tags and places. A trigger or a tag that is unknown is
    /// made. The postings follow status and `evidence_at`.
    pub lessons: Vec<Lesson>,
    /// Sources by (lesson, run, origin): if absent.
    pub sources: Vec<LessonSource>,
    /// Conflicts by pair: if absent.
    pub conflicts: Vec<Conflict>,
    /// Activations by id: if absent. The outcome of one that is there is set when it has none.
    pub activations: Vec<ActivationRow>,
    /// Decisions by id: if absent.
    pub decisions: Vec<Decision>,
    /// Reviews by id: if absent.
    pub reviews: Vec<Review>,
    /// The receipt: a present one is never written over (`Invalid`).
    pub receipt: Option<OperationReceipt>,
}

impl LessonCommit {
    /// True when there is nothing to write.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Refuses rows that name another owner; `Err` says whose.
    pub fn check_owner(&self, owner: &Owner) -> Result<(), String> {
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

/// Decides under the lock: gets what was asked for, gives what to write. It may be called again when
/// the transaction has to be repeated, and must then decide afresh.
pub type DecideLessons = Box<dyn FnMut(Gathered) -> LessonCommit + Send>;
