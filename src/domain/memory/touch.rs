//! What a retrieval does to a memory: one tick, and a touch of each bullet that it returned.

use super::aggregate::Memory;
use super::bullet::BulletId;
use super::draft::Draft;
use super::receipt::Changes;
use crate::timestamp::Timestamp;

/// Takes the tick of a retrieval and touches what it returned; without any bullet nothing happens.
/// Gives what changed.
pub fn touch(memory: &mut Memory, returned: &[BulletId], now: Timestamp) -> Changes {
    if returned.is_empty() {
        return Changes::default();
    }
    let mut draft = Draft::begin(memory, now);
    returned.iter().for_each(|id| draft.touch(*id));
    draft.finish()
}

/// Does the same for a retrieval that is on disk already: there is nothing to write or to take back.
pub fn touch_recorded(memory: &mut Memory, returned: &[BulletId], now: Timestamp) {
    if returned.is_empty() {
        return;
    }
    let tick = memory.clock() + 1;
    memory.move_to(tick);
    for id in returned {
        if let Some(doc) = memory.doc_of(*id) {
            memory.touch_doc(doc, tick, now);
        }
    }
}

/// Takes in the last touches by others, each a bullet, its tick and its moment, and moves to the clock
/// that they led to. False when a bullet is not known; then the memory has to be read anew.
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
    memory.move_to(clock);
    true
}
