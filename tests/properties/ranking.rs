//! Ranking against the model that scores everything: same order, same bits.

use fastrand::Rng;
use mnemograph::domain::memory::aggregate::Memory;
use mnemograph::domain::memory::bullet::{
    Bullet, BulletId, Counts, Kind, MemoryType, Source, Status,
};
use mnemograph::domain::memory::content::{CONTENT_MAX_CHARS, Content};
use mnemograph::domain::memory::link::{Link, LinkId, LinkKind};
use mnemograph::domain::memory::policy::{LinkShares, Policy, Profile, Rates, Weights};
use mnemograph::domain::memory::query::{Query, TopicMode};
use mnemograph::domain::memory::rank::rank;
use mnemograph::domain::timestamp::Timestamp;

use crate::chance::{cases, percent, pick};
use crate::history::DAY_MS;
use crate::ranking_model::{Place, Question};
use crate::world::key;

const WORDS: [&str; 16] = [
    "Table",
    "tables",
    "unit",
    "units",
    "sum",
    "the",
    "first_step",
    "next",
    "step",
    "file",
    "Files",
    "maxRetries",
    "retry",
    "42",
    "don't",
    "café",
];

fn sentence(rng: &mut Rng, longest: usize) -> String {
    let words: Vec<&str> = (0..rng.usize(1..=longest))
        .map(|_| *pick(rng, &WORDS))
        .collect();
    words.join(" ")
}

fn bullet(rng: &mut Rng, position: u64, clock: u64) -> Bullet {
    let content = Content::parse(
        &format!("{}{position}", sentence(rng, 12)),
        CONTENT_MAX_CHARS,
    );
    let content = content.unwrap();
    // Few different numbers, so that many scores are equal.
    let tick = *pick(
        rng,
        &[0, 1, clock / 2, clock.saturating_sub(1), clock, clock + 5],
    );
    let mut id = [0; 10];
    rng.fill(&mut id);
    Bullet {
        id: BulletId(id),
        content_hash: content.hash(),
        content,
        holds_hash: true,
        legacy_id: None,
        memory_type: *pick(rng, MemoryType::ALL),
        kind: *pick(
            rng,
            &[Kind::Fact, Kind::Fact, Kind::Fact, Kind::MetaStrategy],
        ),
        status: *pick(
            rng,
            &[
                Status::Active,
                Status::Active,
                Status::Active,
                Status::Archived,
            ],
        ),
        pinned: percent(rng, 10),
        counts: Counts {
            helpful: *pick(rng, &[0, 0, 1, 5, 1 << 53]),
            harmful: *pick(rng, &[0, 0, 1, 2]),
            neutral: 0,
        },
        strength: *pick(rng, &[0.0, 100.0, 100.0, 103.5, 1e300]),
        access_index: percent(rng, 90).then_some(tick),
        last_access: None,
        last_used: None,
        created_at: Timestamp::from_millis(rng.i64(0..4) * DAY_MS),
        created_tick: rng.u64(..3),
        changed_tick: tick,
        position,
        tags: (0..rng.usize(..3))
            .map(|_| (*pick(rng, &["Visual", "diagram", "coach", "csv"])).to_owned())
            .collect(),
        section: None,
        topic: percent(rng, 40).then(|| (*pick(rng, &["a", "b"])).to_owned()),
        concept: None,
        ttl_days: percent(rng, 20).then(|| rng.u32(..4)),
        importance: 0.5,
        source: Source::Agent,
        merged_into: None,
        embedding: None,
    }
}

fn rate(rng: &mut Rng) -> f64 {
    *pick(rng, &[0.0, 1.0, 0.01, 0.05, 0.002, 1e-9])
}

