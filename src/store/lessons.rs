//! The lessons of a learner: runs, errors, fingerprints, lessons, activations and decisions.
//!
//! Everything here belongs to one *owner*, a learner of a tenant, and no call crosses it. There is one way to write:
//! [`LessonStore::transact_lessons`] locks the learner, reads the receipt of the operation and the rows in question, and
//! writes the caller's decision, all or nothing. Captures, outcomes, ends of runs and imports are thereby serialised
//! across all instances, and a repeated one meets its own derived id or receipt.
//!
//! Every read is bounded by an index in the wanted order: a posting is a (key, order, id) that a store reads from the
//! front until the limit. A store needs these postings: fingerprint → live lessons, tag → live lessons, task, domain and
//! tool → live lessons (newest evidence first, then id); wrong form → live lessons (promoted before candidate, newest
//! evidence first, then id); tag → fingerprints that trigger a live lesson (by id);
//! fingerprint, task, domain with tool → ended runs (newest end first); fingerprint, task, domain with tool, run →
//! errors (newest first); agent, user, type of task, outcome, parent → runs (newest start first); priority → runs that
//! are queued for learning again. The number of fingerprints, in all and per tag, is a stored counter: it is never counted on
//! read.
//!
//! In a graph, with one conflict per unordered pair of lessons:
//!
//! ```text
//! (Learner)-[HAS_RUN]->(Run, Trajectory)-[STEP {number}]->(Step)-[SAYS]->(StepBody)
//! (Run)-[CHILD_OF]->(Run)
//! (Run)-[RAISED]->(ErrorEvent)-[MATCHES {level}]->(Fingerprint)-[TAGGED]->(Tag)
//! (Run)-[ACTIVATED]->(Lesson)
//! (Lesson)-[TRIGGERED_BY]->(Fingerprint)
//! (Lesson)-[TAGGED]->(Tag)
//! (Lesson)-[APPLIES_TO]->(Task, Domain, Tool)
//! (Lesson)-[CONFLICTS_WITH {reason}]-(Lesson)
//! ```

