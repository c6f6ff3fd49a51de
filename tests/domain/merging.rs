//! Merge, refine and prune against the model that compares all pairs.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::apply::{Tables, apply_delta};
use hindlore_domain::memory::bullet::{Bullet, Kind, MemoryType};
use hindlore_domain::memory::delta::{
    BulletRef, Delta, DeltaId, NewBullet, Operation, Patch, Removal, TagCounts,
};
use hindlore_domain::memory::policy::Policy;
use hindlore_primitives::timestamp::Timestamp;

use crate::chance::{cases, percent, pick};
use crate::merging_model::{Model, Row};
use crate::{BUILD, key, through_image};

const WORDS: [&str; 13] = [
    "take", "care", "that", "each", "unit", "of", "this", "long", "table", "adds", "up", "well",
    "here",
];
const EXTRAS: [&str; 8] = ["not", "first", "last", "7", "8", "twice", "soon", "never"];

/// Near a text of twelve words, far from others; small sets of words make many ties.
fn text(rng: &mut Rng) -> String {
    let mut words: Vec<&str> = WORDS.to_vec();
    if percent(rng, 25) {
        words.rotate_left(5);
        words.truncate(7);
    }
    for _ in 0..rng.usize(..3) {
        words.remove(rng.usize(..words.len()));
    }
    for _ in 0..*pick(rng, &[0, 0, 0, 1, 1, 2]) {
        words.insert(rng.usize(..=words.len()), *pick(rng, &EXTRAS[..]));
    }
    let mut text = words.join(" ");
    match rng.u8(..12) {
        0 => text = text.to_uppercase(),
        1 => text.push('.'),
        2 => text = text.replace(' ', "  "),
        _ => {}
    }
    text
}

fn operation(rng: &mut Rng, known: &[Bullet]) -> Operation {
    let roll = if known.is_empty() { 0 } else { rng.u8(..100) };
    let id = known.get(rng.usize(..known.len().max(1)));
    let id = id.map_or(BulletRef(String::new()), |bullet| bullet.id.into());
    let reason = None;
    match roll {
        0..=59 => Operation::Add(Box::new(NewBullet {
            content: text(rng),
            tags: (0..rng.usize(..3))
                .map(|_| (*pick(rng, &["a", "A", "b"])).to_owned())
                .collect(),
            memory_type: Some(*pick(rng, MemoryType::ALL)),
            kind: Some(*pick(
                rng,
                &[Kind::Fact, Kind::Fact, Kind::Fact, Kind::AntiPattern],
            )),
            topic: percent(rng, 30).then(|| (*pick(rng, &["x", "y"])).to_owned()),
            helpful: rng.u64(..3),
            harmful: rng.u64(..3),
            neutral: rng.u64(..2),
            created_at: Some(Timestamp::from_millis(rng.i64(0..3))),
            pinned: percent(rng, 8),
            ..NewBullet::default()
        })),
        60..=74 => Operation::Update(Box::new(Patch {
            content: percent(rng, 80).then(|| {
                if percent(rng, 40) {
                    pick(rng, known).content.as_str().to_owned()
                } else {
                    text(rng)
                }
            }),
            helpful: percent(rng, 30).then(|| rng.u64(..4)),
            harmful: percent(rng, 30).then(|| rng.u64(..4)),
            ..Patch::new(id)
        })),
        75..=86 => Operation::Tag(TagCounts {
            id,
            helpful: rng.i64(-1..3),
            harmful: rng.i64(-1..3),
            neutral: 0,
        }),
        87..=94 => Operation::Remove(Removal { id, reason }),
        _ => Operation::Reject(Removal { id, reason }),
    }
}

fn row(bullet: &Bullet) -> Row {
    Row {
        id: bullet.id,
        content: bullet.content.as_str().to_owned(),
        counts: bullet.counts,
        tags: bullet.tags.clone(),
        topic: bullet.topic.clone(),
        kind: bullet.kind,
        memory_type: bullet.memory_type,
        status: bullet.status,
        pinned: bullet.pinned,
        holds: bullet.holds_hash,
        merged_into: bullet.merged_into,
        strength: bullet.strength,
        access_index: bullet.access_index.unwrap(),
        created_tick: bullet.created_tick,
        created_at: bullet.created_at.millis(),
    }
}

