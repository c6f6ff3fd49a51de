//! Verb: make a manual edit of the store part of the history.
//!
//! The delta is decided on the replayed state, which the events produced, and leads to the stored state; from then on
//! the two agree. It is decided apart from the actor's snapshot, in the transaction that writes it, and only at the
//! clock at which the replay ended. Concurrent deltas are decided on the stored state, manual edit included.
//!
//! Deltas written on top of a manual edit hold digests of contents that no event produced. They are left as they are;
//! replays start from a checkpoint after the adoption from then on, and as with any checkpoint, the retrieval records
//! before it are compacted into counts. The same is done if the revision or the clock was edited, which no delta can
//! express.

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::sync::oneshot;

use super::verify::{Difference, Verified};
use crate::actor::adoption::adopt_delta;
use crate::actor::memory_actor::{MemoryActor, WriteLock};
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::history::compaction::checkpoint_stored;
use crate::history::replaying::REBASE;
use crate::memory::answers::AppliedDelta;
use crate::memory::prepared_delta::PreparedDelta;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::bullet::{Bullet, BulletId, Status};
use hindlore_domain::memory::delta::{
    CountChange, Delta, DeltaId, Insertion, Operation, PolicyChange, Removal, Restoration,
};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::record::BulletRecord;
use hindlore_store::{Repairs, ShapeFault};

/// Attempts that concurrent events may overtake.
const TRIES: usize = 3;

/// The result of an adoption.
#[derive(Debug)]
pub struct Adopted {
    /// Differences between the store and its history.
    pub differences: Vec<Difference>,
    /// The delta that adopts them; absent if no delta was needed.
    pub applied: Option<AppliedDelta>,
    /// True if replays start from the stored state now, because the revision or the clock was edited, or
    /// deltas were written on top of an edit.
    pub rebased: bool,
}

impl Engine {
    /// Turns the difference between the store and its history into a delta.
    pub async fn adopt(&self, key: &MemoryKey, author: Option<String>) -> EngineResult<Adopted> {
        let actor = self.actor(key);
        for _ in 1..TRIES {
            match self.adopt_once(&actor, author.clone(), None).await {
                Err(EngineError::Contended(_)) => {}
                done => return done,
            }
        }
        // The lock excludes callers of this engine, so the last attempt can only lose to other instances.
        let lock = actor.lock().await;
        self.adopt_once(&actor, author, Some(lock)).await
    }

    async fn adopt_once(
        &self,
        actor: &Arc<MemoryActor>,
        author: Option<String>,
        lock: Option<WriteLock>,
    ) -> EngineResult<Adopted> {
        let key = &actor.memory.key;
        let (mut verified, replayed) = self.verify_with_replay(key).await?;
        let unreadable = set_aside(&mut verified);
        let retyped = only_retyped(&verified, &replayed);
        // Only digest mismatches can be explained by manual edits.
        if let Some(what) = verified.broken_event() {
            return Err(EngineError::Invalid(format!("{what}; {REBASE}")));
        }
        // No delta can set these two numbers, so only a checkpoint can adopt them.
        let is_moved = verified.stored_revision != replayed.revision()
            || verified.stored_clock != replayed.clock();
        let rebased = is_moved || !verified.mismatches.is_empty();
        let can_be_said = !verified.differences.is_empty() || !verified.policy.is_empty();
        let applied = if can_be_said && !is_moved {
            let delta = delta_of(&verified, &replayed, key, author);
            Some(self.apply_on(actor, replayed, delta, lock).await?)
        } else {
            None
        };
        if rebased {
            checkpoint_stored(self.context(), key).await?;
            actor.memory.forget();
        }
        if !retyped.is_empty() {
            let repairs = Repairs {
                bullets: retyped,
                ..Repairs::default()
            };
            self.store().repair(key, &repairs).await?;
            actor.memory.forget();
        }
        if let (None, Some(what)) = (&applied, unreadable) {
            return Err(EngineError::Invalid(what));
        }
        // Verified once more, because the steps above may have mended the memory.
        let is_left = applied.is_none() && !verified.is_sound;
        if is_left && !self.verify(key).await?.is_sound {
            return Err(EngineError::Invalid(format!(
                "the memory {key} is not sound, and what differs can be adopted by no delta; \
                 `doctor verify` names it, and `doctor repair` mends what it can"
            )));
        }
        Ok(Adopted {
            differences: verified.differences,
            applied,
            rebased,
        })
    }

