//! Reads without the lock: look-ups by fingerprint, the neighbourhood of a query, pages of listings, and a whole copy.

use super::rows::{
    ActivationRow, Conflict, FingerprintRow, LessonSource, NewFingerprint, OperationReceipt,
    Review, RunRow, StepRow,
};
use super::trajectory::RunFilter;
use super::transaction::LessonCommit;
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson, Place, Status};
use hindlore_domain::lesson::lesson_policy::WalkLimits;
use hindlore_domain::lesson::lifecycle::Contradiction;
use hindlore_domain::lesson::promotion::Decision;
use hindlore_domain::lesson::retrieval::view::{Sibling, TagCount};
use hindlore_primitives::ids::{ActivationId, EventId, FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;

/// Lessons, with the conflicts among them.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct LessonsFound {
    /// The lessons, in the order that the call promises.
    pub lessons: Vec<Lesson>,
    /// The conflicts between two of them, ascending by pair.
    pub conflicts: Vec<Conflict>,
}

impl LessonsFound {
    /// The contradictions among them that no person has settled.
    pub fn contradictions(&self) -> Vec<Contradiction> {
        let open = self.conflicts.iter().filter(|conflict| conflict.is_open());
        open.map(Conflict::contradiction).collect()
    }
}

/// The start and the limits of a walk.
#[derive(Clone, PartialEq, Debug)]
pub struct NeighbourhoodAsk {
    /// The fingerprints to start from, at most `limits.starts`; unknown ones are skipped.
    pub starts: Vec<FingerprintId>,
    /// The tags of the query; unknown ones are skipped.
    pub tags: Vec<String>,
    /// Tags never to follow.
    pub without: Vec<String>,
    /// The place of the query.
    pub place: Place,
    /// The limits.
    pub limits: WalkLimits,
}

/// The ids around a query. No list is longer than its limit, for every shape of the graph.
///
/// All lists of lessons hold live ones only: newest evidence first, then by id.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Neighbourhood {
    /// Number of fingerprints of the learner, from a stored counter.
    pub fingerprints: u64,
    /// The known starts in the order of the query, each with its tags and its first `lessons_per_start` lessons.
    pub starts: Vec<Start>,
    /// The `tags` rarest tags of the query and its starts, by (count, name).
    pub tags: Vec<TagNeighbours>,
    /// The first `lessons_per_place` lessons that share the task, domain or tool of the query.
    pub places: Vec<LessonId>,
}

/// A fingerprint that a walk starts from.
#[derive(Clone, PartialEq, Debug)]
pub struct Start {
    /// Its id.
    pub id: FingerprintId,
    /// Its tags with their counts, ascending by name.
    pub tags: Vec<TagCount>,
    /// The lessons that it triggers.
    pub lessons: Vec<LessonId>,
}

/// A tag with its fingerprints and lessons.
#[derive(Clone, PartialEq, Debug)]
pub struct TagNeighbours {
    /// The tag and its number of fingerprints, from a stored counter.
    pub count: TagCount,
    /// The first `siblings_per_tag` fingerprints of the tag that trigger a live lesson, by id, each with its first
    /// `lessons_per_sibling` lessons.
    pub siblings: Vec<(Sibling, Vec<LessonId>)>,
    /// The first `lessons_per_tag` lessons of the tag.
    pub lessons: Vec<LessonId>,
}

/// A page of runs, newest start first, then by id.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct RunPage {
    /// The runs to list.
    pub filter: RunFilter,
    /// Only runs after this one in that order; `None` starts at the newest.
    pub after: Option<(Timestamp, String)>,
    /// At most this many.
    pub limit: usize,
}

/// A page of lessons, newest first by creation, then by id.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct LessonPage {
    /// Only lessons of this status; `None` lists all.
    pub status: Option<Status>,
    /// Only lessons after this one in that order; `None` starts at the newest.
    pub after: Option<(Timestamp, LessonId)>,
    /// At most this many.
    pub limit: usize,
}

