//! Verb: bring a memory to newer rules of identity, merging and linking.
//!
//! A checkpoint of the memory as it stands is written first: replays begin there from then on, since what older
//! rules decided is not decided again. Then a delta of its own changes the rules, so that history says when it
//! was. A process that dies between the two leaves the memory under the older rules, whole.
//!
//! The price is that of any checkpoint: retrieval records before it are folded into counts.

use std::sync::PoisonError;

use super::apply_delta::AppliedDelta;
use super::error::{EngineError, EngineResult};
use super::open::Snapshot;
use super::{Engine, events};
use crate::domain::memory::apply::Refusal;
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::upgrade::{
    UpgradeReport, has_shipped_tables, is_older, survey, upgrading,
};
use crate::store::Checkpoint;

/// Who writes the delta of an upgrade.
const AUTHOR: &str = "migration";
/// Upgrades that events of others may overtake.
const TRIES: usize = 8;

/// A memory that was brought to newer rules.
#[derive(Clone, PartialEq, Debug)]
pub struct Upgraded {
    /// Which.
    pub key: MemoryKey,
    /// What the newer rules mean to it.
    pub report: UpgradeReport,
    /// The delta that did it.
    pub applied: AppliedDelta,
}

impl Engine {
    /// Says what an upgrade would mean to a memory; absent when there is nothing to do.
    pub async fn survey_upgrade(&self, key: &MemoryKey) -> EngineResult<Option<UpgradeReport>> {
        let Some(loaded) = self.store().load(key).await? else {
            return Ok(None);
        };
        let memory = Snapshot::of(key.clone(), loaded).memory;
        Ok(survey(&memory, self.tables()))
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
        let mut memory = Snapshot::of(key.clone(), state.clone()).memory;
        let Some(report) = survey(&memory, self.tables()) else {
            return Ok(None);
        };
        let mut delta = upgrading(&memory, self.tables());
        delta.origin.author = Some(AUTHOR.to_owned());
        let digest = memory.digest();
        let folded = self.store().fold(key, Checkpoint { state, digest }).await?;
        events::folded(key, folded);
        let applied = self.apply_sent(key, delta, Vec::new()).await?;
        events::upgraded(key, &report);
        Ok(Some(Upgraded {
            key: key.clone(),
            report,
            applied,
        }))
    }

    /// Brings a memory to the newest rules on its first delta, where its owner never chose word tables of its
    /// own. False: it has to be asked for.
    pub(super) async fn upgrade_unasked(&self, key: &MemoryKey) -> EngineResult<bool> {
        let head = self.store().head(key).await?;
        let may = head.is_some_and(|head| has_shipped_tables(&head.policy, self.tables()));
        if !may {
            return Ok(false);
        }
        let upgraded = self.upgrade(key).await?;
        let mut told = self
            .shared
            .upgrades
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        told.extend(upgraded);
        Ok(true)
    }

    /// The memories that were brought to the newest rules unasked since the last call, to be told.
    pub fn take_upgrades(&self) -> Vec<Upgraded> {
        let mut told = self
            .shared
            .upgrades
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *told)
    }

    /// Refuses what would decide old events again by rules that did not decide them.
    pub(super) async fn must_follow_rules(&self, key: &MemoryKey) -> EngineResult<()> {
        let head = self.store().head(key).await?;
        if head.is_some_and(|head| is_older(&head.policy)) {
            Err(EngineError::Refused(Refusal::OlderRules))
        } else {
            Ok(())
        }
    }
}
