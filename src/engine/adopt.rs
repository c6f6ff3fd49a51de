//! Verb: make a change that was done by hand in the store part of the history.
//!
//! The delta is decided on the replayed state, which is what the events made of the memory, and takes
//! it to what the store has; from then on both agree again.
//!
//! Deltas that were written on top of such a change hold digests of contents that no event has made.
//! They are left as they are, and a checkpoint behind the adoption is where replays start from then on;
//! as with any checkpoint, the retrieval records before it are folded into counts.

use super::apply_delta::AppliedDelta;
use super::error::{EngineError, EngineResult};
use super::open::Snapshot;
use super::verify::{Difference, Verified};
use super::{Engine, events};
use crate::domain::memory::aggregate::Memory;
use crate::domain::memory::bullet::{Bullet, Status};
use crate::domain::memory::delta::{
    CountChange, Delta, DeltaId, Insertion, Operation, PolicyChange, Removal, Restoration,
};
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::record::BulletRecord;
use crate::store::Checkpoint;

/// Adoptions that events of others may overtake.
const TRIES: usize = 3;

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
        for _ in 1..TRIES {
            match self.adopt_once(key, author.clone()).await {
                Err(EngineError::Contended(_)) => {}
                done => return done,
            }
        }
        self.adopt_once(key, author).await
    }

    async fn adopt_once(&self, key: &MemoryKey, author: Option<String>) -> EngineResult<Adopted> {
        let (verified, mut replayed) = self.verify_with_replay(key).await?;
        // Whatever else a delta came to, what the hand has changed did not lead to that.
        if !verified.mismatches.iter().all(|one| one.is_digest_only) {
            return Err(EngineError::Invalid(
                "the history itself cannot be replayed; `replay` names the events".to_owned(),
            ));
        }
        let is_built_upon = !verified.mismatches.is_empty();
        if verified.differences.is_empty() && verified.policy.is_empty() {
            // What was adopted, or put back by hand, still lacks its checkpoint.
            if is_built_upon {
                self.put_checkpoint(key).await?;
            }
            return Ok(Adopted {
                differences: Vec::new(),
                applied: None,
            });
        }
        let operations = operations(&verified, &replayed);
        let tick = replayed.clock().to_string();
        let id = DeltaId::derive(&["adopt", &key.derived(), &tick, &verified.stored_digest]);
        let mut delta = Delta::new(id, operations);
        delta.reasoning = Some("adopts changes that were made by hand in the store".to_owned());
        delta.origin.author = author;
        delta.undo = true;
        delta.expected_revision = Some(replayed.revision());
        let clock = Some(replayed.clock());
        let lane = self.lane(key);
        // What others did since the replay would be lost, and what they touched would come into the
        // replayed memory as the hand left it: the delta is applied at the replayed clock only, and the
        // snapshot is replaced only while it stands where the replay ended.
        let swapped = self
            .look_at_mut(&lane, |snapshot| {
                let stands = snapshot.memory.clock() == replayed.clock();
                if stands {
                    std::mem::swap(&mut snapshot.memory, &mut replayed);
                }
                stands
            })
            .await?;
        match swapped {
            None => return Err(EngineError::NoMemory(key.clone())),
            Some(false) => return Err(EngineError::Contended(key.clone())),
            Some(true) => {}
        }
        let applied = self.apply_at(key, delta, Vec::new(), clock).await;
        lane.forget();
        let applied = Some(applied?);
        if is_built_upon {
            self.put_checkpoint(key).await?;
        }
        Ok(Adopted {
            differences: verified.differences,
            applied,
        })
    }

    /// Makes the stored memory the state from which replays start.
    async fn put_checkpoint(&self, key: &MemoryKey) -> EngineResult<()> {
        let loaded = self.store().load(key).await?;
        let state = loaded.ok_or_else(|| EngineError::NoMemory(key.clone()))?;
        let digest = Snapshot::of(key.clone(), state.clone()).memory.digest();
        let folded = self.store().fold(key, Checkpoint { state, digest }).await?;
        events::folded(key, folded);
        Ok(())
    }
}

/// The operations that lead from the replayed memory to the stored one.
fn operations(verified: &Verified, replayed: &Memory) -> Vec<Operation> {
    let fields = verified.policy.clone();
    let policy = (!fields.is_empty()).then_some(Operation::Policy(PolicyChange { fields }));
    let mut found: Vec<&Difference> = verified.differences.iter().collect();
    // In the order of the store, since new bullets get the next free places one after the other.
    found.sort_by_key(|difference| difference.stored.as_ref().map(|bullet| bullet.position));
    let bullets = found.into_iter().filter_map(|d| operation(d, replayed));
    policy.into_iter().chain(bullets).collect()
}

/// The operation that leads from the expected to the stored bullet.
fn operation(difference: &Difference, replayed: &Memory) -> Option<Operation> {
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
        // Nothing is deleted for good: what did not take part any more is written again.
        (Some(expected), None) => Some(Operation::Restore(Box::new(Restoration {
            id: difference.bullet,
            counts: CountChange::default(),
            fields: Some(Box::new(BulletRecord::of(expected))),
            archive: false,
            exact: true,
        }))),
        (None, Some(stored)) => {
            let bullet = BulletRecord::of(&newcomer(rehashed(stored), replayed));
            let clock = replayed.clock();
            Some(Operation::Insert(Box::new(Insertion { bullet, clock })))
        }
        (None, None) => None,
    }
}

/// A bullet that a hand has written; one whose text another bullet has takes no part.
fn newcomer(stored: Bullet, replayed: &Memory) -> Bullet {
    match replayed.holder(stored.content_hash()) {
        None => stored,
        Some(holder) => Bullet {
            status: Status::Archived,
            holds_hash: false,
            merged_into: Some(holder.id),
            ..stored
        },
    }
}

/// A hand that changed a text rarely changed its hash as well.
fn rehashed(stored: &Bullet) -> Bullet {
    Bullet {
        other_hash: None,
        ..stored.clone()
    }
}
