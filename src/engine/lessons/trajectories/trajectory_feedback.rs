//! Verb: report how a trajectory turned out after it ended, and list those to learn from again.

use crate::clock::random_id;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::lessons::redact;
use crate::lessons::steps::names::{optional_name, run_name};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::trajectory::feedback::{FEEDBACK_MAX, relearning_priority};
use hindlore_domain::trajectory::{Feedback, Metrics, TraceState, Trajectory};
use hindlore_redact::Redactions;
use hindlore_store::lessons::transaction::{Ask, LessonCommit};

use super::trajectory::summary;

/// Trajectories of the queue that one call lists.
pub const RELEARNING_MAX: usize = hindlore_store::lessons::PAGE_MAX;
/// Longest message of a feedback, in bytes.
const MESSAGE_MAX_BYTES: usize = 8 * 1_024;
/// The type of a feedback that names none.
const GENERAL: &str = "general";

/// Feedback on the outcome of a trajectory.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct FeedbackInput {
    /// The trajectory.
    pub trajectory: String,
    /// Id of the feedback; the same id twice counts once. A random one by default.
    pub id: Option<String>,
    /// Its type; `general` by default.
    pub kind: Option<String>,
    /// How well the task was done, 0..=1.
    pub score: Option<f64>,
    /// Its author: a person, an evaluator or a program.
    pub source: Option<String>,
    /// Why, in words.
    pub message: Option<String>,
    /// The measurements.
    pub metrics: Metrics,
}

/// The result of a feedback.
#[derive(Clone, PartialEq, Debug)]
pub struct FeedbackTaken {
    /// The feedback as it is kept.
    pub feedback: Feedback,
    /// It was there already; nothing was changed.
    pub repeated: bool,
    /// The trajectory with it, without steps.
    pub trajectory: Trajectory,
    /// The secrets that were taken out of it.
    pub redacted: Redactions,
}

impl Engine {
    /// Keeps a feedback on a trajectory that ended. One that differs from the stored score by more than 0.3 queues the
    /// trajectory for learning from it again.
    ///
    /// `NoRun`; `Invalid` for a score outside 0..=1, an empty feedback, an open trajectory, an id that was used with
    /// other contents, and more than 1,000 feedbacks.
    pub async fn trajectory_feedback(
        &self,
        owner: &LearnerId,
        input: FeedbackInput,
    ) -> EngineResult<FeedbackTaken> {
        let run = run_name(self.redactor(), &input.trajectory)?;
        let (feedback, redacted) = self.checked_feedback(input)?;
        let ask = Ask {
            runs: vec![run.clone()],
            ..Ask::default()
        };
        self.decide(owner, ask, move |mut gathered| {
            let row = gathered.runs.pop();
            let mut row = row.ok_or_else(|| EngineError::NoRun(run.clone()))?;
            let known = row.trajectory.feedback.iter();
            let known = known.clone().find(|one| one.id == feedback.id).cloned();
            if let Some(known) = known {
                check_same(&known, &feedback)?;
                let taken = FeedbackTaken {
                    feedback: known,
                    repeated: true,
                    trajectory: summary(&row),
                    redacted: redacted.clone(),
                };
                return Ok((LessonCommit::default(), taken));
            }
            // After the known ones: the limits hold for new feedback only.
            check_takes(&row.id, row.end.is_some(), row.trajectory.feedback.len())?;
            let stored = summary(&row).score();
            let priority = stored.zip(feedback.score);
            let priority = priority.and_then(|(stored, given)| relearning_priority(stored, given));
            let fields = &mut row.trajectory;
            fields.relearning = fields.relearning.max(priority);
            if priority.is_some() && fields.trace == TraceState::Summary && fields.due_at.is_some()
            {
                // A trajectory that turned out otherwise is learned from again, while its steps still exist.
                (fields.trace, fields.due_at) = (TraceState::Whole, None);
            }
            fields.feedback.push(feedback.clone());
            row.changes += 1;
            let taken = FeedbackTaken {
                feedback: feedback.clone(),
                repeated: false,
                trajectory: summary(&row),
                redacted: redacted.clone(),
            };
            let commit = LessonCommit {
                runs: vec![row],
                ..LessonCommit::default()
            };
            Ok((commit, taken))
        })
        .await
    }

    /// Lists the trajectories to learn from again, without their steps: highest priority first, then oldest start. At most
    /// 1,000.
    pub async fn relearning_queue(
        &self,
        owner: &LearnerId,
        limit: usize,
    ) -> EngineResult<Vec<Trajectory>> {
        let rows = self.store().relearning_queue(owner, limit).await?;
        Ok(rows.iter().map(summary).collect())
    }

    fn checked_feedback(&self, input: FeedbackInput) -> EngineResult<(Feedback, Redactions)> {
        let is_score = |score: f64| (0.0..=1.0).contains(&score);
        if input.score.is_some_and(|score| !is_score(score)) {
            return Err(EngineError::Invalid(
                "the score is not a number from 0 to 1; scale it".to_owned(),
            ));
        }
        let message = input.message.map(|text| text.trim().to_owned());
        let mut message = message.filter(|text| !text.is_empty());
        if let Some(text) = &mut message {
            text.truncate(text.floor_char_boundary(MESSAGE_MAX_BYTES));
        }
        if input.score.is_none() && message.is_none() && input.metrics.is_empty() {
            return Err(EngineError::Invalid(
                "the feedback says nothing; give a score, a message, or metrics".to_owned(),
            ));
        }
        let id = match optional_name("feedback id", input.id)? {
            Some(id) => id,
            None => random_id("f").map_err(|_| EngineError::Stopped)?,
        };
        let kind = optional_name("kind", input.kind)?;
        let mut feedback = Feedback {
            id,
            kind: kind.unwrap_or_else(|| GENERAL.to_owned()),
            score: input.score,
            source: optional_name("source", input.source)?,
            message,
            metrics: input.metrics,
            at: self.now(),
        };
        let mut sweep = self.redactor().sweep();
        redact::feedback(&mut sweep, &mut feedback);
        Ok((feedback, sweep.finish()))
    }
}

fn check_takes(run: &str, has_ended: bool, feedbacks: usize) -> EngineResult<()> {
    if !has_ended {
        return Err(EngineError::Invalid(format!(
            "the run `{run}` is still open; complete it first"
        )));
    }
    if feedbacks >= FEEDBACK_MAX {
        return Err(EngineError::Invalid(format!(
            "the run `{run}` has {feedbacks} feedbacks, and takes no more"
        )));
    }
    Ok(())
}

/// Refuses an id that was used with other contents; the time does not count.
fn check_same(known: &Feedback, given: &Feedback) -> EngineResult<()> {
    let given = Feedback {
        at: known.at,
        ..given.clone()
    };
    if *known == given {
        return Ok(());
    }
    Err(EngineError::Invalid(format!(
        "the feedback `{}` exists with other contents; give a new one an id of its own",
        known.id
    )))
}
