//! Applying a delta to a memory: tick, operations in order, refine, revision + 1.
//!
//! All or nothing: a refused delta leaves no trace in the memory, because its draft is rolled back.

pub(super) mod add;
mod analyzed_text;
pub(super) mod application;
pub(super) mod count_change;
pub mod draft;
mod edit;
mod near;
mod nearby;
pub(super) mod operation;
mod prune;
pub(super) mod refine;
mod refusal;
mod rehash;
mod restore;
mod separation;

use std::collections::BTreeSet;

use self::application::DeltaApplication;
use super::aggregate::Memory;
use super::bullet::{BulletId, Status};
use super::delta::{Delta, OPERATIONS_MAX, Operation};

use super::receipt::{ChangeKind, Changes, Receipt, Refused, same_fields};

pub use self::refusal::Refusal;
pub use super::tables::Tables;
use hindlore_primitives::timestamp::Timestamp;

/// An applied delta.
#[derive(Clone, PartialEq, Debug)]
pub struct Applied {
    /// The receipt for its sender.
    pub receipt: Receipt,
    /// The changes for the store.
    pub changes: Changes,
    /// Bullets that a REMOVE archived.
    pub removed: Vec<BulletId>,
    /// False for a delta without operations, which takes no tick and changes nothing.
    pub is_event: bool,
}

/// Applies a delta. `now` becomes the time of birth and of the last use of the bullets that it adds or touches.
///
/// Fails, and leaves the memory as it was, for a wrong revision, word tables or rules, for operations that cannot
/// be applied (unless the delta is lenient), and for an import beyond the limit.
pub fn apply_delta(
    memory: &mut Memory,
    delta: &Delta,
    now: Timestamp,
    tables: &Tables,
) -> Result<Applied, Refusal> {
    apply_watched(memory, delta, now, tables, &|_| {})
}

/// As [`apply_delta`]; calls `watch` with the number of operations carried out, after each.
pub fn apply_watched(
    memory: &mut Memory,
    delta: &Delta,
    now: Timestamp,
    tables: &Tables,
    watch: &dyn Fn(u64),
) -> Result<Applied, Refusal> {
    check_delta(memory, delta, tables)?;
    if delta.operations.is_empty() {
        return Ok(no_event(memory, delta));
    }
    let (revision, active_before) = (memory.revision, memory.limited());
    let mut event = DeltaApplication::begin(memory, delta, now, tables);
    event.archive_expired();
    event.run_operations(watch);
    let hard = std::mem::take(&mut event.hard);
    let tolerant = delta.lenient || event.policy.is_classic();
    if !hard.is_empty() && (delta.undo || !tolerant) {
        return Err(Refusal::Operations(hard));
    }
    // Both kinds of refusal in the order of the operations, as the sender numbered them.
    event.refused.extend(hard);
    event.refused.sort_by_key(|refused| refused.operation);
    // An undo restores an earlier state, which was refined already; it must come back unchanged.
    if !delta.undo {
        refine::refine(&mut event);
    }
    let active = event.draft.memory().limited();
    match event.policy.max_bullets {
        // Pruning would silently drop parts of the file. A memory already over its limit may still import a
        // file that adds nothing.
        Some(limit) if active > limit && delta.import && active > active_before => {
            return Err(Refusal::Overflow { active, limit });
        }
        Some(limit) if active > limit => prune::prune(&mut event, limit),
        _ => {}
    }
    Ok(event.finish(delta, revision + 1))
}

fn check_delta(memory: &Memory, delta: &Delta, tables: &Tables) -> Result<(), Refusal> {
    if delta.operations.len() > OPERATIONS_MAX {
        return Err(Refusal::TooMany(delta.operations.len()));
    }
    if let Some(expected) = delta
        .expected_revision
        .filter(|expected| *expected != memory.revision())
    {
        return Err(Refusal::Revision {
            expected,
            actual: memory.revision(),
        });
    }
    if !tables.match_policy(memory.policy()) {
        return Err(Refusal::Tables);
    }
    Ok(())
}

