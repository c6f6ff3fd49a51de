//! The nodes of a memory and of its learner that were deleted by hand: finding them by the nodes that name them, and
//! making them again from those.

use async_trait::async_trait;
use neo4rs::Row;

use crate::bolt::random::token;
use crate::bolt::times::date;
use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, memory_key, owner_key};
use crate::bolt::work::{Task, send};
use crate::error::{Failure, Result};
use crate::memory::checkpoint;
use crate::memory::events::{Place, delta_key};
use crate::memory::history::delta_of;
use crate::memory::policies;
use crate::memory::state;
use crate::memory::state::Access;
use crate::memory::{hold_learner, insert_memory};
use crate::statements::{ADVANCE, DELTA, LOST, REHANG};
use crate::store::Neo4jStore;
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::{Head, Position, StoreResult};

/// The missing nodes, in words; empty for a whole memory, and for one that no node names.
pub(super) async fn lost(store: &Neo4jStore, key: &MemoryKey) -> StoreResult<Vec<String>> {
    let rows = send(&store.executor, LOST, asked(key)).await;
    let told = rows.and_then(|rows| rows.first().map_or(Ok(Vec::new()), |row| told(key, row)));
    told.map_err(|failure| store.store_error("lost", failure))
}

/// Makes missing nodes again; a given policy replaces the known one.
pub(super) async fn restore(
    store: &Neo4jStore,
    key: &MemoryKey,
    policy: Option<Policy>,
) -> StoreResult<()> {
    let key = key.clone();
    store.write("restore", Restore { key, policy }).await
}

fn asked(key: &MemoryKey) -> Map {
    Map::new()
        .with("memory", memory_key(key))
        .with("owner", owner_key(key.tenant(), key.learner()))
}

fn told(key: &MemoryKey, row: &Row) -> Result<Vec<String>> {
    let mut told = Vec::new();
    if row.get("lacks_learner")? {
        told.push(format!(
            "the node of the learner {} is gone; what names it hangs on nothing",
            key.learner()
        ));
    }
    if row.get("lacks_memory")? {
        let (events, bullets): (u64, u64) = (row.get("events")?, row.get("bullets")?);
        let (clock, revision): (u64, u64) = (row.get("clock")?, row.get("revision")?);
        told.push(format!(
            "the node of the memory {key} is gone; {bullets} bullets and {events} events name it, the last at clock \
             {clock} and revision {revision}; counts of compacted retrievals went with it"
        ));
    }
    Ok(told)
}

struct Restore {
    key: MemoryKey,
    policy: Option<Policy>,
}

#[async_trait]
impl Task for Restore {
    type Output = ();

    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<()> {
        let memory = memory_key(&self.key);
        let place = Place {
            key: &self.key,
            memory: &memory,
            request: "",
        };
        hold_learner(tx, self.key.tenant(), self.key.learner()).await?;
        // Looked for again under the lock: another caller may have restored them meanwhile.
        let rows = tx.query(LOST, asked(&self.key)).await?;
        let row = rows.first().ok_or(Failure::Late(LOST.name))?;
        let is_lost: bool = row.get("lacks_memory")?;
        if is_lost {
            insert_memory(tx, place, &head(row)?, None).await?;
        }
        tx.execute(REHANG, asked(&self.key)).await?;
        let properties = match &self.policy {
            Some(policy) => Map::new().with("policy", serde_json::to_string(policy)?),
            None if is_lost => known(tx, &memory).await?,
            None => return Ok(()),
        };
        let put = Map::new()
            .with("memory", memory.as_str())
            .with("head", properties);
        tx.execute(ADVANCE, put).await?;
        match state::hold(tx, Access::Locked, &memory).await? {
            Some(head) => policies::show(tx, place, &head.policy).await,
            None => Ok(()),
        }
    }
}

/// The properties of a memory in its newest checkpoint, or at its creation.
async fn known(tx: &mut Transaction, memory: &str) -> Result<Map> {
    let newest = checkpoint::read(tx, memory, i64::MAX, 1).await?.pop();
    if let Some(newest) = newest {
        let head = newest.state.head;
        return Map::new()
            .with("policy", serde_json::to_string(&head.policy)?)
            .with("created_at", date(head.created_at))
            .whole("origin_clock", head.origin_clock);
    }
    let creation = Map::new().with("delta", delta_key(memory, &DeltaId::creation()));
    let rows = tx.query(DELTA, creation).await?;
    let Some(record) = rows.first().map(delta_of).transpose()? else {
        return Ok(Map::new());
    };
    let policy = record.policy_before.unwrap_or_default();
    Ok(Map::new()
        .with("policy", serde_json::to_string(&policy)?)
        .with("created_at", date(record.at)))
}

/// The head of a memory that has the events of a row, with a policy and a time that are not known yet.
fn head(row: &Row) -> Result<Head> {
    let first: u64 = row.get("first")?;
    Ok(Head {
        position: Position {
            // The old one is lost; a new one makes every process load the memory again.
            incarnation: token(),
            clock: row.get("clock")?,
            revision: row.get("revision")?,
        },
        origin_clock: first.saturating_sub(1),
        policy: Policy::default(),
        created_at: Timestamp::default(),
    })
}
