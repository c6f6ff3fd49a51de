//! The memory part of the contract.

mod bulk_write;
pub(super) mod bullets;
pub(super) mod checkpoint;
pub(super) mod commit;
mod commit_parts;
pub(super) mod deltas;
pub(super) mod events;
pub(super) mod folded;
pub(super) mod history;
pub(super) mod links;
pub(super) mod origins;
pub(super) mod policies;
pub(super) mod state;
mod touch;
mod transact;

use async_trait::async_trait;

use self::commit::{Step, write_events};
use self::events::Place;
use self::state::Access;
use self::transact::Transact;
use super::bolt::times::date;
use super::bolt::transaction::Transaction;
use super::bolt::values::{Map, memory_key, memory_names, owner_key, title};
use super::bolt::work::{Task, send};
use super::error::{Failure, Result};
use super::statements::{CREATE_MEMORY, FIND, LEARNER};
use super::store::Neo4jStore;
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{
    CatchUp, Creation, Decide, EventRecord, Head, ImagePart, Known, Loaded, LoadedPart,
    MemoryImage, MemoryStore, Outcome, StoreHints, StoreResult, TakeParts, TouchBatch,
    TouchOutcome,
};

#[async_trait]
impl MemoryStore for Neo4jStore {
    async fn create(&self, creation: Creation) -> StoreResult<Head> {
        self.write("create", Create(creation)).await
    }

    async fn head(&self, key: &MemoryKey) -> StoreResult<Option<Head>> {
        let found = self.look(key, u64::MAX).await;
        let found = found.map_err(|failure| self.store_error("head", failure))?;
        Ok(found.map(|found| found.head))
    }

    // The driver holds the whole answer before the first part is passed on, so this saves callers no memory here.
    async fn load_parts(&self, key: &MemoryKey, mut take: TakeParts) -> StoreResult<bool> {
        // Read under the lock, so every commit up to this head is whole.
        let Some(before) = self.committed("load", key).await? else {
            return Ok(false);
        };
        let load = |access| Load {
            memory: memory_key(key),
            access,
            before: before.clone(),
        };
        let Some(loaded) = self.look_with("load", load).await? else {
            return Ok(false);
        };
        take(LoadedPart::Head(Box::new(loaded.head)));
        take(LoadedPart::Bullets(loaded.bullets));
        take(LoadedPart::Links(loaded.links));
        Ok(true)
    }

    async fn image(
        &self,
        _: &MemoryKey,
        _: ImagePart,
    ) -> StoreResult<Option<MemoryImage<Vec<u8>>>> {
        // A graph holds what analysts read; the bytes of one process would be none of that.
        Ok(None)
    }

    async fn put_image(&self, _: &MemoryKey, _: MemoryImage<[Vec<u8>; 2]>) -> StoreResult<()> {
        Ok(())
    }

    fn hints(&self) -> StoreHints {
        StoreHints {
            // A count would cost the same round trip as the read that it could save.
            change_count: None,
            prefers_batching: true,
        }
    }

    async fn changes_since(&self, key: &MemoryKey, clock: u64) -> StoreResult<Option<CatchUp>> {
        let found = self.look(key, clock).await;
        found.map_err(|failure| self.store_error("changes_since", failure))
    }

    async fn transact(
        &self,
        key: &MemoryKey,
        known: Known,
        deltas: Vec<DeltaId>,
        decide: Decide,
    ) -> StoreResult<Outcome> {
        let task = Transact::new(key, known, deltas, decide, self.backoff.clone());
        self.write("transact", task).await
    }

    async fn touch(&self, key: &MemoryKey, batch: TouchBatch) -> StoreResult<TouchOutcome> {
        let touched = self.record(key, batch).await;
        touched.map_err(|failure| self.store_error("touch", failure))
    }
}

impl Neo4jStore {
    /// Reads the changes since `clock`, in one request.
    pub(super) async fn look(&self, key: &MemoryKey, clock: u64) -> Result<Option<CatchUp>> {
        let asked = state::since(&memory_key(key), clock, &[]);
        let looked = send(&self.executor, self.access().statement(), asked.clone()).await;
        let rows = match looked {
            // The locking read is a write statement, which a database that turned read-only refuses; then no
            // lock is needed.
            Err(failure) if failure.allows_no_lock() => {
                send(&self.executor, Access::ReadOnly.statement(), asked).await?
            }
            looked => looked?,
        };
        state::catch_up(&rows)
    }
}

struct Load {
    memory: String,
    access: Access,
    before: Head,
}

#[async_trait]
impl Task for Load {
    type Output = Option<Loaded>;

    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<Option<Loaded>> {
        state::load_at_present(tx, self.access, &self.memory, self.before.clone()).await
    }
}

struct Create(Creation);

#[async_trait]
impl Task for Create {
    type Output = Head;

    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<Head> {
        let Creation {
            key,
            head,
            bullets,
            record,
        } = &self.0;
        let memory = memory_key(key);
        // Lock before looking, so that two creators cannot both find nothing.
        hold_learner(tx, key.tenant(), key.learner()).await?;
        let rows = tx
            .query(FIND, Map::new().with("memory", memory.as_str()))
            .await?;
        if let Some(row) = rows.first() {
            return state::head_in(row)?.head();
        }
        let numbers = [
            head.position.clock,
            head.position.revision,
            record.tick,
            record.revision,
        ];
        if numbers != [0; 4] {
            return Err(Failure::Refused(
                "a new memory has an event above tick 0; begin at clock 0 and revision 0"
                    .to_owned(),
            ));
        }
        let place = Place {
            key,
            memory: &memory,
            request: "",
        };
        insert_memory(tx, place, head, None).await?;
        let new: Vec<&Bullet> = bullets.iter().collect();
        let step = Step {
            events: &[EventRecord::Delta(Box::new(record.clone()))],
            new: &new,
            head: Map::new(),
        };
        write_events(tx, place, step).await?;
        Ok(head.clone())
    }
}

/// Creates a learner if it is missing, and locks it.
pub(super) async fn hold_learner(tx: &mut Transaction, tenant: &str, learner: &str) -> Result<()> {
    let owner = owner_key(tenant, learner);
    let properties = Map::new()
        .with("hindlore_key", owner.as_str())
        .with("lock", owner.as_str())
        .with("tenant", tenant)
        .with("learner", learner)
        .with("id", learner)
        .with("title", title(learner));
    tx.execute(LEARNER, Map::new().with("learner", properties))
        .await
}

/// Creates the node of a memory under its learner. A memory that is being copied into is invisible until the copy ends;
/// it has a temporary incarnation until then, so that no caller who knew the old memory writes to it.
pub(super) async fn insert_memory(
    tx: &mut Transaction,
    place: Place<'_>,
    head: &Head,
    copying: Option<&str>,
) -> Result<()> {
    let key = place.key;
    let owner = owner_key(key.tenant(), key.learner());
    let properties = memory_names(key)
        .with("hindlore_key", place.memory)
        .with("lock", place.memory)
        .with("hindlore_owner", owner.as_str())
        .with("title", title(key.scope()))
        .with("incarnation", copying.unwrap_or(&head.position.incarnation))
        .with("copying", copying)
        .with("policy", serde_json::to_string(&head.policy)?)
        .with("created_at", date(head.created_at))
        .whole("access_clock", head.position.clock)?
        .whole("revision", head.position.revision)?
        .whole("origin_clock", head.origin_clock)?
        .whole("linked_tick", head.position.clock)?;
    let made = Map::new().with("owner", owner).with("head", properties);
    tx.execute(CREATE_MEMORY, made).await?;
    policies::show(tx, place, &head.policy).await
}