/// The errors to list.
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
    /// The errors to list.
    pub filter: ErrorFilter,
    /// Only errors after this one in that order; `None` starts at the newest.
    pub after: Option<(Timestamp, EventId)>,
    /// At most this many.
    pub limit: usize,
}

/// A page of the activations of a lesson, newest first, then by id.
#[derive(Clone, PartialEq, Debug)]
pub struct ActivationPage {
    /// The lesson.
    pub lesson: LessonId,
    /// Only activations after this one in that order; `None` starts at the newest.
    pub after: Option<(Timestamp, ActivationId)>,
    /// At most this many.
    pub limit: usize,
}

/// A page of conflicts, ascending by pair.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ConflictPage {
    /// Only conflicts of this lesson; `None` lists all.
    pub lesson: Option<LessonId>,
    /// Only pairs after this one; `None` starts at the first.
    pub after: Option<(LessonId, LessonId)>,
    /// At most this many.
    pub limit: usize,
}

/// The sources, decisions and reviews of one lesson: the last `limit` rows of each, oldest first.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct LessonRecords {
    /// Its sources, by (at, run).
    pub sources: Vec<LessonSource>,
    /// The decisions with their evidence rows, by (at, id).
    pub decisions: Vec<Decision>,
    /// The reviews, by (at, id).
    pub reviews: Vec<Review>,
}

impl LessonRecords {
    /// Sorts every list as documented, independent of the store's order.
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

/// Counts of a learner's rows.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LessonTotals {
    /// Observed lessons.
    pub observed: u64,
    /// Candidate lessons.
    pub candidates: u64,
    /// Promoted lessons.
    pub promoted: u64,
    /// Refuted lessons.
    pub refuted: u64,
    /// Suppressed lessons.
    pub suppressed: u64,
    /// Archived lessons.
    pub archived: u64,
    /// Conflicts that are unsettled, or whose settlement was revoked.
    pub conflicts: u64,
    /// Fingerprints.
    pub fingerprints: u64,
    /// Error events.
    pub errors: u64,
    /// Open runs.
    pub open_runs: u64,
    /// Ended runs, control runs included.
    pub ended_runs: u64,
    /// Ended control runs.
    pub control_runs: u64,
    /// Withheld activations.
    pub withheld: u64,
    /// All other activations, settled or not.
    pub activations: u64,
    /// Settled ones with a utility above 0.
    pub helped: u64,
    /// Settled ones with a utility of 0.
    pub neutral: u64,
    /// Settled ones with a utility below 0.
    pub harmed: u64,
    /// Bodies of steps; equal ones are stored once.
    pub step_bodies: u64,
}

/// All rows of a learner's lessons, for moving them to another store. Every list is ascending by identity.
#[derive(Clone, PartialEq, Debug)]
pub struct LessonsCopy {
    /// The owner.
    pub owner: LearnerId,
    /// Fingerprints with their counts, by id.
    pub fingerprints: Vec<FingerprintRow>,
    /// Open and ended runs, by id.
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

    /// Sorts every list as documented, independent of the store's order.
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

    /// Splits the copy into the commit that writes it to an empty learner, and the receipts, of which a commit takes only
    /// one. Counts and postings are left out: the projection derives them from the rows.
    pub fn into_commit(self) -> (LessonCommit, Vec<OperationReceipt>) {
        let known = |row: FingerprintRow| NewFingerprint {
            fingerprint: row.fingerprint,
            tags: row.tags,
        };
        let commit = LessonCommit {
            fingerprints: self.fingerprints.into_iter().map(known).collect(),
            runs: self.runs,
            steps: self.steps,
            stripped: Vec::new(),
            emptied: Vec::new(),
            errors: self.errors,
            lessons: self.lessons,
            sources: self.sources,
            conflicts: self.conflicts,
            activations: self.activations,
            revised: Vec::new(),
            decisions: self.decisions,
            reviews: self.reviews,
            receipt: None,
            receipts_before: None,
        };
        (commit, self.receipts)
    }
}
