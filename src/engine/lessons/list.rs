//! Verbs: list and show lessons, errors, runs and conflicts.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::lesson::conflict::clusters;
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson};
use hindlore_domain::lesson::metrics::RunMetrics;
use hindlore_primitives::ids::{ActivationId, EventId, LessonId};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::PAGE_MAX;
use hindlore_store::lessons::reading::{
    ActivationPage, ConflictPage, ErrorPage, LessonPage, LessonRecords, RunPage,
};
use hindlore_store::lessons::rows::{ActivationRow, Conflict, FingerprintRow, RunContents, RunRow};

/// Rows of each kind that are shown of one lesson.
const SHOWN_MAX: usize = 50;
/// Conflicts that are looked at for their clusters.
const CLUSTERED_MAX: usize = 10_000;

/// A page, and where the next one begins.
#[derive(Clone, PartialEq, Debug)]
pub struct Listed<T, A> {
    /// The rows.
    pub rows: Vec<T>,
    /// Start of the next page; absent at the end.
    pub next: Option<A>,
}

/// All that is known of a lesson.
#[derive(Clone, PartialEq, Debug)]
pub struct LessonDetail {
    /// The lesson.
    pub lesson: Lesson,
    /// Its triggers with their texts, tags and counts.
    pub triggers: Vec<FingerprintRow>,
    /// Its evidence and the decisions about it.
    pub records: LessonRecords,
    /// Its last uses, newest first, with reason and outcome.
    pub activations: Vec<ActivationRow>,
    /// The lessons that it contradicts.
    pub conflicts: Vec<Conflict>,
}

/// A run with its contents and metrics.
#[derive(Clone, PartialEq, Debug)]
pub struct RunDetail {
    /// The run.
    pub contents: RunContents,
    /// Its metrics; absent while it is open.
    pub metrics: Option<RunMetrics>,
}

/// Conflicts and their lessons.
#[derive(Clone, PartialEq, Debug)]
pub struct Conflicts {
    /// The pairs of the page.
    pub page: Listed<Conflict, (LessonId, LessonId)>,
    /// The lessons of the pairs.
    pub lessons: BTreeMap<LessonId, Lesson>,
    /// Groups of lessons that conflict directly or through others.
    pub clusters: Vec<Vec<LessonId>>,
}

fn listed<T, A>(rows: Vec<T>, limit: usize, mark: impl Fn(&T) -> A) -> Listed<T, A> {
    let full = rows.len() >= limit.min(PAGE_MAX) && limit > 0;
    let next = rows.last().filter(|_| full).map(mark);
    Listed { rows, next }
}

impl Engine {
    /// Lists lessons, newest birth first.
    pub async fn lessons(
        &self,
        owner: &LearnerId,
        page: LessonPage,
    ) -> EngineResult<Listed<Lesson, (Timestamp, LessonId)>> {
        let limit = page.limit;
        let rows = self.store().lessons(owner, page).await?;
        Ok(listed(rows, limit, |row| (row.created_at, row.id)))
    }

    /// Shows a lesson.
    pub async fn lesson(&self, owner: &LearnerId, id: LessonId) -> EngineResult<LessonDetail> {
        let store = self.store();
        let mut found = store.lessons_by_id(owner, &[id]).await?;
        let lesson = found.lessons.pop();
        let lesson = lesson.ok_or_else(|| EngineError::NoLesson(id.to_string()))?;
        let activations = ActivationPage {
            lesson: id,
            after: None,
            limit: SHOWN_MAX,
        };
        let conflicts = ConflictPage {
            lesson: Some(id),
            after: None,
            limit: SHOWN_MAX,
        };
        Ok(LessonDetail {
            triggers: store.fingerprints(owner, &lesson.triggers).await?,
            records: store.lesson_records(owner, id, SHOWN_MAX).await?,
            activations: store.activations(owner, activations).await?,
            conflicts: self.open_conflicts(owner, conflicts).await?,
            lesson,
        })
    }

