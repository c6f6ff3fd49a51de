//! Retention of the steps of trajectories: decided at their end and at a reflection, carried out later.
//!
//! Steps that are no longer needed are deleted at the next verb of their learner once their time has passed; until then
//! they can be read. An archive is written before the steps are deleted, so that a crash in between leaves both.

use crate::error::EngineResult;
use crate::handle::Engine;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::trajectory::{AfterRetention, TraceState, TrajectoryPolicy};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::rows::RunRow;
use hindlore_store::lessons::transaction::{Ask, LessonCommit};

/// Runs whose steps one verb takes away; the others wait for the next.
const DUE_MAX: usize = 32;

/// Decides which steps to keep of a run that ended, once its outcome is known.
pub(crate) fn decide_trace(
    run: &mut RunRow,
    policy: &TrajectoryPolicy,
    is_evidence: bool,
    now: Timestamp,
) {
    let is_decided = run.trajectory.trace != TraceState::Whole;
    if is_decided || policy.keeps_steps(&run.id, run.status(), is_evidence) {
        return;
    }
    run.trajectory.trace = TraceState::Summary;
    run.trajectory.due_at = Some(policy.summary_at(now));
}

/// Returns true if the steps of a run that keeps its summary are due for deletion; clears the mark.
pub(crate) fn take_due(run: &mut RunRow, now: Timestamp) -> bool {
    let fields = &mut run.trajectory;
    let is_due = fields.trace == TraceState::Summary && fields.due_at.is_some_and(|due| due <= now);
    if is_due {
        fields.due_at = None;
    }
    is_due
}

impl Engine {
    /// Notes that trajectories were reflected upon now: they leave the queue of those to learn from again, and the time
    /// for which their steps stay begins. At most 2,048 at once; unknown ones are left out. Returns how many there are.
    pub async fn note_reflection(&self, owner: &LearnerId, ids: &[String]) -> EngineResult<usize> {
        let ask = Ask {
            runs: ids.to_vec(),
            ..Ask::default()
        };
        let (rules, now) = (self.rules().clone(), self.now());
        self.decide(owner, ask, move |mut gathered| {
            for run in &mut gathered.runs {
                let fields = &mut run.trajectory;
                fields.reflected_at = Some(now);
                fields.relearning = None;
                if fields.trace == TraceState::Whole && run.end.is_some() {
                    fields.due_at = rules.trajectories.retained_until(now);
                }
                run.changes += 1;
            }
            let noted = gathered.runs.len();
            let commit = LessonCommit {
                runs: gathered.runs,
                ..LessonCommit::default()
            };
            Ok((commit, noted))
        })
        .await
    }

    /// Takes the steps away whose time is over.
    pub(crate) async fn take_due_steps(
        &self,
        owner: &LearnerId,
        now: Timestamp,
    ) -> EngineResult<()> {
        // The limit is exclusive, and a run that is due at this very moment is due.
        let until = Timestamp::from_millis(now.millis().saturating_add(1));
        let due = self.store().due_runs(owner, until, DUE_MAX).await?;
        if due.is_empty() {
            return Ok(());
        }
        let after = self.rules().trajectories.after_retention;
        if after == AfterRetention::Archive {
            for id in &due {
                self.archive(owner, id).await?;
            }
        }
        let ask = Ask {
            runs: due,
            ..Ask::default()
        };
        self.decide(owner, ask, move |gathered| {
            // Asked again under the lock, because a feedback may keep the steps meanwhile.
            let is_due = |run: &RunRow| run.trajectory.due_at.is_some_and(|due| due <= now);
            let mut commit = LessonCommit::default();
            for mut run in gathered.runs.into_iter().filter(is_due) {
                // Only runs with a summary are taken here; any other has reached the end of its retention.
                if !take_due(&mut run, now) {
                    run.trajectory.due_at = None;
                    run.trajectory.trace = match after {
                        AfterRetention::Archive => TraceState::Archived,
                        AfterRetention::Purge => TraceState::Purged,
                        AfterRetention::Keep => TraceState::Whole,
                    };
                }
                if run.trajectory.trace != TraceState::Whole {
                    commit.stripped.push(run.id.clone());
                }
                // An archive holds the steps alone, so errors keep their own texts.
                if run.trajectory.trace == TraceState::Purged {
                    commit.emptied.push(run.id.clone());
                }
                run.changes += 1;
                commit.runs.push(run);
            }
            Ok((commit, ()))
        })
        .await
    }
}
