//! Ranking against the model that scores everything: same order, same bits.

use std::sync::atomic::{AtomicUsize, Ordering};

use fastrand::Rng;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::apply::Tables;
use hindlore_domain::memory::bullet::{Bullet, BulletId, Counts, Kind, MemoryType, Source, Status};
use hindlore_domain::memory::content::{CONTENT_MAX_CHARS, Content, ContentHash};
use hindlore_domain::memory::link::{Link, LinkId, LinkKind};
use hindlore_domain::memory::policy::{LinkShares, Policy, Profile, Rates, SourceWeights, Weights};
use hindlore_domain::memory::query::{Query, Speaker, TopicMode};
use hindlore_domain::memory::rank::{rank, rank_by_scan};
use hindlore_primitives::timestamp::Timestamp;

use crate::chance::{cases, percent, pick};
use crate::ranking_model::{Place, Question};
use crate::{DAY_MS, key, on_every_core, through_image};

const WORDS: [&str; 30] = [
    "run",
    "days",
    "Always",
    "gray",
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
    "cafe",
    "log",
    "logfile",
    "e-mail",
    "email",
    "und",
    "nicht",
    "Dateien",
    "猫は",
    "after",
];

const SOURCES: [Source; 4] = [Source::Agent, Source::Agent, Source::Person, Source::Seed];

fn sentence(rng: &mut Rng, longest: usize) -> String {
    let words: Vec<&str> = (0..rng.usize(1..=longest))
        .map(|_| *pick(rng, &WORDS))
        .collect();
    words.join(" ")
}

fn bullet(rng: &mut Rng, position: u64, clock: u64) -> Bullet {
    let longest = if percent(rng, 8) { 300 } else { 12 };
    let content = Content::parse(
        // Some are of several passages.
        &format!("{}{position}", sentence(rng, longest)),
        CONTENT_MAX_CHARS,
    );
    let content = content.unwrap();
    // Few different numbers, so that many scores are equal.
    let tick = *pick(
        rng,
        &[
            0,
            1,
            clock / 2,
            clock.saturating_sub(1),
            clock,
            clock + 5,
            clock + 2_000_000,
        ],
    );
    let mut id = [0; 10];
    rng.fill(&mut id);
    Bullet {
        id: BulletId(id),
        other_hash: None,
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
        strength: *pick(rng, &[0.0, 100.0, 100.0, 103.5, 1e300, 1e-310]),
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
        section: percent(rng, 20).then(|| sentence(rng, 2)),
        topic: percent(rng, 40).then(|| (*pick(rng, &["a", "b"])).to_owned()),
        concept: None,
        ttl_days: percent(rng, 20).then(|| rng.u32(..4)),
        importance: 0.5,
        source: *pick(rng, &SOURCES),
        merged_into: None,
        embedding: None,
    }
}

fn rate(rng: &mut Rng) -> f64 {
    *pick(rng, &[0.0, 1.0, 0.01, 0.05, 0.002, 1e-9, 1e-17, 0.999])
}

fn policy(rng: &mut Rng) -> Policy {
    let base = if rng.bool() {
        Policy::classic()
    } else {
        Policy::default()
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
            strength: if percent(rng, 30) { 0.0 } else { rng.f64() },
            memory_type: *pick(rng, &[0.0, 0.5]),
        }),
        profile: *pick(rng, Profile::ALL),
        floor: *pick(rng, &[0.0, 0.15, 0.5]),
        link_shares: LinkShares {
            previous: *pick(rng, &[0.0, 0.35, 1.0]),
            next: *pick(rng, &[0.0, 0.25]),
        },
        expiry: rng.bool(),
        source_weights: SourceWeights {
            agent: *pick(rng, &[1.0, 1.0, 0.5, 0.0]),
            ..SourceWeights::default()
        },
        ..base
    }
}