fn policy(rng: &mut Rng) -> Policy {
    let base = match rng.bool() {
        true => Policy::classic(),
        false => Policy::default(),
    };
    Policy {
        rates: Rates {
            semantic: rate(rng),
            episodic: rate(rng),
            procedural: rate(rng),
        },
        base_strength: *pick(rng, &[100.0, 0.5]),
        weights: percent(rng, 30).then(|| Weights {
            relevance: rng.f64(),
            strength: rng.f64(),
            memory_type: *pick(rng, &[0.0, 0.5]),
        }),
        profile: *pick(rng, Profile::ALL),
        floor: *pick(rng, &[0.0, 0.15, 0.5]),
        link_shares: LinkShares {
            previous: *pick(rng, &[0.0, 0.35, 1.0]),
            next: *pick(rng, &[0.0, 0.25]),
        },
        expiry: rng.bool(),
        ..base
    }
}

fn memory(rng: &mut Rng) -> Memory {
    let clock = *pick(rng, &[0, 7, 1_000, 1_000_000_000_000, u64::MAX >> 1]);
    let policy = policy(rng);
    let mut memory = Memory::new(key(), policy.clone());
    for position in 0..rng.u64(..40) {
        memory.put(bullet(rng, position, clock));
    }
    for _ in 0..rng.usize(..20) {
        let bullets = memory.bullets();
        if bullets.len() < 2 {
            break;
        }
        let (from, to) = (pick(rng, bullets).id, pick(rng, bullets).id);
        let kind = *pick(
            rng,
            &[LinkKind::Follows, LinkKind::Follows, LinkKind::SimilarTo],
        );
        if from != to {
            memory.put_link(Link {
                id: LinkId::new(kind, from, to),
                reason: None,
                similarity: None,
                changed_tick: 1,
                removed: percent(rng, 20),
            });
        }
    }
    memory.stand_at(clock, 3, 0, policy);
    memory
}

fn query(rng: &mut Rng) -> Query {
    Query {
        top_k: *pick(rng, &[1, 3, 10, 100]),
        tags: (0..rng.usize(..2))
            .map(|_| (*pick(rng, &["CSV", "coach", "Semantic"])).to_owned())
            .collect(),
        memory_types: (0..*pick(rng, &[0, 0, 1, 2]))
            .map(|_| *pick(rng, MemoryType::ALL))
            .collect(),
        topic: percent(rng, 40).then(|| "a".to_owned()),
        topic_mode: *pick(rng, &[TopicMode::Filter, TopicMode::Boost]),
        min_score: *pick(rng, &[0.0, 0.0, 0.3, 0.5, 100.0, -1.0]),
        needs_visual: rng.bool(),
        persona_request: percent(rng, 30).then(|| (*pick(rng, &["Coach", "csv"])).to_owned()),
        next_step: rng.bool(),
        profile: percent(rng, 70).then(|| *pick(rng, Profile::ALL)),
        ..Query::new(if percent(rng, 5) {
            String::new()
        } else {
            sentence(rng, 20)
        })
    }
}

#[test]
fn the_order_is_that_of_scoring_everything() {
    let (mut queries, mut hits) = (0_u32, 0);
    for (_case, mut rng) in cases(17, 320) {
        let memory = memory(&mut rng);
        let now = Timestamp::from_millis(rng.i64(0..6) * DAY_MS);
        for _ in 0..10 {
            let query = query(&mut rng);
            let ranking = rank(&memory, &query, now);
            let found: Vec<Place> = ranking
                .hits
                .iter()
                .map(|hit| {
                    let parts = hit.parts;
                    let numbers = [hit.score, parts.relevance, parts.strength, parts.bonus];
                    (hit.id, numbers.map(f64::to_bits), hit.decay_ticks)
                })
                .collect();
            let question = Question {
                memory: &memory,
                query: &query,
                now,
            };
            assert_eq!(found, question.answer(), "{query:?}");
            let near: Vec<f64> = ranking.near_misses.iter().map(|miss| miss.score).collect();
            assert!(near.len() <= 5 && near.is_sorted_by(|a, b| a >= b));
            queries += 1;
            hits += found.len();
        }
    }
    assert!(queries < 3_000 || hits > 3_000, "too tame: {hits} hits");
}
