//! What is read without the lock: look-ups by fingerprint, the neighbourhood, pages of listings, and
//! the whole of a learner for moving it.

use super::rows::{
    ActivationRow, Conflict, FingerprintRow, LessonSource, NewFingerprint, OperationReceipt,
    Review, RunRow, StepRow,
};
use super::transaction::LessonCommit;
use mnemograph_domain::lesson::event::ErrorEvent;
use mnemograph_domain::lesson::ids::{ActivationId, EventId, FingerprintId, LessonId};
use mnemograph_domain::lesson::lesson::{Lesson, Owner, Place, Status};
use mnemograph_domain::lesson::numbers::WalkLimits;
use mnemograph_domain::lesson::promotion::Decision;
use mnemograph_domain::lesson::retrieval::view::{Sibling, TagCount};
use mnemograph_domain::timestamp::Timestamp;

/// Lessons with the conflicts among them.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct LessonsFound {
    /// The lessons, in the order that the call promises.
    pub lessons: Vec<Lesson>,
    /// The conflicts between two of them, ascending by pair.
    pub conflicts: Vec<Conflict>,
}

/// Where a walk begins, and how far it may go.
#[derive(Clone, PartialEq, Debug)]
pub struct NeighbourhoodAsk {
    /// The fingerprints, at most `limits.starts` of them; need not be known.
    pub starts: Vec<FingerprintId>,
    /// The tags of the question; need not be known.
    pub tags: Vec<String>,
    /// Tags that are never followed.
    pub without: Vec<String>,
    /// The place of the question.
    pub place: Place,
    /// The limits.
    pub limits: WalkLimits,
}

/// The ids around a question. Whatever the graph looks like, no list is longer than its limit.
///
/// The order of lessons is everywhere: newest evidence first, then by id; live ones only.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Neighbourhood {
    /// All fingerprints of the learner, from a kept count.
    pub fingerprints: u64,
    /// The asked starts that are known, each with its tags and their counts by name, and its first
    /// `lessons_per_start` lessons; in the order of the question.
    pub starts: Vec<Start>,
    /// Of the tags of the question and of its starts the `tags` rarest, by (count, name).
    pub tags: Vec<TagNeighbours>,
    /// The first `lessons_per_place` lessons whose task, domain or tool is that of the question.
    pub places: Vec<LessonId>,
}

/// A fingerprint that a walk starts from.
#[derive(Clone, PartialEq, Debug)]
pub struct Start {
    /// Which.
    pub id: FingerprintId,
    /// Its tags with their counts, by name.
    pub tags: Vec<TagCount>,
    /// The lessons that it triggers.
    pub lessons: Vec<LessonId>,
}

/// A tag with what lies behind it.
#[derive(Clone, PartialEq, Debug)]
pub struct TagNeighbours {
    /// The tag and how many fingerprints have it, from a kept count.
    pub count: TagCount,
    /// The first `siblings_per_tag` fingerprints with it that trigger a live lesson, by id, each with
    /// the first `lessons_per_sibling` lessons that it triggers.
    pub siblings: Vec<(Sibling, Vec<LessonId>)>,
    /// The first `lessons_per_tag` lessons with it.
    pub lessons: Vec<LessonId>,
}

/// A page of runs, newest start first, then by id.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct RunPage {
    /// Only runs after this one in that order; absent: from the newest.
    pub after: Option<(Timestamp, String)>,
    /// At most this many.
    pub limit: usize,
}

/// A page of lessons, newest birth first, then by id.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct LessonPage {
    /// Only of this status.
    pub status: Option<Status>,
    /// Only lessons after this one in that order; absent: from the newest.
    pub after: Option<(Timestamp, LessonId)>,
    /// At most this many.
    pub limit: usize,
}

/// Which errors are listed.
#[derive(Clone, PartialEq, Default, Debug)]
pub enum ErrorFilter {
    /// All.
    #[default]
    All,
    /// Those of a run.
    Run(String),
    /// Those that match a fingerprint on either level.
    Fingerprint(FingerprintId),
    /// Those of a task.
    Task(String),
    /// Those of a domain with a tool, or with none.
    Domain(String, Option<String>),
}

/// A page of errors, newest first, then by id.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ErrorPage {
    /// Which.
    pub filter: ErrorFilter,
    /// Only errors after this one in that order; absent: from the newest.
    pub after: Option<(Timestamp, EventId)>,
    /// At most this many.
    pub limit: usize,
}

/// A page of the activations of a lesson, newest first, then by id.
#[derive(Clone, PartialEq, Debug)]
pub struct ActivationPage {
    /// The lesson.
    pub lesson: LessonId,
    /// Only activations after this one in that order; absent: from the newest.
    pub after: Option<(Timestamp, ActivationId)>,
    /// At most this many.
    pub limit: usize,
}

/// A page of conflicts, ascending by pair.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ConflictPage {
    /// Only those with this lesson.
    pub lesson: Option<LessonId>,
    /// Only pairs after this one; absent: from the first.
    pub after: Option<(LessonId, LessonId)>,
    /// At most this many.
    pub limit: usize,
}

/// What is kept about one lesson besides its activations; of each list the last `limit` rows, oldest
/// first.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct LessonRecords {
    /// What it rests on, by (at, run).
    pub sources: Vec<LessonSource>,
    /// The decisions with their evidence rows, by (at, id).
    pub decisions: Vec<Decision>,
    /// The reviews, by (at, id).
    pub reviews: Vec<Review>,
}

