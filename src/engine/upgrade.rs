//! Verb: bring a memory to newer rules of identity, merging and linking.
//!
//! A checkpoint of the memory as it stands is written first: replays begin there from then on, since what older
//! rules decided is not decided again. Then a delta of its own changes the rules, so that history says when it
//! was. A process that dies between the two leaves the memory under the older rules, whole.
//!
//! The price is that of any checkpoint: retrieval records before it are compacted into counts.

use super::actor::snapshot::Snapshot;
use super::answers::Upgraded;
use super::error::{EngineError, EngineResult};
use super::handle::Engine;
use super::log;
use crate::domain::memory::apply::Refusal;
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::upgrade::{UpgradeReport, has_shipped_tables, survey, upgrading};
use crate::store::{Checkpoint, MemoryStoreExt};

/// Who writes the delta of an upgrade.
const AUTHOR: &str = "migration";
/// Attempts that events of others may overtake.
const TRIES: usize = 8;

impl Engine {
    /// Reports what an upgrade would mean to a memory; absent when there is nothing to do.
    pub async fn survey_upgrade(&self, key: &MemoryKey) -> EngineResult<Option<UpgradeReport>> {
        let Some(loaded) = self.store().load(key).await? else {
            return Ok(None);
        };
        let memory = Snapshot::from_loaded(key.clone(), loaded).memory;
        Ok(survey(&memory, self.context().tables()))
    }

    /// Brings a memory to the newest rules; absent when it follows them.
    pub async fn upgrade(&self, key: &MemoryKey) -> EngineResult<Option<Upgraded>> {
        for _ in 1..TRIES {
            match self.upgrade_once(key).await {
                Err(EngineError::Contended(_) | EngineError::Refused(Refusal::Revision { .. })) => {
                }
                done => return done,
            }
        }
        self.upgrade_once(key).await
    }

    async fn upgrade_once(&self, key: &MemoryKey) -> EngineResult<Option<Upgraded>> {
        let Some(state) = self.store().load(key).await? else {
            return Ok(None);
        };
        let mut memory = Snapshot::from_loaded(key.clone(), state.clone()).memory;
        let Some(report) = survey(&memory, self.context().tables()) else {
            return Ok(None);
        };
        let mut delta = upgrading(&memory, self.context().tables());
        delta.origin.author = Some(AUTHOR.to_owned());
        let digest = memory.digest();
        let compacted = self
            .store()
            .compact(key, Checkpoint { state, digest })
            .await?;
        log::compacted(key, compacted);
        let applied = self.send_delta(key, delta, Vec::new()).await?;
        log::upgraded(key, &report);
        Ok(Some(Upgraded {
            key: key.clone(),
            report,
            applied,
        }))
    }

    /// Brings a memory to the newest rules on its first delta, where its owner never chose word tables of its
    /// own. False: somebody has to request it.
    pub(super) async fn upgrade_unasked(&self, key: &MemoryKey) -> EngineResult<bool> {
        let head = self.store().head(key).await?;
        let may =
            head.is_some_and(|head| has_shipped_tables(&head.policy, self.context().tables()));
        if !may {
            return Ok(false);
        }
        if let Some(upgraded) = self.upgrade(key).await? {
            self.note_upgrade(upgraded);
        }
        Ok(true)
    }
}
