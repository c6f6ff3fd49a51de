//! Bringing a memory into process: load it whole once, then follow its changes.

use std::sync::Arc;

use super::clock::random_id;
use super::error::{EngineError, EngineResult};
use super::{Engine, events};
use crate::domain::memory::aggregate::Memory;
use crate::domain::memory::delta::body_digest;
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::plant::{Created, create};
use crate::domain::memory::policy::Policy;
use crate::domain::memory::receipt::ChangeRecord;
use crate::domain::memory::touch::absorb_touches;
use crate::domain::timestamp::Timestamp;
use crate::store::{CatchUp, Creation, DeltaRecord, Head, Loaded, Position, Touched};

/// A memory in process and the incarnation that it belongs to.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub(super) memory: Memory,
    pub(super) incarnation: String,
    /// False while it holds what was decided and is not known to be on disk.
    pub(super) is_settled: bool,
}

impl Snapshot {
    /// The memory as it was loaded.
    pub(super) fn of(key: MemoryKey, loaded: Loaded) -> Self {
        let mut memory = Memory::new(key, loaded.head.policy.clone());
        loaded
            .bullets
            .into_iter()
            .for_each(|bullet| memory.put(bullet));
        loaded
            .links
            .into_iter()
            .for_each(|link| memory.put_link(link));
        stand_at(&mut memory, &loaded.head);
        Self {
            memory,
            incarnation: loaded.head.position.incarnation,
            is_settled: true,
        }
    }

    /// Where it stands.
    pub(super) fn position(&self) -> Position {
        Position {
            incarnation: self.incarnation.clone(),
            clock: self.memory.clock(),
            revision: self.memory.revision(),
        }
    }

    /// Takes in what others changed. False: it is another memory now, and has to be loaded anew.
    pub(super) fn absorb(&mut self, catch_up: CatchUp) -> bool {
        let there = &catch_up.head.position;
        // A clock behind ours is a memory that was put back to an earlier day: ours never was.
        if there.incarnation != self.incarnation || there.clock < self.memory.clock() {
            return false;
        }
        for bullet in catch_up.bullets {
            self.memory.put(bullet);
        }
        for link in catch_up.links {
            self.memory.put_link(link);
        }
        stand_at(&mut self.memory, &catch_up.head);
        true
    }

    /// Takes in what others only touched, up to a clock. False: it knows less than they do, and has to
    /// be loaded anew.
    pub(super) fn absorb_touches(&mut self, clock: u64, others: &[Touched]) -> bool {
        let touches = others.iter().map(|one| (one.bullet, one.tick, one.at));
        absorb_touches(&mut self.memory, clock, touches)
    }
}

fn stand_at(memory: &mut Memory, head: &Head) {
    let position = &head.position;
    memory.stand_at(
        position.clock,
        position.revision,
        head.origin_clock,
        head.policy.clone(),
    );
}

impl Engine {
    /// Reads a memory from the store.
    pub(super) async fn load(&self, key: &MemoryKey) -> EngineResult<Option<Snapshot>> {
        let Some(loaded) = self.store().load(key).await? else {
            return Ok(None);
        };
        events::loaded(key, loaded.bullets.len());
        Ok(Some(Snapshot::of(key.clone(), loaded)))
    }

    /// Makes a memory with the local policy, unless there is one, and reads it.
    pub(super) async fn create_and_load(&self, key: &MemoryKey) -> EngineResult<Snapshot> {
        let options = self.options();
        self.create(key, options.policy.clone(), options.seeds)
            .await?;
        self.load(key)
            .await?
            .ok_or_else(|| EngineError::Contended(key.clone()))
    }

    /// Makes a memory with a given policy, unless there is one.
    pub(super) async fn create(
        &self,
        key: &MemoryKey,
        policy: Policy,
        seeds: bool,
    ) -> EngineResult<()> {
        let now = self.shared.clock.now();
        let seeds = seeds && !policy.is_classic();
        let created = create(key.clone(), policy, seeds, now);
        let incarnation =
            random_id("m").map_err(|error| EngineError::Invalid(error.to_string()))?;
        let creation = self.creation(created, incarnation, now)?;
        self.store().create(creation).await?;
        Ok(())
    }

    /// The stored form of a creation at `now`, the moment of birth of what was planted.
    fn creation(
        &self,
        created: Created,
        incarnation: String,
        now: Timestamp,
    ) -> EngineResult<Creation> {
        let Created {
            memory,
            delta,
            receipt,
            changes,
        } = created;
        let body = delta
            .body()
            .to_json()
            .map_err(|error| EngineError::Invalid(error.to_string()))?;
        let position = Position {
            incarnation,
            clock: 0,
            revision: 0,
        };
        let policy = memory.policy().clone();
        let record = DeltaRecord {
            id: delta.id,
            tick: 0,
            revision: 0,
            at: now,
            origin: self.origin(None),
            reasoning: None,
            body_digest: body_digest(&body),
            body,
            receipt,
            changes: changes.bullets.iter().map(ChangeRecord::of).collect(),
            // The policy that the memory began with, from which a replay starts.
            policy_before: Some(policy.clone()),
        };
        Ok(Creation {
            key: memory.key().clone(),
            head: Head {
                position,
                origin_clock: 0,
                policy,
                created_at: now,
            },
            bullets: changes
                .bullets
                .into_iter()
                .map(|change| change.after)
                .collect(),
            record,
        })
    }

    /// A memory as it would be created now; for answers where there is none.
    pub(super) fn imagined(&self, key: &MemoryKey) -> Memory {
        let options = self.options();
        let seeds = options.seeds && !options.policy.is_classic();
        create(
            key.clone(),
            options.policy.clone(),
            seeds,
            self.shared.clock.now(),
        )
        .memory
    }

    pub(super) fn origin(&self, author: Option<String>) -> crate::domain::memory::delta::Origin {
        let options = self.options();
        crate::domain::memory::delta::Origin {
            author: author.or_else(|| options.author.clone()),
            instance: options.instance.clone(),
            engine_version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    pub(super) fn tables(&self) -> &Arc<crate::domain::memory::apply::Tables> {
        &self.shared.options.tables
    }
}
