//! Verb: move memories with their whole history to another store.

use super::Engine;
use super::error::{EngineError, EngineResult};
use super::open::Snapshot;
use crate::domain::memory::key::MemoryKey;
use crate::store::Loaded;

/// One moved memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Copied {
    /// Whose.
    pub key: MemoryKey,
    /// Number of bullets.
    pub bullets: usize,
    /// Number of events.
    pub events: usize,
    /// State digest, equal on both sides.
    pub digest: String,
    /// The other store had it already, at the same position; nothing was written.
    pub was_there: bool,
}

impl Engine {
    /// Copies one memory to another engine's store and proves that both digests are equal. A memory
    /// that is there already at the same position is left alone, so that an interrupted move goes on
    /// where it ended; one at another position is refused unless it is an earlier state of the same.
    pub async fn copy_to(&self, target: &Engine, key: &MemoryKey) -> EngineResult<Copied> {
        let copy = self.store().copy_out(key).await?;
        let copy = copy.ok_or_else(|| EngineError::NoMemory(key.clone()))?;
        let (bullets, events) = (copy.state.bullets.len(), copy.events.len());
        let digest = digest_of(key, copy.state.clone());
        if let Some(there) = target.store().head(key).await? {
            let here = &copy.state.head.position;
            if there.position == *here {
                let loaded = target.store().load(key).await?;
                if loaded.map(|loaded| digest_of(key, loaded)).as_ref() == Some(&digest) {
                    return Ok(Copied {
                        key: key.clone(),
                        bullets,
                        events,
                        digest,
                        was_there: true,
                    });
                }
            }
            let earlier = there.position.incarnation == here.incarnation
                && there.position.clock <= here.clock;
            let unused = there.position.clock == 0 && there.position.revision == 0;
            if !earlier && !unused {
                return Err(EngineError::Invalid(format!(
                    "the other store has a memory {key} of its own; export one of the two, or erase it"
                )));
            }
        }
        target.store().copy_in(copy).await?;
        target.lane(key).forget();
        let loaded = target
            .store()
            .load(key)
            .await?
            .ok_or_else(|| EngineError::NoMemory(key.clone()))?;
        let arrived = digest_of(key, loaded);
        if arrived != digest {
            return Err(EngineError::Invalid(format!(
                "the memory {key} arrived with the digest {arrived}, but left with {digest}"
            )));
        }
        Ok(Copied {
            key: key.clone(),
            bullets,
            events,
            digest,
            was_there: false,
        })
    }
}

fn digest_of(key: &MemoryKey, loaded: Loaded) -> String {
    Snapshot::of(key.clone(), loaded).memory.digest()
}
