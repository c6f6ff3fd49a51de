//! Verb: gather what the figures of a memory are made of.

use super::bullets::MemoryView;
use super::error::{EngineError, EngineResult};
use super::handle::Engine;
use crate::domain::memory::bullet::BulletId;
use crate::domain::memory::key::MemoryKey;
use crate::store::{DeltaPage, DeltaRecord, RetrievalRecord, Usage};

/// Newest retrievals that are looked at.
const RETRIEVALS_MAX: usize = 10_000;
/// Newest deltas that are looked at.
const DELTAS_MAX: usize = 15;

/// What the figures of a memory are made of.
#[derive(Clone, PartialEq, Debug)]
pub struct MemoryFigures {
    /// The memory.
    pub view: MemoryView,
    /// Its newest deltas, newest first.
    pub deltas: Vec<DeltaRecord>,
    /// Its newest retrievals, newest first.
    pub retrievals: Vec<RetrievalRecord>,
    /// How often each bullet was retrieved, and what became of it, over the whole life of the memory.
    pub usage: Vec<(BulletId, Usage)>,
}

impl Engine {
    /// Gathers a memory, its newest deltas and retrievals, and the use of its bullets.
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
