//! Verb: make a change that was done by hand in the store part of the history.
//!
//! The delta is decided on the replayed state, which is what the events made of the memory, and takes
//! it to what the store has; from then on both agree again.

use std::sync::PoisonError;

use super::Engine;
use super::apply_delta::AppliedDelta;
use super::error::{EngineError, EngineResult};
use super::verify::Difference;
use crate::domain::memory::bullet::{Bullet, Status};
use crate::domain::memory::delta::{
    CountChange, Delta, DeltaId, Insertion, Operation, Removal, Restoration,
};
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::record::BulletRecord;

/// What was adopted.
#[derive(Debug)]
pub struct Adopted {
    /// The differences that were found.
    pub differences: Vec<Difference>,
    /// The delta that adopts them; absent when there was nothing to adopt.
    pub applied: Option<AppliedDelta>,
}

impl Engine {
    /// Turns the difference between the store and its history into a delta.
    pub async fn adopt(&self, key: &MemoryKey, author: Option<String>) -> EngineResult<Adopted> {
        let (verified, mut replayed) = self.verify_with_replay(key).await?;
        if !verified.mismatches.is_empty() {
            return Err(EngineError::Invalid(
                "the history itself cannot be replayed; `replay` names the events".to_owned(),
            ));
        }
        if verified.differences.is_empty() {
            return Ok(Adopted {
                differences: Vec::new(),
                applied: None,
            });
        }
        let clock = replayed.clock();
        let operations = verified
            .differences
            .iter()
            .filter_map(|d| operation(d, clock))
            .collect();
        let tick = clock.to_string();
        let id = DeltaId::derive(&["adopt", &key.derived(), &tick, &verified.stored_digest]);
        let mut delta = Delta::new(id, operations);
        delta.reasoning = Some("adopts changes that were made by hand in the store".to_owned());
        delta.origin.author = author;
        delta.expected_revision = Some(replayed.revision());
        let lane = self.lane(key);
        if !self.refresh(&lane).await? {
            return Err(EngineError::NoMemory(key.clone()));
        }
        {
            // What others did since the replay would be lost: the delta expects the replayed revision,
            // and the snapshot is replaced only while it stands where the replay ended.
            let mut slot = lane
                .snapshot
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            let Some(snapshot) = slot
                .as_mut()
                .filter(|s| s.memory.clock() == replayed.clock())
            else {
                return Err(EngineError::Contended(key.clone()));
            };
            std::mem::swap(&mut snapshot.memory, &mut replayed);
        }
        let applied = self.apply_delta(key, delta).await;
        lane.forget();
        Ok(Adopted {
            differences: verified.differences,
            applied: Some(applied?),
        })
    }
}

/// The operation that leads from the expected to the stored bullet.
fn operation(difference: &Difference, clock: u64) -> Option<Operation> {
    match (&difference.expected, &difference.stored) {
        (Some(expected), Some(stored)) => Some(Operation::Restore(Box::new(Restoration {
            id: difference.bullet,
            counts: CountChange::between(expected.counts, stored.counts),
            fields: Some(Box::new(BulletRecord::of(&rehashed(stored)))),
            archive: false,
            exact: true,
        }))),
        (Some(expected), None) if expected.status == Status::Active => {
            let reason = Some("deleted by hand".to_owned());
            Some(Operation::Remove(Removal {
                id: expected.id.into(),
                reason,
            }))
        }
        (None, Some(stored)) => {
            let bullet = BulletRecord::of(&rehashed(stored));
            Some(Operation::Insert(Box::new(Insertion { bullet, clock })))
        }
        (Some(_), None) | (None, None) => None,
    }
}

/// A hand that changed a text rarely changed its hash as well.
fn rehashed(stored: &Bullet) -> Bullet {
    Bullet {
        content_hash: stored.content.hash(),
        ..stored.clone()
    }
}
