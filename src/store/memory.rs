//! Reading a memory and committing events to it.
//!
//! There are two ways to commit. `transact` locks the memory, hands the caller all changes since it last read, and writes
//! the caller's decision. `touch` records retrievals that were ranked earlier, provided that no delta came in between.
//! Both number events without gaps.

use std::sync::Arc;

use async_trait::async_trait;

use super::error::StoreResult;
use super::event::{DeltaRecord, EventRecord, Mark, RetrievalRecord};
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::link::Link;
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::receipt::Receipt;
use hindlore_primitives::timestamp::Timestamp;

/// The position of a memory in its history. Another incarnation is another memory under the same key, after an erase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// Random id, drawn at creation.
    pub incarnation: String,
    /// Access clock: the tick of the last event.
    pub clock: u64,
    /// Revision: the number of deltas.
    pub revision: u64,
}

/// A memory without its bullets.
#[derive(Clone, PartialEq, Debug)]
pub struct Head {
    /// Its position.
    pub position: Position,
    /// Clock that an import started it at (0 otherwise); its own events begin after it.
    pub origin_clock: u64,
    /// Its policy.
    pub policy: Policy,
    /// When it was created.
    pub created_at: Timestamp,
}

/// A memory to create, with its seed bullets.
#[derive(Clone, PartialEq, Debug)]
pub struct Creation {
    /// The owner.
    pub key: MemoryKey,
    /// Clock 0, revision 0, a fresh incarnation, and the policy.
    pub head: Head,
    /// Its seed bullets.
    pub bullets: Vec<Bullet>,
    /// The event of the creation (`d_creation`, tick 0, revision 0).
    pub record: DeltaRecord,
}

/// A whole memory, read at one moment.
#[derive(Clone, PartialEq, Debug)]
pub struct Loaded {
    /// Its head.
    pub head: Head,
    /// All bullets, ascending by position.
    pub bullets: Vec<Bullet>,
    /// All links, removed ones too, ascending by identity.
    pub links: Vec<Link>,
}

/// A part of a memory, in the order in which a store passes them on.
#[derive(Clone, PartialEq, Debug)]
pub enum LoadedPart {
    /// Its head: the first part. It comes again when the store restarts an interrupted read; drop earlier parts then.
    Head(Box<Head>),
    /// Some of its bullets, ascending by position.
    Bullets(Vec<Bullet>),
    /// All of its links, ascending by identity: the last part.
    Links(Vec<Link>),
}

/// Takes the parts of a memory as they are read.
pub type TakeParts = Box<dyn FnMut(LoadedPart) + Send>;

/// The changes of a memory since a known position, and the receipts of some deltas.
#[derive(Clone, PartialEq, Debug)]
pub struct CatchUp {
    /// Its current head. When the incarnation differs from the known one, the caller must reload the memory.
    pub head: Head,
    /// Bullets with a changed tick above the known clock, ascending by position.
    pub bullets: Vec<Bullet>,
    /// Links with a changed tick above the known clock, ascending by identity.
    pub links: Vec<Link>,
    /// Receipts of those deltas in question that are already applied.
    pub receipts: Vec<StoredReceipt>,
}

/// The receipt of an applied delta, with the digest of its body.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredReceipt {
    /// The delta.
    pub delta: DeltaId,
    /// SHA-256 hex of the stored body; of a folded delta its first digits.
    pub body_digest: String,
    /// The receipt; absent once the delta is folded.
    pub receipt: Option<Receipt>,
}

/// Decided events and their effects, written in one transaction.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Commit {
    /// The events in order. Their ticks continue the head's clock (or `origin_clock`, when set) without a gap. When
    /// empty, only marks are written.
    pub events: Vec<EventRecord>,
    /// Clock at which an import starts an unused memory.
    pub origin_clock: Option<u64>,
    /// The bullets that the events created or changed, as they are after the last event, ascending by id.
    pub bullets: Vec<Arc<Bullet>>,
    /// The links that the events changed, ascending by identity.
    pub links: Vec<Link>,
    /// The policy after the events; set only when they changed it.
    pub policy: Option<Policy>,
    /// Marks on earlier retrievals.
    pub marks: Vec<Mark>,
}

impl Commit {
    /// True when there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty() && self.marks.is_empty()
    }

    /// The position of a memory at `before` after this commit; `Err` names the number that leaves a gap.
    pub fn position_after(&self, before: &Position) -> Result<Position, String> {
        let mut position = before.clone();
        if let Some(origin) = self.origin_clock {
            // The origin is the base of the numbering, so no event may have a number yet.
            if (before.clock, before.revision) != (0, 0) {
                return Err(format!(
                    "an origin clock was given to a memory at clock {}, revision {}; only an unused memory takes one",
                    before.clock, before.revision
                ));
            }
            position.clock = origin;
        }
        for event in &self.events {
            position.clock += 1;
            if event.tick() != position.clock {
                return Err(format!(
                    "an event has tick {} where {} is next; decide on the current clock",
                    event.tick(),
                    position.clock
                ));
            }
            let EventRecord::Delta(delta) = event else {
                continue;
            };
            position.revision += 1;
            if delta.revision != position.revision {
                return Err(format!(
                    "delta `{}` has revision {} where {} is next; decide on the current revision",
                    delta.id, delta.revision, position.revision
                ));
            }
        }
        let changes_state = !self.bullets.is_empty()
            || !self.links.is_empty()
            || self.policy.is_some()
            || self.origin_clock.is_some();
        if self.events.is_empty() && changes_state {
            return Err("a commit without events changes the memory; give the event".to_owned());
        }
        Ok(position)
    }
}

