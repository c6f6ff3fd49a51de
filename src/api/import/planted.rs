//! Planted advice in a playbook: a new memory has it already, with the votes that it is planted with.
//!
//! A playbook knows no kinds, so the advice is known by its text. As an insertion it keeps its kind, and where
//! it meets the planted one the larger votes stay, as with the formats that do know kinds; as an addition it
//! would bring the planted votes once more with every export and import.

use super::Import;
use super::classic::{blank_record, set_component};
use crate::domain::memory::bullet::{BulletId, Counts, Kind, MemoryType};
use crate::domain::memory::decay::baseline;
use crate::domain::memory::delta::{DeltaId, Insertion, NewBullet, Operation};
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::plant::META_STRATEGIES;
use crate::domain::memory::policy::Policy;
use crate::domain::memory::record::BulletRecord;

/// Makes insertions of the additions whose texts are planted advice.
pub(super) fn recognised(mut import: Import, key: &MemoryKey, delta: &DeltaId) -> Import {
    for (ordinal, record) in (0..).zip(&mut import.records) {
        let Operation::Add(new) = &record.operation else {
            continue;
        };
        if is_planted(&new.content) {
            let id = BulletId::derive(key, delta.as_str(), ordinal);
            let bullet = advice(new, id);
            record.operation = Operation::Insert(Box::new(Insertion { bullet, clock: 0 }));
        }
    }
    import
}

/// White space makes no difference between texts.
fn is_planted(text: &str) -> bool {
    let is_same = |planted: &str| planted.split_whitespace().eq(text.split_whitespace());
    META_STRATEGIES.iter().any(|planted| is_same(planted))
}

fn advice(new: &NewBullet, id: BulletId) -> BulletRecord {
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
        tags: vec![Kind::MetaStrategy.word().to_owned()],
        memory_type: MemoryType::Procedural,
        kind: Kind::MetaStrategy,
        section: new.section.clone(),
        legacy_id: new.legacy_id.clone(),
        ..blank_record(&new.content)
    };
    let strength = baseline(Policy::default().base_strength, counts);
    set_component(&mut record, strength, (None, 0));
    record
}
