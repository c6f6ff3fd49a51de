//! Verb: roll a consolidation back, by undoing its batches from the last to the first.

use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::upkeep::consolidate::batch_id;
use hindlore_domain::memory::bullet::Status;
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::DeltaRecord;

/// A consolidation that was rolled back.
#[derive(Clone, PartialEq, Debug)]
pub struct RolledBack {
    /// Id of the run.
    pub run: String,
    /// Its deltas that were undone now, the last one first.
    pub undone: Vec<DeltaId>,
    /// Its deltas that were undone before.
    pub already: u64,
    /// Bullets that are active again.
    pub restored: u64,
    /// Consolidated bullets that are archived now.
    pub archived: u64,
    /// Content digest afterwards.
    pub content_digest: String,
}

impl Engine {
    /// Undoes all batches of a consolidation. Repeating it changes nothing.
    ///
    /// # Errors
    ///
    /// `NoMemory`; `NoConsolidation`; `Undo` if later deltas changed the same bullets: then nothing is undone, unless
    /// `force` is set.
    pub async fn roll_back(
        &self,
        key: &MemoryKey,
        run: &str,
        author: Option<String>,
        force: bool,
    ) -> EngineResult<RolledBack> {
        // Fails for a missing memory, so that the answer for an unknown run always means the run.
        self.memory_status(key).await?;
        let batches = self.batches(key, run).await?;
        if batches.is_empty() {
            return Err(EngineError::NoConsolidation(run.to_owned()));
        }
        if !force {
            // Checked as a whole before the first undo, so that a refusal leaves the consolidation intact.
            let own = batches.iter().map(|record| record.id.clone()).collect();
            for record in &batches {
                self.check_undo(key, record, &own).await?;
            }
        }
        let mut done = RolledBack {
            run: run.to_owned(),
            undone: Vec::new(),
            already: 0,
            restored: 0,
            archived: 0,
            content_digest: String::new(),
        };
        for record in batches.into_iter().rev() {
            let undone = self
                .undo_delta(key, &record.id, author.clone(), force)
                .await?;
            if undone.repeated {
                done.already += 1;
                continue;
            }
            for change in &undone.changes.bullets {
                let before = change.before.as_ref().map(|bullet| bullet.status);
                match (before, change.after.status) {
                    (Some(Status::Archived), Status::Active) => done.restored += 1,
                    (Some(Status::Active), Status::Archived) => done.archived += 1,
                    _ => {}
                }
            }
            done.undone.push(record.id);
        }
        done.content_digest = self.memory_status(key).await?.content_digest;
        Ok(done)
    }

    /// Reads the deltas of a run, in order.
    async fn batches(&self, key: &MemoryKey, run: &str) -> EngineResult<Vec<DeltaRecord>> {
        // Ids are derived from run and number, so the first missing number ends the run.
        let mut found = Vec::new();
        while let Some(record) = {
            let id = batch_id(key, run.trim(), found.len() as u64);
            self.store().delta(key, &id).await?
        } {
            found.push(record);
        }
        Ok(found)
    }
}
