//! Reading a memory and committing events to it.
//!
//! Two ways to commit: `transact` takes the lock of the memory, shows what changed since the caller
//! looked, and writes what the caller then decides; `touch` writes retrievals that were ranked before,
//! provided that no delta came in between. Both number the events without gap.

use std::sync::Arc;

use async_trait::async_trait;

use super::error::StoreResult;
use super::event::{DeltaRecord, EventRecord, Mark, RetrievalRecord};
use mnemograph_domain::memory::bullet::{Bullet, BulletId};
use mnemograph_domain::memory::delta::DeltaId;
use mnemograph_domain::memory::key::MemoryKey;
use mnemograph_domain::memory::link::Link;
use mnemograph_domain::memory::policy::Policy;
use mnemograph_domain::memory::receipt::Receipt;
use mnemograph_domain::timestamp::Timestamp;

/// Where a memory stands. Another incarnation is another memory under the same key (after an erase).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// Random id given at creation.
    pub incarnation: String,
    /// Access clock: the tick of the last event.
    pub clock: u64,
    /// Revision: the number of deltas.
    pub revision: u64,
}

/// A memory without its bullets.
#[derive(Clone, PartialEq, Debug)]
pub struct Head {
    /// Where it stands.
    pub position: Position,
    /// Clock that an import set it to; its own events begin after it.
    pub origin_clock: u64,
    /// Its policy.
    pub policy: Policy,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A memory to create, with its seed bullets.
#[derive(Clone, PartialEq, Debug)]
pub struct Creation {
    /// Whose.
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

/// A part of a memory that is being read.
#[derive(Clone, PartialEq, Debug)]
pub enum LoadedPart {
    /// Its head; the first part, and again when a read that was cut off begins anew.
    Head(Box<Head>),
    /// Some of its bullets, ascending by position.
    Bullets(Vec<Bullet>),
    /// All of its links, ascending by identity; the last part.
    Links(Vec<Link>),
}

/// Takes the parts of a memory as they are read.
pub type TakeParts = Box<dyn FnMut(LoadedPart) + Send>;

/// What changed in a memory since a position, and what the store knows of some deltas.
#[derive(Clone, PartialEq, Debug)]
pub struct CatchUp {
    /// Its head now. When the incarnation differs from the known one, the caller must load anew.
    pub head: Head,
    /// Bullets with a changed tick above the known clock, ascending by position.
    pub bullets: Vec<Bullet>,
    /// Links with a changed tick above the known clock, ascending by identity.
    pub links: Vec<Link>,
    /// Receipts of those asked-for deltas that were applied before.
    pub receipts: Vec<StoredReceipt>,
}

/// The receipt of an applied delta with the digest of the body that it belongs to.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredReceipt {
    /// SHA-256 hex of the stored body.
    pub body_digest: String,
    /// The receipt.
    pub receipt: Receipt,
}

/// Decided events to be written in one transaction.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Commit {
    /// The events in order; their ticks go on from the head's clock without gap (from
    /// `origin_clock` when that is given). Empty: nothing but marks is written.
    pub events: Vec<EventRecord>,
    /// Clock that an import sets an unused memory to, before its events.
    pub origin_clock: Option<u64>,
    /// The bullets that the events changed or made, as they are after the last event, ascending by id.
    pub bullets: Vec<Arc<Bullet>>,
    /// The links that the events changed, ascending by identity.
    pub links: Vec<Link>,
    /// The policy after the events, when they changed it.
    pub policy: Option<Policy>,
    /// Marks on earlier retrievals.
    pub marks: Vec<Mark>,
}

