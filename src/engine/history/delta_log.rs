//! Verbs: read the log of deltas, and find one by the beginning of its id.

use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::id_prefix::only;
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::lessons::PAGE_MAX;
use hindlore_store::{DeltaPage, DeltaRecord};

/// Newest deltas searched for the beginning of an id.
const LOOKED_MAX: usize = 100_000;

/// One delta in the log.
#[derive(Clone, PartialEq, Debug)]
pub struct LoggedDelta {
    /// Its record.
    pub record: DeltaRecord,
    /// The undo in force; absent while the delta is in force.
    pub undone_by: Option<DeltaId>,
}

impl Engine {
    /// Lists the deltas of a memory, newest first, each with the undo in force.
    pub async fn delta_log(
        &self,
        key: &MemoryKey,
        page: DeltaPage,
    ) -> EngineResult<Vec<LoggedDelta>> {
        let records = self.deltas(key, page).await?;
        let mut logged = Vec::with_capacity(records.len());
        for record in records {
            let undone_by = self.undone_by(key, &record).await?;
            logged.push(LoggedDelta {
                undone_by: undone_by.map(|by| by.delta),
                record,
            });
        }
        Ok(logged)
    }

    /// Finds the id of a delta by the whole of it or a unique beginning; returns an unknown name unchanged.
    pub async fn find_delta(&self, key: &MemoryKey, name: &str) -> EngineResult<DeltaId> {
        let id = DeltaId::known(name).map_err(EngineError::InvalidDeltaId)?;
        if self.store().delta(key, &id).await?.is_some() {
            return Ok(id);
        }
        let (mut all, mut below_revision) = (Vec::new(), None);
        while all.len() < LOOKED_MAX {
            let page = DeltaPage {
                below_revision,
                limit: PAGE_MAX,
            };
            let deltas = self.deltas(key, page).await?;
            let Some(last) = deltas.last() else { break };
            below_revision = Some(last.revision);
            all.extend(deltas.into_iter().map(|delta| delta.id));
        }
        Ok(only("delta", name, all.into_iter())?.unwrap_or(id))
    }
}
