//! The lessons of a learner: runs, errors, fingerprints, lessons, activations and decisions.
//!
//! Everything here belongs to one *owner*, a learner of a tenant, and no call crosses it. There is one
//! way to write: [`LessonStore::transact_lessons`] takes the lock of the learner before it reads, looks
//! for the receipt of the operation, delivers the rows that were asked for by name, and writes what the
//! caller then decides, all or nothing. Captures, outcomes, ends of runs and imports of any number of
//! instances are thereby one after the other; what is sent again meets its own derived id or receipt.
//!
//! Every read is bounded, by an index that has the wanted order: a posting is a (key, order, id) that a
//! store can read from the front and stop. Postings that are needed: fingerprint → live lessons, tag →
//! live lessons, task, domain and tool → live lessons (newest evidence first, then id); tag →
//! fingerprints that trigger a live lesson (by id); fingerprint, task, domain with tool → ended runs
//! (newest end first); fingerprint, task, domain with tool, run → errors (newest first). How many
//! fingerprints have a tag and how many there are is kept as a number, never counted when asked.
//!
//! In a graph: (Learner)-[HAS_RUN]->(Run)-[RAISED]->(ErrorEvent)-[MATCHES {level}]->(Fingerprint)-[TAGGED]->
//! (Tag); (Lesson)-[TRIGGERED_BY]->(Fingerprint); (Lesson)-[TAGGED]->(Tag); (Lesson)-[APPLIES_TO]->(Task, Domain,
//! Tool); (Lesson)-[CONFLICTS_WITH {reason}]-(Lesson), one per unordered pair; (Run)-[ACTIVATED]->(Lesson).

pub mod form;
pub mod postings;
pub mod projection;
pub mod reading;
pub mod rows;
pub mod transaction;

use std::cmp::Reverse;

use async_trait::async_trait;

use self::reading::{
    ActivationPage, ConflictPage, ErrorPage, LessonPage, LessonRecords, LessonTotals, LessonsCopy,
    LessonsFound, Neighbourhood, NeighbourhoodAsk, RunPage,
};
use self::rows::{ActivationRow, Conflict, FingerprintRow, RunContents, RunRow};
use self::transaction::{Ask, DecideLessons};
use super::error::StoreResult;
use mnemograph_domain::lesson::event::ErrorEvent;
use mnemograph_domain::lesson::ids::{ActivationId, FingerprintId, LessonId};
use mnemograph_domain::lesson::lesson::{Lesson, Owner};
use mnemograph_domain::timestamp::Timestamp;

/// Steps, errors and activations of one run that are read together, of each the last.
pub const RUN_ROWS_MAX: usize = 2_000;
/// Tags of one fingerprint.
pub const TAGS_MAX: usize = 64;
/// Lessons that are delivered for a set of triggers.
pub const TRIGGERED_MAX: usize = 1_000;
/// Runs that are delivered of one task, of one domain and tool, or of one lesson.
pub const HISTORY_MAX: usize = 200;
/// Runs that are delivered of one fingerprint.
pub const HISTORY_PER_FINGERPRINT: usize = 50;
/// Names of one kind that one call may ask for; more are refused (`Invalid`).
pub const NAMES_MAX: usize = 2_048;

/// Refuses a call that asks for too many names at once; `Err` says how many.
pub fn check_names(names: usize) -> Result<(), String> {
    if names > NAMES_MAX {
        Err(format!(
            "{names} rows were asked for by name; ask for at most {NAMES_MAX} at once"
        ))
    } else {
        Ok(())
    }
}
/// Rows of one page; a larger limit is cut to it.
pub const PAGE_MAX: usize = 1_000;

/// The limit of a page as it is kept.
pub fn page_limit(limit: usize) -> usize {
    limit.min(PAGE_MAX)
}

/// Sorts the rows of a page: the newest first, within one moment ascending.
pub fn newest_first<T, I: Ord>(rows: &mut [T], place: impl Fn(&T) -> (Timestamp, I)) {
    rows.sort_by_cached_key(|row| {
        let (at, id) = place(row);
        (Reverse(at), id)
    });
}

/// Keeps what learners learn from failures.
///
/// Reads see one moment each. Rows come back as they were written: numbers bit for bit, texts byte for
/// byte, lists in their order.
#[async_trait]
pub trait LessonStore: Send + Sync {
    /// Locks the learner against all other writers of lessons (making it when it is new), reads what
    /// `ask` names, calls `decide` with it, writes what that gives, and returns once it is durable.
    ///
    /// Locks: the learner, before the first read. Reads: what `ask` names, nothing else. Writes: the
    /// commit in its order, with the kept counts and the postings that follow from it; nothing at all when it
    /// is empty. When the answer to the commit is lost (`UnknownOutcome`), the same call may be made again:
    /// derived ids and the receipt make it count once.
    async fn transact_lessons(
        &self,
        owner: &Owner,
        ask: Ask,
        decide: DecideLessons,
    ) -> StoreResult<()>;

