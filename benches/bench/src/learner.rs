//! A memory in process that learns by deltas and is asked, as a learner uses it: every rule of adding, refining and
//! ranking applies, and every retrieval takes its tick.

use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::apply::{Tables, apply_delta};
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::query::Query;
use hindlore_domain::memory::rank::{Hit, rank};
use hindlore_domain::memory::touch::touch;
use hindlore_primitives::timestamp::Timestamp;

use super::error::EvalError;

/// Nothing expires in a measurement.
const NOW: i64 = 0;

/// A memory under the shipped policy, empty at first.
pub(super) struct Learner {
    memory: Memory,
    tables: Tables,
    lessons: u64,
}

impl Learner {
    /// An empty memory.
    pub(super) fn new(scope: &str) -> Result<Self, EvalError> {
        let key = MemoryKey::new("bench", "learner", scope);
        let key = key.map_err(|error| refused(scope, &error.to_string()))?;
        Ok(Self {
            memory: Memory::new(key, Policy::default()),
            tables: Tables::standard(),
            lessons: 0,
        })
    }

    /// Learns some texts by one delta.
    pub(super) fn learn(&mut self, bullets: Vec<NewBullet>) -> Result<(), EvalError> {
        self.lessons += 1;
        let name = format!("lesson {}", self.lessons);
        let wrong = |why: String| refused(&name, &why);
        let adds = bullets.into_iter().map(Box::new).map(Operation::Add);
        let delta = Delta::new(DeltaId::parse(&name).map_err(wrong)?, adds.collect());
        let now = Timestamp::from_millis(NOW);
        let applied = apply_delta(&mut self.memory, &delta, now, &self.tables);
        applied.map_err(|refusal| refused(&name, &format!("{refusal:?}")))?;
        Ok(())
    }

    /// Asks, which touches the returned bullets.
    pub(super) fn ask(&mut self, query: &Query) -> Vec<Hit> {
        let now = Timestamp::from_millis(NOW);
        let hits = rank(&self.memory, query, now).hits;
        let ids: Vec<BulletId> = hits.iter().map(|hit| hit.id).collect();
        touch(&mut self.memory, &ids, now);
        hits
    }

    /// A bullet.
    pub(super) fn get(&self, id: BulletId) -> Option<Bullet> {
        self.memory.get(id)
    }

    /// Its bullets, in the order of learning.
    pub(super) fn active(&self) -> impl Iterator<Item = Bullet> {
        self.memory.active_bullets()
    }
}

fn refused(what: &str, why: &str) -> EvalError {
    let message = format!("`{what}` cannot be learned: {why}");
    EvalError::new(message, "check the texts of the data")
}
