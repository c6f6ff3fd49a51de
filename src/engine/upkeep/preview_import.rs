//! Verb: report the result that an import would have, without writing.
//!
//! The same rules decide the same delta on a copy of the memory, so the import will answer the same, unless
//! others change the memory first.

use super::import::{ImportRequest, Imported};
use crate::actor::loading::{hypothetical, load};
use crate::error::EngineResult;
use crate::handle::Engine;
use crate::memory::answers::{AppliedDelta, Since};
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::apply::apply_delta;
use hindlore_domain::memory::delta::Delta;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::seed::create;

impl Engine {
    /// Decides an import and returns its answer, with the receipt, revision and digest that it would have.
    ///
    /// # Errors
    ///
    /// Those of [`Engine::import`].
    pub async fn preview_import(
        &self,
        key: &MemoryKey,
        mut request: ImportRequest,
    ) -> EngineResult<Imported> {
        if let Some(applied) = self.import_before(key, &request.delta.id).await? {
            return Ok(Imported::unchanged(applied));
        }
        let gone = self.take_away(key, &mut request).await?;
        let (delta, redacted) = self.delta_of_import(&mut request);
        // Loaded for this call alone, because the preview changes it.
        let mut memory = match load(self.context(), key).await? {
            Some(snapshot) => snapshot.memory,
            None if request.is_whole_memory => {
                let policy = self.policy_of_import(request.policy)?;
                create(key.clone(), policy, false, self.now()).memory
            }
            None => hypothetical(self.context(), key, self.now()).memory,
        };
        let applied = self.decided(&mut memory, &delta)?;
        Ok(Imported {
            applied: AppliedDelta {
                redacted,
                ..applied
            },
            gone,
        })
    }

    /// Applies a delta to a throw-away memory.
    pub(super) fn decided(&self, memory: &mut Memory, delta: &Delta) -> EngineResult<AppliedDelta> {
        let applied = apply_delta(memory, delta, self.now(), self.context().tables())?;
        Ok(AppliedDelta {
            receipt: applied.receipt,
            repeated: false,
            since: Since::default(),
            operations: delta.operations.len(),
            changes: applied.changes,
            redacted: Default::default(),
            active: memory.limited(),
            removed: applied.removed,
        })
    }
}
