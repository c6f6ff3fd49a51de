//! Runs that are a part of others: a chain of parents that ends.
//!
//! A parent never changes once it is set, so the chain is read without the lock; under it only the chain's end is looked
//! at again, since the last one may have got a parent meanwhile.

use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::lessons::steps::names::run_name;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_store::lessons::rows::RunRow;
use hindlore_store::lessons::transaction::{Ask, LessonCommit};

/// How deep runs may be nested.
const DEPTH_MAX: usize = 64;

impl Engine {
    /// The parent of a run, its parent, and so on; empty without a parent.
    ///
    /// # Errors
    /// `NoRun` for an unknown parent; `Invalid` when the chain leads to the run itself, or is too long.
    pub(super) async fn ancestors(
        &self,
        owner: &LearnerId,
        run: &str,
        parent: Option<&str>,
    ) -> EngineResult<Vec<String>> {
        let mut chain: Vec<String> = Vec::new();
        let mut next = parent
            .map(|parent| run_name(self.redactor(), parent))
            .transpose()?;
        while let Some(id) = next {
            if id == run || chain.contains(&id) {
                return Err(EngineError::Invalid(format!(
                    "the run `{run}` cannot be a part of `{}`, which is a part of it; name another parent",
                    parent.unwrap_or_default()
                )));
            }
            if chain.len() == DEPTH_MAX {
                return Err(EngineError::Invalid(format!(
                    "the run `{run}` would be nested deeper than {DEPTH_MAX}; name a parent further up"
                )));
            }
            let row = self.run_row(owner, &id).await?;
            chain.push(id);
            next = row.trajectory.parent;
        }
        Ok(chain)
    }

    /// Reads a run without its steps.
    pub(crate) async fn run_row(&self, owner: &LearnerId, id: &str) -> EngineResult<RunRow> {
        let ask = Ask {
            runs: vec![id.to_owned()],
            ..Ask::default()
        };
        let unknown = id.to_owned();
        // The gathered read is the one that leaves the steps out.
        self.decide(owner, ask, move |mut gathered| {
            let row = gathered.runs.pop();
            let row = row.ok_or_else(|| EngineError::NoRun(unknown.clone()))?;
            Ok((LessonCommit::default(), row))
        })
        .await
    }
}

/// Refuses a chain of parents that was erased or has grown since it was read.
pub(super) fn check_ancestors(rows: &[RunRow], chain: &[String]) -> EngineResult<()> {
    for (place, id) in chain.iter().enumerate() {
        let row = rows.iter().find(|row| row.id == *id);
        let row = row.ok_or_else(|| EngineError::NoRun(id.clone()))?;
        if row.trajectory.parent.as_ref() != chain.get(place + 1) {
            return Err(EngineError::RunContended(id.clone()));
        }
    }
    Ok(())
}
