//! What bears the names or the key of a learner, wherever it hangs: counting it, and taking it away.
//!
//! Records are found along their relationships as long as nobody meddles. A hand can delete the node of a learner
//! or of a memory, take a label away, or make a tag of its own; what is left then is found by its properties only.
//! The price is a look at every node of the database, which an erase is worth.

use neo4rs::Row;

use super::error::Result;
use super::executor::Transaction;
use super::statements::{SWEEP_NODES, SWEEP_RELATIONSHIPS};
use super::values::{Map, memory_key, owner_key};
use mnemograph_domain::identity::KeyError;
use mnemograph_domain::memory::key::MemoryKey;
use mnemograph_store::Erased;

/// Whose records are meant: all of a learner, or those of one memory.
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

    /// The parameters of a look by names and keys; those of memories that are known stand beside that of the learner.
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

/// Takes a piece away of what is left; its learner is held. Adds to `erased` what that was, and tells whether there
/// may be more.
pub(super) async fn sweep(
    tx: &mut Transaction,
    (whose, memories): (&Whose, &[String]),
    piece: i64,
    erased: &mut Erased,
) -> Result<bool> {
    let of = || whose.named(memories).with("piece", piece);
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

/// Adds nodes by kind; gives how many there were in all.
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
            // The node of a learner, and what only belongs to one of the others.
            _ => {}
        }
    }
    Ok(all)
}
