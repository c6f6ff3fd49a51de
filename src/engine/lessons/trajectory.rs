//! Verbs: a run as a trajectory, whole or in a listing.

use std::collections::BTreeMap;

use serde_json::Value;

use super::list::Listed;
use crate::domain::lesson::action::{Action, plain};
use crate::domain::lesson::event::ErrorEvent;
use crate::domain::lesson::lesson::Owner;
use crate::domain::timestamp::Timestamp;
use crate::domain::trajectory::{Metrics, Status, Step, StepKind, Trajectory, TrajectoryFilter};
use crate::engine::error::{EngineError, EngineResult};
use crate::engine::handle::Engine;
use crate::store::lessons::PAGE_MAX;
use crate::store::lessons::reading::RunPage;
use crate::store::lessons::rows::{RunContents, RunRow, StepRow};

impl Engine {
    /// Reads a trajectory with its steps, at most the last 2,000.
    ///
    /// # Errors
    /// `NoRun` when there is none of that id.
    pub async fn trajectory(&self, owner: &Owner, id: &str) -> EngineResult<Trajectory> {
        let contents = self.store().run(owner, id).await?;
        let contents = contents.ok_or_else(|| EngineError::NoRun(id.to_owned()))?;
        Ok(with_steps(&contents))
    }

    /// Lists the trajectories that a filter admits, without their steps: newest start first, then by id. The page says
    /// after which one to begin and how many to list, at most 1,000.
    pub async fn trajectories(
        &self,
        owner: &Owner,
        filter: &TrajectoryFilter,
        page: RunPage,
    ) -> EngineResult<Listed<Trajectory, (Timestamp, String)>> {
        let limit = page.limit.min(PAGE_MAX);
        let mut after = page.after;
        let mut rows: Vec<Trajectory> = Vec::new();
        while rows.len() < limit {
            let page = RunPage {
                after: after.clone(),
                limit: PAGE_MAX,
            };
            let runs = self.store().runs(owner, page).await?;
            let is_last = runs.len() < PAGE_MAX;
            after = runs.last().map(|run| (run.started_at, run.id.clone()));
            let all = runs.iter().map(summary);
            rows.extend(all.filter(|one| filter.admits(one)));
            if is_last {
                break;
            }
        }
        let is_full = rows.len() >= limit && limit > 0;
        rows.truncate(limit);
        let next = rows.last().filter(|_| is_full);
        let next = next.map(|last| (last.started_at, last.id.clone()));
        Ok(Listed { rows, next })
    }
}

/// A run as a trajectory, without its steps.
pub(super) fn summary(run: &RunRow) -> Trajectory {
    let end = run.end.as_ref();
    let passed = end.and_then(|end| end.passed);
    Trajectory {
        id: run.id.clone(),
        description: run.intent.clone(),
        task_type: None,
        agent: None,
        user: None,
        parent: None,
        status: passed.map(|passed| {
            if passed {
                Status::Success
            } else {
                Status::Failure
            }
        }),
        success_score: end.and_then(|end| end.score),
        error: None,
        metrics: Metrics::default(),
        steps: Vec::new(),
        steps_taken: run.steps,
        started_at: run.started_at,
        ended_at: end.map(|end| end.at),
    }
}

/// A run as a trajectory, with its steps.
pub(super) fn with_steps(contents: &RunContents) -> Trajectory {
    let mut errors: BTreeMap<u32, Vec<&ErrorEvent>> = BTreeMap::new();
    for error in &contents.errors {
        errors.entry(error.step).or_default().push(error);
    }
    let none = Vec::new();
    let steps = contents.steps.iter();
    let steps = steps.map(|row| step(row, errors.get(&row.step).unwrap_or(&none)));
    Trajectory {
        steps: steps.collect(),
        ..summary(&contents.row)
    }
}

fn step(row: &StepRow, errors: &[&ErrorEvent]) -> Step {
    let action: Value = serde_json::from_str(&row.action).unwrap_or_default();
    let description = if action.is_null() {
        String::new()
    } else {
        plain(&action)
    };
    let texts = errors
        .iter()
        .flat_map(|error| [&error.error, &error.reason]);
    let mut fingerprints: Vec<_> = errors
        .iter()
        .map(|error| error.fingerprints.fine.id)
        .collect();
    fingerprints.sort_unstable();
    fingerprints.dedup();
    Step {
        number: row.step,
        kind: StepKind::Action,
        description,
        action: Some(Action::read(&action)).filter(|action| *action != Action::None),
        metadata: None,
        failed: row.failed,
        error: texts.into_iter().find(|text| !text.is_empty()).cloned(),
        fingerprints,
        at: row.at,
    }
}
