//! Verb: rebuild a memory from its events, and prove that it is what the store says.

use std::borrow::Cow;

use super::Engine;
use super::error::{EngineError, EngineResult};
use super::open::Snapshot;
use crate::domain::memory::aggregate::Memory;
use crate::domain::memory::apply::apply_delta;
use crate::domain::memory::delta::{Delta, DeltaBody, DeltaId};
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::plant::create_from;
use crate::domain::memory::policy::Policy;
use crate::domain::memory::touch::touch;
use crate::store::{DeltaRecord, EventRecord, RetrievalRecord};

/// Events that are read at a time.
const PAGE: usize = 1_000;

/// Where a replay ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Until {
    /// After the last event.
    End,
    /// After the event with this tick.
    Tick(u64),
    /// After the first event at or after this tick by which so many retrievals were replayed.
    Fold {
        /// The tick, 0 when it does not matter.
        tick: u64,
        /// The number, 0 when it does not matter.
        retrievals: u64,
    },
}

impl Until {
    /// The newest checkpoint that a replay may begin at.
    fn newest_start(self) -> u64 {
        match self {
            Self::Tick(tick) => tick,
            Self::End | Self::Fold { .. } => u64::MAX >> 1,
        }
    }

    /// True when the next event lies beyond the end.
    fn is_before(self, next: &EventRecord, replayed: &Replayed) -> bool {
        match self {
            Self::End => false,
            Self::Tick(tick) => next.tick() > tick,
            Self::Fold { tick, retrievals } => {
                replayed.memory.clock() >= tick && replayed.events - replayed.deltas >= retrievals
            }
        }
    }
}

/// An event whose replay came to something else than what history says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// Tick of the event.
    pub tick: u64,
    /// The delta, where it was one.
    pub delta: Option<DeltaId>,
    /// What differs.
    pub reason: String,
    /// True when a delta did what its receipt says, and only the digests after it are others: then it
    /// was written on top of a change that was made by hand.
    pub is_digest_only: bool,
}

/// A memory rebuilt from its events.
#[derive(Debug)]
pub struct Replayed {
    /// The rebuilt memory.
    pub memory: Memory,
    /// Clock that the replay began at.
    pub from_clock: u64,
    /// Number of events.
    pub events: u64,
    /// Number of deltas among them.
    pub deltas: u64,
    /// Events that came to something else; empty when history and engine agree.
    pub mismatches: Vec<Mismatch>,
}

impl Engine {
    /// Rebuilds a memory from its last checkpoint, or its creation, and all events since.
    pub async fn replay(&self, key: &MemoryKey) -> EngineResult<Replayed> {
        self.must_follow_rules(key).await?;
        self.replay_until(key, Until::End).await
    }

    pub(super) async fn replay_until(
        &self,
        key: &MemoryKey,
        until: Until,
    ) -> EngineResult<Replayed> {
        let mut replayed = self.replay_start(key, until).await?;
        let end = match until {
            Until::Tick(tick) => tick,
            Until::End | Until::Fold { .. } => {
                let head = self.store().head(key).await?;
                head.map_or(0, |head| head.position.clock)
            }
        };
        let progress = &self.shared.progress;
        progress.begin(end.saturating_sub(replayed.from_clock));
        loop {
            let is_short = !self.replay_events(key, until, &mut replayed).await?;
            if replayed.mismatches.is_empty() && !is_short {
                return Ok(replayed);
            }
            // Somebody may have folded what was still to be read. Each round begins at a newer
            // checkpoint, so there are no more of them than folds meanwhile.
            let newer = self.newest_checkpoint(key, until).await?;
            match newer.filter(|newer| newer.clock() > replayed.from_clock) {
                Some(newer) => replayed = Replayed::from(newer),
                None => return Ok(replayed),
            }
        }
    }

    /// Replays the events page by page. False: they ended before the end was reached.
    async fn replay_events(
        &self,
        key: &MemoryKey,
        until: Until,
        replayed: &mut Replayed,
    ) -> EngineResult<bool> {
        loop {
            let clock = replayed.memory.clock();
            let events = self.store().events(key, clock, PAGE).await?;
            let last = events.len() < PAGE;
            for event in events {
                if until.is_before(&event, replayed) {
                    return Ok(true);
                }
                self.replay_event(replayed, event);
            }
            self.shared.progress.reach(replayed.events);
            let stuck = replayed.memory.clock() == clock;
            if last || stuck {
                return self.has_ended(key, until, replayed).await;
            }
        }
    }