    /// Applies a delta to a memory of its own, in a task that finishes even if the caller is cancelled.
    async fn apply_on(
        &self,
        actor: &Arc<MemoryActor>,
        base: Memory,
        mut delta: Delta,
        lock: Option<WriteLock>,
    ) -> EngineResult<AppliedDelta> {
        delta.origin = self.context().origin(delta.origin.author.take());
        let delta = PreparedDelta::new(delta)?;
        let (reply, answer) = oneshot::channel();
        let actor = actor.clone();
        self.context().spawn(async move {
            let _lock = match lock {
                Some(lock) => lock,
                None => actor.lock().await,
            };
            let done = adopt_delta(&actor.memory, base, delta).await;
            // The snapshot holds the edit without the event that explains it.
            actor.memory.forget();
            drop(reply.send(done));
        });
        answer.await.unwrap_or(Err(EngineError::Stopped))
    }
}

/// Removes the bullets with a value that cannot be converted from the adoption, and returns the first one in words:
/// they hold an empty placeholder.
fn set_aside(verified: &mut Verified) -> Option<String> {
    let is_unreadable = |fault: &&ShapeFault| fault.value.is_some_and(|value| !value.is_converted);
    let faults: Vec<&ShapeFault> = verified.shape.iter().filter(is_unreadable).collect();
    let bullets = faults.iter().filter_map(|fault| fault.value);
    let bullets: Vec<BulletId> = bullets.map(|value| value.bullet).collect();
    let first = faults.first().map(|fault| fault.message.clone());
    let differences = &mut verified.differences;
    differences.retain(|difference| !bullets.contains(&difference.bullet));
    first
}

/// The bullets whose values are those of their events, and only the type of one is another.
fn only_retyped(verified: &Verified, replayed: &Memory) -> Vec<Bullet> {
    let values = verified.shape.iter().filter_map(|fault| fault.value);
    let converted = values.filter(|value| value.is_converted);
    let ids: BTreeSet<BulletId> = converted.map(|value| value.bullet).collect();
    let differs = |id: &BulletId| verified.differences.iter().any(|one| one.bullet == *id);
    let same = ids.into_iter().filter(|id| !differs(id));
    let is_readable = |bullet: &Bullet| {
        let mut values = verified.shape.iter().filter_map(|fault| fault.value);
        !values.any(|value| value.bullet == bullet.id && !value.is_converted)
    };
    let bullets = same.filter_map(|id| replayed.get(id));
    bullets.filter(is_readable).collect()
}

fn delta_of(
    verified: &Verified,
    replayed: &Memory,
    key: &MemoryKey,
    author: Option<String>,
) -> Delta {
    let tick = replayed.clock().to_string();
    let id = DeltaId::from_verb("adopt", &[&key.derived(), &tick, &verified.stored_digest]);
    let mut delta = Delta::new(id, operations(verified, replayed));
    delta.reasoning = Some("adopts changes that were made by hand in the store".to_owned());
    delta.origin.author = author;
    delta.undo = true;
    delta.expected_revision = Some(replayed.revision());
    delta
}

/// The operations that lead from the replayed memory to the stored one.
fn operations(verified: &Verified, replayed: &Memory) -> Vec<Operation> {
    let fields = verified.policy.clone();
    let policy = (!fields.is_empty()).then_some(Operation::Policy(PolicyChange { fields }));
    let mut found: Vec<&Difference> = verified.differences.iter().collect();
    // In the order of the store, because new bullets get the next free slots in turn.
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
            fields: Some(Box::new(BulletRecord::from_bullet(&rehashed(
                stored, replayed,
            )))),
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
        // Learning deletes nothing, so a bullet that is gone is written again.
        (Some(expected), None) => Some(Operation::Restore(Box::new(Restoration {
            id: difference.bullet,
            counts: CountChange::default(),
            fields: Some(Box::new(BulletRecord::from_bullet(expected))),
            archive: false,
            exact: true,
        }))),
        (None, Some(stored)) => {
            let bullet = BulletRecord::from_bullet(&newcomer(rehashed(stored, replayed), replayed));
            let clock = replayed.clock();
            Some(Operation::Insert(Box::new(Insertion { bullet, clock })))
        }
        (None, None) => None,
    }
}

/// A bullet inserted by hand; archived if another bullet has the same text.
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

/// The bullet with the hash of its text: an edit by hand rarely updates the hash.
fn rehashed(stored: &Bullet, memory: &Memory) -> Bullet {
    stored.clone().with_identity(memory.policy().identity())
}
