//! Compacting old retrieval records before a checkpoint into counts.

use async_trait::async_trait;

use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, count, memory_key};
use crate::bolt::work::Task;
use crate::error::{Failure, Result};
use crate::memory::checkpoint;
use crate::memory::state;
use crate::memory::state::Access;
use crate::statements::{COMPACT, COMPACTABLE, THIN_CHECKPOINTS};
use crate::store::Neo4jStore;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{CHECKPOINTS_KEPT, Checkpoint, StoreResult};

/// Records in one transaction. It holds the memory's lock, so it must stay short.
const COMPACTED_AT_ONCE: usize = 200;

impl Neo4jStore {
    /// Stores a checkpoint, then compacts the records before it batch by batch; returns their number.
    pub(crate) async fn compact_up_to(
        &self,
        key: &MemoryKey,
        checkpoint: Checkpoint,
    ) -> StoreResult<u64> {
        let position = checkpoint.state.head.position.clone();
        let task = PutCheckpoint {
            key: key.clone(),
            checkpoint,
        };
        let records = self.write("compact", task).await?;
        let mut after = 0;
        // One transaction for each batch, so that other writers can take the memory's lock in between.
        loop {
            let part = FoldSome {
                memory: memory_key(key),
                incarnation: position.incarnation.clone(),
                clock: position.clock,
                after,
            };
            match self.write("compact", part).await? {
                Some(last) => after = last,
                None => return Ok(records),
            }
        }
    }
}

/// Stores a checkpoint; returns the number of records that may now be compacted.
struct PutCheckpoint {
    key: MemoryKey,
    checkpoint: Checkpoint,
}

#[async_trait]
impl Task for PutCheckpoint {
    type Output = u64;

    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<u64> {
        let memory = memory_key(&self.key);
        let of = &self.checkpoint.state.head.position;
        let head = state::hold(tx, Access::Locked, &memory).await?;
        // A memory before its checkpoint was restored from a backup meanwhile.
        let is_of_it = head.is_some_and(|head| {
            let now = head.position;
            now.incarnation == of.incarnation
                && of.clock <= now.clock
                && of.revision <= now.revision
        });
        if !is_of_it {
            return Err(Failure::Refused(format!(
                "the checkpoint at clock {} is not of the memory that is there; take a new one",
                of.clock
            )));
        }
        checkpoint::put(tx, &self.key, &memory, &self.checkpoint).await?;
        let kept = Map::new()
            .with("memory", memory.as_str())
            .with("kept", i64::from(CHECKPOINTS_KEPT));
        tx.execute(THIN_CHECKPOINTS, kept).await?;
        let upto = Map::new()
            .with("memory", memory.as_str())
            .whole("clock", of.clock)?;
        let rows = tx.query(COMPACTABLE, upto).await?;
        rows.first()
            .map_or(Ok(0), |row| Ok(row.get::<u64>("records")?))
    }
}

/// Compacts the oldest records up to a clock; returns the tick of the last one, `None` when none was left.
struct FoldSome {
    memory: String,
    incarnation: String,
    clock: u64,
    /// Records at or before this tick are already compacted.
    after: u64,
}

#[async_trait]
impl Task for FoldSome {
    type Output = Option<u64>;

    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<Option<u64>> {
        let head = state::hold(tx, Access::Locked, &self.memory).await?;
        if head.is_none_or(|head| head.position.incarnation != self.incarnation) {
            // The memory was erased meanwhile, with all its records.
            return Ok(None);
        }
        let some = Map::new()
            .with("memory", self.memory.as_str())
            .with("limit", count(COMPACTED_AT_ONCE))
            .with("none", 0_i64)
            .whole("after", self.after)?
            .whole("clock", self.clock)?;
        let rows = tx.query(COMPACT, some).await?;
        rows.first()
            .map_or(Ok(None), |row| Ok(row.get::<Option<u64>>("last")?))
    }
}
