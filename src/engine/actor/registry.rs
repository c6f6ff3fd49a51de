//! The actors of the open memories.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::memory_actor::MemoryActor;
use crate::context::Context;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::key::MemoryKey;

/// Memories kept in process. The least recently opened is closed first, unless it is working or has records
/// to write.
const OPEN_MAX: usize = 256;

/// The open memories.
#[derive(Default)]
pub(crate) struct ActorRegistry {
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    actors: HashMap<MemoryKey, Entry>,
    /// Number of openings so far.
    opened: u64,
}

struct Entry {
    actor: Arc<MemoryActor>,
    /// Number of its last opening.
    opened: u64,
}

impl ActorRegistry {
    /// The actor of a memory.
    pub(crate) fn actor(&self, context: &Arc<Context>, key: &MemoryKey) -> Arc<MemoryActor> {
        let actor = self.find(context, key);
        actor.reread_if_due();
        actor.image_if_due();
        actor
    }

    fn find(&self, context: &Arc<Context>, key: &MemoryKey) -> Arc<MemoryActor> {
        let mut open = self.open();
        open.opened += 1;
        let opened = open.opened;
        if let Some(entry) = open.actors.get_mut(key) {
            entry.opened = opened;
            return entry.actor.clone();
        }
        if open.actors.len() >= OPEN_MAX {
            // Never evict an actor with pending work: a second one for the same memory would not know its
            // records.
            let idle = open
                .actors
                .iter()
                .filter(|(_, entry)| entry.actor.is_idle());
            let oldest = idle.min_by_key(|(_, entry)| entry.opened);
            // If every actor works, the map exceeds its limit rather than lose records.
            if let Some(key) = oldest.map(|(key, _)| key.clone()) {
                open.actors.remove(&key);
            }
        }
        let actor = Arc::new(MemoryActor::new(context.clone(), key.clone()));
        let entry = Entry {
            actor: actor.clone(),
            opened,
        };
        open.actors.insert(key.clone(), entry);
        actor
    }

    /// A registry with one memory as it was at an earlier moment.
    pub(crate) fn of_past(context: &Arc<Context>, memory: Memory) -> Self {
        let registry = Self::default();
        let key = memory.key().clone();
        let actor = Arc::new(MemoryActor::of_past(context.clone(), memory));
        let entry = Entry { actor, opened: 0 };
        registry.open().actors.insert(key, entry);
        registry
    }

    /// The actors of all open memories.
    pub(crate) fn all(&self) -> Vec<Arc<MemoryActor>> {
        let open = self.open();
        let entries = open.actors.values();
        entries.map(|entry| entry.actor.clone()).collect()
    }

    /// Closes the matching memories and returns their actors.
    pub(crate) fn close(&self, is_closed: impl Fn(&MemoryKey) -> bool) -> Vec<Arc<MemoryActor>> {
        let mut open = self.open();
        let closed = open.actors.extract_if(|key, _| is_closed(key));
        closed.map(|(_, entry)| entry.actor).collect()
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