pub mod form;
pub mod postings;
pub mod projection;
pub mod reading;
pub mod rows;
pub mod trajectory;
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
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson};
use hindlore_domain::lesson::promotion::Decision;
use hindlore_primitives::ids::{ActivationId, FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;

/// Largest number of steps, of errors and of activations of one run; the last ones are read.
pub const RUN_ROWS_MAX: usize = 2_000;
/// Largest number of tags of one fingerprint.
pub const TAGS_MAX: usize = 64;
/// Largest number of lessons returned for a set of triggers.
pub const TRIGGERED_MAX: usize = 1_000;
/// Largest number of lessons returned for a set of wrong forms.
pub const WRONG_FORMS_MAX: usize = 1_000;
/// Largest number of runs returned for one task, or one domain and tool.
pub const HISTORY_MAX: usize = 200;
/// Largest number of names of one kind in one call; more are refused (`Invalid`).
pub const NAMES_MAX: usize = 2_048;

/// Largest number of old receipts that one commit deletes: more than the one that it may write.
pub const RECEIPTS_GONE_MAX: usize = 4;

/// Refuses more than [`NAMES_MAX`] names; `Err` has their number there are.
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

/// The limit of a page, cut to [`PAGE_MAX`].
pub fn page_limit(limit: usize) -> usize {
    limit.min(PAGE_MAX)
}

/// Sorts the rows of a page: newest first; equal times ascending by id.
pub fn newest_first<T, I: Ord>(rows: &mut [T], place: impl Fn(&T) -> (Timestamp, I)) {
    // Cached, because a place may hold a copy of the id.
    rows.sort_by_cached_key(|row| {
        let (at, id) = place(row);
        (Reverse(at), id)
    });
}

/// Keeps the lessons, errors and runs of learners.
///
/// Reads see one moment each. Rows come back as they were written: numbers bit for bit, texts byte for
/// byte, lists in their order.
#[async_trait]
pub trait LessonStore: Send + Sync {
    /// Locks the learner against all other writers of lessons (making it when it is new), reads the rows in `ask`,
    /// calls `decide` with them, writes the result, and returns once it is durable.
    ///
    /// Locks: the learner, before the first read. Reads: the rows in `ask`, nothing else. Writes: the commit in its
    /// order, with the kept counts and the postings that follow from it; nothing at all when it is empty. When the
    /// answer to the commit is lost (`UnknownOutcome`), the same call may be made again:
    /// derived ids and the receipt make it count once.
    async fn transact_lessons(
        &self,
        owner: &LearnerId,
        ask: Ask,
        decide: DecideLessons,
    ) -> StoreResult<()>;

    /// Reads a run with its steps, errors and activations.
    async fn run(&self, owner: &LearnerId, id: &str) -> StoreResult<Option<RunContents>>;

    /// Lists runs, open and ended.
    async fn runs(&self, owner: &LearnerId, page: RunPage) -> StoreResult<Vec<RunRow>>;

    /// Lists the ids of open runs whose last report is older than `before`, longest idle first.
    async fn idle_runs(
        &self,
        owner: &LearnerId,
        before: Timestamp,
        limit: usize,
    ) -> StoreResult<Vec<String>>;

    /// Lists the runs that are queued for learning from them again: highest priority first, then oldest start, then by id.
    async fn relearning_queue(&self, owner: &LearnerId, limit: usize) -> StoreResult<Vec<RunRow>>;

    /// Lists the ids of runs whose steps are due to go before a time, longest due first, then by id.
    async fn due_runs(
        &self,
        owner: &LearnerId,
        before: Timestamp,
        limit: usize,
    ) -> StoreResult<Vec<String>>;

    /// Reads lessons by id, in any status, in the order of the ids; unknown ones are left out.
    async fn lessons_by_id(&self, owner: &LearnerId, ids: &[LessonId])
    -> StoreResult<LessonsFound>;

    /// Reads the live lessons that fingerprints trigger: the first `per_fingerprint` of each, newest evidence first,
    /// then by id. A lesson of several fingerprints comes once, at the first of them.
    ///
    /// This is the exact hit: one request, which starts at an index by fingerprint.
    async fn lessons_triggered_by(
        &self,
        owner: &LearnerId,
        fingerprints: &[FingerprintId],
        per_fingerprint: usize,
    ) -> StoreResult<LessonsFound>;

    /// Reads the live and observed lessons whose wrong form has one of these keys ([`postings::wrong_form`]): the first
    /// `per_key` of each in the order of the keys, by status as in `Status::WATCHED`, newest evidence first, then by
    /// id; at most [`WRONG_FORMS_MAX`] in all.
    ///
    /// This is the look-up before an action and after a success: one request, which starts at an index by key.
    async fn lessons_of_wrong_forms(
        &self,
        owner: &LearnerId,
        keys: &[String],
        per_key: usize,
    ) -> StoreResult<LessonsFound>;

    /// Reads the lessons that fingerprints trigger in any status, in the order of
    /// [`Ask::triggered_by`] and with its limit.
    async fn lessons_ever_triggered_by(
        &self,
        owner: &LearnerId,
        fingerprints: &[FingerprintId],
    ) -> StoreResult<Vec<Lesson>>;

    /// Reads the ids around a query, over which the domain then walks; the lessons that it chooses are read by id.
    ///
    /// On a server this is one request. Its cost is bounded by the limits of the query, however common a tag is: every
    /// list is read from the front of a posting until its limit. With the default limits it stays below 1,500 database
    /// hits; each lesson read afterwards costs one hit for each property.
    async fn neighbourhood(
        &self,
        owner: &LearnerId,
        ask: NeighbourhoodAsk,
    ) -> StoreResult<Neighbourhood>;

    /// Lists lessons.
    async fn lessons(&self, owner: &LearnerId, page: LessonPage) -> StoreResult<Vec<Lesson>>;

    /// Reads the last `limit` sources, decisions and reviews of a lesson.
    async fn lesson_records(
        &self,
        owner: &LearnerId,
        lesson: LessonId,
        limit: usize,
    ) -> StoreResult<LessonRecords>;

    /// Lists the decisions about all lessons, newest first, then by id; at most `limit`.
    async fn decisions(&self, owner: &LearnerId, limit: usize) -> StoreResult<Vec<Decision>>;

    /// Reads fingerprints by id, in the order of the ids; unknown ones are left out.
    async fn fingerprints(
        &self,
        owner: &LearnerId,
        ids: &[FingerprintId],
    ) -> StoreResult<Vec<FingerprintRow>>;

    /// Lists errors.
    async fn errors(&self, owner: &LearnerId, page: ErrorPage) -> StoreResult<Vec<ErrorEvent>>;

    /// Reads activations by id, in the order of the ids; unknown ones are left out.
    async fn activations_by_id(
        &self,
        owner: &LearnerId,
        ids: &[ActivationId],
    ) -> StoreResult<Vec<ActivationRow>>;

    /// Lists the activations of a lesson, withheld ones among them.
    async fn activations(
        &self,
        owner: &LearnerId,
        page: ActivationPage,
    ) -> StoreResult<Vec<ActivationRow>>;

    /// Lists conflicts.
    async fn conflicts(&self, owner: &LearnerId, page: ConflictPage) -> StoreResult<Vec<Conflict>>;

    /// Counts the rows of a learner, from indexes or stored counters; all zero for an unknown learner.
    async fn lesson_totals(&self, owner: &LearnerId) -> StoreResult<LessonTotals>;

    /// Lists the learners of a tenant that have a run, a fingerprint or a lesson: ascending, those after `after`, at
    /// most [`PAGE_MAX`].
    async fn lesson_learners(&self, tenant: &str, after: Option<&str>) -> StoreResult<Vec<String>>;

    /// Reads all rows of a learner's lessons at one moment; `None` when there are none.
    async fn copy_lessons_out(&self, owner: &LearnerId) -> StoreResult<Option<LessonsCopy>>;

    /// Accepts lessons that were edited by hand: rebuilds the orders, relationships and counters that follow from them.
    /// Returns the edited lessons; none in a store whose rows cannot be edited inconsistently.
    async fn adopt_lessons(&self, owner: &LearnerId) -> StoreResult<Vec<LessonId>>;

    /// Replaces all rows of a learner's lessons. Readers never see a part of them: while a store writes them in pieces,
    /// reads find nothing and decisions are refused as `Busy`.
    async fn copy_lessons_in(&self, copy: LessonsCopy) -> StoreResult<()>;
}