    /// True when no event is missing behind the last one that was read.
    async fn has_ended(
        &self,
        key: &MemoryKey,
        until: Until,
        replayed: &Replayed,
    ) -> EngineResult<bool> {
        let clock = replayed.memory.clock();
        match until {
            Until::Tick(tick) => Ok(clock >= tick),
            Until::End | Until::Fold { .. } => {
                let head = self.store().head(key).await?;
                Ok(head.is_none_or(|head| clock >= head.position.clock))
            }
        }
    }

    async fn newest_checkpoint(
        &self,
        key: &MemoryKey,
        until: Until,
    ) -> EngineResult<Option<Memory>> {
        let found = self.store().checkpoint(key, until.newest_start()).await?;
        Ok(found.map(|checkpoint| Snapshot::of(key.clone(), checkpoint.state).memory))
    }

    /// The newest checkpoint that does not lie beyond the end, else the creation.
    async fn replay_start(&self, key: &MemoryKey, until: Until) -> EngineResult<Replayed> {
        if let Some(memory) = self.newest_checkpoint(key, until).await? {
            return Ok(Replayed::from(memory));
        }
        let creation = self.store().delta(key, &DeltaId::creation()).await?;
        let creation = creation.ok_or_else(|| EngineError::NoMemory(key.clone()))?;
        let policy = creation
            .policy_before
            .clone()
            .unwrap_or_else(Policy::default);
        let at = creation.at;
        let delta = delta_of(creation)?;
        Ok(Replayed::from(
            create_from(key.clone(), policy, delta, at).memory,
        ))
    }

    fn replay_event(&self, replayed: &mut Replayed, event: EventRecord) {
        replayed.events += 1;
        match event {
            EventRecord::Delta(record) => self.replay_delta(replayed, *record),
            EventRecord::Retrieval(record) => replay_retrieval(replayed, &record),
        }
    }

    fn replay_delta(&self, replayed: &mut Replayed, record: DeltaRecord) {
        replayed.deltas += 1;
        let (tick, at, id, expected) = (
            record.tick,
            record.at,
            record.id.clone(),
            record.receipt.clone(),
        );
        let mut differs = |reason: String, is_digest_only: bool| {
            replayed.mismatches.push(Mismatch {
                tick,
                delta: Some(id.clone()),
                reason,
                is_digest_only,
            });
        };
        let delta = match delta_of(record) {
            Ok(delta) => delta,
            Err(error) => return differs(error.to_string(), false),
        };
        match apply_delta(&mut replayed.memory, &delta, at, self.tables()) {
            Err(refusal) => differs(format!("it is refused now: {refusal}"), false),
            Ok(applied) if applied.receipt == expected => {}
            Ok(applied) => {
                let is_digest_only = applied.receipt.differs_only_in_digests(&expected);
                let what = if applied.receipt.digest == expected.digest {
                    "the receipt differs"
                } else {
                    "the state digest differs"
                };
                differs(what.to_owned(), is_digest_only);
            }
        }
    }
}

impl Replayed {
    fn from(memory: Memory) -> Self {
        Self {
            from_clock: memory.clock(),
            memory,
            events: 0,
            deltas: 0,
            mismatches: Vec::new(),
        }
    }
}

fn replay_retrieval(replayed: &mut Replayed, record: &RetrievalRecord) {
    let ids: Vec<_> = record.returned.iter().map(|one| one.bullet).collect();
    touch(&mut replayed.memory, &ids, record.at);
    if replayed.memory.clock() != record.tick {
        let reason = format!("it came to tick {}", replayed.memory.clock());
        replayed.mismatches.push(Mismatch {
            tick: record.tick,
            delta: None,
            reason,
            is_digest_only: false,
        });
    }
}

/// The body of a history entry.
pub(super) fn body_of(record: &DeltaRecord) -> EngineResult<DeltaBody<'static>> {
    serde_json::from_str(&record.body).map_err(|error| {
        EngineError::Invalid(format!(
            "the stored body of `{}` cannot be read: {error}",
            record.id
        ))
    })
}

/// The delta of a history entry, ready to be applied again.
pub(super) fn delta_of(record: DeltaRecord) -> EngineResult<Delta> {
    let body = body_of(&record)?;
    Ok(Delta {
        id: record.id,
        origin: record.origin,
        reasoning: body.reasoning.map(Cow::into_owned),
        expected_revision: None,
        lenient: body.lenient,
        import: body.import,
        undo: body.undo,
        undoes: body.undoes,
        meets: body.meets,
        operations: body.operations.into_owned(),
    })
}
