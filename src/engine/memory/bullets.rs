//! Verbs that read a memory: all of it, or one bullet with its history.

use std::collections::HashMap;

use super::answers::AppliedDelta;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::memory::aggregate::{Memory, StatusCounts};
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::consolidation::importance_at;
use hindlore_domain::memory::decay::{decayed_score, helpfulness, retention};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::link::Link;
use hindlore_domain::memory::policy::Policy;
use hindlore_store::{DeltaRecord, LaterChange, ShapeFault, Usage};

/// Reasoning of a delta that clears a memory.
const CLEARED: &str = "the memory was cleared";

/// True for the delta of [`Engine::clear`].
pub(crate) fn is_clear(record: &DeltaRecord) -> bool {
    record.reasoning.as_deref() == Some(CLEARED)
}

/// A memory at one moment.
#[derive(Clone, PartialEq, Debug)]
pub struct MemoryView {
    /// The memory.
    pub key: MemoryKey,
    /// Access clock.
    pub clock: u64,
    /// Its revision.
    pub revision: u64,
    /// Its policy.
    pub policy: Policy,
    /// Bullets by status.
    pub status_counts: StatusCounts,
    /// State digest.
    pub digest: String,
    /// Content digest.
    pub content_digest: String,
    /// All bullets in insertion order.
    pub bullets: Vec<Bullet>,
    /// All links in force.
    pub links: Vec<Link>,
}

impl MemoryView {
    /// Finds a bullet by its id, or by another program's id.
    pub fn find(&self, id: &str) -> Option<&Bullet> {
        let own: Option<BulletId> = id.parse().ok();
        let legacy = |bullet: &&Bullet| bullet.legacy_id.as_deref() == Some(id);
        let by_legacy = || {
            let active = self
                .bullets
                .iter()
                .filter(|bullet| bullet.is_active())
                .find(legacy);
            active.or_else(|| self.bullets.iter().find(legacy))
        };
        self.bullets
            .iter()
            .find(|bullet| Some(bullet.id) == own)
            .or_else(by_legacy)
    }

    /// The active bullets by id.
    pub fn active(&self) -> HashMap<BulletId, &Bullet> {
        let active = self.bullets.iter().filter(|bullet| bullet.is_active());
        active.map(|bullet| (bullet.id, bullet)).collect()
    }
}

/// One bullet with its use and history.
#[derive(Clone, PartialEq, Debug)]
pub struct BulletDetail {
    /// The bullet.
    pub bullet: Bullet,
    /// Clock of the memory.
    pub clock: u64,
    /// Remaining strength.
    pub decayed_score: f64,
    /// Decayed score as a share of the bullet's own strength, 0..=1.
    pub retention: f64,
    /// Share of helpful votes, smoothed, 0..=1.
    pub helpfulness: f64,
    /// Importance now: the given one, less disuse, more help, 0..=1.
    pub importance_now: f64,
    /// Number of its retrievals and their results.
    pub usage: Usage,
    /// Links from or to it.
    pub links: Vec<Link>,
    /// Its changes by deltas, oldest first.
    pub history: Vec<LaterChange>,
}

impl Engine {
    /// Reads the present state of a whole memory; absent if there is none.
    pub async fn view(&self, key: &MemoryKey) -> EngineResult<Option<MemoryView>> {
        let actor = self.actor(key);
        let view = actor.memory.read_latest_mut(|snapshot| {
            let memory = &mut snapshot.memory;
            let (digest, content_digest) = (memory.digest(), memory.content_digest());
            MemoryView {
                key: key.clone(),
                clock: memory.clock(),
                revision: memory.revision(),
                policy: memory.policy().clone(),
                status_counts: memory.status_counts(),
                digest,
                content_digest,
                bullets: memory.bullets(),
                links: memory.links().cloned().collect(),
            }
        });
        view.await
    }

    /// Reads one bullet with its use and history; `name` as in [`Engine::find_bullet`].
    pub async fn bullet(&self, key: &MemoryKey, name: &str) -> EngineResult<BulletDetail> {
        let found = self.find_bullet(key, name).await;
        let id = found.as_ref().ok().map(|bullet| bullet.id);
        if let Some(id) = id.or_else(|| name.parse().ok()) {
            self.must_be_readable(key, id).await?;
        }
        let bullet = found?;
        let id = bullet.id;
        let usage = self.store().usage(key, &[id]).await?;
        let history = self.store().later_changes(key, 0, &[id]).await?;
        let read = |memory: &Memory| {
            // It may have been archived meanwhile, but not removed: only an erase of the memory destroys
            // bullets.
            let bullet = memory.get(id).unwrap_or_else(|| bullet.clone());
            let (rates, clock) = (&memory.policy().rates, memory.clock());
            let links = memory.links();
            BulletDetail {
                clock,
                decayed_score: decayed_score(&bullet, rates, clock),
                retention: retention(&bullet, rates, clock),
                helpfulness: helpfulness(bullet.counts),
                importance_now: importance_at(&bullet, rates, clock),
                usage: usage.first().map(|(_, usage)| *usage).unwrap_or_default(),
                links: links
                    .filter(|link| link.id.from == id || link.id.to == id)
                    .cloned()
                    .collect(),
                history: history.clone(),
                bullet,
            }
        };
        self.read_memory(key, read).await
    }

    /// Refuses a bullet with an unreadable value, because it holds an empty placeholder.
    async fn must_be_readable(&self, key: &MemoryKey, id: BulletId) -> EngineResult<()> {
        let wrong = self.store().wrong_values(key, id).await?;
        let is_unreadable = |fault: &ShapeFault| fault.value.is_some_and(|one| !one.is_converted);
        match wrong.into_iter().find(is_unreadable) {
            Some(fault) => Err(EngineError::damaged("read the bullet", fault.message)),
            None => Ok(()),
        }
    }

    /// Archives every active bullet of a memory in one delta; absent if there is no memory.
    pub async fn clear(
        &self,
        key: &MemoryKey,
        author: Option<String>,
    ) -> EngineResult<Option<AppliedDelta>> {
        use hindlore_domain::memory::delta::{Delta, DeltaId, Operation, Removal};
        let Some(view) = self.view(key).await? else {
            return Ok(None);
        };
        let active = view
            .bullets
            .iter()
            .filter(|bullet| bullet.is_active() && !bullet.is_seed());
        let reason = Some(CLEARED.to_owned());
        let operations: Vec<Operation> = active
            .map(|bullet| {
                Operation::Remove(Removal {
                    id: bullet.id.into(),
                    reason: reason.clone(),
                })
            })
            .collect();
        // Derived from the state, so that a repeated clear of the same state is one.
        let id = DeltaId::from_verb("clear", &[&key.derived(), &view.digest]);
        let mut delta = Delta::new(id, operations);
        delta.origin.author = author;
        delta.reasoning = reason;
        Ok(Some(self.apply_delta(key, delta).await?))
    }
}