impl LessonRecords {
    /// The same with every list in its order, however the store has read it.
    #[must_use]
    pub fn in_order(mut self) -> Self {
        self.sources.sort_unstable_by(|a, b| {
            let (first, second) = (a.origin.word(), b.origin.word());
            (a.at, &a.run, first).cmp(&(b.at, &b.run, second))
        });
        self.decisions.sort_unstable_by_key(|row| (row.at, row.id));
        self.reviews
            .sort_unstable_by(|a, b| (a.at, &a.id).cmp(&(b.at, &b.id)));
        self
    }
}

/// How much a learner holds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LessonTotals {
    /// Lessons by status.
    pub candidates: u64,
    /// Lessons by status.
    pub promoted: u64,
    /// Lessons by status.
    pub suppressed: u64,
    /// Lessons by status.
    pub archived: u64,
    /// Conflicts.
    pub conflicts: u64,
    /// Fingerprints.
    pub fingerprints: u64,
    /// Error events.
    pub errors: u64,
    /// Runs that are open.
    pub open_runs: u64,
    /// Runs that ended, control runs among them.
    pub ended_runs: u64,
    /// Control runs that ended.
    pub control_runs: u64,
    /// Activations that were withheld.
    pub withheld: u64,
    /// Other activations, settled or not.
    pub activations: u64,
    /// Settled ones with a utility above 0.
    pub helped: u64,
    /// Settled ones with a utility of 0.
    pub neutral: u64,
    /// Settled ones with a utility below 0.
    pub harmed: u64,
}

/// All that a learner's lessons are, for moving them to another store. Every list is ascending by its
/// identity: fingerprints, lessons, events, activations, decisions by id, steps by (run, step), and so on.
#[derive(Clone, PartialEq, Debug)]
pub struct LessonsCopy {
    /// Whose.
    pub owner: Owner,
    /// With their counts.
    pub fingerprints: Vec<FingerprintRow>,
    /// Open and ended ones.
    pub runs: Vec<RunRow>,
    /// By (run, step).
    pub steps: Vec<StepRow>,
    /// By id.
    pub errors: Vec<ErrorEvent>,
    /// By id, in any status.
    pub lessons: Vec<Lesson>,
    /// By (lesson, run, origin).
    pub sources: Vec<LessonSource>,
    /// By pair.
    pub conflicts: Vec<Conflict>,
    /// By id.
    pub activations: Vec<ActivationRow>,
    /// By id.
    pub decisions: Vec<Decision>,
    /// By id.
    pub reviews: Vec<Review>,
    /// By operation.
    pub receipts: Vec<OperationReceipt>,
}

impl LessonsCopy {
    /// Number of rows of all kinds.
    pub fn rows(&self) -> usize {
        self.fingerprints.len()
            + self.runs.len()
            + self.steps.len()
            + self.errors.len()
            + self.lessons.len()
            + self.sources.len()
            + self.conflicts.len()
            + self.activations.len()
            + self.decisions.len()
            + self.reviews.len()
            + self.receipts.len()
    }

    /// True when there is not one row.
    pub fn is_empty(&self) -> bool {
        self.rows() == 0
    }

    /// The same with every list in its order, however the store has read it.
    #[must_use]
    pub fn in_order(mut self) -> Self {
        self.fingerprints
            .sort_unstable_by_key(|row| row.fingerprint.id);
        self.runs.sort_unstable_by(|a, b| a.id.cmp(&b.id));
        self.steps
            .sort_unstable_by(|a, b| (&a.run, a.step).cmp(&(&b.run, b.step)));
        self.errors.sort_unstable_by_key(|row| row.id);
        self.lessons.sort_unstable_by_key(|row| row.id);
        self.sources.sort_unstable_by(|a, b| {
            let (first, second) = (a.origin.word(), b.origin.word());
            (a.lesson, &a.run, first).cmp(&(b.lesson, &b.run, second))
        });
        self.conflicts
            .sort_unstable_by_key(|row| (row.first, row.second));
        self.activations
            .sort_unstable_by_key(|row| row.activation.id);
        self.decisions.sort_unstable_by_key(|row| row.id);
        self.reviews.sort_unstable_by(|a, b| a.id.cmp(&b.id));
        self.receipts
            .sort_unstable_by(|a, b| a.operation.cmp(&b.operation));
        self
    }

    /// What writes all of this but the receipts into a learner that holds nothing, and the receipts.
    /// Counts and postings are not part of it: they follow from the rows.
    pub fn into_commit(self) -> (LessonCommit, Vec<OperationReceipt>) {
        let known = |row: FingerprintRow| NewFingerprint {
            fingerprint: row.fingerprint,
            tags: row.tags,
        };
        let commit = LessonCommit {
            fingerprints: self.fingerprints.into_iter().map(known).collect(),
            runs: self.runs,
            steps: self.steps,
            errors: self.errors,
            lessons: self.lessons,
            sources: self.sources,
            conflicts: self.conflicts,
            activations: self.activations,
            decisions: self.decisions,
            reviews: self.reviews,
            receipt: None,
        };
        (commit, self.receipts)
    }
}
