//! Verb: move memories with their whole history to another store.

use crate::actor::snapshot::Snapshot;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{
    DeltaPage, DeltaRecord, ErrorKind, EventRecord, FoldedDelta, Loaded, MemoryCopy,
    MemoryStoreExt, Position,
};

/// One moved memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Copied {
    /// The memory.
    pub key: MemoryKey,
    /// Number of bullets.
    pub bullets: usize,
    /// Number of events.
    pub events: usize,
    /// State digest, equal in both stores.
    pub digest: String,
    /// True if the other store already had it at the same position; nothing was written.
    pub was_there: bool,
}

impl Engine {
    /// Copies one memory to another engine's store and checks that both digests are equal.
    ///
    /// A memory already there at the same position is left alone, so an interrupted move resumes where it
    /// stopped. The remains of a copy that was cut off are replaced. Any other memory there must be an
    /// earlier state of this one, or the copy is refused.
    pub async fn copy_to(&self, target: &Engine, key: &MemoryKey) -> EngineResult<Copied> {
        let copy = self.store().copy_out(key).await?;
        let copy = copy.ok_or_else(|| EngineError::NoMemory(key.clone()))?;
        let mut copied = Copied {
            key: key.clone(),
            bullets: copy.state.bullets.len(),
            events: copy.events.len(),
            digest: digest_of(key, copy.state.clone()),
            was_there: false,
        };
        let over = target.standing(key).await?;
        if let Some(there) = &over {
            // An equal position alone does not exclude a manual edit.
            if *there == copy.state.head.position
                && target.stored_digest(key).await? == copied.digest
            {
                copied.was_there = true;
                return Ok(copied);
            }
            target.check_replaceable(there, &copy).await?;
        }
        target.store().copy_in(copy, over).await?;
        // A snapshot in process may be of the memory just replaced.
        target.actor(key).memory.forget();
        // From the rows the target reads back, so the check covers the whole way.
        let arrived = target.stored_digest(key).await?;
        if arrived != copied.digest {
            return Err(EngineError::Invalid(format!(
                "the memory {key} arrived with the digest {arrived}, but left with {}",
                copied.digest
            )));
        }
        Ok(copied)
    }

    /// Position of the memory in the store; absent if there is none, or only an interrupted copy.
    async fn standing(&self, key: &MemoryKey) -> EngineResult<Option<Position>> {
        match self.store().head(key).await {
            Ok(head) => Ok(head.map(|head| head.position)),
            Err(error) if error.kind() == ErrorKind::HalfCopied => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    async fn stored_digest(&self, key: &MemoryKey) -> EngineResult<String> {
        let loaded = self.store().load(key).await?;
        let loaded = loaded.ok_or_else(|| EngineError::NoMemory(key.clone()))?;
        Ok(digest_of(key, loaded))
    }

    /// Refuses to replace a memory that holds more than the copy: it must be unused, or its last delta and
    /// last event must equal those of the copy at that revision and clock. A retrieval that either side
    /// compacted into counts cannot be compared and passes.
    async fn check_replaceable(&self, there: &Position, copy: &MemoryCopy) -> EngineResult<()> {
        if (there.clock, there.revision) == (0, 0) {
            return Ok(());
        }
        let key = &copy.key;
        let refused = |why: &str| {
            Err(EngineError::Occupied(format!(
                "the other store has a memory {key} of its own ({why})"
            )))
        };
        let here = &copy.state.head.position;
        if there.incarnation != here.incarnation {
            return refused("it was made there");
        }
        if there.clock > here.clock || there.revision > here.revision {
            return refused("it has gone further there");
        }
        let newest = DeltaPage {
            below_revision: None,
            limit: 1,
        };
        let deltas = self.store().deltas(key, newest).await?;
        let last = match there.clock.checked_sub(1) {
            Some(before) => self.store().events(key, before, 1).await?,
            None => Vec::new(),
        };
        let is_shared = deltas.iter().all(|delta| has_delta(copy, delta))
            && last.iter().all(|event| has_event(copy, event));
        if is_shared {
            Ok(())
        } else {
            refused("it has events there that are not here")
        }
    }
}

/// True if the copy has this very delta at its revision, or folded it.
fn has_delta(copy: &MemoryCopy, theirs: &DeltaRecord) -> bool {
    has_folded(copy, theirs)
        || copy.events.iter().any(|event| match event {
            EventRecord::Delta(own) => {
                own.revision == theirs.revision
                    && own.tick == theirs.tick
                    && own.id == theirs.id
                    && own.receipt == theirs.receipt
            }
            EventRecord::Retrieval(_) => false,
        })
}

/// True if the copy has this very event at its tick, or compacted a retrieval there.
fn has_event(copy: &MemoryCopy, theirs: &EventRecord) -> bool {
    let own = copy.events.iter().find(|own| own.tick() == theirs.tick());
    match (own, theirs) {
        (Some(EventRecord::Retrieval(own)), EventRecord::Retrieval(theirs)) => own.id == theirs.id,
        (Some(EventRecord::Delta(own)), EventRecord::Delta(theirs)) => own.id == theirs.id,
        (None, EventRecord::Retrieval(_)) => true,
        (None, EventRecord::Delta(theirs)) => has_folded(copy, theirs),
        _ => false,
    }
}

fn has_folded(copy: &MemoryCopy, theirs: &DeltaRecord) -> bool {
    let place = FoldedDelta::of(&theirs.id);
    let mut buckets = copy.folded.iter();
    let bucket = buckets.find(|(bucket, _)| *bucket == place.bucket);
    let body_digest = bucket.and_then(|(_, marks)| place.body_digest(marks));
    body_digest.is_some_and(|digest| theirs.body_digest.starts_with(&digest))
}

fn digest_of(key: &MemoryKey, loaded: Loaded) -> String {
    Snapshot::from_loaded(key.clone(), loaded).memory.digest()
}