    /// Reads a run with what it holds.
    async fn run(&self, owner: &Owner, id: &str) -> StoreResult<Option<RunContents>>;

    /// Lists runs, open and ended.
    async fn runs(&self, owner: &Owner, page: RunPage) -> StoreResult<Vec<RunRow>>;

    /// Names the open runs of which nothing was reported since before a moment, the longest idle first.
    async fn idle_runs(
        &self,
        owner: &Owner,
        before: Timestamp,
        limit: usize,
    ) -> StoreResult<Vec<String>>;

    /// Reads lessons by id, in any status, in the order of the ids; unknown ones are left out.
    async fn lessons_by_id(&self, owner: &Owner, ids: &[LessonId]) -> StoreResult<LessonsFound>;

    /// Reads the live lessons that fingerprints trigger: of each the first `per_fingerprint`, newest
    /// evidence first, then by id; a lesson of two of them comes once, in the order of the first.
    ///
    /// This is the exact hit. On a server it is one request, which begins at an index by fingerprint.
    async fn lessons_triggered_by(
        &self,
        owner: &Owner,
        fingerprints: &[FingerprintId],
        per_fingerprint: usize,
    ) -> StoreResult<LessonsFound>;

    /// Reads the lessons that fingerprints trigger in any status, in the order of
    /// [`Ask::triggered_by`] and with its limit.
    async fn lessons_ever_triggered_by(
        &self,
        owner: &Owner,
        fingerprints: &[FingerprintId],
    ) -> StoreResult<Vec<Lesson>>;

    /// Reads the ids around a question, for the walk of the domain; the lessons that it chooses among are
    /// then read by id.
    ///
    /// On a server it is one request. The work is bounded by the limits of the question, not by how
    /// common a tag is: every list is read from the front of a posting and stops at its limit. With the
    /// default limits it stays below 1,500 database hits; the lessons read then cost one for each property.
    async fn neighbourhood(
        &self,
        owner: &Owner,
        ask: NeighbourhoodAsk,
    ) -> StoreResult<Neighbourhood>;

    /// Lists lessons.
    async fn lessons(&self, owner: &Owner, page: LessonPage) -> StoreResult<Vec<Lesson>>;

    /// Reads what is kept about a lesson: the last `limit` sources, decisions and reviews.
    async fn lesson_records(
        &self,
        owner: &Owner,
        lesson: LessonId,
        limit: usize,
    ) -> StoreResult<LessonRecords>;

    /// Reads fingerprints by id, in the order of the ids; unknown ones are left out.
    async fn fingerprints(
        &self,
        owner: &Owner,
        ids: &[FingerprintId],
    ) -> StoreResult<Vec<FingerprintRow>>;

    /// Lists errors.
    async fn errors(&self, owner: &Owner, page: ErrorPage) -> StoreResult<Vec<ErrorEvent>>;

    /// Reads activations by id, in the order of the ids; unknown ones are left out.
    async fn activations_by_id(
        &self,
        owner: &Owner,
        ids: &[ActivationId],
    ) -> StoreResult<Vec<ActivationRow>>;

    /// Lists the activations of a lesson, withheld ones among them.
    async fn activations(
        &self,
        owner: &Owner,
        page: ActivationPage,
    ) -> StoreResult<Vec<ActivationRow>>;

    /// Lists conflicts.
    async fn conflicts(&self, owner: &Owner, page: ConflictPage) -> StoreResult<Vec<Conflict>>;

    /// Counts what a learner holds, from indexes or kept numbers; all zero for an unknown one.
    async fn lesson_totals(&self, owner: &Owner) -> StoreResult<LessonTotals>;

    /// Names the learners of a tenant who have a run, a fingerprint or a lesson, ascending; at most
    /// [`PAGE_MAX`], those after `after`.
    async fn lesson_learners(&self, tenant: &str, after: Option<&str>) -> StoreResult<Vec<String>>;

    /// Reads all that a learner's lessons are at one moment; absent when there is nothing.
    async fn copy_lessons_out(&self, owner: &Owner) -> StoreResult<Option<LessonsCopy>>;

    /// Takes lessons that were changed by hand in the store as they stand: what follows from them (orders, ties,
    /// counts) is made anew. Gives those that were strange; nothing where a hand can change only what is read.
    async fn adopt_lessons(&self, owner: &Owner) -> StoreResult<Vec<LessonId>>;

    /// Writes all that a learner's lessons are, in place of what is there. Nobody finds a part of them: where the
    /// store takes them in pieces, nothing is found meanwhile, and a decision is refused as `Busy`.
    async fn copy_lessons_in(&self, copy: LessonsCopy) -> StoreResult<()>;
}
