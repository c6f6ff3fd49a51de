//! A memory in process, with its changes that are not on disk yet and the changes on disk it does not hold
//! yet.
//!
//! It follows the store by clock and revision: changes of other instances are absorbed; our own decisions are
//! kept apart until they are on disk, and can be rolled back until then.

use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::apply::draft::Savepoint;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::receipt::Changes;
use hindlore_domain::memory::touch::{absorb_touches, touch_recorded};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::{
    CatchUp, Head, Known, Loaded, LoadedPart, Position, RetrievalRecord, Touched,
};

/// A memory in process, and its incarnation.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) memory: Memory,
    pub(crate) incarnation: String,
    created_at: Timestamp,
    /// Decided changes not known to be on disk, oldest first.
    uncommitted: Vec<UncommittedChange>,
    /// Touches on disk that `memory` does not hold yet.
    pending_touches: Vec<PendingTouch>,
}

/// The changes of one event, and the position of the memory before it.
#[derive(Debug)]
struct UncommittedChange {
    changes: Changes,
    before: Savepoint,
}

/// The bullets of a recorded retrieval, and its time.
#[derive(Debug)]
pub(super) struct PendingTouch {
    bullets: Vec<BulletId>,
    at: Timestamp,
}

impl From<&RetrievalRecord> for PendingTouch {
    fn from(record: &RetrievalRecord) -> Self {
        Self {
            bullets: record.returned.iter().map(|one| one.bullet).collect(),
            at: record.at,
        }
    }
}

impl Snapshot {
    /// A memory at `head`.
    pub(crate) fn new(memory: Memory, head: Head) -> Self {
        Self {
            memory,
            incarnation: head.position.incarnation,
            created_at: head.created_at,
            uncommitted: Vec::new(),
            pending_touches: Vec::new(),
        }
    }

    /// A memory apart from the store: it has no incarnation and is never compared with a stored one.
    pub(super) fn detached(memory: Memory) -> Self {
        Self {
            memory,
            incarnation: String::new(),
            created_at: Timestamp::default(),
            uncommitted: Vec::new(),
            pending_touches: Vec::new(),
        }
    }

    /// A memory as loaded.
    pub(crate) fn from_loaded(key: MemoryKey, loaded: Loaded) -> Self {
        let mut loading = Loading::new(key, loaded.head);
        loading.take(LoadedPart::Bullets(loaded.bullets));
        loading.take(LoadedPart::Links(loaded.links));
        loading.finish()
    }

    /// True if everything in it is on disk.
    pub(crate) fn is_settled(&self) -> bool {
        self.uncommitted.is_empty()
    }

    /// Number of decided events not known to be on disk.
    pub(crate) fn uncommitted_events(&self) -> usize {
        self.uncommitted.len()
    }

    /// Keeps the changes of an event until they are on disk.
    pub(crate) fn keep_uncommitted(&mut self, changes: Changes, before: Savepoint) {
        let change = UncommittedChange { changes, before };
        self.uncommitted.push(change);
    }

    /// Marks everything decided as on disk.
    pub(crate) fn settle(&mut self) {
        self.uncommitted.clear();
    }

    /// Undoes all uncommitted decisions, newest first.
    pub(crate) fn roll_back(&mut self) {
        // Each savepoint describes the memory right before its own changes, hence this order.
        while let Some(UncommittedChange { changes, before }) = self.uncommitted.pop() {
            self.memory.roll_back(changes, before);
        }
    }

    /// Queues the touch of a recorded retrieval; returns its tick.
    pub(super) fn note_touch(&mut self, touch: PendingTouch) -> u64 {
        self.pending_touches.push(touch);
        // Each touch takes one tick, so the tick is known before the touch is carried out.
        self.memory.clock() + self.pending_touches.len() as u64
    }

    /// True while touches are pending.
    pub(crate) fn is_behind(&self) -> bool {
        !self.pending_touches.is_empty()
    }

    /// Carries out the pending touches.
    pub(crate) fn catch_up(&mut self) {
        for PendingTouch { bullets, at } in std::mem::take(&mut self.pending_touches) {
            touch_recorded(&mut self.memory, &bullets, at);
        }
    }

    /// Clock and revision.
    pub(crate) fn position(&self) -> Position {
        Position {
            incarnation: self.incarnation.clone(),
            clock: self.memory.clock(),
            revision: self.memory.revision(),
        }
    }

    /// Its contents in the terms of the store.
    pub(crate) fn known(&self) -> Known {
        Known::Head(Box::new(Head {
            position: self.position(),
            origin_clock: self.memory.origin_clock(),
            policy: self.memory.policy().clone(),
            created_at: self.created_at,
        }))
    }

    /// Adopts the changes of other instances. Returns false if it is another memory now and must be loaded
    /// again.
    pub(crate) fn absorb(&mut self, catch_up: CatchUp) -> bool {
        let there = &catch_up.head.position;
        // A clock lower than ours means that the store was restored from a backup.
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

    /// Adopts touches of other instances up to a clock. Returns false if changes are missing in between, and
    /// the memory must be loaded again.
    pub(crate) fn absorb_touches(&mut self, clock: u64, others: &[Touched]) -> bool {
        let touches = others.iter().map(|one| (one.bullet, one.tick, one.at));
        absorb_touches(&mut self.memory, clock, touches)
    }
}

/// A memory being loaded.
pub(super) struct Loading {
    memory: Memory,
    head: Head,
}

impl Loading {
    pub(super) fn new(key: MemoryKey, head: Head) -> Self {
        Self {
            memory: Memory::new(key, head.policy.clone()),
            head,
        }
    }

    pub(super) fn take(&mut self, part: LoadedPart) {
        match part {
            LoadedPart::Head(head) => *self = Self::new(self.memory.key().clone(), *head),
            LoadedPart::Bullets(bullets) => {
                bullets.iter().for_each(|bullet| self.memory.put(bullet));
            }
            LoadedPart::Links(links) => {
                links
                    .into_iter()
                    .for_each(|link| self.memory.put_link(link));
            }
        }
    }

    pub(super) fn finish(self) -> Snapshot {
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
