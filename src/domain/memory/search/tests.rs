//! Searches that strength decides, beside a scan, while the memory changes under the tier.

use super::*;
use crate::memory::aggregate::Memory;
use crate::memory::bullet::{Bullet, BulletId, Counts, Kind, Status};
use crate::memory::content::{CONTENT_MAX_CHARS, Content};
use crate::memory::key::MemoryKey;
use crate::memory::plant::create;
use crate::memory::policy::{LinkShares, Policy, Profile, Weights};
use crate::memory::query::Query;
use crate::memory::rank::{rank, rank_by_scan};
use crate::timestamp::Timestamp;

/// Enough for lists that are worth a tier.
const BULLETS: u64 = 6_000;
const CLOCK: u64 = 40;

/// Words by Zipf's law: the n-th is there 1/n as often as the first.
fn sentence(rng: &mut fastrand::Rng, words: usize) -> String {
    let word = |rng: &mut fastrand::Rng| format!("w{}", 3_000_f64.powf(rng.f64()) as u32);
    let words: Vec<String> = (0..words).map(|_| word(rng)).collect();
    words.join(" ")
}

fn with_text(rng: &mut fastrand::Rng, bullet: &Bullet) -> Bullet {
    let words = rng.usize(3..30);
    let content = Content::parse(&sentence(rng, words), CONTENT_MAX_CHARS).unwrap();
    Bullet {
        other_hash: None,
        content,
        ..bullet.clone()
    }
}

fn with_strength(rng: &mut fastrand::Rng, bullet: &Bullet) -> Bullet {
    let helpful = rng.u64(..7);
    let counts = Counts {
        helpful,
        harmful: rng.u64(..=helpful),
        neutral: 0,
    };
    Bullet {
        counts,
        strength: 100.0 + (counts.helpful - counts.harmful) as f64 * 20.0,
        access_index: rng.bool().then(|| rng.u64(..=CLOCK)),
        memory_type: MemoryType::ALL[rng.usize(..3)],
        ..bullet.clone()
    }
}

/// A memory in which strengths differ and decide.
fn memory(rng: &mut fastrand::Rng, profile: Profile) -> Memory {
    let policy = Policy {
        profile,
        floor: 0.0,
        weights: Some(Weights {
            relevance: [0.05, 0.2, 0.3][rng.usize(..3)],
            strength: 0.7,
            memory_type: 0.1,
        }),
        link_shares: LinkShares {
            previous: 0.0,
            next: 0.0,
        },
        ..Policy::default()
    };
    let key = MemoryKey::new("t", "l", "s").unwrap();
    let mut memory = create(key, policy.clone(), true, Timestamp::default()).memory;
    let planted = memory.bullets().swap_remove(0);
    for position in 0..BULLETS {
        let bullet = Bullet {
            kind: Kind::Fact,
            ..planted.clone()
        };
        let bullet = with_text(rng, &bullet);
        let bullet = with_strength(rng, &bullet);
        memory.put(&fresh(rng, position + 10, &bullet));
    }
    memory.stand_at(CLOCK, 1, 0, policy);
    memory
}

fn fresh(rng: &mut fastrand::Rng, position: u64, bullet: &Bullet) -> Bullet {
    let mut id = [0; 10];
    rng.fill(&mut id);
    Bullet {
        id: BulletId(id),
        position,
        ..bullet.clone()
    }
}

/// A bullet is judged, written anew, archived, restored, touched or made, or time passes.
fn change(rng: &mut fastrand::Rng, memory: &mut Memory, among: &[Bullet]) {
    let id = among[rng.usize(..among.len())].id;
    let Some(slot) = memory.slot_of(id) else {
        return;
    };
    let old = memory.at(slot);
    let clock = memory.clock();
    let new = match rng.u8(..16) {
        0..=3 => with_strength(rng, &old),
        4..=6 => with_text(rng, &old),
        7 => Bullet {
            status: Status::Archived,
            ..old
        },
        8 => Bullet {
            status: Status::Active,
            ..old
        },
        9..=11 => Bullet {
            access_index: Some(clock),
            ..old
        },
        12..=14 => {
            let position = memory.next_position();
            let judged = with_strength(rng, &old);
            fresh(rng, position, &judged)
        }
        _ => {
            let policy = memory.policy().clone();
            let later = clock + [1, 1, 5, 30][rng.usize(..4)];
            memory.stand_at(later, 1, 0, policy);
            return;
        }
    };
    memory.put(&new);
}

#[test]
fn a_tier_finds_what_a_scan_finds_while_the_memory_changes() {
    let mut rng = fastrand::Rng::with_seed(33);
    let mut by_tier = 0;
    for profile in [Profile::Engine, Profile::Engine, Profile::Original] {
        let mut memory = memory(&mut rng, profile);
        let among = memory.bullets();
        for round in 0..60 {
            let mut query = Query::new(sentence(&mut rng, 12));
            query.top_k = [1, 10, 40][rng.usize(..3)];
            if round % 7 == 6 {
                query.memory_types = vec![MemoryType::Semantic];
            }
            let expected = rank_by_scan(&memory, &query, Timestamp::default());
            assert_eq!(
                rank(&memory, &query, Timestamp::default()),
                expected,
                "{query:?}"
            );
            let scorer = Scorer::new(&memory, &query, Timestamp::default());
            by_tier += u32::from(Search::new(&scorer).read_tier());
            // Now and then so many that a tier is given up.
            let changes = if round % 20 == 19 {
                400
            } else {
                rng.usize(..12)
            };
            (0..changes).for_each(|_| change(&mut rng, &mut memory, &among));
        }
    }
    assert!(
        by_tier > 60,
        "the tier was enough for {by_tier} of 180 searches"
    );
}
