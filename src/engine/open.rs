//! Bringing a memory into process: load it whole once, then follow its changes.

use std::sync::{Arc, Mutex, PoisonError};

use super::clock::random_id;
use super::error::{EngineError, EngineResult};
use super::prepared_delta::EncodedDelta;
use super::{Engine, events};
use crate::domain::memory::aggregate::Memory;
use crate::domain::memory::bullet::{Bullet, BulletId};
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::plant::{Created, create};
use crate::domain::memory::policy::Policy;
use crate::domain::memory::receipt::ChangeRecord;
use crate::domain::memory::touch::{absorb_touches, touch_recorded};
use crate::domain::timestamp::Timestamp;
use crate::store::{
    CatchUp, Creation, DeltaRecord, Head, Known, Loaded, LoadedPart, Position, Touched,
};

/// A memory in process and the incarnation that it belongs to.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub(super) memory: Memory,
    pub(super) incarnation: String,
    created_at: Timestamp,
    /// False while it holds what was decided and is not known to be on disk.
    pub(super) is_settled: bool,
    /// Touches that are on disk and still to be carried out: of each retrieval its bullets and its moment.
    owed: Vec<(Vec<BulletId>, Timestamp)>,
}

impl Snapshot {
    /// The memory as it was loaded.
    pub(super) fn of(key: MemoryKey, loaded: Loaded) -> Self {
        let mut loading = Loading::of(key, loaded.head);
        loading.take(LoadedPart::Bullets(loaded.bullets));
        loading.take(LoadedPart::Links(loaded.links));
        loading.finish()
    }

    /// A memory that was just made.
    fn new(memory: Memory, head: Head) -> Self {
        Self {
            memory,
            incarnation: head.position.incarnation,
            created_at: head.created_at,
            is_settled: true,
            owed: Vec::new(),
        }
    }

    /// Notes a retrieval that is on disk, to be carried out later; gives its tick, if it takes one.
    pub(super) fn owe(&mut self, returned: Vec<BulletId>, at: Timestamp) -> Option<u64> {
        if returned.is_empty() {
            return None;
        }
        self.owed.push((returned, at));
        Some(self.memory.clock() + self.owed.len() as u64)
    }

    /// True while something is owed.
    pub(super) fn is_behind(&self) -> bool {
        !self.owed.is_empty()
    }

    /// Carries out what is owed.
    pub(super) fn catch_up(&mut self) {
        for (returned, at) in std::mem::take(&mut self.owed) {
            touch_recorded(&mut self.memory, &returned, at);
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

    /// What it holds of what the store knows.
    pub(super) fn known(&self) -> Known {
        Known::Head(Box::new(Head {
            position: self.position(),
            origin_clock: self.memory.origin_clock(),
            policy: self.memory.policy().clone(),
            created_at: self.created_at,
        }))
    }

    /// Takes in what others changed. False: it is another memory now, and has to be loaded anew.
    pub(super) fn absorb(&mut self, catch_up: CatchUp) -> bool {
        let there = &catch_up.head.position;
        // A clock behind ours is a memory that was put back to an earlier day: ours never was.
        if there.incarnation != self.incarnation || there.clock < self.memory.clock() {
            return false;
        }
        for bullet in catch_up.bullets {
            self.memory.put(&bullet);
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

/// A memory on its way into process.
struct Loading {
    memory: Memory,
    head: Head,
}

impl Loading {
    fn of(key: MemoryKey, head: Head) -> Self {
        Self {
            memory: Memory::new(key, head.policy.clone()),
            head,
        }
    }

    fn take(&mut self, part: LoadedPart) {
        match part {
            LoadedPart::Head(head) => *self = Self::of(self.memory.key().clone(), *head),
            LoadedPart::Bullets(bullets) => {
                bullets.iter().for_each(|bullet| self.memory.put(bullet));
            }
            LoadedPart::Links(links) => {
                let links = links.into_iter();
                links.for_each(|link| self.memory.put_link(link));
            }
        }
    }

    fn finish(self) -> Snapshot {
        let Self { mut memory, head } = self;
        stand_at(&mut memory, &head);
        Snapshot::new(memory, head)
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
        let loading: Arc<Mutex<Option<Loading>>> = Arc::default();
        let (place, name) = (loading.clone(), key.clone());
        let take = move |part| {
            let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
            match (place.as_mut(), part) {
                (None, LoadedPart::Head(head)) => *place = Some(Loading::of(name.clone(), *head)),
                (Some(loading), part) => loading.take(part),
                // No backend begins with anything but the head.
                (None, _) => {}
            }
        };
        if !self.store().load_parts(key, Box::new(take)).await? {
            return Ok(None);
        }
        let loading = loading
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let snapshot = loading.map(Loading::finish);
        if let Some(snapshot) = &snapshot {
            events::loaded(key, snapshot.memory.census().all());
        }
        Ok(snapshot)
    }

    /// Makes a memory with the local policy; reads the one of somebody else who was faster.
    pub(super) async fn create_and_load(&self, key: &MemoryKey) -> EngineResult<Snapshot> {
        let now = self.shared.clock.now();
        let created = self.imagined(key, now);
        let creation = self.creation(&created, now)?;
        let (ours, planted) = (creation.head.position.clone(), creation.bullets.len());
        let head = self.store().create(creation).await?;
        if head.position == ours {
            events::loaded(key, planted as u64);
            return Ok(Snapshot::new(created.memory, head));
        }
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
        let creation = self.creation(&created, now)?;
        self.store().create(creation).await?;
        Ok(())
    }

    /// The stored form of a creation at `now`, the moment of birth of what was planted.
    pub(super) fn creation(&self, created: &Created, now: Timestamp) -> EngineResult<Creation> {
        let Created {
            memory,
            delta,
            receipt,
            changes,
        } = created;
        let incarnation =
            random_id("m").map_err(|error| EngineError::Invalid(error.to_string()))?;
        let EncodedDelta { body, body_digest } = EncodedDelta::new(delta)?;
        let position = Position {
            incarnation,
            clock: 0,
            revision: 0,
        };
        let policy = memory.policy().clone();
        let record = DeltaRecord {
            id: delta.id.clone(),
            tick: 0,
            revision: 0,
            at: now,
            origin: self.origin(None),
            reasoning: None,
            body_digest,
            body,
            receipt: receipt.clone(),
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
                .iter()
                .map(|change| Bullet::clone(&change.after))
                .collect(),
            record,
        })
    }

    /// A memory as it would be created now; for answers where there is none.
    pub(super) fn imagined(&self, key: &MemoryKey, now: Timestamp) -> Created {
        let options = self.options();
        let seeds = options.seeds && !options.policy.is_classic();
        create(key.clone(), options.policy.clone(), seeds, now)
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
