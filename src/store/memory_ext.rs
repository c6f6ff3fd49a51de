//! Reading a memory as a whole: built on the contract for every caller, implemented by no backend.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use super::error::StoreResult;
use super::memory::{Loaded, LoadedPart, MemoryStore};
use hindlore_domain::memory::key::MemoryKey;

/// Calls that need nothing but those of [`MemoryStore`].
#[async_trait]
pub trait MemoryStoreExt: MemoryStore {
    /// Reads a whole memory at one moment; `None` when there is no such memory.
    ///
    /// # Errors
    /// Those of [`MemoryStore::load_parts`].
    async fn load(&self, key: &MemoryKey) -> StoreResult<Option<Loaded>> {
        // The parts may be taken on a thread of the store, so they are collected under a lock.
        let whole: Arc<Mutex<Option<Loaded>>> = Arc::default();
        let place = whole.clone();
        let take = move |part| {
            let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
            add(&mut place, part);
        };
        if !self.load_parts(key, Box::new(take)).await? {
            return Ok(None);
        }
        let loaded = whole.lock().unwrap_or_else(PoisonError::into_inner).take();
        Ok(loaded)
    }
}

impl<S: MemoryStore + ?Sized> MemoryStoreExt for S {}

fn add(whole: &mut Option<Loaded>, part: LoadedPart) {
    match (whole.as_mut(), part) {
        // A head always starts over: the store sends it again when it repeats a read that was cut off.
        (_, LoadedPart::Head(head)) => {
            *whole = Some(Loaded {
                head: *head,
                bullets: Vec::new(),
                links: Vec::new(),
            });
        }
        (Some(loaded), LoadedPart::Bullets(bullets)) => loaded.bullets.extend(bullets),
        (Some(loaded), LoadedPart::Links(links)) => loaded.links = links,
        // The contract sends the head first.
        (None, _) => {}
    }
}
