//! The first delta of a memory: decided once, before there is a memory to apply it to.
//!
//! A memory is made only for a delta that can be applied to it, so the delta is tried on a memory as it
//! would be made. When nobody else makes the memory meanwhile, what was tried is what is written: a
//! large import is not decided twice.

use super::error::EngineResult;
use super::lane::Lane;
use super::open::Snapshot;
use super::request::Request;
use super::{Engine, events};
use crate::domain::memory::aggregate::Memory;
use crate::domain::memory::apply::Applied;
use crate::domain::memory::delta::DeltaId;
use crate::domain::memory::draft::Standing;
use crate::domain::memory::key::MemoryKey;
use crate::domain::timestamp::Timestamp;
use crate::store::{CatchUp, Creation, Position};

/// A delta that was applied to a new memory in process, and nowhere else.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) delta: DeltaId,
    pub(super) applied: Applied,
    /// Where the memory stood before.
    pub(super) before: Standing,
    /// The "now" of the delta.
    pub(super) now: Timestamp,
    /// The state that it was applied to.
    position: Position,
}

impl Prepared {
    /// The clock of the memory that the delta was applied to.
    pub(super) fn clock(&self) -> u64 {
        self.position.clock
    }

    /// True when a store shows the very memory that the delta was applied to; it would stand elsewhere if
    /// the delta were known.
    pub(super) fn stands_on(&self, there: &CatchUp) -> bool {
        there.head.position == self.position
    }
}

/// A memory that could be made, with the delta that it would be made for.
pub(super) struct Trial {
    creation: Creation,
    memory: Memory,
    prepared: Prepared,
}

impl Engine {
    /// Applies the first request of a group, if it is a delta, to a memory as it would be made now.
    pub(super) fn try_first(
        &self,
        key: &MemoryKey,
        group: &[Request],
    ) -> EngineResult<Option<Trial>> {
        let Some(Request::Delta(job)) = group.first() else {
            return Ok(None);
        };
        let now = self.shared.clock.now();
        let created = self.imagined(key, now);
        let creation = self.creation(&created, now)?;
        let mut memory = created.memory;
        let before = memory.standing();
        let Ok(applied) = job.opened.apply(&mut memory, now, self.tables()) else {
            return Ok(None);
        };
        let prepared = Prepared {
            delta: job.opened.delta.id.clone(),
            applied,
            before,
            now,
            position: creation.head.position.clone(),
        };
        Ok(Some(Trial {
            creation,
            memory,
            prepared,
        }))
    }

    /// Makes the memory of a trial, unless somebody else was faster; then theirs is read.
    pub(super) async fn found(&self, lane: &Lane, trial: Trial) -> EngineResult<()> {
        let Trial {
            creation,
            memory,
            prepared,
        } = trial;
        let (ours, planted) = (creation.head.position.clone(), creation.bullets.len());
        let head = self.store().create(creation).await?;
        if head.position != ours {
            return self.ensure_loaded(lane, true).await.map(drop);
        }
        events::loaded(&lane.key, planted as u64);
        lane.put_snapshot(Snapshot::prepared(memory, head, prepared));
        Ok(())
    }
}
