//! A random life of one memory: an engine over a file in a temporary folder, and a clock that is set.

use std::sync::Arc;

use fastrand::Rng;
use hindlore::{
    AppliedDelta, Engine, EngineError, EngineOptions, Feedback, Injection, MemoryView,
    RetrieveRequest, Verdict,
};
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::Store;
use hindlore_testkit::{SetClock, TemporaryStore};

use super::chance::{percent, pick};
use super::history::{self, DAY_MS};

/// One memory and all that is around it.
pub(crate) struct World {
    pub(crate) engine: Engine,
    pub(crate) key: MemoryKey,
    pub(crate) rng: Rng,
    pub(crate) place: TemporaryStore,
    clock: Arc<SetClock>,
    moment: i64,
    step: u64,
    /// The last delta that was applied.
    last: Option<DeltaId>,
    /// The bullets of a retrieval that waits for feedback.
    open: Option<Feedback>,
}

/// The key of all memories here.
pub(crate) fn key() -> MemoryKey {
    MemoryKey::new("t", "learner", "s").unwrap()
}

/// An engine over a store.
pub(crate) fn engine(store: Arc<dyn Store>, clock: Arc<SetClock>, policy: Policy) -> Engine {
    let options = EngineOptions {
        policy,
        ..EngineOptions::default()
    };
    Engine::new(store, clock, options)
}

impl World {
    /// A memory that is still to be made, under a random policy.
    pub(crate) fn new(mut rng: Rng) -> Self {
        let policy = history::policy(&mut rng);
        Self::with(rng, policy)
    }

    /// A memory that is still to be made.
    pub(crate) fn with(rng: Rng, policy: Policy) -> Self {
        let place = TemporaryStore::new().unwrap();
        let clock = Arc::new(SetClock::at(Timestamp::from_millis(0)));
        Self {
            engine: engine(place.store().unwrap(), clock.clone(), policy),
            key: key(),
            rng,
            place,
            clock,
            moment: 0,
            step: 0,
            last: None,
            open: None,
        }
    }

    /// Another engine on the same file.
    pub(crate) fn second(&self) -> Engine {
        self.over(self.place.store().unwrap())
    }

    /// Another engine on a store over the same file.
    pub(crate) fn over(&self, store: Arc<dyn Store>) -> Engine {
        engine(store, self.clock.clone(), Policy::default())
    }

    /// The memory now; as a new one before it was made.
    pub(crate) async fn view(&self) -> Option<MemoryView> {
        self.engine.view(&self.key).await.unwrap()
    }

    /// Its bullets now.
    pub(crate) async fn bullets(&self) -> Vec<Bullet> {
        self.view()
            .await
            .map(|view| view.bullets)
            .unwrap_or_default()
    }

    /// Lets some time go by.
    pub(crate) fn wait(&mut self) {
        self.moment += self.rng.i64(0..DAY_MS * 2);
        self.clock.set(Timestamp::from_millis(self.moment));
    }

    /// Something happens: time, a retrieval, feedback, an undo, a delta. Gives a delta that was applied.
    pub(crate) async fn live(&mut self) -> Option<AppliedDelta> {
        if percent(&mut self.rng, 15) {
            self.wait();
        }
        match self.rng.u8(..100) {
            0..=27 => {
                self.retrieve().await;
                None
            }
            28..=37 => self.give_feedback().await,
            38..=42 => self.undo_last().await,
            _ => self.apply().await,
        }
    }

    /// A random retrieval, recorded or not.
    pub(crate) async fn retrieve(&mut self) {
        let request = RetrieveRequest {
            peek: percent(&mut self.rng, 20),
            strict: percent(&mut self.rng, 20),
            inject: if percent(&mut self.rng, 50) {
                Injection::All
            } else {
                Injection::Nothing
            },
            ..RetrieveRequest::new(history::query(&mut self.rng))
        };
        let found = self.engine.retrieve(&self.key, request).await.unwrap();
        let Some(retrieval) = found.retrieval else {
            return;
        };
        let verdicts = found.bullets.iter().filter_map(|one| {
            let verdict = *pick(&mut self.rng, Verdict::ALL);
            percent(&mut self.rng, 60).then_some((one.bullet.id, verdict))
        });
        self.open = Some(Feedback {
            retrieval,
            verdicts: verdicts.collect(),
            author: None,
        });
    }

    async fn give_feedback(&mut self) -> Option<AppliedDelta> {
        let feedback = self.open.take().filter(|f| !f.verdicts.is_empty())?;
        let given = self.engine.give_feedback(&self.key, feedback).await;
        let given = match given {
            // The retrieval was compacted in the meantime.
            Err(EngineError::NoRetrieval(_)) => return None,
            other => other.unwrap(),
        };
        let applied = given.applied.into_iter().next()?;
        (!applied.repeated).then_some(applied)
    }

    async fn undo_last(&mut self) -> Option<AppliedDelta> {
        let id = self.last.clone()?;
        let force = percent(&mut self.rng, 30);
        match self.engine.undo_delta(&self.key, &id, None, force).await {
            Ok(applied) if !applied.repeated => Some(self.noted(applied)),
            // A delta that changed nothing has an undo that leaves no record.
            Ok(_)
            | Err(EngineError::Undo(_) | EngineError::Refused(_) | EngineError::NoDelta(_)) => None,
            Err(error) => panic!("undo: {error}"),
        }
    }

    /// A random delta; none when it was refused.
    pub(crate) async fn apply(&mut self) -> Option<AppliedDelta> {
        self.step += 1;
        let known = self.bullets().await;
        let delta = history::delta(&mut self.rng, &format!("d{}", self.step), &known);
        match self.engine.apply_delta(&self.key, delta).await {
            Ok(applied) => Some(self.noted(applied)),
            Err(EngineError::Refused(_)) => None,
            Err(error) => panic!("delta: {error}"),
        }
    }

    fn noted(&mut self, applied: AppliedDelta) -> AppliedDelta {
        self.last = Some(applied.receipt.delta.clone());
        applied
    }
}
