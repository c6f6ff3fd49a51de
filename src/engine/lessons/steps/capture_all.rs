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

/// How much of a call is written.
#[derive(Default)]
pub(crate) struct Written {
    batches: usize,
    steps: u64,
}

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
        self.context().progress.begin(steps.len() as u64);
        let mut written = Written::default();
        self.capture_more(owner, call, &mut written, steps).await
    }

    /// Writes further steps of a call down.
    pub(crate) async fn capture_more(
        &self,
        owner: &LearnerId,
        call: Option<&str>,
        written: &mut Written,
        steps: Vec<StepInput>,
    ) -> EngineResult<Captured> {
        let mut captured = Captured::default();
        let mut steps = steps.into_iter().peekable();
        while steps.peek().is_some() {
            let id = call.map(|call| id_of_batch(call, written.batches));
            let part = steps.by_ref().take(BATCH).collect();
            let batch = self.capture_call(owner, id.as_deref(), part).await?;
            written.batches += 1;
            written.steps += batch.steps.len() as u64;
            self.context().progress.reach(written.steps);
            captured.steps.extend(batch.steps);
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
