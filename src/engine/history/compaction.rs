//! Compaction: turns old retrieval records into counts, and folds old deltas before a checkpoint from which replays
//! start.

use super::folding::{Foldable, fold};
use super::replaying::{REBASE, Until, replay};
use crate::actor::snapshot::Snapshot;
use crate::context::Context;
use crate::error::{EngineError, EngineResult};
use crate::log;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{Checkpoint, EventRecord, Head, Loaded, MemoryStoreExt, Position};

/// Events read per page.
const PAGE: usize = 1_000;

/// Makes the stored memory the start of replays, and compacts the records before it.
pub(crate) async fn checkpoint_stored(context: &Context, key: &MemoryKey) -> EngineResult<()> {
    let loaded = context.store.load(key).await?;
    let state = loaded.ok_or_else(|| EngineError::NoMemory(key.clone()))?;
    let mut memory = Snapshot::from_loaded(key.clone(), state.clone()).memory;
    let digest = memory.digest();
    let compacted = context
        .store
        .compact(key, Checkpoint { state, digest })
        .await?;
    log::compacted(key, compacted);
    Ok(())
}

/// Compacts the retrieval records that the memory's policy no longer keeps; returns how many.
pub(crate) async fn compact(context: &Context, key: &MemoryKey) -> EngineResult<u64> {
    let Some(head) = context.store.head(key).await? else {
        return Ok(0);
    };
    // Half the range of the type, because the backends store a clock as a signed number.
    let newest = context.store.checkpoint(key, u64::MAX >> 1).await?;
    let (base, revision) = newest.map_or((head.origin_clock, 0), |checkpoint| {
        let position = &checkpoint.state.head.position;
        (position.clock, position.revision)
    });
    // Ticks have no gaps: an event that is not a delta is a retrieval.
    let events = head.position.clock.saturating_sub(base);
    let retrievals = events.saturating_sub(head.position.revision.saturating_sub(revision));
    let kept = head.policy.retrieval_records;
    let beyond = if retrievals > kept {
        // A quarter more than needed, because each checkpoint stores the whole memory.
        retrievals - (kept - kept / 4)
    } else {
        0
    };
    let tick = cut_by_age(context, key, &head, base).await?;
    if beyond == 0 && tick <= base {
        // Deltas grow old without new events, so they are due even if no record is.
        fold(context, key, &head, revision).await?;
        return Ok(0);
    }
    let until = Until::Compact {
        tick,
        retrievals: beyond,
    };
    let replayed = replay(context, key, until).await?;
    if let Some(mismatch) = replayed.mismatches.first() {
        // A checkpoint of a wrong state would destroy the only records that prove the right one.
        return Err(EngineError::Invalid(format!(
            "nothing was compacted: the event at tick {} cannot be replayed: {}; {REBASE}",
            mismatch.tick, mismatch.reason
        )));
    }
    if replayed.from_clock > base {
        // Another instance compacted meanwhile, and `beyond` was counted from the older checkpoint.
        return Ok(0);
    }
    let checkpoint = checkpoint_of(replayed.memory, &head);
    let start = checkpoint.state.head.position.revision;
    let compacted = context.store.compact(key, checkpoint).await?;
    log::compacted(key, compacted);
    // Only deltas before a checkpoint may be folded, so the checkpoint is written first.
    fold(context, key, &head, start).await?;
    Ok(compacted)
}

/// The checkpoint of a replayed memory, of which the store has this head.
fn checkpoint_of(mut memory: Memory, stored: &Head) -> Checkpoint {
    let digest = memory.digest();
    let position = Position {
        incarnation: stored.position.incarnation.clone(),
        clock: memory.clock(),
        revision: memory.revision(),
    };
    let head = Head {
        position,
        origin_clock: memory.origin_clock(),
        policy: memory.policy().clone(),
        created_at: stored.created_at,
    };
    let state = Loaded {
        head,
        bullets: memory.bullets(),
        links: memory.all_links().cloned().collect(),
    };
    Checkpoint { state, digest }
}

/// Returns the last tick of an event that is too old, before the first that none of the limits concerns.
async fn cut_by_age(
    context: &Context,
    key: &MemoryKey,
    head: &Head,
    base: u64,
) -> EngineResult<u64> {
    let now = context.now();
    let retrievals = now.minus_days(head.policy.retrieval_days);
    let deltas = Foldable::of(head, now);
    // After the later of both limits no event is old, so the search can end there.
    let limit = deltas.map_or(retrievals, |deltas| deltas.before.max(retrievals));
    let (mut cut, mut last_old) = (base, base);
    // Usually the first event is young enough, so begin with a page of one.
    let mut wanted = 1;
    loop {
        let page = context.store.events(key, cut, wanted).await?;
        for event in &page {
            let (at, is_old) = match event {
                EventRecord::Delta(delta) => {
                    let is_foldable = |limits: Foldable| {
                        delta.at < limits.before && delta.revision <= limits.revision
                    };
                    (delta.at, deltas.is_some_and(is_foldable))
                }
                EventRecord::Retrieval(retrieval) => (retrieval.at, retrieval.at < retrievals),
            };
            if at >= limit {
                return Ok(last_old);
            }
            cut = event.tick();
            if is_old {
                last_old = cut;
            }
        }
        if page.len() < wanted {
            return Ok(last_old);
        }
        wanted = PAGE;
    }
}