fn no_event(memory: &mut Memory, delta: &Delta) -> Applied {
    let receipt = Receipt::unchanged(delta.id.clone(), memory);
    Applied {
        receipt,
        changes: Changes::default(),
        removed: Vec::new(),
        is_event: false,
    }
}

impl DeltaApplication<'_, '_> {
    /// Archives expired bullets first, so that learning such a text again revives it instead of merging into a
    /// bullet that is about to go.
    fn archive_expired(&mut self) {
        // An undo restores an earlier state and no more; expired bullets wait for the next delta.
        if !self.policy.expiry || self.delta.undo {
            return;
        }
        let ended = self.draft.memory().expired(self.draft.now);
        let ids: Vec<BulletId> = ended
            .into_iter()
            .map(|doc| self.draft.memory().arena.id(doc))
            .collect();
        ids.into_iter().for_each(|id| self.archive(id));
    }

    fn run_operations(&mut self, watch: &dyn Fn(u64)) {
        self.release_restored_hashes();
        for (number, operation) in self.delta.operations.iter().enumerate() {
            let result = self.run(number, operation);
            let id = result.unwrap_or_else(|reason| {
                self.hard.push(Refused {
                    operation: number,
                    reason,
                });
                None
            });
            self.results.push(id);
            watch(number as u64 + 1);
        }
    }

    fn run(&mut self, number: usize, operation: &Operation) -> Result<Option<BulletId>, String> {
        match operation {
            Operation::Add(new) => self.add(number, new),
            Operation::Update(patch) => self.update(patch).map(Some),
            Operation::Tag(tag) => self.tag(tag).map(Some),
            Operation::Remove(removal) => self.remove(removal).map(Some),
            Operation::Reject(removal) => self.reject(removal).map(Some),
            Operation::Pin(pin) => self.pin(pin).map(Some),
            Operation::Policy(change) => {
                self.change_policy(self.policy.patched(&change.fields)?);
                Ok(None)
            }
            Operation::Restore(restoration) => self.restore(restoration).map(Some),
            Operation::Insert(insertion) => self.insert(number, insertion).map(Some),
            Operation::Link(link) => self.link(link).map(|()| None),
            Operation::Merge(merging) => self.merge(merging).map(Some),
            Operation::Consolidate(plan) => self.consolidate(number, plan).map(Some),
            Operation::Malformed(malformed) => Err(malformed.reason.clone()),
        }
    }

    fn finish(self, delta: &Delta, revision: u64) -> Applied {
        let tick = self.draft.tick;
        let Self {
            removed,
            draft,
            merged,
            revived,
            linked,
            refused,
            ..
        } = self;
        let (changes, digest, content_digest) = draft.finish_delta(revision);
        let came_back: BTreeSet<BulletId> = revived.iter().copied().collect();
        let ids = |wanted: &dyn Fn(&super::receipt::BulletChange) -> bool| {
            let mut chosen: Vec<_> = changes
                .bullets
                .iter()
                .filter(|change| wanted(change))
                .collect();
            chosen.sort_by_key(|change| change.after.position);
            chosen
                .into_iter()
                .map(|change| change.after.id)
                .collect::<Vec<_>>()
        };
        let receipt = Receipt {
            delta: delta.id.clone(),
            revision,
            clock: tick,
            digest,
            content_digest,
            added: ids(&|c| c.before.is_none() && c.after.is_active()),
            updated: ids(&|c| {
                c.kind == ChangeKind::Changed
                    && !came_back.contains(&c.after.id)
                    && c.before
                        .as_ref()
                        .is_some_and(|b| b.counts != c.after.counts || !same_fields(b, &c.after))
            }),
            // A new bullet for which the memory has no room is archived at once; a merged one is listed as such.
            archived: ids(&|c| {
                c.after.status == Status::Archived
                    && match &c.before {
                        Some(before) => before.status != Status::Archived,
                        None => c.after.merged_into.is_none(),
                    }
            }),
            rejected: ids(&|c| c.kind == ChangeKind::Rejected),
            revived,
            merged,
            linked,
            refused,
        };
        Applied {
            receipt,
            changes,
            removed,
            is_event: true,
        }
    }
}
