//! What can be asked of the lane of a memory: deltas, retrievals, records, and to be told when all is written.

use tokio::sync::oneshot;

use super::answer::RetrieveJob;
use super::apply_delta::AppliedDelta;
use super::error::{EngineError, EngineResult};
use super::prepared_delta::PreparedDelta;
use crate::domain::memory::bullet::BulletId;
use crate::store::{Mark, RetrievalRecord};

/// A delta on its way, with marks for earlier retrievals.
pub(super) struct DeltaJob {
    pub(super) delta: PreparedDelta,
    pub(super) marks: Vec<Mark>,
    pub(super) reply: oneshot::Sender<EngineResult<AppliedDelta>>,
    /// What was decided; sent once it is on disk.
    pub(super) result: Option<EngineResult<AppliedDelta>>,
}

/// Touches of bullets that were chosen over several memories.
pub(super) struct RecordJob {
    pub(super) record: RetrievalRecord,
    /// Only at the very clock that it was ranked at, not just at the revision.
    pub(super) strict: bool,
    pub(super) reply: oneshot::Sender<EngineResult<Recorded>>,
    pub(super) result: Recorded,
}

/// What became of a [`RecordJob`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Recorded {
    /// It has the tick; none where there is no memory.
    Tick(Option<u64>),
    /// The memory is not where it was ranked any more; nothing was written.
    Moved,
}

/// The record of a retrieval that was answered already.
pub(super) struct OwedJob {
    pub(super) record: RetrievalRecord,
    /// Of the memory that it was ranked on; absent where there was none.
    pub(super) incarnation: Option<String>,
    /// The bullets of it that are touched.
    pub(super) recorded: Vec<BulletId>,
}

impl OwedJob {
    pub(super) fn new(record: RetrievalRecord, incarnation: Option<String>) -> Self {
        Self {
            record,
            incarnation,
            recorded: Vec::new(),
        }
    }
}

/// What can be asked of a lane.
pub(super) enum Request {
    Delta(Box<DeltaJob>),
    Retrieve(Box<RetrieveJob>),
    Record(Box<RecordJob>),
    Owed(Box<OwedJob>),
    /// To be answered when everything before it is on disk.
    Flush(oneshot::Sender<EngineResult<()>>),
}

impl Request {
    /// True when the request must be decided under the lock of the memory.
    pub(super) fn needs_lock(&self) -> bool {
        match self {
            Self::Delta(_) | Self::Record(_) => true,
            Self::Retrieve(job) => job.strict,
            Self::Owed(_) | Self::Flush(_) => false,
        }
    }

    /// True when nobody waits for the request.
    pub(super) fn can_wait(&self) -> bool {
        matches!(self, Self::Owed(_))
    }

    /// True when the request makes the memory where there is none.
    pub(super) fn creates(&self) -> bool {
        matches!(self, Self::Delta(_))
    }

    pub(super) fn fail(self, error: EngineError) {
        // A caller who went away does not hear of it.
        match self {
            Self::Delta(job) => drop(job.reply.send(Err(error))),
            Self::Retrieve(job) => drop(job.reply.send(Err(error))),
            Self::Record(job) => drop(job.reply.send(Err(error))),
            Self::Owed(job) => job.lost(&error),
            Self::Flush(reply) => drop(reply.send(Err(error))),
        }
    }
}
