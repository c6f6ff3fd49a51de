//! Messages to the actor of a memory: deltas, retrievals, records of retrievals ranked elsewhere, and
//! flushes.
//!
//! A message carries its own result from the decision until that is on disk; only then is the result sent.

use tokio::sync::oneshot;

use super::memory_answer::{MemoryAnswer, QueryRecord};
use crate::error::{EngineError, EngineResult};
use crate::log::{self, ContentLog};
use crate::memory::answers::AppliedDelta;
use crate::memory::prepared_delta::PreparedDelta;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::query::Query;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::{Mark, RetrievalRecord, Returned};

/// The sender of an answer. A caller that stopped waiting is not an error.
pub(crate) type Reply<T> = oneshot::Sender<EngineResult<T>>;

/// A message to an actor.
pub(crate) enum Message {
    Delta(Box<DeltaMessage>),
    Retrieve(Box<RetrieveMessage>),
    Record(Box<RecordMessage>),
    /// Answered once everything before it is on disk.
    Flush(Reply<()>),
}

/// A delta, with marks on earlier retrievals.
pub(crate) struct DeltaMessage {
    pub(crate) delta: PreparedDelta,
    pub(crate) marks: Vec<Mark>,
    pub(crate) reply: Reply<AppliedDelta>,
    /// The decision; absent until it is made.
    pub(crate) result: Option<EngineResult<AppliedDelta>>,
}

/// A query to be ranked and recorded.
pub(crate) struct RetrieveMessage {
    pub(crate) query: Query,
    /// Rank under the lock of the memory, on exactly the state at which the tick is taken.
    pub(crate) strict: bool,
    pub(crate) query_record: QueryRecord,
    pub(crate) reply: Reply<MemoryAnswer>,
    /// The caller's own ranking on a snapshot that was on disk; used if it still holds.
    pub(crate) speculative: Option<MemoryAnswer>,
    /// The answer; absent until ranked.
    pub(crate) answer: Option<MemoryAnswer>,
}

/// The record of a retrieval ranked elsewhere.
pub(crate) struct RecordMessage {
    pub(crate) record: RetrievalRecord,
    /// Incarnation of the memory it was ranked on; absent for a memory that did not exist.
    pub(crate) incarnation: Option<String>,
    pub(crate) condition: RecordCondition,
    /// Absent if no caller waits; such a record may be deferred.
    pub(crate) reply: Option<Reply<Recorded>>,
    pub(crate) result: Recorded,
}

/// Parts of the memory that must be unchanged since a record was ranked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RecordCondition {
    /// Clock and revision must be the same.
    SameClock,
    /// The revision must be the same; touches may have come in between.
    SameRevision,
    /// Anything may have changed; bullets no longer active are left out.
    RetainActive,
}

/// The outcome of a [`RecordMessage`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Recorded {
    /// Recorded at this tick; none if there was nothing to record, or no memory.
    Tick(Option<u64>),
    /// The memory changed since it was ranked; nothing was written.
    Moved,
}

impl Message {
    /// True if the message must be decided under the lock of the memory.
    pub(crate) fn needs_lock(&self) -> bool {
        match self {
            Self::Delta(_) => true,
            Self::Retrieve(retrieve) => retrieve.strict,
            // The path without the lock admits touches in between, so it cannot guarantee an equal clock.
            Self::Record(record) => record.condition == RecordCondition::SameClock,
            Self::Flush(_) => false,
        }
    }

    /// True for a delta, the only message that can make a memory.
    pub(crate) fn is_delta(&self) -> bool {
        matches!(self, Self::Delta(_))
    }

    /// True if no caller waits for the message.
    pub(crate) fn is_deferrable(&self) -> bool {
        matches!(self, Self::Record(record) if record.reply.is_none())
    }

