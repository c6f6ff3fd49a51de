//! Bullets for the tests of imports and exports.

use hindlore_domain::memory::bullet::{Bullet, BulletId, Counts, Kind, MemoryType, Source, Status};
use hindlore_domain::memory::content::Content;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::timestamp::Timestamp;

/// The memory of the samples.
pub(crate) fn key() -> MemoryKey {
    MemoryKey::new("t", "ann", "s").unwrap()
}

/// A procedural bullet with all required fields and some optional ones.
pub(crate) fn bullet(number: u8, content: &str) -> Bullet {
    let content = Content::parse(content, 16_384).unwrap();
    Bullet {
        id: BulletId([number; 10]),
        other_hash: None,
        content,
        holds_hash: true,
        legacy_id: None,
        memory_type: MemoryType::Procedural,
        kind: Kind::Strategy,
        status: Status::Active,
        pinned: false,
        counts: Counts {
            helpful: 2,
            ..Counts::default()
        },
        strength: 102.1,
        access_index: Some(5),
        last_access: None,
        last_used: None,
        created_at: Timestamp::parse("2025-01-01T00:00:00Z").unwrap(),
        created_tick: 3,
        changed_tick: 5,
        position: u64::from(number),
        tags: vec!["api".to_owned()],
        section: None,
        topic: None,
        concept: None,
        ttl_days: None,
        importance: 0.5,
        source: Source::Agent,
        merged_into: None,
        embedding: Some(vec![0.1, -2.5e-7]),
    }
}
