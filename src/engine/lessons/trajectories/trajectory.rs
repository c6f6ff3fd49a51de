//! Verbs: a run as a trajectory, whole or in a listing.

use serde_json::Value;

use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::lessons::list::Listed;
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::trajectory::{State, Step, TraceState, Trajectory, TrajectoryFilter};
use hindlore_errors::action::{Action, plain};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::PAGE_MAX;
use hindlore_store::lessons::reading::RunPage;
use hindlore_store::lessons::rows::{RunContents, RunRow, StepRow};
use hindlore_store::lessons::trajectory::RunFilter;

/// Fewest runs that a listing reads at once.
const AT_ONCE_MIN: usize = 50;

impl Engine {
    /// Reads a trajectory with its steps, at most the last 2,000; archived ones from the archive.
    ///
    /// # Errors
    /// `NoRun` when there is none of that id.
    pub async fn trajectory(&self, owner: &LearnerId, id: &str) -> EngineResult<Trajectory> {
        let contents = self.store().run(owner, id).await?;
        let contents = contents.ok_or_else(|| EngineError::NoRun(id.to_owned()))?;
        Ok(with_steps(&self.with_archive(owner, contents).await?))
    }

    /// Reads a trajectory without its steps.
    ///
    /// # Errors
    /// `NoRun` when there is none of that id.
    pub async fn trajectory_summary(
        &self,
        owner: &LearnerId,
        id: &str,
    ) -> EngineResult<Trajectory> {
        Ok(summary(&self.run_row(owner, id).await?))
    }

    /// Lists the trajectories that match a filter, without their steps: newest start first, then by id. The page gives
    /// the start and the limit, at most 1,000; its own filter is ignored.
    pub async fn trajectories(
        &self,
        owner: &LearnerId,
        filter: &TrajectoryFilter,
        page: RunPage,
    ) -> EngineResult<Listed<Trajectory, (Timestamp, String)>> {
        let limit = page.limit.min(PAGE_MAX);
        let mut after = page.after;
        if after.is_none() {
            // A trajectory that began at that moment is excluded, under any id.
            after = filter.until.map(|until| (until, String::new()));
        }
        // More than the limit, because the filter leaves some rows out.
        let at_once = (limit * 2).clamp(AT_ONCE_MIN, PAGE_MAX);
        let mut rows: Vec<Trajectory> = Vec::new();
        while rows.len() < limit {
            let page = RunPage {
                filter: narrowest(filter),
                after: after.clone(),
                limit: at_once,
            };
            let runs = self.store().runs(owner, page).await?;
            let Some(last) = runs.last() else { break };
            // The list is ordered by start, so no further run can match.
            let is_past = filter.since.is_some_and(|since| last.started_at < since);
            let is_last = runs.len() < at_once || is_past;
            after = Some((last.started_at, last.id.clone()));
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

/// The list of the store that is likely to hold the fewest runs outside the filter.
fn narrowest(filter: &TrajectoryFilter) -> RunFilter {
    let named = [
        (
            &filter.parent,
            RunFilter::PartsOf as fn(String) -> RunFilter,
        ),
        (&filter.user, RunFilter::User),
        (&filter.task_type, RunFilter::TaskType),
        (&filter.agent, RunFilter::Agent),
    ];
    let mut lists = named
        .into_iter()
        .filter_map(|(name, list)| name.clone().map(list));
    let outcome = filter.status.and_then(State::outcome);
    let of_status = outcome.map(RunFilter::Status);
    lists.next().or(of_status).unwrap_or_default()
}

/// A run as a trajectory, without its steps.
pub(super) fn summary(run: &RunRow) -> Trajectory {
    let (end, fields) = (run.end.as_ref(), run.trajectory.clone());
    let goes_later = matches!(fields.trace, TraceState::Whole | TraceState::Summary);
    Trajectory {
        id: run.id.clone(),
        description: run.intent.clone(),
        task_type: fields.task_type,
        agent: fields.agent,
        user: fields.user,
        parent: fields.parent,
        status: run.status(),
        success_score: end.and_then(|end| end.score),
        error: fields.error,
        metrics: fields.measured,
        steps: Vec::new(),
        steps_taken: run.steps,
        trace: fields.trace,
        steps_until: fields.due_at.filter(|_| goes_later),
        trace_hash: fields.trace_hash,
        feedback: fields.feedback,
        relearning: fields.relearning,
        reflected_at: fields.reflected_at,
        started_at: run.started_at,
        ended_at: end.map(|end| end.at),
    }
}

/// A run as a trajectory, with its steps.
pub(super) fn with_steps(contents: &RunContents) -> Trajectory {
    let errors = contents.errors_by_step();
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
    let mut description = row.description.clone();
    if description.is_empty() && !action.is_null() {
        description = plain(&action);
    }
    let metadata = row.metadata.as_deref();
    let mut messages = errors.iter().map(|error| error.message());
    let mut fingerprints: Vec<_> = errors
        .iter()
        .map(|error| error.fingerprints.fine.id)
        .collect();
    fingerprints.sort_unstable();
    fingerprints.dedup();
    Step {
        number: row.step,
        kind: row.kind,
        description,
        action: Some(Action::read(&action)).filter(|action| *action != Action::None),
        metadata: metadata.and_then(|text| serde_json::from_str(text).ok()),
        failed: row.failed,
        error: messages.find(|said| !said.is_empty()).map(str::to_owned),
        fingerprints,
        at: row.at,
    }
}
