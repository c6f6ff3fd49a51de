//! What a retrieval does to a memory: one tick, and a touch of each bullet that it returned.

use super::aggregate::Memory;
use super::bullet::BulletId;
use super::draft::Draft;
use super::receipt::Changes;
use crate::domain::timestamp::Timestamp;

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
