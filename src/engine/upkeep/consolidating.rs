//! A plan of a consolidation in progress, on a thread of its own: it compares texts for seconds, and must not keep a
//! task from answering.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::context::Context;
use crate::error::{EngineError, EngineResult};
use hindlore_domain::memory::consolidation::{
    Candidates, Choice, Group, Planner, Proposal, RefusedGroup, Step,
};
use hindlore_text::guard::MergeGuard;

/// Groups of one delta.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) groups: Vec<Group>,
    pub(super) refused: Vec<RefusedGroup>,
    /// Whether all candidates were looked at.
    pub(super) is_last: bool,
}

/// A planner that works on other threads. Dropping it stops the work at the next candidate.
pub(super) struct Planning {
    context: Arc<Context>,
    planner: Option<Planner>,
    stop: Arc<AtomicBool>,
}

impl Drop for Planning {
    fn drop(&mut self) {
        // Relaxed, because the flag publishes no other data.
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Planning {
    /// Indexes the candidates.
    pub(super) async fn begin(
        context: Arc<Context>,
        candidates: Candidates,
        choice: Choice,
        guard: MergeGuard,
    ) -> EngineResult<Self> {
        context.progress.begin(candidates.len() as u64);
        let planner = on_a_thread(move || Planner::new(candidates, choice, guard)).await?;
        Ok(Self {
            context,
            planner: Some(planner),
            stop: Arc::default(),
        })
    }

    /// Plans groups until they have at least `sources` bullets together, or until the end.
    pub(super) async fn next(&mut self, sources: usize) -> EngineResult<Batch> {
        let (context, stop) = (self.context.clone(), self.stop.clone());
        self.run(move |planner| {
            let mut batch = Batch::default();
            let mut planned = 0;
            while planned < sources && !stop.load(Ordering::Relaxed) {
                match planner.step() {
                    Some(Step::Group(group)) => {
                        planned += group.sources.len();
                        batch.groups.push(group);
                    }
                    Some(Step::Refused(refused)) => batch.refused.push(refused),
                    Some(Step::Alone) => {}
                    None => {
                        batch.is_last = true;
                        break;
                    }
                }
                context.progress.reach(planner.progress().0);
            }
            batch
        })
        .await
    }

    /// Checks texts of others.
    pub(super) async fn proposed(&mut self, texts: Vec<Proposal>) -> EngineResult<Batch> {
        self.run(move |planner| {
            let mut batch = Batch {
                is_last: true,
                ..Batch::default()
            };
            for text in &texts {
                match planner.propose(text) {
                    Ok(group) => batch.groups.push(group),
                    Err(refused) => batch.refused.push(refused),
                }
            }
            batch
        })
        .await
    }

    async fn run(
        &mut self,
        work: impl FnOnce(&mut Planner) -> Batch + Send + 'static,
    ) -> EngineResult<Batch> {
        // Absent after work that died on its thread and took the planner along.
        let mut planner = self.planner.take().ok_or(EngineError::Stopped)?;
        let (batch, planner) = on_a_thread(move || {
            let batch = work(&mut planner);
            (batch, planner)
        })
        .await?;
        self.planner = Some(planner);
        Ok(batch)
    }
}

async fn on_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> EngineResult<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| EngineError::Stopped)
}
