//! The learning loop around any piece of work: start, run, complete, reflect, curate.

use std::future::Future;

use super::Reflected;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::lessons::{About, CompleteTrajectory, StartRun};
use crate::playbooks::{Curation, PlaybookChanged};
use hindlore_domain::lesson::lesson::{LearnerId, Place};
use hindlore_domain::trajectory::{Metrics, Status};

/// A piece of work.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Task {
    /// Id of the trajectory; random by default.
    pub id: Option<String>,
    /// The task in words.
    pub description: String,
    /// Name of the task, by which lessons compare runs.
    pub name: Option<String>,
    /// Type of the task, agent, user and parent.
    pub about: About,
    /// The playbook that is curated with the insights; `None` only reflects.
    pub playbook: Option<String>,
    /// The author, for the history of the playbook.
    pub author: Option<String>,
}

/// The outcome of a piece of work.
#[derive(Clone, PartialEq, Debug)]
pub struct Execution<T> {
    /// Its value, or its own error.
    pub value: T,
    /// Its outcome.
    pub status: Status,
    /// How well it went, 0..=1; `None` goes by the outcome.
    pub success_score: Option<f64>,
    /// Why it failed, in words.
    pub error: Option<String>,
    /// The measurements.
    pub metrics: Metrics,
}

/// A piece of work that was learned from, as far as that went.
#[derive(Debug)]
pub struct Learnt<T> {
    /// The return value of the work, unchanged.
    pub value: T,
    /// The trajectory; `None` where it could not even be started.
    pub trajectory: Option<String>,
    /// The insights; `None` if there was nothing to learn, or learning failed.
    pub reflected: Option<Reflected>,
    /// The playbook after it; `None` where it was not curated.
    pub curated: Option<PlaybookChanged>,
    /// Why learning stopped short. It never hides the value.
    pub failed: Option<EngineError>,
}

impl Engine {
    /// Runs a piece of work and learns from it. The work is given the id of its trajectory, to log steps there; it runs
    /// even if the store does not answer, and its return value is passed on unchanged.
    pub async fn execute_with_learning<T, F>(
        &self,
        owner: &LearnerId,
        task: Task,
        work: impl FnOnce(Option<String>) -> F,
    ) -> Learnt<T>
    where
        F: Future<Output = Execution<T>>,
    {
        let start = StartRun {
            id: task.id.clone(),
            place: Place {
                task: task.name.clone(),
                ..Place::default()
            },
            intent: task.description.clone(),
            allowed_steps: None,
            about: task.about.clone(),
        };
        let started = self
            .start_run(owner, start)
            .await
            .map(|started| started.run.id);
        let id = started.as_ref().ok().cloned();
        let done = work(id.clone()).await;
        let mut learnt = Learnt {
            value: done.value,
            trajectory: id,
            reflected: None,
            curated: None,
            failed: None,
        };
        let run = match started {
            Ok(run) => run,
            Err(error) => {
                learnt.failed = Some(error);
                return learnt;
            }
        };
        let end = CompleteTrajectory {
            id: run,
            status: done.status,
            success_score: done.success_score,
            error: done.error,
            metrics: done.metrics,
        };
        learnt.failed = self
            .learn_from(
                owner,
                &task,
                end,
                (&mut learnt.reflected, &mut learnt.curated),
            )
            .await
            .err();
        learnt
    }

    async fn learn_from(
        &self,
        owner: &LearnerId,
        task: &Task,
        end: CompleteTrajectory,
        (reflected, curated): (&mut Option<Reflected>, &mut Option<PlaybookChanged>),
    ) -> Result<(), EngineError> {
        let run = end.id.clone();
        self.complete_trajectory(owner, end).await?;
        *reflected = self.reflect(owner, &run).await?;
        if let (Some(reflected), Some(playbook)) = (reflected, &task.playbook) {
            let curation = curation(reflected, task.author.clone());
            *curated = Some(self.curate_playbook(owner, playbook, curation).await?);
        }
        Ok(())
    }

    /// Reflects on a trajectory and curates a playbook with the insights; `None` if there is nothing to learn. A
    /// trajectory that continues may be learned from again: it stays one piece of evidence.
    pub async fn curate_from_trajectory(
        &self,
        owner: &LearnerId,
        trajectory: &str,
        (playbook, author): (&str, Option<String>),
    ) -> EngineResult<Option<PlaybookChanged>> {
        let Some(reflected) = self.reflect(owner, trajectory).await? else {
            return Ok(None);
        };
        let curation = curation(&reflected, author);
        Ok(Some(self.curate_playbook(owner, playbook, curation).await?))
    }
}

fn curation(reflected: &Reflected, author: Option<String>) -> Curation {
    Curation {
        proposals: reflected.row.proposals.clone(),
        analysed: 1,
        source: format!("trajectory {}", reflected.row.trajectories.join(", ")),
        author,
    }
}
