//! Seed bullets in a playbook: a new memory has them already, with initial votes.
//!
//! A playbook has no kinds, so a seed bullet is recognised by its text, and inserted rather than added. An
//! insertion keeps its kind and the larger votes, as in formats with kinds; an addition would add the initial
//! votes again on every round trip.

use super::Import;
use super::classic::{blank_record, set_component};
use hindlore_domain::memory::bullet::{BulletId, Counts, Kind, MemoryType, normal_tags};
use hindlore_domain::memory::decay::baseline;
use hindlore_domain::memory::delta::{DeltaId, Insertion, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::record::BulletRecord;
use hindlore_domain::memory::seed::META_STRATEGIES;

/// Turns additions of seed texts into insertions of seed bullets.
pub(super) fn recognised(mut import: Import, key: &MemoryKey, delta: &DeltaId) -> Import {
    for (ordinal, record) in (0..).zip(&mut import.records) {
        let Operation::Add(new) = &record.operation else {
            continue;
        };
        if is_seed(&new.content) {
            let id = BulletId::derive(key, delta.as_str(), ordinal);
            let bullet = inserted(&seed(new), id);
            record.operation = Operation::Insert(Box::new(Insertion { bullet, clock: 0 }));
        }
    }
    import
}

/// Compares texts word by word, because playbooks wrap lines.
fn is_seed(text: &str) -> bool {
    let is_same = |seed: &str| seed.split_whitespace().eq(text.split_whitespace());
    META_STRATEGIES.iter().any(|seed| is_same(seed))
}

fn seed(new: &NewBullet) -> NewBullet {
    NewBullet {
        tags: vec![Kind::MetaStrategy.word().to_owned()],
        kind: Some(Kind::MetaStrategy),
        memory_type: Some(MemoryType::Procedural),
        ..new.clone()
    }
}

/// The record of a new bullet that is inserted.
pub(super) fn inserted(new: &NewBullet, id: BulletId) -> BulletRecord {
    let kind = new.kind.unwrap_or(Kind::Fact);
    let counts = Counts {
        helpful: new.helpful,
        harmful: new.harmful,
        neutral: new.neutral,
    };
    let mut record = BulletRecord {
        id,
        helpful_count: counts.helpful,
        harmful_count: counts.harmful,
        neutral_count: counts.neutral,
        created_at: new.created_at.unwrap_or_default(),
        last_used: new.last_used,
        tags: normal_tags(&new.tags),
        memory_type: new.memory_type.unwrap_or(kind.default_type()),
        kind,
        topic: new.topic.clone(),
        concept: new.concept.clone(),
        section: new.section.clone(),
        legacy_id: new.legacy_id.clone(),
        ..blank_record(&new.content)
    };
    let strength = baseline(Policy::default().base_strength, counts);
    set_component(&mut record, strength, (None, 0));
    record
}