    /// Sets the tick that the store or the decision assigned to the message's record.
    pub(crate) fn set_tick(&mut self, tick: u64) {
        match self {
            Self::Retrieve(retrieve) => {
                if let Some(answer) = &mut retrieve.answer {
                    answer.tick = Some(tick);
                }
            }
            Self::Record(record) => record.result = Recorded::Tick(Some(tick)),
            Self::Delta(_) | Self::Flush(_) => {}
        }
    }

    /// Answers with an error.
    pub(crate) fn fail(self, error: EngineError) {
        match self {
            Self::Delta(delta) => drop(delta.reply.send(Err(error))),
            Self::Retrieve(retrieve) => drop(retrieve.reply.send(Err(error))),
            Self::Record(record) => match record.reply {
                Some(reply) => drop(reply.send(Err(error))),
                None => log::record_lost(&record.record.id, &error),
            },
            Self::Flush(reply) => drop(reply.send(Err(error))),
        }
    }

    /// Sends the result, which must be on disk.
    pub(crate) fn complete(self, log: ContentLog<'_>) {
        match self {
            Self::Delta(delta) => {
                if let Some(Ok(applied)) = &delta.result {
                    log.applied(applied);
                }
                let result = delta.result.unwrap_or(Err(EngineError::Stopped));
                drop(delta.reply.send(result));
            }
            Self::Retrieve(retrieve) => {
                if let Some(answer) = &retrieve.answer
                    && answer.tick.is_some()
                {
                    log.retrieved(&retrieve.query_record.query, answer.bullets.iter());
                }
                let answer = retrieve.answer.ok_or(EngineError::Stopped);
                drop(retrieve.reply.send(answer));
            }
            Self::Record(record) => {
                if let Some(reply) = record.reply {
                    drop(reply.send(Ok(record.result)));
                }
            }
            Self::Flush(reply) => drop(reply.send(Ok(()))),
        }
    }
}

impl RetrieveMessage {
    /// Ranks, unless the caller's own ranking still holds. Returns the record to write, without its tick;
    /// `None` if nothing was returned.
    pub(crate) fn rank(
        &mut self,
        memory: &Memory,
        incarnation: &str,
        now: Timestamp,
    ) -> Option<RetrievalRecord> {
        // `take`, so that a retried decision ranks again: the first one may have rested on a decision that
        // was rolled back.
        let answer = self.speculative.take();
        let answer = answer
            .filter(|answer| answer.holds_for(memory, incarnation))
            .unwrap_or_else(|| MemoryAnswer::rank(memory, Some(incarnation), &self.query, now));
        let answer = self.answer.insert(answer);
        answer.fit(Some(&self.query_record.id), self.query_record.fit.as_ref());
        // An empty answer takes no tick: the memory stays as if it had not been asked.
        let is_empty = answer.ranking.hits.is_empty();
        (!is_empty).then(|| self.query_record.record(answer, now))
    }
}

impl RecordMessage {
    /// Returns the record to write, without its tick; `None` if its condition does not hold or none of its
    /// bullets is active.
    pub(crate) fn admit(&mut self, memory: &Memory, incarnation: &str) -> Option<RetrievalRecord> {
        let record = &self.record;
        // Set first, so that a decision that is made again does not keep the tick of the earlier one.
        self.result = Recorded::Moved;
        if self.incarnation.as_deref() != Some(incarnation) {
            return None;
        }
        let is_same_revision = memory.revision() == record.revision;
        match self.condition {
            RecordCondition::SameClock => {
                (is_same_revision && memory.clock() == record.ranked_at).then(|| record.clone())
            }
            RecordCondition::SameRevision => is_same_revision.then(|| record.clone()),
            RecordCondition::RetainActive => active_part(record, memory),
        }
    }
}

/// The part of a record whose bullets are still active; `None` if none is.
fn active_part(record: &RetrievalRecord, memory: &Memory) -> Option<RetrievalRecord> {
    let is_active = |one: &Returned| {
        let bullet = memory.get(one.bullet);
        bullet.is_some_and(|bullet| bullet.is_active())
    };
    let mut record = record.clone();
    record.returned.retain(is_active);
    (!record.returned.is_empty()).then_some(record)
}
