//! The effect of a retrieval on a memory: one tick, and a touch of each returned bullet.
//!
//! Touches are the most frequent write, so a recorded one is applied in place, without a journal.

use super::aggregate::Memory;
use super::apply::draft::Draft;
use super::bullet::BulletId;
use super::receipt::Changes;
use hindlore_primitives::timestamp::Timestamp;

/// Takes the tick of a retrieval, touches the returned bullets, and returns the changes. A retrieval without
/// bullets takes no tick.
pub fn touch(memory: &mut Memory, returned: &[BulletId], now: Timestamp) -> Changes {
    if returned.is_empty() {
        return Changes::default();
    }
    let mut draft = Draft::begin(memory, now);
    returned.iter().for_each(|id| draft.touch(*id));
    draft.finish()
}

/// Does the same for a retrieval that is recorded already, so there is nothing to write or to roll back.
pub fn touch_recorded(memory: &mut Memory, returned: &[BulletId], now: Timestamp) {
    if returned.is_empty() {
        return;
    }
    let tick = memory.clock() + 1;
    memory.advance_to(tick);
    for id in returned {
        if let Some(doc) = memory.doc_of(*id) {
            memory.touch_doc(doc, tick, now);
        }
    }
}

/// Applies the touches by other processes, each a bullet, its tick and its timestamp, and moves to the clock
/// after them. Returns false if a bullet is unknown; then the memory must be loaded again.
pub fn absorb_touches(
    memory: &mut Memory,
    clock: u64,
    touches: impl IntoIterator<Item = (BulletId, u64, Timestamp)>,
) -> bool {
    for (bullet, tick, at) in touches {
        let Some(doc) = memory.doc_of(bullet) else {
            return false;
        };
        memory.touch_doc(doc, tick, at);
    }
    memory.advance_to(clock);
    true
}