fn memory(rng: &mut Rng) -> Memory {
    let clock = *pick(rng, &[0, 7, 1_000, 1_000_000_000_000, u64::MAX >> 1]);
    let policy = policy(rng);
    let mut memory = Memory::new(key(), policy.clone());
    for position in 0..rng.u64(..40) {
        memory.put(&bullet(rng, position, clock));
    }
    for _ in 0..rng.usize(..20) {
        let bullets = memory.bullets();
        if bullets.len() < 2 {
            break;
        }
        let (from, to) = (pick(rng, &bullets).id, pick(rng, &bullets).id);
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
        min_score: *pick(rng, &[0.0, 0.0, 0.3, 0.5, 1.0, -1.0]),
        needs_visual: rng.bool(),
        persona_request: percent(rng, 30).then(|| (*pick(rng, &["Coach", "csv"])).to_owned()),
        next_step: rng.bool(),
        speaker: *pick(rng, &[Speaker::Weighted, Speaker::Weighted, Speaker::Any]),
        profile: percent(rng, 70).then(|| *pick(rng, Profile::ALL)),
        ..Query::new(if percent(rng, 5) {
            String::new()
        } else {
            let sentences: Vec<String> = (0..*pick(rng, &[1, 1, 2, 4]))
                .map(|_| sentence(rng, 20))
                .collect();
            sentences.join(*pick(
                rng,
                &[". ", ". ", " yesterday. ", ". What did we do in 1970 "],
            ))
        })
    }
}

/// Brings cosines for some texts of a memory, also of archived and forgotten ones.
fn with_cosines(rng: &mut Rng, memory: &Memory, query: Query) -> Query {
    let mut near: Vec<(ContentHash, f64)> = Vec::new();
    let share = *pick(rng, &[0, 0, 3, 30, 100]);
    for bullet in memory.bullets() {
        if percent(rng, share) {
            near.push((
                bullet.content_hash(),
                *pick(rng, &[0.05, 0.3, 0.5, 0.5, 1.0]),
            ));
        }
    }
    if share > 0 {
        near.push((ContentHash([7; 32]), 0.9));
    }
    Query {
        near: (share > 0).then(|| near.into()),
        ..query
    }
}

/// Another state of a memory: a bullet is touched, judged, moved, rewritten, archived or made; the clock advances; the
/// rates change.
fn change(rng: &mut Rng, memory: &mut Memory) {
    let clock = memory.clock();
    let some = memory.bullets();
    if some.is_empty() || percent(rng, 20) {
        let position = memory.next_position();
        memory.put(&bullet(rng, position, clock));
        return;
    }
    let old = pick(rng, &some).clone();
    let fresh = bullet(rng, old.position, clock);
    let new = match rng.u8(..9) {
        0..=2 => Bullet {
            access_index: Some(clock),
            ..old
        },
        3 => Bullet {
            counts: fresh.counts,
            strength: fresh.strength,
            ..old
        },
        4 => Bullet {
            tags: fresh.tags,
            topic: fresh.topic,
            memory_type: fresh.memory_type,
            ..old
        },
        5 => Bullet {
            other_hash: None,
            content: fresh.content,
            section: fresh.section,
            ..old
        },
        6 => Bullet {
            status: fresh.status,
            kind: fresh.kind,
            ..old
        },
        7 => {
            let policy = memory.policy().clone();
            let later = clock + *pick(rng, &[0, 1, 40, 5_000_000]);
            memory.stand_at(later, 3, 0, policy);
            return;
        }
        _ => {
            let policy = policy(rng);
            memory.stand_at(clock, 3, 0, policy);
            return;
        }
    };
    memory.put(&new);
}

/// Compares one answer with the model, and the explanation with that of a scan.
fn check(memory: &Memory, query: &Query, now: Timestamp) -> usize {
    let ranking = rank(memory, query, now);
    let found: Vec<Place> = ranking
        .hits
        .iter()
        .map(|hit| {
            let parts = hit.parts;
            let cosine = parts.cosine.unwrap_or(-1.0);
            let numbers = [
                hit.score,
                parts.relevance,
                parts.strength,
                parts.bonus,
                cosine,
            ];
            (hit.id, numbers.map(f64::to_bits), hit.decay_ticks)
        })
        .collect();
    let question = Question { memory, query, now };
    assert_eq!(found, question.answer(), "{query:?}");
    let relevances = ranking.hits.iter().map(|hit| (hit.id, hit.parts.relevance));
    let matched = question.matched(&relevances.collect::<Vec<_>>());
    for (hit, matched) in ranking.hits.iter().zip(matched) {
        assert_eq!(hit.matched, matched, "{query:?}");
    }
    assert_eq!(ranking, rank_by_scan(memory, query, now), "{query:?}");
    let near: Vec<f64> = ranking.near_misses.iter().map(|miss| miss.score).collect();
    assert!(near.len() <= 5 && near.is_sorted_by(|a, b| a >= b));
    found.len()
}

