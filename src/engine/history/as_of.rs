//! Verb: read a memory as it was at an earlier revision, clock or time.

use super::replaying::{Until, replay};
use crate::actor::snapshot::Snapshot;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::steps;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::{DeltaPage, DeltaRecord, Head, MemoryStoreExt};

/// Deltas read per page.
const PAGE: usize = 200;

/// A memory as it was right after a delta.
#[derive(Debug)]
pub struct PastMemory {
    /// All bullets that existed, in order of insertion.
    pub bullets: Vec<Bullet>,
    /// The revision.
    pub revision: u64,
    /// True: every field is as it was. False: the touches of that time are compacted, so access indices and
    /// strengths may be later ones; contents, status and counts are as they were.
    pub exact: bool,
    /// State digest; present if the state is exact.
    pub digest: Option<String>,
    /// Content digest.
    pub content_digest: String,
}

/// A moment of a memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// Right after the delta that led to a revision.
    Revision(u64),
    /// Right after the event that led to a clock.
    Clock(u64),
    /// Right after the last delta at or before a time.
    Time(Timestamp),
}

impl Engine {
    /// Reads a memory as it was at `revision`.
    pub async fn as_of(&self, key: &MemoryKey, revision: u64) -> EngineResult<PastMemory> {
        let (memory, digest) = self.memory_at(key, Moment::Revision(revision)).await?;
        Ok(past(memory, revision, digest))
    }

    /// An engine whose reading verbs see a memory as it was at a moment; it writes nothing to it.
    ///
    /// # Errors
    /// `NoMemory`; `NoRevision` for a moment that is not reached yet; `Invalid` for a time before the memory was made,
    /// and for a moment whose deltas are folded.
    pub async fn at(&self, key: &MemoryKey, moment: Moment) -> EngineResult<Self> {
        let (memory, _) = self.memory_at(key, moment).await?;
        Ok(self.with_past(memory))
    }

    /// The memory at a moment, with its digest where the state is exact.
    async fn memory_at(
        &self,
        key: &MemoryKey,
        moment: Moment,
    ) -> EngineResult<(Memory, Option<String>)> {
        let head = self
            .store()
            .head(key)
            .await?
            .ok_or_else(|| EngineError::NoMemory(key.clone()))?;
        let (revision, tick, is_kept) = self.position_of(key, &head, moment).await?;
        let replayed = replay(self.context(), key, Until::Tick(tick)).await?;
        let mut memory = replayed.memory;
        // A compaction may have removed events around that tick, so the replay may end elsewhere.
        let is_there = (memory.revision(), memory.clock()) == (revision, tick);
        if is_there && replayed.mismatches.is_empty() {
            let digest = Some(memory.digest());
            return Ok((memory, digest));
        }
        if !is_kept {
            return Err(folded(key));
        }
        // The events of that time are compacted: walk back from the present by the recorded changes of the deltas.
        let loaded = self
            .store()
            .load(key)
            .await?
            .ok_or_else(|| EngineError::NoMemory(key.clone()))?;
        let present = Snapshot::from_loaded(key.clone(), loaded).memory;
        let bullets = self.walk_back(key, &present, revision).await?;
        let mut memory = Memory::new(key.clone(), present.policy().clone());
        bullets.iter().for_each(|bullet| memory.put(bullet));
        Ok((memory, None))
    }

    /// The revision and the tick of a moment, and whether the delta that led to it is kept. Of a revision and a time,
    /// later retrievals are left out.
    async fn position_of(
        &self,
        key: &MemoryKey,
        head: &Head,
        moment: Moment,
    ) -> EngineResult<(u64, u64, bool)> {
        let (asked, newest) = match moment {
            Moment::Revision(revision) => (revision, head.position.revision),
            Moment::Clock(clock) => (clock, head.position.clock),
            Moment::Time(_) => (0, 0),
        };
        if asked > newest {
            return Err(EngineError::NoRevision { asked, newest });
        }
        if let Moment::Time(at) = moment
            && at < head.created_at
        {
            return Err(EngineError::Invalid(format!(
                "the memory {key} was made at {}, after the asked time",
                head.created_at
            )));
        }
        let mut below = match moment {
            Moment::Revision(revision) => Some(revision.saturating_add(1)),
            Moment::Clock(_) | Moment::Time(_) => None,
        };
        // Revision of the delta after the moment: those between it and the one before the moment are folded.
        let mut next = below.unwrap_or(head.position.revision.saturating_add(1));
        loop {
            let page = DeltaPage {
                below_revision: below,
                limit: PAGE,
            };
            let deltas = self.store().deltas(key, page).await?;
            let is_before = |delta: &&DeltaRecord| match moment {
                Moment::Revision(revision) => delta.revision <= revision,
                Moment::Clock(clock) => delta.tick <= clock,
                Moment::Time(at) => delta.at <= at,
            };
            let found = deltas.iter().find(is_before);
            let after = deltas.iter().take_while(|delta| !is_before(delta));
            next = after.last().map_or(next, |delta| delta.revision);
            if found.is_some() || deltas.len() < PAGE {
                let (revision, tick) = found.map_or((0, 0), |delta| (delta.revision, delta.tick));
                let is_kept = revision + 1 >= next;
                let revision = revision.max(next.saturating_sub(1));
                return match moment {
                    Moment::Clock(clock) => Ok((revision, clock, is_kept)),
                    Moment::Revision(_) | Moment::Time(_) if is_kept => Ok((revision, tick, true)),
                    Moment::Revision(_) | Moment::Time(_) => Err(folded(key)),
                };
            }
            below = deltas.last().map(|delta| delta.revision);
        }
    }

    async fn walk_back(
        &self,
        key: &MemoryKey,
        present: &Memory,
        revision: u64,
    ) -> EngineResult<Vec<Bullet>> {
        let mut state: std::collections::BTreeMap<_, _> = present
            .bullets()
            .iter()
            .map(|bullet| (bullet.id, bullet.clone()))
            .collect();
        let mut below = None;
        loop {
            let page = DeltaPage {
                below_revision: below,
                limit: PAGE,
            };
            let deltas = self.store().deltas(key, page).await?;
            for delta in &deltas {
                if delta.revision <= revision {
                    return Ok(in_order(state.into_values().collect()));
                }
                steps::add(delta.changes.len());
                for change in &delta.changes {
                    match &change.before {
                        None => drop(state.remove(&change.bullet)),
                        Some(record) => {
                            // The policy of its time limited the text when it was written, so no limit
                            // applies now.
                            let bullet = record.to_bullet(u32::MAX);
                            let bullet = bullet.map_err(EngineError::Invalid)?;
                            let identity = present.policy().identity();
                            state.insert(change.bullet, bullet.with_identity(identity));
                        }
                    }
                }
            }
            below = deltas.last().map(|delta| delta.revision);
            if deltas.len() < PAGE {
                return Ok(in_order(state.into_values().collect()));
            }
        }
    }
}

fn folded(key: &MemoryKey) -> EngineError {
    EngineError::Invalid(format!(
        "the deltas that led {key} to that moment are no longer kept (policy delta_days, delta_records)"
    ))
}

fn in_order(mut bullets: Vec<Bullet>) -> Vec<Bullet> {
    bullets.sort_by_key(|bullet| bullet.position);
    bullets
}

fn past(mut memory: Memory, revision: u64, digest: Option<String>) -> PastMemory {
    let content_digest = memory.content_digest();
    let exact = digest.is_some();
    PastMemory {
        bullets: memory.bullets(),
        revision,
        exact,
        digest,
        content_digest,
    }
}
