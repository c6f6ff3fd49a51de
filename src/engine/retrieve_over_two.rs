//! A retrieval over two memories of a learner: the asked one, and the one that all its scopes share.
//!
//! They are ranked as one, and each that returned something takes a tick of its own. A memory is recorded only
//! at the revision that it was ranked at (strictly: at the clock, too); where it has moved, it is ranked again.
//! Two memories are never written in one transaction: once the asked one has its tick, what it gives is
//! settled, and a shared one that has moved meanwhile fills the places that are left.

use super::answer::{Asked, Basis, MemoryAnswer};
use super::error::{EngineError, EngineResult};
use super::request::{RecordJob, Recorded, Request};
use super::retrieve::{RetrieveRequest, Retrieved, RetrievedBullet, combine};
use super::{Engine, events};
use crate::domain::memory::bullet::{Bullet, BulletId};
use crate::domain::memory::key::MemoryKey;

/// Times that others may move a memory between ranking and record.
const TRIES: usize = 64;

impl Engine {
    /// Ranks two memories as one, then records in each what was chosen from it.
    pub(super) async fn retrieve_over_two(
        &self,
        key: &MemoryKey,
        request: &RetrieveRequest,
        asked: Asked,
    ) -> EngineResult<Retrieved> {
        let (other, query) = (key.shared(), &request.query);
        let join = |own: &MemoryAnswer, shared: &MemoryAnswer| {
            let answers = vec![(key.clone(), own.clone()), (other.clone(), shared.clone())];
            combine(answers, query.top_k)
        };
        let asks = (&asked, request.strict);
        let mut tries = TRIES;
        let (mut own, mut basis, mut joined, own_tick) = loop {
            let own = self.look(key, query).await?;
            let shared = self.look(&other, query).await?;
            let joined = join(&own, &shared);
            let basis = Basis::from(&own.ranking);
            match self.record_from(key, &joined, basis, asks).await? {
                Recorded::Moved => tries = less(tries, key)?,
                Recorded::Tick(tick) => break (own, Basis::from(&shared.ranking), joined, tick),
            }
        };
        // What it gives is settled now.
        let given = chosen_from(key, &joined).count();
        own.keep(given);
        let shared_tick = loop {
            match self.record_from(&other, &joined, basis, asks).await? {
                Recorded::Moved => tries = less(tries, &other)?,
                Recorded::Tick(tick) => break tick,
            }
            let mut shared = self.look(&other, query).await?;
            basis = Basis::from(&shared.ranking);
            shared.keep(query.top_k.saturating_sub(given));
            joined = join(&own, &shared);
        };
        joined.memories[0].tick = own_tick;
        joined.memories[1].tick = shared_tick;
        joined.retrieval = own_tick.or(shared_tick).map(|_| asked.id.clone());
        Ok(joined)
    }

    /// Records what was chosen from one memory; without a tick where nothing was, or there is no memory.
    async fn record_from(
        &self,
        memory: &MemoryKey,
        joined: &Retrieved,
        basis: Basis,
        (asked, strict): (&Asked, bool),
    ) -> EngineResult<Recorded> {
        let chosen = chosen_from(memory, joined);
        let hits: Vec<(BulletId, f64)> = chosen.map(|one| (one.hit.id, one.hit.score)).collect();
        if hits.is_empty() {
            return Ok(Recorded::Tick(None));
        }
        let record = asked.record(basis, hits, self.shared.clock.now());
        let job = |reply| {
            Request::Record(Box::new(RecordJob {
                record,
                strict,
                reply,
                result: Recorded::Tick(None),
            }))
        };
        let recorded = self.submit(memory, job).await?;
        if let Recorded::Tick(Some(_)) = recorded {
            let bullets = chosen_from(memory, joined).map(|one| one.bullet.clone());
            events::injected(
                self,
                memory,
                &asked.query,
                &bullets.collect::<Vec<Bullet>>(),
            );
        }
        Ok(recorded)
    }
}

/// What an answer took from one memory.
pub(super) fn chosen_from<'r>(
    memory: &'r MemoryKey,
    joined: &'r Retrieved,
) -> impl Iterator<Item = &'r RetrievedBullet> {
    let chosen = joined.bullets.iter();
    chosen.filter(|one| one.scope == memory.scope())
}

/// One try less.
fn less(tries: usize, memory: &MemoryKey) -> EngineResult<usize> {
    let contended = || EngineError::Contended(memory.clone());
    tries.checked_sub(1).ok_or_else(contended)
}