    /// Returns one use of a lesson with its reason and outcome.
    pub async fn activation(
        &self,
        owner: &LearnerId,
        id: ActivationId,
    ) -> EngineResult<ActivationRow> {
        let found = self.store().activations_by_id(owner, &[id]).await?;
        let first = found.into_iter().next();
        first.ok_or_else(|| EngineError::NoActivation(id.to_string()))
    }

    /// Lists errors, newest first.
    pub async fn errors(
        &self,
        owner: &LearnerId,
        page: ErrorPage,
    ) -> EngineResult<Listed<ErrorEvent, (Timestamp, EventId)>> {
        let limit = page.limit;
        let rows = self.store().errors(owner, page).await?;
        Ok(listed(rows, limit, |row| (row.at, row.id)))
    }

    /// Lists runs, newest start first.
    pub async fn runs(
        &self,
        owner: &LearnerId,
        page: RunPage,
    ) -> EngineResult<Listed<RunRow, (Timestamp, String)>> {
        let limit = page.limit;
        let rows = self.store().runs(owner, page).await?;
        Ok(listed(rows, limit, |row| (row.started_at, row.id.clone())))
    }

    /// Shows a run.
    pub async fn run(&self, owner: &LearnerId, id: &str) -> EngineResult<RunDetail> {
        let contents = self.store().run(owner, id).await?;
        let contents = contents.ok_or_else(|| EngineError::NoRun(id.to_owned()))?;
        let end = contents.row.end.as_ref();
        // Unreadable metrics are no reason to hide the run.
        let metrics = end.and_then(|end| serde_json::from_str(&end.metrics).ok());
        Ok(RunDetail { contents, metrics })
    }

    /// Lists conflicts, with the clusters that they form.
    pub async fn lesson_conflicts(
        &self,
        owner: &LearnerId,
        page: ConflictPage,
    ) -> EngineResult<Conflicts> {
        let limit = page.limit;
        let rows = self.open_conflicts(owner, page).await?;
        let ids: BTreeSet<LessonId> = rows
            .iter()
            .flat_map(|row| [row.first, row.second])
            .collect();
        let ids: Vec<LessonId> = ids.into_iter().collect();
        let mut lessons = BTreeMap::new();
        for part in ids.chunks(PAGE_MAX) {
            let found = self.store().lessons_by_id(owner, part).await?;
            lessons.extend(found.lessons.into_iter().map(|lesson| (lesson.id, lesson)));
        }
        Ok(Conflicts {
            page: listed(rows, limit, |row| (row.first, row.second)),
            lessons,
            clusters: self.conflict_clusters(owner).await?,
        })
    }

    /// Groups of conflicting lessons, from at most [`CLUSTERED_MAX`] pairs.
    async fn conflict_clusters(&self, owner: &LearnerId) -> EngineResult<Vec<Vec<LessonId>>> {
        let mut pairs: Vec<(LessonId, LessonId)> = Vec::new();
        let mut after = None;
        while pairs.len() < CLUSTERED_MAX {
            let page = ConflictPage {
                lesson: None,
                after,
                limit: PAGE_MAX,
            };
            let rows = self.store().conflicts(owner, page).await?;
            let full = rows.len() == PAGE_MAX;
            after = rows.last().map(|row| (row.first, row.second));
            let open = rows.iter().filter(|row| row.is_open());
            pairs.extend(open.map(|row| (row.first, row.second)));
            if !full {
                break;
            }
        }
        Ok(clusters(&pairs))
    }

    /// Reads a page of undecided conflicts.
    pub(super) async fn open_conflicts(
        &self,
        owner: &LearnerId,
        mut page: ConflictPage,
    ) -> EngineResult<Vec<Conflict>> {
        let limit = page.limit.min(PAGE_MAX);
        let mut open: Vec<Conflict> = Vec::new();
        loop {
            // Whole pages, because decided rows are left out after the read.
            page.limit = PAGE_MAX;
            let rows = self.store().conflicts(owner, page.clone()).await?;
            let full = rows.len() == PAGE_MAX;
            page.after = rows.last().map(|row| (row.first, row.second));
            open.extend(rows.into_iter().filter(Conflict::is_open));
            if !full || open.len() >= limit {
                open.truncate(limit);
                return Ok(open);
            }
        }
    }
}
