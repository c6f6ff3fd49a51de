//! Verb: undo a delta by another delta.

use super::Engine;
use super::apply_delta::AppliedDelta;
use super::error::{EngineError, EngineResult};
use super::replay::delta_of;
use crate::domain::memory::apply::Refusal;
use crate::domain::memory::bullet::BulletId;
use crate::domain::memory::delta::{Delta, DeltaId};
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::undo::{PolicyStep, Undoable, plan_undo};
use crate::store::{DeltaPage, DeltaRecord};

/// Times that others may change the memory between plan and write.
const TRIES: usize = 8;
/// Deltas that are read at a time.
const PAGE: usize = 256;

impl Engine {
    /// Takes back what a delta did, as far as no later delta stands on it; with `force` also then.
    /// Undoing the same delta again gives the first receipt.
    pub async fn undo_delta(
        &self,
        key: &MemoryKey,
        id: &DeltaId,
        author: Option<String>,
        force: bool,
    ) -> EngineResult<AppliedDelta> {
        if *id == DeltaId::creation() {
            return Err(EngineError::Invalid(
                "the creation of a memory cannot be undone".to_owned(),
            ));
        }
        let undo_id = DeltaId::derive(&["undo", &key.derived(), id.as_str()]);
        if let Some(earlier) = self.store().delta(key, &undo_id).await? {
            return Ok(AppliedDelta::repeated(earlier.receipt));
        }
        for _ in 0..TRIES {
            let mut delta = self.plan(key, id, force).await?;
            delta.id = undo_id.clone();
            delta.origin.author = author.clone();
            match self.apply_delta(key, delta).await {
                Err(EngineError::Refused(Refusal::Revision { .. })) => {}
                // Somebody else undid it in between, with another plan.
                Err(EngineError::DeltaReused(_)) => {
                    let earlier = self.store().delta(key, &undo_id).await?;
                    let earlier = earlier.ok_or_else(|| EngineError::Contended(key.clone()))?;
                    return Ok(AppliedDelta::repeated(earlier.receipt));
                }
                done => return done,
            }
        }
        Err(EngineError::Contended(key.clone()))
    }

    async fn plan(&self, key: &MemoryKey, id: &DeltaId, force: bool) -> EngineResult<Delta> {
        let lane = self.lane(key);
        // First the revision, then the later changes: what comes in between is noticed by the write.
        let revision = self
            .look_at(&lane, |snapshot| snapshot.memory.revision())
            .await?
            .ok_or_else(|| EngineError::NoMemory(key.clone()))?;
        let record = self.store().delta(key, id).await?;
        let record = record.ok_or_else(|| EngineError::NoDelta(id.clone()))?;
        let bullets: Vec<BulletId> = record.changes.iter().map(|change| change.bullet).collect();
        let later = self
            .store()
            .later_changes(key, record.revision, &bullets)
            .await?;
        let later: Vec<_> = later
            .into_iter()
            .map(|one| (one.delta, one.change))
            .collect();
        let step = policy_step(&record)?;
        let policies = match &step {
            Some(step) => self.later_policies(key, record.revision, step).await?,
            None => Vec::new(),
        };
        let undone = Undoable {
            tick: record.tick,
            changes: &record.changes,
            policy: step.as_ref(),
        };
        let planned = self
            .look_at(&lane, |snapshot| {
                plan_undo(&snapshot.memory, undone, (&later, &policies), force)
            })
            .await?;
        let planned = planned.ok_or_else(|| EngineError::NoMemory(key.clone()))?;
        let operations = planned.map_err(EngineError::Undo)?;
        let mut delta = Delta::new(id.clone(), operations);
        delta.reasoning = Some(format!("undo of {id}"));
        delta.expected_revision = Some(revision);
        delta.undo = true;
        Ok(delta)
    }

    /// The deltas behind a revision that changed a field of the policy which `step` changed, in order.
    async fn later_policies(
        &self,
        key: &MemoryKey,
        revision: u64,
        step: &PolicyStep,
    ) -> EngineResult<Vec<DeltaId>> {
        let (mut found, mut below) = (Vec::new(), None);
        loop {
            let page = DeltaPage {
                below_revision: below,
                limit: PAGE,
            };
            let records = self.store().deltas(key, page).await?;
            for record in records.iter().filter(|one| one.revision > revision) {
                if policy_step(record)?.is_some_and(|later| step.meets(&later)) {
                    found.push(record.id.clone());
                }
            }
            match records.last() {
                Some(last) if last.revision > revision => below = Some(last.revision),
                _ => break,
            }
        }
        found.reverse();
        Ok(found)
    }
}

/// What a delta made of the policy, where it changed the policy.
fn policy_step(record: &DeltaRecord) -> EngineResult<Option<PolicyStep>> {
    let Some(before) = &record.policy_before else {
        return Ok(None);
    };
    let delta = delta_of(record.clone())?;
    Ok(Some(PolicyStep::of(before, &delta.operations)))
}
