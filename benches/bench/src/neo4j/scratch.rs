//! The scratch tenant: everything that a benchmark writes hangs below it and is erased at the end.

use std::collections::BTreeSet;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::texts;
use crate::EvalError;
use hindlore::clock::SystemClock;
use hindlore::{AppliedDelta, Engine, EngineOptions};
use hindlore_domain::memory::delta::{Delta, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_neo4j::{Neo4jOptions, Neo4jStore};

const SCOPE: &str = "default";

/// A tenant of our own on a server.
pub(super) struct Scratch {
    /// How the server is reached.
    pub(super) options: Neo4jOptions,
    /// Name of the tenant.
    pub(super) tenant: String,
    /// The learners that were written, to be erased.
    learners: Mutex<BTreeSet<String>>,
}

impl Scratch {
    /// A new tenant.
    pub(super) fn new(options: Neo4jOptions) -> Self {
        let chance = RandomState::new().build_hasher().finish();
        Self {
            options,
            tenant: format!("bench-{chance:016x}"),
            learners: Mutex::default(),
        }
    }

    /// An instance of the engine with connections of its own.
    pub(super) async fn engine(&self) -> Result<Engine, EvalError> {
        self.engine_at(&self.options.uri).await
    }

    /// A store at another address.
    pub(super) async fn engine_at(&self, uri: &str) -> Result<Engine, EvalError> {
        let options = Neo4jOptions {
            uri: uri.to_owned(),
            instance: "bench".to_owned(),
            // A slow server is measured, not given up.
            connect_timeout_ms: 60_000,
            statement_timeout_ms: 600_000,
            work_timeout_ms: 1_200_000,
            ..self.options.clone()
        };
        let store = Neo4jStore::connect(options).await.map_err(failed)?;
        let how = EngineOptions {
            instance: "bench".to_owned(),
            // As many bullets as requested, and no others.
            policy: Policy {
                max_bullets: None,
                ..Policy::default()
            },
            seeds: false,
            // The measurement is not to share the machine with background work.
            consolidate_above: None,
            ..EngineOptions::default()
        };
        Ok(Engine::new(Arc::new(store), Arc::new(SystemClock), how))
    }

    /// A memory of the tenant.
    pub(super) fn key(&self, learner: &str) -> Result<MemoryKey, EvalError> {
        let mut learners = self.learners.lock().unwrap_or_else(PoisonError::into_inner);
        learners.insert(learner.to_owned());
        MemoryKey::new(&self.tenant, learner, SCOPE).map_err(failed)
    }

    /// Destroys one memory.
    pub(super) async fn erase(&self, engine: &Engine, key: &MemoryKey) -> Result<(), EvalError> {
        let erased = engine.erase(key.tenant(), key.learner(), None).await;
        erased.map(|_| ()).map_err(failed)
    }

    /// Destroys everything.
    pub(super) async fn erase_all(&self) -> Result<(), EvalError> {
        let engine = self.engine().await?;
        let learners = {
            let mut learners = self.learners.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *learners)
        };
        for learner in learners {
            let erased = engine.erase(&self.tenant, &learner, None).await;
            erased.map_err(failed)?;
        }
        Ok(())
    }
}

/// A delta that adds the texts of these numbers; with tags, two each.
pub(super) fn filling(numbers: std::ops::Range<u64>, tagged: bool) -> Result<Delta, EvalError> {
    let add = |number: u64| {
        Operation::Add(Box::new(NewBullet {
            content: texts::text(number),
            helpful: 1,
            tags: if tagged {
                texts::tags(number)
            } else {
                Vec::new()
            },
            ..NewBullet::default()
        }))
    };
    delta(numbers.map(add).collect())
}

/// Applies such a delta.
pub(super) async fn fill(
    engine: &Engine,
    key: &MemoryKey,
    numbers: std::ops::Range<u64>,
    tagged: bool,
) -> Result<AppliedDelta, EvalError> {
    let delta = filling(numbers, tagged)?;
    engine.apply_delta(key, delta).await.map_err(failed)
}

/// Times a repeated delta; returns the seconds.
pub(super) async fn seconds_of(
    engine: &Engine,
    key: &MemoryKey,
    delta: Delta,
) -> Result<f64, EvalError> {
    let started = Instant::now();
    engine.apply_delta(key, delta).await.map_err(failed)?;
    Ok(started.elapsed().as_secs_f64())
}

/// A delta with an id of its own.
pub(super) fn delta(operations: Vec<Operation>) -> Result<Delta, EvalError> {
    let id = Engine::fresh_delta_id().map_err(failed)?;
    Ok(Delta::new(id, operations))
}

/// A benchmark that cannot continue.
pub(super) fn failed(error: impl std::fmt::Display) -> EvalError {
    EvalError::new(
        format!("the server could not be measured: {error}"),
        "name a Neo4j that may be written to with --store, and the user's NEO4J_PASSWORD",
    )
}
