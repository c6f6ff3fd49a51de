//! Pruning against a sort of all bullets.

use super::*;
use crate::memory::bullet::{Bullet, MemoryType, Status};
use crate::memory::key::MemoryKey;
use crate::memory::policy::{Policy, Rates};
use crate::memory::seed::create;
use hindlore_primitives::timestamp::Timestamp;

/// Bullets of all types, ages and strengths, many of them equal; some ahead of the clock.
fn memory(rng: &mut fastrand::Rng, policy: Policy) -> Memory {
    let key = MemoryKey::new("t", "l", "s").unwrap();
    let mut memory = create(key, policy, true, Timestamp::default()).memory;
    let seed = memory.bullets().swap_remove(0);
    for number in 0..rng.u64(1..400) {
        let mut id = [0; 10];
        rng.fill(&mut id);
        let mut bullet = Bullet {
            id: BulletId(id),
            memory_type: MemoryType::ALL[rng.usize(..3)],
            kind: crate::memory::bullet::Kind::Fact,
            status: Status::ALL[usize::from(rng.u8(..5) == 0)],
            pinned: rng.u8(..10) == 0,
            strength: [0.0, 1e-300, 100.0, 101.0, 130.5][rng.usize(..5)],
            access_index: rng.bool().then(|| rng.u64(..60)),
            position: number + 10,
            ..seed.clone()
        };
        bullet.counts.helpful = rng.u64(..3);
        memory.put(&bullet);
    }
    let policy = memory.policy().clone();
    memory.stand_at([30, 50, 20_000][rng.usize(..3)], 1, 0, policy);
    memory
}

#[test]
fn the_weakest_are_those_that_a_sort_of_all_finds() {
    let mut rng = fastrand::Rng::with_seed(21);
    for round in 0..400 {
        let mut policy = if round % 3 == 0 {
            Policy::classic()
        } else {
            Policy::default()
        };
        policy.rates = Rates {
            semantic: [0.0, 0.01][rng.usize(..2)],
            episodic: [0.05, 1.0][rng.usize(..2)],
            procedural: 0.002,
        };
        let memory = memory(&mut rng, policy);
        let arena = &memory.arena;
        let mut all: Vec<(f64, u64, BulletId)> = arena
            .docs()
            .filter(|doc| memory.counts_against_limit(&arena.header(*doc)))
            .map(|doc| {
                let bullet = arena.header(doc);
                let score = bullet.decayed_score(&memory.policy().rates, memory.clock());
                (score, bullet.counts.helpful, arena.id(doc))
            })
            .collect();
        assert_eq!(all.len() as u64, memory.limited());
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        let keep = rng.usize(..=all.len());
        let mut expected: Vec<BulletId> = all[keep..].iter().map(|one| one.2).collect();
        let mut found = weakest(&memory, all.len() - keep);
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "round {round}");
    }
}
