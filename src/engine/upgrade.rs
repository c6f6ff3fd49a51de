//! Verb: bring a memory to newer rules of identity, merging, and linking.
//!
//! First a checkpoint of the present memory is written, from which replays start, because decisions of older
//! rules are not decided again. Then a delta changes the rules, which dates the upgrade in the history. A
//! process that dies in between leaves the whole memory under the older rules.
//!
//! The price is that of any checkpoint: earlier retrieval records are compacted into counts.

use super::actor::snapshot::Snapshot;
use super::answers::Upgraded;
use super::error::{EngineError, EngineResult};
use super::handle::Engine;
use super::log;
use crate::domain::memory::apply::Refusal;
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::upgrade::{UpgradeReport, has_shipped_tables, survey, upgrading};
use crate::store::{Checkpoint, MemoryStoreExt};

/// Author of an upgrade's delta.
const AUTHOR: &str = "migration";
/// Attempts that concurrent events may overtake.
const TRIES: usize = 8;

impl Engine {
    /// Reports the changes that an upgrade would make to a memory; absent if there is nothing to do.
    pub async fn survey_upgrade(&self, key: &MemoryKey) -> EngineResult<Option<UpgradeReport>> {
        let Some(loaded) = self.store().load(key).await? else {
            return Ok(None);
        };
        let memory = Snapshot::from_loaded(key.clone(), loaded).memory;
        Ok(survey(&memory, self.context().tables()))
    }

    /// Brings a memory to the newest rules; absent if it follows them already.
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

    /// Upgrades a memory on its first delta, if its owner never chose their own word tables. Returns false if
    /// the upgrade needs a request.
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
