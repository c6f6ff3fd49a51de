//! Reloads a memory while it is in use, so that manual edits in the store are noticed.
//!
//! Deltas and retrievals are followed by their ticks. A manual edit has none, so only a load of the whole memory finds
//! it.

use super::loading::load;
use super::open_memory::OpenMemory;
use super::snapshot::Snapshot;
use crate::error::EngineResult;
use crate::log;

/// Reads the memory without its lock, and replaces the snapshot once it holds the events of the meantime.
pub(super) async fn reread(memory: &OpenMemory) -> EngineResult<()> {
    let Some(mut fresh) = load(&memory.context, &memory.key).await? else {
        return Ok(());
    };
    let _lock = memory.write_lock.lock().await;
    // Changes that may not be on disk are only in the present snapshot.
    if memory.read(Snapshot::is_settled) != Some(true) {
        return Ok(());
    }
    let (store, clock) = (&memory.context.store, fresh.memory.clock());
    let Some(meanwhile) = store.changes_since(&memory.key, clock).await? else {
        return Ok(());
    };
    if !fresh.absorb(meanwhile) {
        return Ok(());
    }
    let position = fresh.position();
    let digest = fresh.memory.digest();
    let was_changed = memory.snapshot.write().as_mut().is_some_and(|known| {
        // A pending touch would make the digests differ without any manual edit.
        known.catch_up();
        // Only at an equal position no event can explain the difference.
        known.position() == position && known.memory.digest() != digest
    });
    if was_changed {
        log::changed_by_hand(&memory.key);
    }
    memory.put(fresh);
    Ok(())
}
