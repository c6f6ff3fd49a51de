//! The side of a server: its store, a learner of our own, and the bare read through the driver.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

use async_trait::async_trait;
use neo4rs::BoltMap;

use super::{BareRead, failed};
use crate::EvalError;
use crate::neo4j::bare::{Bare, first, with};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_neo4j::{Neo4jOptions, Neo4jStore};
use hindlore_primitives::ids::FingerprintId;
use hindlore_store::Store;

const KEY: &str = "MATCH (o:Learner {tenant: $tenant, id: $learner}) RETURN o.hindlore_key AS key";
const LESSONS: &str = "MATCH (:Fingerprint {hindlore_key: $key})<-[:TRIGGERED_BY]-(l:Lesson)
    RETURN l.rule AS rule LIMIT 16";

/// A server with a learner of its own.
pub(super) struct Graph {
    options: Neo4jOptions,
    pub(super) store: Arc<dyn Store>,
    pub(super) owner: LearnerId,
}

impl Graph {
    pub(super) async fn connect(options: Neo4jOptions) -> Result<Self, EvalError> {
        let chance = RandomState::new().build_hasher().finish();
        let owner = LearnerId::new(&format!("bench-{chance:016x}"), "lessons").map_err(failed)?;
        // A slow server is measured, not given up.
        let patient = Neo4jOptions {
            connect_timeout_ms: 60_000,
            statement_timeout_ms: 600_000,
            work_timeout_ms: 1_200_000,
            ..options.clone()
        };
        let store = Neo4jStore::connect(patient).await.map_err(failed)?;
        Ok(Self {
            options,
            store: Arc::new(store),
            owner,
        })
    }

    /// The driver on its own, once the learner is there.
    pub(super) async fn bare(&self, owner: &LearnerId) -> Result<BareGraph, EvalError> {
        let bare = Bare::connect(&self.options)?;
        let asked = with(BoltMap::new(), "tenant", owner.tenant());
        let rows = bare
            .ask(KEY, with(asked, "learner", owner.learner()))
            .await?;
        Ok(BareGraph {
            key: first(&rows, "key")?,
            bare,
        })
    }
}

/// The driver without an engine.
pub(super) struct BareGraph {
    bare: Bare,
    key: String,
}

#[async_trait]
impl BareRead for BareGraph {
    async fn read(&mut self, fingerprint: FingerprintId) -> Result<usize, EvalError> {
        let key = format!("{}{fingerprint}", self.key);
        let rows = self
            .bare
            .ask(LESSONS, with(BoltMap::new(), "key", key.as_str()))
            .await?;
        for row in &rows {
            let rule: String = row.get("rule").map_err(failed)?;
            std::hint::black_box(rule);
        }
        Ok(rows.len())
    }
}
