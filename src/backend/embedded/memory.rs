//! The memory part of the contract.

pub(super) mod checkpoint;
pub(super) mod commit;
pub(super) mod events;
pub(super) mod folded;
pub(super) mod history;
mod image;
pub(super) mod state;
mod touch;

use async_trait::async_trait;
use rusqlite::Transaction;

use self::commit::{apply, insert_memory, put_bullets};
use self::events::write_delta;
use super::EmbeddedStore;
use super::error::{Failure, Result};
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{
    CatchUp, Creation, Decide, Head, ImagePart, Known, MemoryImage, MemoryStore, Outcome,
    StoreHints, StoreResult, TakeParts, TouchBatch, TouchOutcome,
};

#[async_trait]
impl MemoryStore for EmbeddedStore {
    async fn create(&self, creation: Creation) -> StoreResult<Head> {
        self.write("create", move |tx| create(tx, &creation)).await
    }

    async fn head(&self, key: &MemoryKey) -> StoreResult<Option<Head>> {
        let key = key.clone();
        self.read("head", move |tx| {
            Ok(state::find(tx, &key)?.map(|found| found.head))
        })
        .await
    }

    async fn load_parts(&self, key: &MemoryKey, mut take: TakeParts) -> StoreResult<bool> {
        let key = key.clone();
        self.read("load", move |tx| match state::find(tx, &key)? {
            Some(found) => state::load_parts(tx, found, &mut take).map(|()| true),
            None => Ok(false),
        })
        .await
    }

    async fn image(
        &self,
        key: &MemoryKey,
        part: ImagePart,
    ) -> StoreResult<Option<MemoryImage<Vec<u8>>>> {
        let key = key.clone();
        self.read("image", move |tx| image::read(tx, &key, part))
            .await
    }

    async fn put_image(
        &self,
        key: &MemoryKey,
        image: MemoryImage<[Vec<u8>; 2]>,
    ) -> StoreResult<()> {
        self.write_image(key, image).await
    }

    fn hints(&self) -> StoreHints {
        StoreHints {
            // Without a count the caller reads, and the read reports that the file is gone.
            change_count: self.watch.count().filter(|_| self.presence.is_there()),
            // A flush is short next to the rows of a group, and other callers rank while it is written.
            prefers_batching: false,
        }
    }

    async fn changes_since(&self, key: &MemoryKey, clock: u64) -> StoreResult<Option<CatchUp>> {
        let key = key.clone();
        self.read("changes_since", move |tx| match state::find(tx, &key)? {
            Some(found) => state::catch_up(tx, &found, clock).map(Some),
            None => Ok(None),
        })
        .await
    }

    async fn transact(
        &self,
        key: &MemoryKey,
        known: Known,
        deltas: Vec<DeltaId>,
        mut decide: Decide,
    ) -> StoreResult<Outcome> {
        let key = key.clone();
        self.write("transact", move |tx| {
            let Some(found) = state::find(tx, &key)? else {
                return Ok(Outcome::Missing);
            };
            let mut changed = state::catch_up(tx, &found, known.clock())?;
            changed.receipts = state::receipts(tx, found.memory, &deltas)?;
            // Inside the write transaction, so that no other writer comes between reading and writing.
            apply(tx, &found, &decide(changed))?;
            Ok(Outcome::Committed)
        })
        .await
    }

    async fn touch(&self, key: &MemoryKey, batch: TouchBatch) -> StoreResult<TouchOutcome> {
        let key = key.clone();
        self.write("touch", move |tx| touch::record(tx, &key, batch))
            .await
    }
}

fn create(tx: &Transaction<'_>, creation: &Creation) -> Result<Head> {
    // Another caller may make it first; its head is the answer then, not an error.
    if let Some(found) = state::find(tx, &creation.key)? {
        return Ok(found.head);
    }
    let position = &creation.head.position;
    let record = &creation.record;
    let numbers = [
        position.clock,
        position.revision,
        record.tick,
        record.revision,
    ];
    if numbers != [0; 4] {
        return Err(Failure::Refused(
            "a new memory has an event above tick 0; begin at clock 0 and revision 0".to_owned(),
        ));
    }
    let memory = insert_memory(tx, &creation.key, &creation.head)?;
    write_delta(tx, memory, record)?;
    put_bullets(tx, memory, &creation.bullets)?;
    Ok(creation.head.clone())
}
