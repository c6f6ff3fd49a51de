//! Random deltas and queries, from a vocabulary so small that texts meet, merge and contradict.

use fastrand::Rng;
use hindlore_domain::memory::bullet::{Bullet, Kind, MemoryType};
use hindlore_domain::memory::delta::{
    BulletRef, Delta, DeltaId, Malformed, NewBullet, Operation, Patch, PinChange, PolicyChange,
    Removal, TagCounts,
};
use hindlore_domain::memory::policy::{Policy, Profile};
use hindlore_domain::memory::query::{Query, TopicMode};
use hindlore_primitives::timestamp::Timestamp;
use serde_json::json;

use super::chance::{percent, pick};

/// A day in the histories.
pub(crate) const DAY_MS: i64 = 86_400_000;

const BASES: [&str; 4] = [
    "check every unit of that table before you sum totals in each long column",
    "keep answers short when people ask about prices or about dates in their report",
    "list files of this folder before opening them and write down what was found there",
    "retry calls that time out with growing pauses until service answers or budget ends",
];
const EXTRAS: [&str; 12] = [
    "not",
    "never",
    "always",
    "first",
    "last",
    "7",
    "8",
    "carefully",
    "again",
    "max_retries",
    "`json`",
    "please",
];
const TAGS: [&str; 5] = ["csv", "API", "api", "visual", "coach"];
const TOPICS: [&str; 3] = ["tables", "files", ""];

/// A text that is near many others: a base with at most a word less and a few words more.
pub(crate) fn text(rng: &mut Rng) -> String {
    let mut words: Vec<&str> = pick(rng, &BASES).split(' ').collect();
    if percent(rng, 60) {
        words.remove(rng.usize(..words.len()));
    }
    for _ in 0..*pick(rng, &[0, 0, 1, 1, 2]) {
        words.insert(rng.usize(..=words.len()), *pick(rng, &EXTRAS[..]));
    }
    let mut text = words.join(" ");
    match rng.u8(..8) {
        0 => text = text.to_uppercase(),
        1 => text.push('.'),
        2 => text = text.replacen(' ', "  ", 2),
        _ => {}
    }
    text
}

/// One delta on a memory with these bullets; some are refused, whole or in part.
pub(crate) fn delta(rng: &mut Rng, id: &str, known: &[Bullet]) -> Delta {
    let count = rng.usize(1..=5);
    let operations = (0..count).map(|at| operation(rng, at, known)).collect();
    let mut delta = Delta::new(DeltaId::parse(id).unwrap(), operations);
    delta.lenient = percent(rng, 60);
    delta.import = percent(rng, 5);
    delta.reasoning = percent(rng, 10).then(|| "because".to_owned());
    delta
}

fn operation(rng: &mut Rng, at: usize, known: &[Bullet]) -> Operation {
    match rng.u8(..100) {
        0..=46 => Operation::Add(Box::new(new_bullet(rng, at, known))),
        47..=60 => Operation::Update(Box::new(patch(rng, at, known))),
        61..=76 => Operation::Tag(TagCounts {
            id: target(rng, at, known),
            helpful: rng.i64(-1..4),
            harmful: rng.i64(-1..3),
            neutral: rng.i64(0..2),
        }),
        77..=84 => Operation::Remove(removal(rng, at, known)),
        85..=89 => Operation::Reject(removal(rng, at, known)),
        90..=94 => Operation::Pin(PinChange {
            id: target(rng, at, known),
            on: rng.bool(),
        }),
        95..=98 => Operation::Policy(policy_change(rng)),
        _ => Operation::Malformed(Malformed {
            reason: "not an operation".to_owned(),
        }),
    }
}

/// A bullet of the memory, sometimes the one that an earlier operation made, rarely none.
fn target(rng: &mut Rng, at: usize, known: &[Bullet]) -> BulletRef {
    if at > 0 && percent(rng, 15) {
        return BulletRef(format!("#{}", rng.usize(..at)));
    }
    if known.is_empty() || percent(rng, 3) {
        return BulletRef("b_00000000000000000000".to_owned());
    }
    pick(rng, known).id.into()
}

fn removal(rng: &mut Rng, at: usize, known: &[Bullet]) -> Removal {
    Removal {
        id: target(rng, at, known),
        reason: None,
    }
}

