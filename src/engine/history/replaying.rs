//! Rebuilds a memory from its last checkpoint or its creation, event by event.

use super::stored_delta::{body_of, delta_of};
use crate::actor::snapshot::Snapshot;
use crate::context::Context;
use crate::error::{EngineError, EngineResult};
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::apply::apply_delta;
use hindlore_domain::memory::delta::{DeltaId, body_digest};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::receipt::{BulletChange, ChangeRecord};
use hindlore_domain::memory::seed::create_from;
use hindlore_domain::memory::touch::touch;
use hindlore_primitives::steps;
use hindlore_store::{DeltaRecord, EventRecord, RetrievalRecord};

/// Remedy for a history that cannot be replayed.
pub(crate) const REBASE: &str = "`hindlore doctor adopt --rebase --reason WHY --yes` makes the stored memory the \
     state from which replays start";

/// Events read per page.
const PAGE: usize = 1_000;

/// Where a replay ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Until {
    /// After the last event.
    End,
    /// After the event with this tick.
    Tick(u64),
    /// After the first event at or after `tick` by which `retrievals` retrievals were replayed.
    Compact {
        /// 0 if irrelevant.
        tick: u64,
        /// 0 if irrelevant.
        retrievals: u64,
    },
}

impl Until {
    /// Clock of the newest checkpoint at which a replay may begin.
    fn newest_start(self) -> u64 {
        match self {
            Self::Tick(tick) => tick,
            Self::End | Self::Compact { .. } => u64::MAX >> 1,
        }
    }

    /// True if the next event is beyond the end.
    fn is_before(self, next: &EventRecord, replayed: &Replayed) -> bool {
        match self {
            Self::End => false,
            Self::Tick(tick) => next.tick() > tick,
            Self::Compact { tick, retrievals } => {
                replayed.memory.clock() >= tick && replayed.events - replayed.deltas >= retrievals
            }
        }
    }
}

/// An event whose replay differs from its record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// Tick of the event.
    pub tick: u64,
    /// The delta, if it was one.
    pub delta: Option<DeltaId>,
    /// The difference.
    pub reason: String,
    /// True if a delta had the effect that its receipt states, and only the digests differ, as they do if it was
    /// written on top of a manual edit, or if its recorded changes were edited.
    pub is_digest_only: bool,
}

/// A memory rebuilt from its events.
#[derive(Debug)]
pub struct Replayed {
    /// The rebuilt memory.
    pub memory: Memory,
    /// Clock at which the replay began.
    pub from_clock: u64,
    /// Number of events replayed.
    pub events: u64,
    /// Number of deltas among them.
    pub deltas: u64,
    /// Events that differ; empty if history and engine agree.
    pub mismatches: Vec<Mismatch>,
}

/// Rebuilds a memory from its last checkpoint or its creation, and the events since, up to `until`.
pub(crate) async fn replay(
    context: &Context,
    key: &MemoryKey,
    until: Until,
) -> EngineResult<Replayed> {
    let replay = Replay {
        context,
        key,
        until,
    };
    replay.run().await
}

/// A replay in progress.
#[derive(Clone, Copy)]
struct Replay<'a> {
    context: &'a Context,
    key: &'a MemoryKey,
    until: Until,
}