#[test]
fn the_order_is_that_of_scoring_everything() {
    let (queries, hits) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let tables = Tables::standard();
    on_every_core(17, 1_000, |_, mut rng| {
        let mut memory = memory(&mut rng);
        for _ in 0..20 {
            if percent(&mut rng, 5) {
                memory = through_image(&memory, &tables);
            }
            let now = Timestamp::from_millis(rng.i64(0..6) * DAY_MS);
            for _ in 0..rng.usize(..4) {
                change(&mut rng, &mut memory);
            }
            let query = query(&mut rng);
            let query = with_cosines(&mut rng, &memory, query);
            hits.fetch_add(check(&memory, &query, now), Ordering::Relaxed);
            queries.fetch_add(1, Ordering::Relaxed);
        }
    });
    let (queries, hits) = (queries.into_inner(), hits.into_inner());
    assert!(queries < 3_000 || hits > 3_000, "too tame: {hits} hits");
}

/// A memory in which words are as unequal as in a language, and strengths spread or all the same.
fn large_memory(rng: &mut Rng, bullets: u64) -> Memory {
    let clock = *pick(rng, &[0, 300, 4_000]);
    let policy = policy(rng);
    let mut memory = Memory::new(key(), policy.clone());
    let fresh = percent(rng, 20);
    for position in 0..bullets {
        let made = bullet(rng, position, clock);
        let text = zipf_sentence(rng, 25);
        let content = Content::parse(&text, CONTENT_MAX_CHARS).unwrap();
        memory.put(&Bullet {
            other_hash: None,
            content,
            access_index: Some(if fresh { 1 } else { rng.u64(..=clock) }),
            ..made
        });
    }
    memory.stand_at(clock, 3, 0, policy);
    memory
}

/// Words by Zipf's law: the n-th is there 1/n as often as the first.
fn zipf_sentence(rng: &mut Rng, longest: usize) -> String {
    let words: Vec<String> = (0..rng.usize(1..=longest))
        .map(|_| format!("w{}", (2_000_f64.powf(rng.f64())) as u32))
        .collect();
    words.join(" ")
}

#[test]
fn large_memories_are_searched_like_small_ones() {
    on_every_core(18, 50, |case, mut rng| {
        let bullets = rng.u64(300..1_500);
        let mut memory = large_memory(&mut rng, bullets);
        for round in 0..25 {
            let now = Timestamp::from_millis(rng.i64(0..6) * DAY_MS);
            (0..5).for_each(|_| change(&mut rng, &mut memory));
            let longest = *pick(&mut rng, &[3, 8, 8, 300]);
            let query = Query {
                text: zipf_sentence(&mut rng, longest),
                ..query(&mut rng)
            };
            let query = with_cosines(&mut rng, &memory, query);
            let (found, expected) = (
                rank(&memory, &query, now),
                rank_by_scan(&memory, &query, now),
            );
            assert_eq!(found, expected, "{query:?}");
            if (case + round) % 25 == 0 {
                check(&memory, &query, now);
            }
        }
    });
}

/// Words are summed in windows of 65,536 bullets; these take two.
#[test]
fn memories_of_several_windows_are_searched_like_small_ones() {
    for (_case, mut rng) in cases(19, 1) {
        let mut memory = large_memory(&mut rng, 70_000);
        for round in 0..12 {
            if round == 6 {
                memory = through_image(&memory, &Tables::standard());
            }
            let now = Timestamp::from_millis(rng.i64(0..6) * DAY_MS);
            (0..20).for_each(|_| change(&mut rng, &mut memory));
            let query = Query {
                text: zipf_sentence(&mut rng, 12),
                ..query(&mut rng)
            };
            let expected = rank_by_scan(&memory, &query, now);
            assert_eq!(rank(&memory, &query, now), expected, "{query:?}");
        }
    }
}