impl Commit {
    /// True when there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty() && self.marks.is_empty()
    }

    /// Where a memory at `before` stands after this commit; `Err` says which of its numbers cannot be.
    pub fn position_after(&self, before: &Position) -> Result<Position, String> {
        let mut position = before.clone();
        if let Some(origin) = self.origin_clock {
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

/// What a caller knows of a memory that it wants to write to.
#[derive(Clone, PartialEq, Debug)]
pub enum Known {
    /// What happened up to a clock.
    Clock(u64),
    /// Where the memory stood, and all that is in it there.
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

/// Decides under the lock: gets what changed, gives what to write. It may be called again when the
/// transaction has to be repeated, and must then decide afresh.
pub type Decide = Box<dyn FnMut(CatchUp) -> Commit + Send>;

/// How a transaction ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// What was decided is on disk.
    Committed,
    /// There is no such memory.
    Missing,
}

/// Retrievals that were ranked on a known position.
#[derive(Clone, PartialEq, Debug)]
pub struct TouchBatch {
    /// The position that they were ranked at.
    pub known: Position,
    /// True: refuse when the clock moved, too; false: only when the revision moved.
    pub strict: bool,
    /// The retrievals in order, their ticks not yet given.
    pub retrievals: Vec<RetrievalRecord>,
}

/// A bullet that a retrieval returned: its access index and changed tick, and when it was last used.
/// Nothing else of it changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touched {
    /// The bullet.
    pub bullet: BulletId,
    /// Tick of the retrieval.
    pub tick: u64,
    /// Moment of the retrieval.
    pub at: Timestamp,
}

/// How a batch of touches ended.
#[derive(Clone, PartialEq, Debug)]
pub enum TouchOutcome {
    /// Recorded: the n-th retrieval got the tick `first_tick` + n, the bullets that it returned have
    /// that access index and changed tick.
    Recorded {
        /// Tick of the first retrieval.
        first_tick: u64,
        /// What others did between the known position and this batch, ascending by bullet. The
        /// revision being the same, that is retrievals only, of each bullet the last one.
        others: Vec<Touched>,
    },
    /// Nothing was written, since the memory moved on; what changed.
    Moved(Box<CatchUp>),
    /// There is no such memory.
    Missing,
}

/// What a store says of itself, so that callers can save reads and group writes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct StoreHints {
    /// A counter that changes on every committed write, by any process; `None` where the store has no cheap one. A
    /// read that begins after the counter was taken sees every write that it counts.
    pub change_count: Option<u64>,
    /// True where the round trip outweighs the rows of a write, as over a network: waiting a little for concurrent
    /// writers then pays off. False where the next group should start at once. It never changes while a store is open.
    pub prefers_batching: bool,
}

/// Keeps memories: bullets, links, clock, revision, policy.
#[async_trait]
pub trait MemoryStore: Send + Sync {
    /// Makes a memory, unless there is one under this key already; gives the head that is then there.
    async fn create(&self, creation: Creation) -> StoreResult<Head>;

    /// Reads the head of a memory.
    async fn head(&self, key: &MemoryKey) -> StoreResult<Option<Head>>;

    /// Reads a whole memory at one moment and passes it on part by part, so that the caller never holds all of it in
    /// this form. False: there is no such memory, and no part was passed on.
    async fn load_parts(&self, key: &MemoryKey, take: TakeParts) -> StoreResult<bool>;

    /// What a caller may use to spend less; right answers never depend on it. Takes microseconds and never waits.
    fn hints(&self) -> StoreHints;

    /// Reads what changed since `clock` at one moment.
    async fn changes_since(&self, key: &MemoryKey, clock: u64) -> StoreResult<Option<CatchUp>>;

    /// Locks the memory against all other writers, calls `decide` with what changed since it was known and
    /// with the receipts of those of `deltas` that were applied before, writes what it decides, and
    /// returns once that is durable. Nothing is written when `decide` gives an empty commit.
    ///
    /// A store may call `decide` before it has the lock, as if nothing had changed, where the caller knows the
    /// head. What comes of it is written only where that turns out to be true and none of `deltas` was applied;
    /// otherwise `decide` is called again.
    async fn transact(
        &self,
        key: &MemoryKey,
        known: Known,
        deltas: Vec<DeltaId>,
        decide: Decide,
    ) -> StoreResult<Outcome>;

    /// Records retrievals and touches what they returned, in one transaction, unless the revision (or,
    /// when strict, the clock) is no longer the known one. Returns once that is durable.
    async fn touch(&self, key: &MemoryKey, batch: TouchBatch) -> StoreResult<TouchOutcome>;
}
