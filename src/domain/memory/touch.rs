//! What a retrieval does to a memory: one tick, and a touch of each bullet that it returned.

use super::aggregate::Memory;
use super::bullet::BulletId;
use crate::domain::timestamp::Timestamp;

/// Takes the tick of a retrieval and touches what it returned; without any bullet nothing happens.
/// Gives the clock after it.
pub fn touch(memory: &mut Memory, returned: &[BulletId], now: Timestamp) -> u64 {
    if returned.is_empty() {
        return memory.clock();
    }
    memory.clock += 1;
    let tick = memory.clock;
    for id in returned {
        let Some(bullet) = memory.get(*id) else {
            continue;
        };
        let mut bullet = bullet.clone();
        bullet.access_index = Some(tick);
        bullet.last_access = Some(now);
        bullet.last_used = Some(now);
        bullet.changed_tick = tick;
        memory.put(bullet);
    }
    tick
}
