//! Writing a decision about a memory: ahead of the lock if possible, else under it.
//!
//! For a caller that knows the memory, the decision comes first, and a single request writes it unless the memory has
//! moved on. If that request is impossible or fails, everything is done under the lock; the decision is reused if the
//! memory is still at the known position.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::commit::apply;
use super::deltas::in_one;
use super::events::Place;
use super::state::{self, Access};
use crate::bolt::contention_backoff::ContentionBackoff;
use crate::bolt::executor::{Aim, Executor};
use crate::bolt::random::token;
use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, bound, memory_key};
use crate::bolt::work::{Task, decided};
use crate::error::Result;
use crate::statements::{CREATE_DELTAS, EVENTS};
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{CatchUp, Commit, Decide, EventRecord, Head, Known, Outcome, Position};

/// Limit for a request ahead of the lock. A longer one waits for a large writer, or for a refusal that the driver keeps
/// retrying in silence; under the lock both are recognised.
const AHEAD: Duration = Duration::from_secs(1);

/// A transaction on a memory: read, decide, write.
pub(super) struct Transact {
    key: MemoryKey,
    memory: String,
    known: Known,
    deltas: Vec<DeltaId>,
    /// `None` while it is running, and after a panic.
    decide: Option<Decide>,
    /// The last decision, with the position at which it holds if none of the deltas is applied.
    decision: Option<(Position, Commit)>,
    request: String,
    backoff: Arc<ContentionBackoff>,
}

impl Transact {
    pub(super) fn new(
        key: &MemoryKey,
        known: Known,
        deltas: Vec<DeltaId>,
        decide: Decide,
        backoff: Arc<ContentionBackoff>,
    ) -> Self {
        Self {
            key: key.clone(),
            memory: memory_key(key),
            known,
            deltas,
            decide: Some(decide),
            decision: None,
            request: token(),
            backoff,
        }
    }

    fn place(&self) -> Place<'_> {
        Place {
            key: &self.key,
            memory: &self.memory,
            request: &self.request,
        }
    }

    /// Decides as if nothing had changed; returns the request that writes everything, if one request can.
    async fn ahead_of(&mut self, executor: &Executor, head: Head) -> Result<Option<Map>> {
        let position = head.position.clone();
        let unchanged = CatchUp {
            head,
            bullets: Vec::new(),
            links: Vec::new(),
            receipts: Vec::new(),
        };
        let commit = decided(&mut self.decide, unchanged).await?;
        let request = if self.writes_all(&commit) {
            in_one(self.place(), &position, &commit)?
        } else {
            None
        };
        self.decision = Some((position, commit));
        // A larger request would be delayed; under the lock it goes in pieces.
        Ok(request.filter(|request| executor.fits(CREATE_DELTAS, request)))
    }

    /// True when the commit writes all deltas in question. An applied one then violates a uniqueness constraint, and the
    /// request looks for the mark of a folded one itself, so it needs no look for receipts.
    fn writes_all(&self, commit: &Commit) -> bool {
        let writes = |id: &DeltaId| {
            let mut events = commit.events.iter();
            events.any(|event| matches!(event, EventRecord::Delta(delta) if delta.id == *id))
        };
        self.deltas.iter().all(writes)
    }

    /// Decides on the current state, reusing the last decision if it still holds.
    async fn decided_on(&mut self, there: CatchUp) -> Result<Commit> {
        if let Some((position, commit)) = self.decision.take() {
            let is_hit = position == there.head.position;
            self.backoff.note(&self.memory, is_hit);
            // A receipt means that a delta was applied before, which the decision did not know.
            if is_hit && there.receipts.is_empty() {
                return Ok(commit);
            }
        }
        decided(&mut self.decide, there).await
    }

    /// True when an earlier attempt, whose answer was lost, was committed.
    async fn is_written(&mut self, tx: &mut Transaction) -> Result<bool> {
        let first = self.decision.as_ref().and_then(|one| one.1.events.first());
        let Some(tick) = first.and_then(|event| event.tick().checked_sub(1)) else {
            return Ok(false);
        };
        // The event at the decision's first tick is ours if it bears our token.
        let asked = Map::new()
            .with("memory", self.memory.as_str())
            .with("tick", bound(tick))
            .with("clock", i64::MAX)
            .with("limit", 1_i64);
        let rows = tx.query(EVENTS, asked).await?;
        let Some(row) = rows.first() else {
            return Ok(false);
        };
        let event: Written = row.get("event")?;
        Ok(event.request == self.request)
    }
}

#[async_trait]
impl Task for Transact {
    type Output = Outcome;

    async fn ahead(&mut self, executor: &Executor) -> Result<Option<Outcome>> {
        let Known::Head(head) = &self.known else {
            return Ok(None);
        };
        // This comes before the retry loop, so it must not pass an open breaker by itself.
        if executor.breaker.is_open() || !self.backoff.should_try(&self.memory) {
            return Ok(None);
        }
        let Some(request) = self.ahead_of(executor, Head::clone(head)).await? else {
            return Ok(None);
        };
        let limit = AHEAD.min(executor.limits.statement);
        match executor
            .auto_commit_within(Aim::Write, limit, CREATE_DELTAS, request)
            .await
        {
            Ok(rows) => {
                // No row: the memory has moved on.
                self.backoff.note(&self.memory, !rows.is_empty());
                Ok((!rows.is_empty()).then_some(Outcome::Committed))
            }
            // A delta is already applied; its receipt must be read under the lock.
            Err(failure) if failure.is_repeat() => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    async fn attempt(&mut self, tx: &mut Transaction, was_lost: bool) -> Result<Outcome> {
        let asked = state::since(&self.memory, self.known.clock(), &self.deltas);
        let rows = tx.query(Access::Locked.statement(), asked).await?;
        let Some(there) = state::catch_up(&rows)? else {
            return Ok(Outcome::Missing);
        };
        // The change may be our own; deciding again would apply it a second time.
        if was_lost && self.is_written(tx).await? {
            return Ok(Outcome::Committed);
        }
        let head = there.head.clone();
        let commit = self.decided_on(there).await?;
        // Kept before the write: a retry recognises its own events by it.
        self.decision = Some((head.position.clone(), commit));
        if let Some((_, commit)) = &self.decision {
            apply(tx, self.place(), &head, commit).await?;
        }
        Ok(Outcome::Committed)
    }
}

#[derive(serde::Deserialize)]
struct Written {
    #[serde(default)]
    request: String,
}
