//! Verb: write any number of steps down, in batches.
//!
//! Each batch is written as a whole or not at all; one that fails leaves those before it written. Sent again, a step
//! counts once where it has a number, or the call has an id: the batches of a call have ids of their own, made from it.

use super::capture::Captured;
use crate::error::EngineResult;
use crate::handle::Engine;
use crate::lessons::requests::StepInput;
use hindlore_domain::lesson::lesson::LearnerId;

/// Steps of one batch: few enough that others get the lock in between.
const BATCH: usize = 250;

impl Engine {
    /// Writes steps down in batches, counted by [`Engine::progress`].
    ///
    /// # Errors
    /// Those of [`Engine::capture_call`].
    pub async fn capture_all(
        &self,
        owner: &LearnerId,
        call: Option<&str>,
        steps: Vec<StepInput>,
    ) -> EngineResult<Captured> {
        let progress = &self.context().progress;
        progress.begin(steps.len() as u64);
        let mut captured = Captured::default();
        let mut steps = steps.into_iter().peekable();
        for batch in 0_usize.. {
            if steps.peek().is_none() {
                break;
            }
            let id = call.map(|call| id_of_batch(call, batch));
            let part = steps.by_ref().take(BATCH).collect();
            let written = self.capture_call(owner, id.as_deref(), part).await?;
            captured.steps.extend(written.steps);
            progress.reach(captured.steps.len() as u64);
        }
        Ok(captured)
    }
}

/// The id of a batch; the first has that of the call, which most calls consist of.
fn id_of_batch(call: &str, batch: usize) -> String {
    match batch {
        0 => call.to_owned(),
        later => format!("{call}+{later}"),
    }
}
