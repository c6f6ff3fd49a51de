//! Verb: undo a delta by another delta.

use std::collections::BTreeSet;

use super::stored_delta::delta_of;
use super::undo_state::UndoTree;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::memory::answers::AppliedDelta;
use hindlore_domain::memory::apply::Refusal;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::{Delta, DeltaId};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::undo::{LaterChanges, PolicyStep, Undoable, plan_undo};
use hindlore_store::{DeltaPage, DeltaRecord};

/// Attempts that others may overtake between plan and write.
const TRIES: usize = 8;
/// Deltas read per page.
const PAGE: usize = 256;

impl Engine {
    /// Reverses a delta, unless later deltas depend on it; with `force` even then. Repeating an undo that is in force
    /// returns its receipt; once that undo is itself undone, the delta is in force and can be undone again.
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
        for _ in 0..TRIES {
            let actor = self.actor(key);
            // Read the revision before its dependents: a delta that arrives in between fails the write.
            let revision = actor
                .memory
                .read_latest(|snapshot| snapshot.memory.revision())
                .await?
                .ok_or_else(|| EngineError::NoMemory(key.clone()))?;
            let record = self.store().delta(key, id).await?;
            let record = record.ok_or_else(|| EngineError::NoDelta(id.clone()))?;
            let tree = self.undo_tree(key, &record).await?;
            if let Some(by) = tree.undone_by() {
                let earlier = self.store().delta(key, &by.delta).await?;
                let earlier = earlier.ok_or_else(|| EngineError::NoDelta(by.delta.clone()))?;
                return Box::pin(self.repeated_answer(key, earlier.receipt)).await;
            }
            // Boxed, to keep the future of this verb small.
            let mut delta = Box::pin(self.plan(key, &record, &tree, force)).await?;
            // The plan holds for this revision only.
            delta.expected_revision = Some(revision);
            delta.origin.author = author.clone();
            match self.apply_unredacted(key, delta).await {
                // Another caller changed the memory or undid the delta in between.
                Err(EngineError::Refused(Refusal::Revision { .. }))
                | Err(EngineError::DeltaReused(_)) => {}
                done => return done,
            }
        }
        Err(EngineError::Contended(key.clone()))
    }

    /// Fails as an undo of the delta would, and changes nothing; an undo in force is fine. Deltas of `before` are
    /// undone first, so they are no obstacle, and neither are texts that passed on to their bullets.
    pub(super) async fn check_undo(
        &self,
        key: &MemoryKey,
        record: &DeltaRecord,
        before: &BTreeSet<DeltaId>,
    ) -> EngineResult<()> {
        let tree = self.undo_tree(key, record).await?;
        if tree.undone_by().is_some() {
            return Ok(());
        }
        match Box::pin(self.plan(key, record, &tree, false)).await {
            Err(EngineError::Undo(refusal)) => {
                let depends = |id: &DeltaId| before.contains(id);
                if !refusal.later.is_empty() && refusal.later.iter().all(depends) {
                    return Ok(());
                }
                Err(EngineError::Undo(refusal))
            }
            planned => planned.map(drop),
        }
    }

    async fn plan(
        &self,
        key: &MemoryKey,
        record: &DeltaRecord,
        tree: &UndoTree,
        force: bool,
    ) -> EngineResult<Delta> {
        let bullets: Vec<BulletId> = record.changes.iter().map(|change| change.bullet).collect();
        let mut later: Vec<_> = self
            .store()
            .later_changes(key, record.revision, &bullets)
            .await?
            .into_iter()
            .map(|one| (one.delta, one.change))
            .collect();
        let step = policy_step(record)?;
        let mut policies = match &step {
            Some(step) => self.later_policies(key, record.revision, step).await?,
            None => Vec::new(),
        };
        let named: BTreeSet<DeltaId> = later.iter().map(|(id, _)| id.clone()).collect();
        let named = named.into_iter().chain(policies.iter().cloned()).collect();
        let mut cancelled = self.cancelled(key, &named).await?;
        cancelled.extend(tree.cancelled().cloned());
        // An undone delta and its undo cancel out, so neither depends on the delta to be undone.
        later.retain(|(id, _)| !cancelled.contains(id));
        policies.retain(|id| !cancelled.contains(id));
        let ticks = tree.ticks();
        let undone = Undoable {
            ticks: &ticks,
            changes: &record.changes,
            policy: step.as_ref(),
        };
        let later = LaterChanges {
            bullets: &later,
            policies: &policies,
        };
        let actor = self.actor(key);
        let planned = actor
            .memory
            .read_latest(|snapshot| plan_undo(&snapshot.memory, undone, later, force))
            .await?;
        let planned = planned.ok_or_else(|| EngineError::NoMemory(key.clone()))?;
        let operations = planned.map_err(EngineError::Undo)?;
        let mut delta = Delta::new(tree.next().clone(), operations);
        delta.reasoning = Some(format!("undo of {}", record.id));
        delta.undo = true;
        delta.undoes = Some(record.id.clone());
        Ok(delta)
    }

    /// Deltas after a revision that changed a policy field also changed by `step`, in order.
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
                if policy_step(record)?.is_some_and(|later| step.overlaps(&later)) {
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

/// The policy change of a delta, if it made one.
fn policy_step(record: &DeltaRecord) -> EngineResult<Option<PolicyStep>> {
    let Some(before) = &record.policy_before else {
        return Ok(None);
    };
    let delta = delta_of(record.clone())?;
    Ok(Some(PolicyStep::from_operations(before, &delta.operations)))
}
