//! The creation of a memory, with or without its seed bullets.
//!
//! Seeding is part of creation: it takes no tick and leaves the revision at 0. The seeds address three ways in
//! which models waste a context: skipping parts of it, answering in the wrong format, and trusting prior
//! knowledge over it.

use std::sync::Arc;

use super::aggregate::Memory;
use super::bullet::{Bullet, BulletId, Counts, Kind, MemoryType, Source, Status};
use super::content::Content;
use super::decay::baseline;
use super::delta::{Delta, DeltaId, NewBullet, Operation};
use super::key::MemoryKey;
use super::policy::Policy;
use super::receipt::{BulletChange, ChangeKind, Changes, Receipt};
use hindlore_primitives::timestamp::Timestamp;

/// The texts of the seed bullets.
pub const META_STRATEGIES: [&str; 3] = [
    "Before answering, go through the context once more and list every constraint, rule and procedure \
     in it that applies; check the answer against each of them.",
    "Produce exactly the output format that was asked for: its structure, field names, order, units and \
     length, with nothing before or after it.",
    "Where the context states a rule or a fact, it overrides what you knew before; never replace it with \
     general knowledge, even when it looks unusual.",
];

/// Helpful votes that a seed bullet starts with.
const SEED_HELPFUL: u64 = 5;

/// A new memory with its first history entry.
#[derive(Debug)]
pub struct Created {
    /// The memory at clock 0 and revision 0.
    pub memory: Memory,
    /// The stored form of the creation.
    pub delta: Delta,
    /// Its receipt.
    pub receipt: Receipt,
    /// The seed bullets that it was given.
    pub changes: Changes,
}

/// Creates a memory, with seed bullets if `seeds` is true.
pub fn create(key: MemoryKey, policy: Policy, seeds: bool, now: Timestamp) -> Created {
    let texts = if seeds {
        META_STRATEGIES.as_slice()
    } else {
        &[]
    };
    let operations: Vec<Operation> = texts.iter().map(|text| seed_operation(text)).collect();
    let delta = Delta::new(DeltaId::creation(), operations);
    create_from(key, policy, delta, now)
}

/// Replays the creation of a memory from its stored form.
pub fn create_from(key: MemoryKey, policy: Policy, delta: Delta, now: Timestamp) -> Created {
    let mut memory = Memory::new(key, policy);
    let mut bullets = Vec::new();
    for (ordinal, operation) in (0..).zip(&delta.operations) {
        if let Operation::Add(new) = operation
            && let Some(bullet) = seed_bullet(&memory, new, ordinal, now)
        {
            bullets.push(BulletChange {
                kind: ChangeKind::Added,
                before: None,
                after: Arc::new(bullet.clone()),
            });
            memory.put(&bullet);
        }
    }
    let added = bullets.iter().map(|change| change.after.id).collect();
    bullets.sort_by_key(|change| change.after.id);
    let receipt = Receipt {
        added,
        ..Receipt::unchanged(delta.id.clone(), &mut memory)
    };
    let changes = Changes {
        bullets,
        ..Changes::default()
    };
    Created {
        memory,
        delta,
        receipt,
        changes,
    }
}

fn seed_operation(text: &str) -> Operation {
    Operation::Add(Box::new(NewBullet {
        content: text.to_owned(),
        tags: vec![Kind::MetaStrategy.word().to_owned()],
        memory_type: Some(MemoryType::Procedural),
        kind: Some(Kind::MetaStrategy),
        helpful: SEED_HELPFUL,
        source: Some(Source::Seed),
        ..NewBullet::default()
    }))
}

fn seed_bullet(memory: &Memory, new: &NewBullet, ordinal: u64, now: Timestamp) -> Option<Bullet> {
    let content = Content::parse(&new.content, memory.policy().max_content_chars).ok()?;
    let counts = Counts {
        helpful: new.helpful,
        ..Counts::default()
    };
    Some(Bullet {
        id: BulletId::derive(memory.key(), DeltaId::creation().as_str(), ordinal),
        other_hash: content.hash_by(memory.policy().identity()),
        holds_hash: true,
        legacy_id: None,
        memory_type: MemoryType::Procedural,
        kind: Kind::MetaStrategy,
        status: Status::Active,
        pinned: false,
        counts,
        strength: baseline(memory.policy().base_strength, counts),
        access_index: Some(0),
        last_access: None,
        last_used: None,
        created_at: now,
        created_tick: 0,
        changed_tick: 0,
        position: memory.next_position(),
        tags: new.tags.clone(),
        section: None,
        topic: None,
        concept: None,
        ttl_days: None,
        importance: 0.5,
        source: Source::Seed,
        merged_into: None,
        embedding: None,
        content,
    })
}