/// The bullets of a memory as the model knows them.
pub(crate) fn rows(memory: &Memory) -> Vec<Row> {
    memory.bullets().iter().map(row).collect()
}

fn check(memory: &Memory, model: &Model) {
    assert_eq!(rows(memory), model.rows);
    let (mut links, mut reviews) = (BTreeSet::new(), BTreeMap::new());
    for link in memory.links() {
        let id = (link.id.kind, link.id.from, link.id.to);
        if link.id.kind.is_for_review() {
            reviews.insert(id, link.similarity.unwrap());
        } else {
            links.insert(id);
        }
    }
    assert_eq!(links, model.links);
    assert_eq!(reviews, model.reviews);
    assert_eq!(memory.clock(), model.clock);
}

/// A memory from the image of a clock, with the changes since then: those of texts come before its second part.
fn caught_up(
    [asking, learning]: &[Vec<u8>; 2],
    clock: u64,
    now: &Memory,
    tables: &Tables,
) -> Memory {
    let mut memory = Memory::from_image(key(), BUILD, asking).unwrap();
    for bullet in now.bullets().iter().filter(|it| it.changed_tick > clock) {
        memory.put(bullet);
    }
    for link in now.all_links().filter(|it| it.changed_tick > clock) {
        memory.put_link(link.clone());
    }
    let policy = now.policy().clone();
    memory.stand_at(now.clock(), now.revision(), now.origin_clock(), policy);
    memory.add_learning(BUILD, Some(learning), &tables.guard);
    assert!(!memory.lacks_learning());
    memory
}

fn run(rng: &mut Rng, policy: Policy, tables: &Tables) -> (usize, usize) {
    let policy = Policy {
        max_bullets: *pick(rng, &[Some(3), Some(6), None, None]),
        ..policy
    };
    let mut memory = Memory::new(key(), policy.clone());
    let mut model = Model::new(key(), policy);
    let (mut merges, mut links) = (0, 0);
    for step in 0..rng.usize(1..7) {
        let before =
            percent(rng, 30).then(|| through_image(&memory, tables).image(BUILD, &tables.guard));
        let clock = memory.clock();
        let known = memory.bullets().to_vec();
        let operations: Vec<Operation> = (0..rng.usize(1..5))
            .map(|_| operation(rng, &known))
            .collect();
        let name = format!("d{step}");
        let expected = model.apply(&name, &operations);
        let delta = Delta::new(DeltaId::parse(&name).unwrap(), operations);
        let applied = apply_delta(&mut memory, &delta, Timestamp::default(), tables);
        assert_eq!(applied.is_ok(), expected, "{delta:#?} {:?}", applied.err());
        if let Ok(applied) = applied {
            merges += applied
                .receipt
                .merged
                .iter()
                .filter(|m| m.into != m.from)
                .count();
            links += applied.receipt.linked.len();
        }
        if let Some(image) = before {
            memory = caught_up(&image, clock, &memory, tables);
        }
        check(&memory, &model);
    }
    (merges, links)
}

#[test]
fn engine_merges_are_those_of_comparing_all_pairs() {
    let (tables, mut seen) = (Tables::standard(), (0, 0));
    for (_case, mut rng) in cases(15, 2_000) {
        let (merges, links) = run(&mut rng, Policy::default(), &tables);
        seen = (seen.0 + merges, seen.1 + links);
    }
    assert!(seen.0 > 500 && seen.1 > 500, "too tame: {seen:?}");
}

#[test]
fn classic_merges_are_those_of_comparing_all_pairs() {
    let (tables, mut merges) = (Tables::standard(), 0);
    for (_case, mut rng) in cases(16, 2_000) {
        merges += run(&mut rng, Policy::classic(), &tables).0;
    }
    assert!(merges > 500, "too tame: {merges}");
}
