//! Retention: old retrieval records are folded into counts, behind a checkpoint from which replays
//! start.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::adopt::REBASE;
use super::error::{EngineError, EngineResult};
use super::lane::Lane;
use super::replay::Until;
use super::{Engine, events};
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::upgrade::is_older;
use crate::domain::timestamp::Timestamp;
use crate::store::{Checkpoint, EventRecord, Head, Loaded, Position};

/// Ticks between two looks at the retention of a memory.
const LOOK_EVERY_TICKS: u64 = 1_024;
/// Events that are read at a time.
const PAGE: usize = 1_000;
const DAY_MS: i64 = 86_400_000;

impl Lane {
    /// Takes note of our own events after the tick `before`. Of all the instances on a memory the one
    /// that takes the due tick looks at the retention, so that short-lived processes share that work
    /// and nobody does it twice.
    pub(super) fn note_written(&self, before: u64, events: usize) {
        let last = before + events as u64;
        if last / LOOK_EVERY_TICKS > before / LOOK_EVERY_TICKS {
            self.retention_due.store(true, Ordering::Relaxed);
        }
    }
}

impl Engine {
    /// Folds in the background when that is due; a failure is logged and tried again the next time.
    pub(super) fn retain_if_due(&self, lane: &Arc<Lane>) {
        if !lane.retention_due.swap(false, Ordering::Relaxed) {
            return;
        }
        let (engine, key) = (self.clone(), lane.key.clone());
        self.in_background(async move {
            if let Err(error) = engine.retain(&key).await {
                events::fold_failed(&key, &error);
            }
        });
    }

    /// Folds the retrieval records that the memory's policy no longer keeps; gives their number.
    pub async fn retain(&self, key: &MemoryKey) -> EngineResult<u64> {
        let Some(head) = self.store().head(key).await? else {
            return Ok(0);
        };
        // What older rules decided cannot be replayed; the checkpoint of the upgrade folds it.
        if is_older(&head.policy) {
            return Ok(0);
        }
        let newest = self.store().checkpoint(key, u64::MAX >> 1).await?;
        let (base, revision) = newest.map_or((head.origin_clock, 0), |checkpoint| {
            let position = &checkpoint.state.head.position;
            (position.clock, position.revision)
        });
        // The numbering has no gap: what is no delta is a retrieval.
        let events = head.position.clock.saturating_sub(base);
        let retrievals = events.saturating_sub(head.position.revision.saturating_sub(revision));
        let kept = head.policy.retrieval_records;
        let beyond = if retrievals > kept {
            // Some room is made at once, since each checkpoint holds the whole memory.
            retrievals - (kept - kept / 4)
        } else {
            0
        };
        let tick = self.cut_by_age(key, &head, base).await?;
        if beyond == 0 && tick <= base {
            return Ok(0);
        }
        let until = Until::Fold {
            tick,
            retrievals: beyond,
        };
        let replayed = self.replay_until(key, until).await?;
        if let Some(mismatch) = replayed.mismatches.first() {
            // A checkpoint of a wrong state would destroy the only records that prove the right one.
            return Err(EngineError::Invalid(format!(
                "nothing was folded: the event at tick {} cannot be replayed: {}; {REBASE}",
                mismatch.tick, mismatch.reason
            )));
        }
        if replayed.from_clock > base {
            // Somebody else has folded meanwhile; what is beyond was counted from the checkpoint before.
            return Ok(0);
        }
        let mut memory = replayed.memory;
        let digest = memory.digest();
        let position = Position {
            incarnation: head.position.incarnation.clone(),
            clock: memory.clock(),
            revision: memory.revision(),
        };
        let origin_clock = memory.origin_clock();
        let head = Head {
            position,
            origin_clock,
            policy: memory.policy().clone(),
            created_at: head.created_at,
        };
        let state = Loaded {
            head,
            bullets: memory.bullets(),
            links: memory.all_links().cloned().collect(),
        };
        let folded = self.store().fold(key, Checkpoint { state, digest }).await?;
        events::folded(key, folded);
        Ok(folded)
    }

    /// The last tick before the first event that is young enough to be kept.
    async fn cut_by_age(&self, key: &MemoryKey, head: &Head, base: u64) -> EngineResult<u64> {
        let now = self.shared.clock.now().millis();
        let limit = Timestamp::from_millis(now - i64::from(head.policy.retrieval_days) * DAY_MS);
        let (mut cut, mut last_old_retrieval) = (base, base);
        // Mostly the first event is young enough already.
        let mut wanted = 1;
        loop {
            let page = self.store().events(key, cut, wanted).await?;
            for event in &page {
                let (at, tick) = match event {
                    EventRecord::Delta(delta) => (delta.at, delta.tick),
                    EventRecord::Retrieval(retrieval) => (retrieval.at, retrieval.tick),
                };
                if at >= limit {
                    return Ok(last_old_retrieval);
                }
                cut = tick;
                if matches!(event, EventRecord::Retrieval(_)) {
                    last_old_retrieval = tick;
                }
            }
            if page.len() < wanted {
                return Ok(last_old_retrieval);
            }
            wanted = PAGE;
        }
    }
}
