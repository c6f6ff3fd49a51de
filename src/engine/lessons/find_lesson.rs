//! Verbs: find a lesson, a use of one, a fingerprint or a run by its whole id or a unique beginning.
//!
//! A whole id is only parsed; the verb that uses it finds out whether it exists. A beginning is looked up
//! among the learner's own ids, so it can never match another learner's.

use std::fmt::Display;
use std::str::FromStr;

use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::id_kind::IdKind;
use crate::id_prefix::{is_beginning, only};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_primitives::ids::{ActivationId, FingerprintId, LessonId};
use hindlore_store::lessons::PAGE_MAX;
use hindlore_store::lessons::reading::{
    ActivationPage, ErrorFilter, ErrorPage, LessonPage, RunPage,
};

impl Engine {
    /// Finds the id of a lesson.
    ///
    /// # Errors
    /// `NotAnId`, `NoBeginning`, `Ambiguous`.
    pub async fn find_lesson(&self, owner: &LearnerId, name: &str) -> EngineResult<LessonId> {
        let kind = IdKind::Lesson;
        if !is_beginning(name, kind.prefix()) {
            return whole(kind, name);
        }
        one_of(kind, name, self.lesson_ids(owner).await?)
    }

    /// Finds the id of a use of a lesson.
    ///
    /// # Errors
    /// `NotAnId`, `NoBeginning`, `Ambiguous`.
    pub async fn find_activation(
        &self,
        owner: &LearnerId,
        name: &str,
    ) -> EngineResult<ActivationId> {
        let kind = IdKind::Use;
        if !is_beginning(name, kind.prefix()) {
            return whole(kind, name);
        }
        let mut ids = Vec::new();
        for lesson in self.lesson_ids(owner).await? {
            self.add_activation_ids(owner, lesson, &mut ids).await?;
        }
        one_of(kind, name, ids)
    }

    /// Finds the fingerprint of an error, fine or coarse.
    ///
    /// # Errors
    /// `NotAnId`, `NoBeginning`, `Ambiguous`.
    pub async fn find_fingerprint(
        &self,
        owner: &LearnerId,
        name: &str,
    ) -> EngineResult<FingerprintId> {
        let kind = IdKind::Fingerprint;
        if !is_beginning(name, kind.prefix()) {
            return whole(kind, name);
        }
        let (mut ids, mut after) = (Vec::new(), None);
        loop {
            let page = ErrorPage {
                filter: ErrorFilter::All,
                after,
                limit: PAGE_MAX,
            };
            let listed = self.errors(owner, page).await?;
            let prints = listed.rows.iter().map(|error| &error.fingerprints);
            ids.extend(prints.flat_map(|both| [both.fine.id, both.coarse.id]));
            after = listed.next;
            if after.is_none() {
                break;
            }
        }
        // Errors share fingerprints; one shared by several counts once.
        ids.sort_unstable();
        ids.dedup();
        one_of(kind, name, ids)
    }

    /// Finds the name of a run. A chosen name may look like the beginning of a random one, so an exact match
    /// wins.
    ///
    /// # Errors
    ///
    /// `NoRun`, `Ambiguous`.
    /// `NoRun`, `Ambiguous`.
    pub async fn find_run(&self, owner: &LearnerId, name: &str) -> EngineResult<String> {
        let kind = IdKind::Run;
        let is_whole = !is_beginning(name, kind.prefix());
        if is_whole || self.store().run(owner, name).await?.is_some() {
            return Ok(name.to_owned());
        }
        let (mut names, mut after) = (Vec::new(), None);
        loop {
            let page = RunPage {
                after,
                limit: PAGE_MAX,
                ..RunPage::default()
            };
            let listed = self.runs(owner, page).await?;
            names.extend(listed.rows.into_iter().map(|run| run.id));
            after = listed.next;
            if after.is_none() {
                break;
            }
        }
        let found = only(kind.word(), name, names.into_iter())?;
        found.ok_or_else(|| EngineError::NoRun(name.to_owned()))
    }

    async fn lesson_ids(&self, owner: &LearnerId) -> EngineResult<Vec<LessonId>> {
        let (mut ids, mut after) = (Vec::new(), None);
        loop {
            let page = LessonPage {
                status: None,
                after,
                limit: PAGE_MAX,
            };
            let listed = self.lessons(owner, page).await?;
            ids.extend(listed.rows.iter().map(|lesson| lesson.id));
            after = listed.next;
            if after.is_none() {
                return Ok(ids);
            }
        }
    }

    async fn add_activation_ids(
        &self,
        owner: &LearnerId,
        lesson: LessonId,
        ids: &mut Vec<ActivationId>,
    ) -> EngineResult<()> {
        let mut after = None;
        loop {
            let page = ActivationPage {
                lesson,
                after,
                limit: PAGE_MAX,
            };
            let rows = self.store().activations(owner, page).await?;
            let is_last = rows.len() < PAGE_MAX;
            let uses = || rows.iter().map(|row| &row.activation);
            after = uses().next_back().map(|last| (last.at, last.id));
            ids.extend(uses().map(|one| one.id));
            if is_last {
                return Ok(());
            }
        }
    }
}

/// Parses a whole id.
fn whole<T: FromStr<Err: Display>>(kind: IdKind, name: &str) -> EngineResult<T> {
    name.parse().map_err(|reason: T::Err| EngineError::NotAnId {
        kind,
        name: name.to_owned(),
        reason: reason.to_string(),
    })
}

/// The one id with this beginning.
fn one_of<T: ToString>(kind: IdKind, name: &str, ids: Vec<T>) -> EngineResult<T> {
    let found = only(kind.word(), name, ids.into_iter())?;
    found.ok_or_else(|| EngineError::NoBeginning {
        kind,
        name: name.to_owned(),
    })
}
