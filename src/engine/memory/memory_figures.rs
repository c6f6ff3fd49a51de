//! Verb: gather the data for the figures of a memory.

use super::bullets::MemoryView;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{DeltaPage, DeltaRecord, RetrievalRecord, Usage};

/// Newest retrievals read.
const RETRIEVALS_MAX: usize = 10_000;
/// Newest deltas read.
const DELTAS_MAX: usize = 15;

/// The data for the figures of a memory.
#[derive(Clone, PartialEq, Debug)]
pub struct MemoryFigures {
    /// The memory.
    pub view: MemoryView,
    /// Its newest deltas, newest first.
    pub deltas: Vec<DeltaRecord>,
    /// Its newest retrievals, newest first.
    pub retrievals: Vec<RetrievalRecord>,
    /// Number and results of the retrievals of each bullet, over the memory's whole life.
    pub usage: Vec<(BulletId, Usage)>,
}

impl Engine {
    /// Gathers a memory, its newest deltas and retrievals, and the usage of its bullets.
    pub async fn memory_figures(&self, key: &MemoryKey) -> EngineResult<MemoryFigures> {
        let view = self.view(key).await?;
        let page = DeltaPage {
            below_revision: None,
            limit: DELTAS_MAX,
        };
        Ok(MemoryFigures {
            view: view.ok_or_else(|| EngineError::NoMemory(key.clone()))?,
            deltas: self.deltas(key, page).await?,
            retrievals: self.retrievals(key, RETRIEVALS_MAX).await?,
            usage: self.store().usage(key, &[]).await?,
        })
    }
}
