//! Looking at the newest state of a memory without leaving a trace.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::Engine;
use super::error::EngineResult;
use super::lane::{Lane, absorb};
use super::open::Snapshot;

/// Looks that the decisions of others may overtake before they have to wait.
const LOOK_TRIES: usize = 3;

/// Numbers the looks at the store, so that a look which began later than a question answers it, too.
#[derive(Default)]
pub(super) struct Looks {
    begun: AtomicU64,
    /// The newest look that has brought the snapshot up to date.
    ended: AtomicU64,
    /// The change count of the store before the newest such look; 0 where the store has none. Whatever
    /// snapshot there is since then holds at least what the look saw.
    seen: AtomicU64,
}

impl Looks {
    fn begun(&self) -> u64 {
        self.begun.load(Ordering::SeqCst)
    }

    /// Numbers a look that begins; to be called within the lane's turn, as is `end`.
    fn begin(&self) -> u64 {
        self.begun.fetch_add(1, Ordering::SeqCst) + 1
    }

    fn end(&self, number: u64) {
        self.ended.store(number, Ordering::SeqCst);
    }

    fn has_ended_since(&self, asked: u64) -> bool {
        self.ended.load(Ordering::SeqCst) > asked
    }

    fn note_seen(&self, count: Option<u64>) {
        self.seen.store(count.unwrap_or_default(), Ordering::SeqCst);
    }

    /// True when nothing was written to the store since the newest look.
    fn has_seen(&self, count: u64) -> bool {
        count != 0 && self.seen.load(Ordering::SeqCst) == count
    }
}

impl Engine {
    /// Looks at the newest state of a memory that is on disk. Absent: there is no memory.
    pub(super) async fn look_at<T>(
        &self,
        lane: &Arc<Lane>,
        mut look: impl FnMut(&Snapshot) -> T,
    ) -> EngineResult<Option<T>> {
        let settled = |within_turn: bool| {
            if !within_turn {
                return lane.read_settled(&mut look);
            }
            let slot = lane.snapshot.read();
            slot.as_ref().filter(|one| one.is_settled).map(&mut look)
        };
        self.look_settled(lane, settled).await
    }

    /// The same for what fills the snapshot's caches on its way.
    pub(super) async fn look_at_mut<T>(
        &self,
        lane: &Arc<Lane>,
        mut look: impl FnMut(&mut Snapshot) -> T,
    ) -> EngineResult<Option<T>> {
        let settled = |within_turn: bool| {
            let mut slot = if within_turn {
                lane.snapshot.write()
            } else {
                lane.snapshot.write_early()?
            };
            let snapshot = slot.as_mut().filter(|snapshot| snapshot.is_settled);
            snapshot.map(&mut look)
        };
        self.look_settled(lane, settled).await
    }

    /// Looks by `settled`, which may wait for the snapshot only within the turn: nobody changes much then.
    async fn look_settled<T>(
        &self,
        lane: &Arc<Lane>,
        mut settled: impl FnMut(bool) -> Option<T>,
    ) -> EngineResult<Option<T>> {
        if let Some(count) = self.store().change_count()
            && lane.looks.has_seen(count)
            && let Some(seen) = settled(false)
        {
            return Ok(Some(seen));
        }
        for _ in 0..LOOK_TRIES {
            let asked = lane.looks.begun();
            let turn = lane.turn.lock().await;
            // Many who look at once need one answer of the store, as long as it was asked for after
            // each of them came.
            if !lane.looks.has_ended_since(asked) && !self.follow(lane).await? {
                return Ok(None);
            }
            drop(turn);
            // Since then somebody may have decided something that could still fail to reach the disk, or
            // may be deciding: then the next turn is waited for.
            if let Some(seen) = settled(false) {
                return Ok(Some(seen));
            }
        }
        let _turn = lane.turn.lock().await;
        Ok(if self.follow(lane).await? {
            settled(true)
        } else {
            None
        })
    }

    /// Brings the snapshot to the newest state, within the caller's turn. False: there is no memory.
    async fn follow(&self, lane: &Arc<Lane>) -> EngineResult<bool> {
        let (number, asked) = (lane.looks.begin(), Instant::now());
        let count = self.store().change_count();
        let found = self.follow_now(lane).await?;
        if found {
            lane.looks.end(number);
            lane.looks.note_seen(count);
            lane.note_confirmed(asked);
        }
        Ok(found)
    }

    async fn follow_now(&self, lane: &Arc<Lane>) -> EngineResult<bool> {
        if !self.ensure_loaded(lane, false).await? {
            return Ok(false);
        }
        let clock = lane
            .read(|snapshot| snapshot.memory.clock())
            .unwrap_or_default();
        let Some(changed) = self.store().changes_since(&lane.key, clock).await? else {
            lane.forget();
            return Ok(false);
        };
        if !absorb(lane, changed) {
            lane.forget();
            return self.ensure_loaded(lane, false).await;
        }
        Ok(true)
    }
}
