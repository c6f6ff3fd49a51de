//! Verbs: log the steps of a trajectory one by one, and complete it.
//!
//! A step counts once: it has an id, which the engine gives where the caller gives none, so that a write whose answer is
//! lost can be made again. A trajectory that failed a step feeds the lessons like any other run.

use crate::clock::random_id;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::lessons::answer::EndedRun;
use crate::lessons::requests::{EndRun, StepDetail, StepInput};
use hindlore_domain::lesson::event::{NEXT_STEP, StepReport};
use hindlore_domain::lesson::feedback::Feedback;
use hindlore_domain::lesson::lesson::{LearnerId, Place};
use hindlore_domain::trajectory::{Metrics, Status, StepKind};
use hindlore_errors::fingerprint::Evidence;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_redact::Redactions;
use serde_json::Value;

/// A step to log.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct StepLog {
    /// Its id within the trajectory; the same id twice counts once. A random one by default.
    pub id: Option<String>,
    /// Its number; the next one by default.
    pub number: Option<u32>,
    /// Its kind.
    pub kind: StepKind,
    /// A description in words.
    pub description: String,
    /// The action, as a command or a call; by default the description of an action.
    pub action: Option<Value>,
    /// Further data, any JSON.
    pub metadata: Option<Value>,
    /// The error; a step with an error has failed.
    pub error: Option<String>,
    /// The exit code of a process; one other than 0 has failed.
    pub exit_code: Option<i32>,
    /// When it happened; now by default.
    pub at: Option<Timestamp>,
}

/// The result of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoggedStep {
    /// Its id.
    pub id: String,
    /// Its number, from 1.
    pub number: u32,
    /// It was there already; nothing was counted.
    pub repeated: bool,
    /// It failed, and left an error.
    pub failed: bool,
    /// Notes about texts that were cut.
    pub notes: Vec<String>,
    /// The secrets that were taken out of it.
    pub redacted: Redactions,
}

/// How a trajectory ended.
#[derive(Clone, PartialEq, Debug)]
pub struct CompleteTrajectory {
    /// Its id.
    pub id: String,
    /// The outcome.
    pub status: Status,
    /// How well it went, 0..=1.
    pub success_score: Option<f64>,
    /// Why it failed, in words.
    pub error: Option<String>,
    /// The measurements.
    pub metrics: Metrics,
}

impl Engine {
    /// Logs steps of a trajectory, all or none, in their order. Each takes the next number.
    ///
    /// `NoRun` for an unknown trajectory; `RunEnded` for a new step of one that ended; `Invalid` for a number that
    /// would leave a gap, an id that belongs to another step, or an empty step.
    pub async fn log_steps(
        &self,
        owner: &LearnerId,
        trajectory: &str,
        steps: Vec<StepLog>,
    ) -> EngineResult<Vec<LoggedStep>> {
        let now = self.now();
        let mut inputs = Vec::new();
        for step in steps {
            inputs.push(input_of(trajectory, step, now)?);
        }
        let ids: Vec<String> = inputs
            .iter()
            .filter_map(|input| input.detail.id.clone())
            .collect();
        let captured = self.write_steps(owner, None, inputs, true).await?;
        // A further diagnostic of a step is no step.
        let mut logged: Vec<LoggedStep> = Vec::new();
        for step in captured.steps {
            if let Some(last) = logged.last_mut().filter(|last| last.number == step.step) {
                last.failed |= step.error.is_some();
                continue;
            }
            logged.push(LoggedStep {
                id: ids.get(logged.len()).cloned().unwrap_or_default(),
                number: step.step,
                repeated: step.repeated,
                failed: step.error.is_some(),
                notes: step.notes,
                redacted: step.redacted,
            });
        }
        Ok(logged)
    }

    /// Logs one step; see [`Engine::log_steps`].
    pub async fn log_step(
        &self,
        owner: &LearnerId,
        trajectory: &str,
        step: StepLog,
    ) -> EngineResult<LoggedStep> {
        let logged = self.log_steps(owner, trajectory, vec![step]).await?;
        logged.into_iter().next().ok_or(EngineError::Stopped)
    }

    /// Completes a trajectory, which ends the run that it is: its lessons are learned and judged.
    ///
    /// # Errors
    /// Those of [`Engine::end_run`]; `OperationReused` when it was completed in another way.
    pub async fn complete_trajectory(
        &self,
        owner: &LearnerId,
        request: CompleteTrajectory,
    ) -> EngineResult<EndedRun> {
        let error = request.error.map(|error| error.trim().to_owned());
        let end = EndRun {
            run: request.id,
            passed: request.status.passed(),
            is_partial: request.status == Status::Partial,
            score: request.success_score,
            error: error.filter(|error| !error.is_empty()),
            measured: request.metrics,
            ..EndRun::default()
        };
        self.end_run(owner, end).await
    }
}

fn input_of(trajectory: &str, step: StepLog, now: Timestamp) -> EngineResult<StepInput> {
    let says_nothing = step.description.trim().is_empty()
        && step.action.as_ref().is_none_or(Value::is_null)
        && step.error.is_none();
    if says_nothing {
        return Err(EngineError::Invalid(
            "the step says nothing; give it a description".to_owned(),
        ));
    }
    if step.number == Some(0) {
        return Err(EngineError::Invalid(
            "steps are numbered from 1; leave the number out, and the step gets the next one"
                .to_owned(),
        ));
    }
    let id = match (step.id, step.number) {
        (Some(id), _) => id,
        // A number identifies a step as well, so that the same write made again is recognised.
        (None, Some(number)) => format!("#{number}"),
        (None, None) => random_id("s").map_err(|_| EngineError::Stopped)?,
    };
    let is_action = step.kind == StepKind::Action;
    let words = Value::from(step.description.trim());
    let action = step.action.or_else(|| is_action.then_some(words));
    let fails = step.error.is_some() || step.exit_code.is_some_and(|code| code != 0);
    Ok(StepInput {
        report: StepReport {
            run: trajectory.to_owned(),
            step: step.number.unwrap_or(NEXT_STEP),
            allowed_steps: None,
            evidence: Evidence {
                action: action.unwrap_or_default(),
                error: step.error.map(Value::from).unwrap_or_default(),
                ..Evidence::default()
            },
            feedback: Feedback {
                hard_failure: fails,
                ..Feedback::default()
            },
            exit_code: step.exit_code,
            unsafe_action: false,
            place: Place::default(),
            tags: Vec::new(),
            at: step.at.unwrap_or(now),
        },
        plan_step: None,
        followed: Vec::new(),
        detail: StepDetail {
            is_dated: false,
            id: Some(id),
            kind: step.kind,
            description: step.description,
            metadata: step.metadata,
        },
        // The run, which is there, knows it.
        scope: None,
    })
}