impl Replay<'_> {
    async fn run(self) -> EngineResult<Replayed> {
        let mut replayed = self.start().await?;
        let end = match self.until {
            Until::Tick(tick) => tick,
            Until::End | Until::Compact { .. } => {
                let head = self.context.store.head(self.key).await?;
                head.map_or(0, |head| head.position.clock)
            }
        };
        let progress = &self.context.progress;
        progress.begin(end.saturating_sub(replayed.from_clock));
        loop {
            let is_short = !self.replay_events(&mut replayed).await?;
            if replayed.mismatches.is_empty() && !is_short {
                return Ok(replayed);
            }
            // A compaction may have removed unread events. Each round begins at a newer checkpoint, so there
            // are no more rounds than concurrent compactions.
            let newer = self.newest_checkpoint().await?;
            match newer.filter(|newer| newer.clock() > replayed.from_clock) {
                Some(newer) => replayed = Replayed::from(newer),
                None => return Ok(replayed),
            }
        }
    }

    /// Replays the events page by page. Returns false if they ended before `until`.
    async fn replay_events(self, replayed: &mut Replayed) -> EngineResult<bool> {
        let store = &self.context.store;
        loop {
            let clock = replayed.memory.clock();
            let events = store.events(self.key, clock, PAGE).await?;
            let last = events.len() < PAGE;
            for event in events {
                if self.until.is_before(&event, replayed) {
                    return Ok(true);
                }
                self.replay_event(replayed, event);
            }
            self.context.progress.reach(replayed.events);
            // An event that does not advance the clock would be read again for ever.
            let stuck = replayed.memory.clock() == clock;
            if last || stuck {
                return self.has_ended(replayed).await;
            }
        }
    }

    /// True if no event is missing after the last one read.
    async fn has_ended(self, replayed: &Replayed) -> EngineResult<bool> {
        let clock = replayed.memory.clock();
        match self.until {
            Until::Tick(tick) => Ok(clock >= tick),
            Until::End | Until::Compact { .. } => {
                let head = self.context.store.head(self.key).await?;
                Ok(head.is_none_or(|head| clock >= head.position.clock))
            }
        }
    }

    async fn newest_checkpoint(self) -> EngineResult<Option<Memory>> {
        let start = self.until.newest_start();
        let found = self.context.store.checkpoint(self.key, start).await?;
        Ok(
            found
                .map(|checkpoint| Snapshot::from_loaded(self.key.clone(), checkpoint.state).memory),
        )
    }

    /// The newest checkpoint not beyond the end, else the creation.
    async fn start(self) -> EngineResult<Replayed> {
        if let Some(memory) = self.newest_checkpoint().await? {
            return Ok(Replayed::from(memory));
        }
        let id = DeltaId::creation();
        let creation = self.context.store.delta(self.key, &id).await?;
        let creation = creation.ok_or_else(|| EngineError::NoMemory(self.key.clone()))?;
        let policy = creation
            .policy_before
            .clone()
            .unwrap_or_else(Policy::default);
        let at = creation.at;
        let delta = delta_of(creation)?;
        Ok(Replayed::from(
            create_from(self.key.clone(), policy, delta, at).memory,
        ))
    }

    fn replay_event(self, replayed: &mut Replayed, event: EventRecord) {
        replayed.events += 1;
        match event {
            EventRecord::Delta(record) => {
                steps::add(record.body.len());
                self.replay_delta(replayed, *record);
            }
            EventRecord::Retrieval(record) => {
                steps::add(1);
                replay_retrieval(replayed, &record);
            }
        }
    }

    fn replay_delta(self, replayed: &mut Replayed, record: DeltaRecord) {
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
        let forged = forged(&record);
        let recorded = record.changes.clone();
        if let Some(what) = forged {
            differs(what.to_owned(), false);
        }
        let delta = match delta_of(record) {
            Ok(delta) => delta,
            Err(error) => return differs(error.to_string(), false),
        };
        match apply_delta(&mut replayed.memory, &delta, at, self.context.tables()) {
            Err(refusal) => differs(format!("it is refused now: {refusal}"), false),
            Ok(applied) if applied.receipt == expected => {
                if !are_same(&applied.changes.bullets, &recorded) {
                    let what = "the changes that it records are not those that it makes";
                    differs(what.to_owned(), true);
                }
            }
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

/// The edited part of a stored delta; `None` for one that is as it was written.
fn forged(record: &DeltaRecord) -> Option<&'static str> {
    if body_digest(&record.body) != record.body_digest {
        return Some("its body is not the one that was sent");
    }
    let body = body_of(record).ok()?;
    (body.reasoning.as_deref() != record.reasoning.as_deref())
        .then_some("its reasoning is not the one that was sent")
}

/// Returns true if two lists of changes have the same bullets, kinds and counts. The former state of a bullet
/// follows from earlier events, so it is not compared.
fn are_same(ours: &[BulletChange], recorded: &[ChangeRecord]) -> bool {
    let ours = ours.iter().map(ChangeRecord::from_change);
    let is_same = |(a, b): (ChangeRecord, &ChangeRecord)| {
        (a.bullet, a.kind, a.counts, a.fields) == (b.bullet, b.kind, b.counts, b.fields)
    };
    ours.len() == recorded.len() && ours.zip(recorded).all(is_same)
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