fn new_bullet(rng: &mut Rng, at: usize, known: &[Bullet]) -> NewBullet {
    let tags: Vec<String> = (0..rng.usize(..3))
        .map(|_| (*pick(rng, &TAGS)).to_owned())
        .collect();
    NewBullet {
        content: if percent(rng, 2) {
            " ".to_owned()
        } else {
            text(rng)
        },
        tags,
        memory_type: percent(rng, 50).then(|| *pick(rng, MemoryType::ALL)),
        kind: percent(rng, 20).then(|| *pick(rng, Kind::ALL)),
        topic: percent(rng, 25).then(|| (*pick(rng, &TOPICS)).to_owned()),
        section: percent(rng, 10).then(|| "rules".to_owned()),
        ttl_days: percent(rng, 15).then(|| rng.u32(0..4)),
        importance: percent(rng, 10).then(|| f64::from(rng.u8(..=10)) / 10.0),
        helpful: rng.u64(..3),
        harmful: rng.u64(..2),
        neutral: rng.u64(..2),
        follows: percent(rng, 15).then(|| target(rng, at, known)),
        created_at: percent(rng, 10).then(|| Timestamp::from_millis(rng.i64(0..5) * DAY_MS)),
        pinned: percent(rng, 5),
        embedding: percent(rng, 5).then(|| vec![0.1, -3.5e-7, rng.f32()]),
        ..NewBullet::default()
    }
}

fn patch(rng: &mut Rng, at: usize, known: &[Bullet]) -> Patch {
    // Texts of other bullets are asked for on purpose: that is where hashes change hands.
    let theirs = known.is_empty() || percent(rng, 40);
    let content = if theirs {
        text(rng)
    } else {
        pick(rng, known).content.as_str().to_owned()
    };
    Patch {
        content: percent(rng, 70).then_some(content),
        tags: percent(rng, 20).then(|| vec![(*pick(rng, &TAGS)).to_owned()]),
        topic: percent(rng, 20).then(|| (*pick(rng, &TOPICS)).to_owned()),
        kind: percent(rng, 10).then(|| *pick(rng, Kind::ALL)),
        memory_type: percent(rng, 10).then(|| *pick(rng, MemoryType::ALL)),
        ttl_days: percent(rng, 10).then(|| rng.u32(0..4)),
        helpful: percent(rng, 20).then(|| rng.u64(..5)),
        harmful: percent(rng, 20).then(|| rng.u64(..5)),
        ..Patch::new(target(rng, at, known))
    }
}

fn policy_change(rng: &mut Rng) -> PolicyChange {
    let changes = [
        json!({"max_bullets": 3}),
        json!({"max_bullets": 8}),
        json!({"max_bullets": null}),
        json!({"guard": false}),
        json!({"guard": true}),
        json!({"dedup_threshold": 0.7}),
        json!({"dedup_threshold": 0.95, "merge_threshold": 0.97}),
        json!({"similarity": "classic"}),
        json!({"similarity": "standard"}),
        json!({"harmful_votes": 1}),
        json!({"rates": {"episodic": 1.0}}),
        json!({"weights": {"relevance": 1.0, "strength": 1.0, "type": 0.0}}),
        json!({"expiry": false}),
        json!({"expiry": true}),
        json!({"mode": "classic", "max_bullets": 6}),
        json!({"mode": "engine", "max_bullets": 9}),
        json!({"no_such_field": 1}),
    ];
    let fields = pick(rng, &changes).as_object().cloned().unwrap_or_default();
    PolicyChange { fields }
}

/// A random policy for a new memory.
pub(crate) fn policy(rng: &mut Rng) -> Policy {
    let base = if percent(rng, 30) {
        Policy::classic()
    } else {
        Policy::default()
    };
    Policy {
        max_bullets: *pick(rng, &[Some(4), Some(9), Some(30), None]),
        guard: base.guard && percent(rng, 80),
        dedup_threshold: *pick(rng, &[0.85, 0.85, 0.7]),
        expiry: !base.is_classic() || rng.bool(),
        ..base
    }
}

/// A query with filters and facets, in any profile.
pub(crate) fn query(rng: &mut Rng) -> Query {
    let mut words: Vec<&str> = pick(rng, &BASES).split(' ').collect();
    rng.shuffle(&mut words);
    words.truncate(rng.usize(..9));
    words.extend((0..rng.usize(..2)).map(|_| *pick(rng, &EXTRAS)));
    Query {
        top_k: rng.usize(1..12),
        tags: many(percent(rng, 15), || {
            (*pick(rng, &["csv", "Api", "semantic"])).to_owned()
        }),
        memory_types: many(percent(rng, 15), || *pick(rng, MemoryType::ALL)),
        topic: percent(rng, 20).then(|| "tables".to_owned()),
        topic_mode: *pick(rng, &[TopicMode::Filter, TopicMode::Boost]),
        min_score: *pick(rng, &[0.0, 0.0, 0.0, 0.3, 0.6, -1.0]),
        needs_visual: percent(rng, 20),
        persona_request: percent(rng, 20).then(|| "Coach".to_owned()),
        next_step: percent(rng, 20),
        profile: percent(rng, 50).then(|| *pick(rng, Profile::ALL)),
        ..Query::new(words.join(" "))
    }
}

fn many<T>(any: bool, one: impl FnOnce() -> T) -> Vec<T> {
    any.then(one).into_iter().collect()
}
