//! Folding deltas: their nodes go, and their marks stay.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::events::{bucket_key, delta_id};
use super::state::{self, Access};
use crate::bolt::row_writes::check_count;
use crate::bolt::times::Moment;
use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, count, memory_key, memory_names};
use crate::bolt::work::Task;
use crate::error::Result;
use crate::statements::{FOLD_DELTAS, FOLDED, OLDEST_DELTAS, PUT_FOLDED};
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{FoldOrder, FoldedDelta};

/// The revision of the creation, which stays.
const CREATION: i64 = 0;

/// Folds the oldest deltas of an order; returns how many.
pub(super) struct Fold {
    pub(super) key: MemoryKey,
    pub(super) incarnation: String,
    pub(super) order: FoldOrder,
}

#[async_trait]
impl Task for Fold {
    type Output = u64;

    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<u64> {
        let memory = memory_key(&self.key);
        let head = state::hold(tx, Access::Locked, &memory).await?;
        if head.is_none_or(|head| head.position.incarnation != self.incarnation) {
            return Ok(0);
        }
        let deltas = self.oldest(tx, &memory).await?;
        let Some((last, ..)) = deltas.last() else {
            return Ok(0);
        };
        let pairs = deltas.iter().map(|(_, id, digest)| (id, digest.as_str()));
        let gone = Map::new()
            .with("memory", memory.as_str())
            .with("after", CREATION)
            .whole("last", *last)?;
        tx.execute(FOLD_DELTAS, gone).await?;
        put_marks(tx, &self.key, last + 1, &FoldedDelta::marks(pairs)).await?;
        Ok(deltas.len() as u64)
    }
}

impl Fold {
    /// Reads revision, id and body digest of the deltas, up to the first that is too young.
    async fn oldest(
        &self,
        tx: &mut Transaction,
        memory: &str,
    ) -> Result<Vec<(u64, DeltaId, String)>> {
        let asked = Map::new()
            .with("memory", memory)
            .with("after", CREATION)
            .with("limit", count(self.order.limit))
            .whole("revision", self.order.revision)?;
        let mut oldest = Vec::new();
        for row in tx.query(OLDEST_DELTAS, asked).await? {
            let Moment(at) = row.get("at")?;
            if at >= self.order.before {
                break;
            }
            let id: String = row.get("id")?;
            oldest.push((
                row.get("revision")?,
                delta_id(&id)?,
                row.get("body_digest")?,
            ));
        }
        Ok(oldest)
    }
}

/// Appends marks to their buckets, and starts the chain of deltas again at the revision `first`.
pub(crate) async fn put_marks(
    tx: &mut Transaction,
    key: &MemoryKey,
    first: u64,
    marks: &BTreeMap<u8, String>,
) -> Result<()> {
    let memory = memory_key(key);
    let rows = marks.iter().map(|(bucket, marks)| {
        let new = memory_names(key)
            .with("hindlore_key", bucket_key(&memory, *bucket))
            .with("hindlore_memory", memory.as_str())
            .with("title", "folded deltas")
            .with("bucket", i64::from(*bucket));
        Map::new().with("marks", marks.as_str()).with("new", new)
    });
    let written = Map::new()
        .with("memory", memory.as_str())
        .whole("first", first)?
        .list("buckets", rows.collect());
    check_count(
        &tx.query(PUT_FOLDED, written).await?,
        "written",
        marks.len(),
    )
}

/// Reads all marks by bucket.
pub(crate) async fn all(tx: &mut Transaction, memory: &str) -> Result<Vec<(u8, String)>> {
    let rows = tx.query(FOLDED, Map::new().with("memory", memory)).await?;
    let rows = rows.iter();
    rows.map(|row| Ok((row.get("bucket")?, row.get("marks")?)))
        .collect()
}
