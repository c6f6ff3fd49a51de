//! Counting and deleting everything that bears a learner's names or key, wherever it hangs.
//!
//! An untouched graph can be walked along its relationships. By hand, people can delete the node of a learner or a
//! memory, remove a label, or add a tag of their own; such strays are found only by their properties. The price is a scan
//! of all nodes of the database, which an erase is worth.

use neo4rs::Row;

use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, memory_key, owner_key};
use crate::error::Result;
use crate::statements::{SWEEP_NODES, SWEEP_RELATIONSHIPS};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::identity::KeyError;
use hindlore_store::Erased;

/// The owner to search for: a learner, or one memory of it.
#[derive(Clone, Debug)]
pub(super) struct Whose {
    pub(super) tenant: String,
    pub(super) learner: String,
    pub(super) scope: Option<String>,
    /// Key of the learner.
    pub(super) owner: String,
    /// Key of the memory.
    pub(super) memory: Option<String>,
}

impl Whose {
    pub(super) fn new(tenant: &str, learner: &str, scope: Option<&str>) -> Result<Self, KeyError> {
        let memory = scope.map(|scope| MemoryKey::new(tenant, learner, scope));
        Ok(Self {
            tenant: tenant.to_owned(),
            learner: learner.to_owned(),
            scope: scope.map(str::to_owned),
            owner: owner_key(tenant, learner),
            memory: memory.transpose()?.as_ref().map(memory_key),
        })
    }

    /// The parameters of the search, by names and by the keys of the learner and of the known memories.
    pub(super) fn named(&self, memories: &[String]) -> Map {
        let own = self.memory.as_ref().unwrap_or(&self.owner);
        let keys = std::iter::once(own).chain(memories).cloned();
        Map::new()
            .with("tenant", self.tenant.as_str())
            .with("learner", self.learner.as_str())
            .with_optional("scope", self.scope.as_deref())
            .texts("keys", keys)
    }
}

/// Deletes a piece of the strays under the learner's lock and adds its counts to `erased`; returns whether there may be
/// more.
pub(super) async fn purge(
    tx: &mut Transaction,
    whose: &Whose,
    memories: &[String],
    piece: i64,
    erased: &mut Erased,
) -> Result<bool> {
    let of = || whose.named(memories).with("piece", piece);
    // Nodes first: their relationships go with them and are not counted again.
    let nodes = tx.query(SWEEP_NODES, of()).await?;
    let taken = count(&nodes, erased)?;
    let relationships = tx.query(SWEEP_RELATIONSHIPS, of()).await?;
    let tied: u64 = relationships
        .first()
        .map_or(Ok(0), |row| row.get("relationships"))?;
    erased.strays += tied;
    let piece = piece.unsigned_abs();
    Ok(taken >= piece || tied >= piece)
}

/// Adds counts by kind; returns the total.
pub(super) fn count(rows: &[Row], erased: &mut Erased) -> Result<u64> {
    let mut all = 0;
    for row in rows {
        let (kind, nodes): (String, u64) = (row.get("kind")?, row.get("nodes")?);
        all += nodes;
        match kind.as_str() {
            "memory" => erased.memories += nodes,
            "bullet" => erased.bullets += nodes,
            "delta" => erased.deltas += nodes,
            "retrieval" => erased.retrievals += nodes,
            "lesson" => erased.lessons += nodes,
            "run" => erased.runs += nodes,
            "error" => erased.errors += nodes,
            "record" => erased.records += nodes,
            "stray" => erased.strays += nodes,
            // Learner nodes, and nodes that only belong to one of the other kinds, count as nothing of their own.
            _ => {}
        }
    }
    Ok(all)
}
