//! Verb: put the form of a memory right where a hand has changed it.
//!
//! A repair changes nothing that decides: bullets, policy, clock and history stay. It redraws relationships from
//! properties, puts links back as their events made them, and deletes copies. A bullet with a property of another type
//! is the exception: the meaning of the value is unknown, so the whole bullet is put back as its events made it. A
//! change of deciding data is adopted instead.

use std::collections::BTreeSet;

use super::verify::{LinkDifference, Verified};
use crate::error::EngineResult;
use crate::handle::Engine;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{LinkRepairs, Repairs, ShapeRemedy};

/// The result of a repair.
#[derive(Debug)]
pub struct Repaired {
    /// The faults that are repaired, or would be.
    pub repairable: Vec<String>,
    /// The faults that no repair fixes, each with its remedy.
    pub left: Vec<String>,
}

impl Engine {
    /// Repairs the form of a memory; with `dry_run`, only lists the repairs.
    ///
    /// # Errors
    /// Those of [`Self::verify`], and of the store.
    pub async fn repair(&self, key: &MemoryKey, dry_run: bool) -> EngineResult<Repaired> {
        // First, because a memory without these nodes can be neither loaded nor replayed.
        let lost = self.store().lost(key).await?;
        if !lost.is_empty() {
            if dry_run {
                // Nothing of it can be compared before the repair.
                return Ok(Repaired {
                    repairable: lost,
                    left: Vec::new(),
                });
            }
            Box::pin(self.restore(key)).await?;
        }
        let (verified, replayed) = Box::pin(self.verify_with_replay(key)).await?;
        let (repairable, mut left): (Vec<_>, Vec<_>) = verified
            .shape
            .iter()
            .partition(|fault| fault.remedy == ShapeRemedy::Repair);
        let shape = repairable.iter().map(|fault| fault.message.clone());
        let links = verified.links.iter().map(LinkDifference::to_string);
        let repairable: Vec<String> = shape.chain(links).collect();
        let is_due = !dry_run && !repairable.is_empty();
        let repairable = lost.into_iter().chain(repairable).collect();
        if is_due {
            let wrong = verified.shape.iter().filter_map(|fault| fault.value);
            let ids: BTreeSet<BulletId> = wrong.map(|value| value.bullet).collect();
            let are_values = !ids.is_empty();
            let repairs = Repairs {
                bullets: ids.into_iter().filter_map(|id| replayed.get(id)).collect(),
                links: of_links(&verified),
            };
            self.store().repair(key, &repairs).await?;
            if are_values {
                // The snapshot may hold the manual edits.
                self.actor(key).memory.forget();
            }
            // Otherwise a repair changes nothing that a replay would detect.
            let after = self.store().shape(key).await?;
            let shape = verified.shape.iter();
            left = shape.filter(|one| after.contains(one)).collect();
        }
        Ok(Repaired {
            repairable,
            left: left.iter().map(|fault| fault.message.clone()).collect(),
        })
    }

    /// Recreates the nodes that the memory depends on. Its policy is the one that the events end with.
    async fn restore(&self, key: &MemoryKey) -> EngineResult<()> {
        // First with any policy, because the replay that finds the right one needs a memory.
        self.store().restore(key, None).await?;
        let Some(head) = self.store().head(key).await? else {
            return Ok(());
        };
        let replayed = self.replay(key).await?;
        if *replayed.memory.policy() != head.policy {
            let policy = Some(replayed.memory.policy().clone());
            self.store().restore(key, policy).await?;
        }
        self.actor(key).note_erased().await;
        Ok(())
    }
}

fn of_links(verified: &Verified) -> LinkRepairs {
    let put = verified.links.iter().filter_map(|one| one.expected.clone());
    let gone = verified.links.iter().filter(|one| one.expected.is_none());
    LinkRepairs {
        put: put.collect(),
        gone: gone
            .filter_map(|one| one.stored.as_ref().map(|link| link.id))
            .collect(),
    }
}