/// The state of a memory that a writing caller already has.
#[derive(Clone, PartialEq, Debug)]
pub enum Known {
    /// All events up to a clock.
    Clock(u64),
    /// The whole memory at this head, so that the caller can decide before the store has the lock.
    Head(Box<Head>),
}

impl Known {
    /// The clock up to which the caller knows the memory.
    pub fn clock(&self) -> u64 {
        match self {
            Self::Clock(clock) => *clock,
            Self::Head(head) => head.position.clock,
        }
    }
}

/// The state of a memory in one process, kept for the next one. It is a cache: without it, the rows are read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryImage<B> {
    /// The incarnation of the memory.
    pub incarnation: String,
    /// The clock of the state.
    pub clock: u64,
    /// The state, in the form of the domain.
    pub bytes: B,
}

/// A part of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImagePart {
    /// The part that questions need.
    Asking,
    /// The part that only new texts need.
    Learning,
}

/// Decides under the lock: takes the changes, returns the writes. It is called again when the transaction is retried,
/// and must then decide from its new argument alone.
pub type Decide = Box<dyn FnMut(CatchUp) -> Commit + Send>;

/// How a transaction ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// The decision is durable.
    Committed,
    /// There is no such memory.
    Missing,
}

/// Retrievals that were ranked at a known position.
#[derive(Clone, PartialEq, Debug)]
pub struct TouchBatch {
    /// The position at which they were ranked.
    pub known: Position,
    /// True: refuse when the clock or the revision moved. False: only when the revision moved.
    pub strict: bool,
    /// The retrievals in order; the store assigns their ticks.
    pub retrievals: Vec<RetrievalRecord>,
}

/// A bullet that a retrieval returned. Only its access index, its changed tick (both `tick`) and its last use changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touched {
    /// The bullet.
    pub bullet: BulletId,
    /// Tick of the retrieval.
    pub tick: u64,
    /// Time of the retrieval.
    pub at: Timestamp,
}

/// How a batch of touches ended.
#[derive(Clone, PartialEq, Debug)]
pub enum TouchOutcome {
    /// Recorded: the n-th retrieval (from 0) got the tick `first_tick` + n, which is also the access index and changed
    /// tick of the bullets that it returned.
    Recorded {
        /// Tick of the first retrieval.
        first_tick: u64,
        /// Touches by others between the known position and this batch: the last one of each bullet, ascending by
        /// bullet. The revision did not move, so others can only have retrieved.
        others: Vec<Touched>,
    },
    /// Nothing was written, because the memory moved on; carries the changes.
    Moved(Box<CatchUp>),
    /// There is no such memory.
    Missing,
}

/// Properties of a store, so that callers can save reads and group writes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct StoreHints {
    /// A counter that changes on every committed write, by any process; `None` where the store has no cheap one, or none
    /// yet. A read that begins after the counter was taken sees every write that it counts.
    pub change_count: Option<u64>,
    /// True where the round trip outweighs the rows of a write, as over a network: waiting a little for concurrent
    /// writers then pays off. False where the next group should start at once. It never changes while a store is open.
    pub prefers_batching: bool,
}

/// Keeps memories: bullets, links, clock, revision, policy.
#[async_trait]
pub trait MemoryStore: Send + Sync {
    /// Creates a memory unless one exists under this key; returns the head of the one that exists afterwards.
    async fn create(&self, creation: Creation) -> StoreResult<Head>;

    /// Reads the head of a memory.
    async fn head(&self, key: &MemoryKey) -> StoreResult<Option<Head>>;

    /// Reads a whole memory at one moment and passes it on part by part, so that the caller never holds all of it in
    /// this form. False: there is no such memory, and no part was passed on.
    async fn load_parts(&self, key: &MemoryKey, take: TakeParts) -> StoreResult<bool>;

    /// Reads a part of the newest complete image of a memory. `None`: there is none, or this store keeps none.
    ///
    /// # Errors
    /// `Damaged` when a block is not the one that was written; the caller reads the rows then.
    async fn image(
        &self,
        key: &MemoryKey,
        part: ImagePart,
    ) -> StoreResult<Option<MemoryImage<Vec<u8>>>>;

    /// Keeps an image with both parts in place of earlier ones, in several short transactions. A store may keep none.
    async fn put_image(&self, key: &MemoryKey, image: MemoryImage<[Vec<u8>; 2]>)
    -> StoreResult<()>;

    /// Hints that save callers work; no right answer depends on them. Takes microseconds and never waits.
    fn hints(&self) -> StoreHints;

    /// Reads the changes since `clock`, all at one moment.
    async fn changes_since(&self, key: &MemoryKey, clock: u64) -> StoreResult<Option<CatchUp>>;

    /// Locks the memory against all other writers, calls `decide` with the changes since `known` and with the receipts
    /// of those `deltas` that are already applied, writes its commit, and returns once that is durable. An empty commit
    /// writes nothing.
    ///
    /// When the caller knows the head, a store may call `decide` before it has the lock, as if nothing had changed. It
    /// may write that commit only if the head is still the known one and none of `deltas` is applied; otherwise it
    /// calls `decide` again.
    async fn transact(
        &self,
        key: &MemoryKey,
        known: Known,
        deltas: Vec<DeltaId>,
        decide: Decide,
    ) -> StoreResult<Outcome>;

    /// Records retrievals and touches the bullets that they returned, in one transaction, unless the revision (when
    /// strict, also the clock) has moved. Returns once that is durable.
    async fn touch(&self, key: &MemoryKey, batch: TouchBatch) -> StoreResult<TouchOutcome>;
}
