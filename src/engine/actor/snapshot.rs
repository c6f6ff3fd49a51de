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
    CatchUp, Head, Known, Loaded, LoadedPart, MemoryImage, Position, RetrievalRecord, Touched,
};
use hindlore_text::guard::MergeGuard;

/// Names this build: the code and the libraries that analyse texts.
pub(super) const IMAGE_STAMP: &str = env!("HINDLORE_IMAGE_STAMP");
/// Bullets from which an image is made: fewer are read in no time.
const IMAGE_MIN: usize = 256;
/// An image is made again once this part of the bullets, as a divisor, has come from rows.
const IMAGE_SHARE: usize = 4;

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
    /// Bullets read from rows since the newest image.
    since_image: usize,
    /// The clock of the image that it came from.
    image_clock: Option<u64>,
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
            incarnation: head.position.incarnation,
            since_image: usize::MAX,
            created_at: head.created_at,
            ..Self::detached(memory)
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
            since_image: 0,
            image_clock: None,
        }
    }

    /// A memory of an image, with the changes since then; `None` if it is another memory by now.
    pub(super) fn from_image(
        memory: Memory,
        (incarnation, clock): (String, u64),
        changed: CatchUp,
    ) -> Option<Self> {
        let mut snapshot = Self {
            incarnation,
            created_at: changed.head.created_at,
            image_clock: Some(clock),
            ..Self::detached(memory)
        };
        snapshot.absorb(changed).then_some(snapshot)
    }

    /// A memory as loaded.
    pub(crate) fn from_loaded(key: MemoryKey, loaded: Loaded) -> Self {
        let mut loading = Loading::new(key, loaded.head);
        loading.take(LoadedPart::Bullets(loaded.bullets));
        loading.take(LoadedPart::Links(loaded.links));
        loading.finish()
    }

    /// True if an image would spare the next process work: enough rows were read, or texts analysed, since the last.
    pub(super) fn is_image_due(&self) -> bool {
        let bullets = usize::try_from(self.memory.status_counts().total()).unwrap_or(usize::MAX);
        let is_worn = self.since_image >= (bullets / IMAGE_SHARE).max(IMAGE_MIN);
        bullets >= IMAGE_MIN && (is_worn || self.memory.has_built_indexes())
    }

    /// The image of its present state.
    pub(super) fn image(&self, guard: &MergeGuard) -> MemoryImage<[Vec<u8>; 2]> {
        MemoryImage {
            incarnation: self.incarnation.clone(),
            clock: self.memory.clock(),
            bytes: self.memory.image(IMAGE_STAMP, guard),
        }
    }

    /// The clock of its image, if the part for new texts is still to be read.
    pub(super) fn lacks_learning(&self) -> Option<u64> {
        self.image_clock.filter(|_| self.memory.lacks_learning())
    }

    /// Adds that part, unless the image is another one by now.
    pub(super) fn add_learning(
        &mut self,
        image: Option<&MemoryImage<Vec<u8>>>,
        guard: &MergeGuard,
    ) {
        let is_own = |image: &&MemoryImage<Vec<u8>>| {
            (&image.incarnation, Some(image.clock)) == (&self.incarnation, self.image_clock)
        };
        let bytes = image.filter(is_own).map(|image| &*image.bytes);
        self.memory.add_learning(IMAGE_STAMP, bytes, guard);
    }

    /// Notes that an image was made.
    pub(super) fn note_imaged(&mut self) {
        self.since_image = 0;
        self.memory.note_imaged();
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
        for change in self.uncommitted.drain(..) {
            let bullets = change.changes.bullets.len();
            self.since_image = self.since_image.saturating_add(bullets);
        }
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
        self.since_image = self.since_image.saturating_add(catch_up.bullets.len());
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
