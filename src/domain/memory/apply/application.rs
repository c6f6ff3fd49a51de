//! A delta while it is applied: the draft of the memory, and the results of its operations.
//!
//! The operations are methods of this type, in `add.rs`, `edit.rs`, `restore.rs` and `rehash.rs`.

use std::collections::BTreeSet;

use super::draft::Draft;
use crate::memory::aggregate::Memory;
use crate::memory::bullet::{Bullet, BulletId, Status};
use crate::memory::delta::{BulletRef, Delta, Operation};
use crate::memory::policy::Policy;
use crate::memory::receipt::{Linked, Merged, Refused};
use crate::memory::tables::Tables;
use hindlore_primitives::timestamp::Timestamp;

/// From this many new bullets on, a delta reserves space for all of them at once.
const ROOM_AT_ONCE: usize = 1_000;

/// A delta being applied.
pub(crate) struct DeltaApplication<'m, 'd> {
    pub(crate) draft: Draft<'m>,
    pub(crate) tables: &'d Tables,
    pub(crate) policy: Policy,
    pub(crate) delta: &'d Delta,
    /// The bullet that each operation added or merged into, for references of the form `#N`.
    pub(crate) results: Vec<Option<BulletId>>,
    pub(crate) merged: Vec<Merged>,
    pub(crate) revived: Vec<BulletId>,
    pub(crate) linked: Vec<Linked>,
    /// Bullets that a REMOVE archived.
    pub(crate) removed: Vec<BulletId>,
    /// Bullets that an import or an undo restored; the refine pass leaves them as they are.
    pub(crate) put_back: BTreeSet<BulletId>,
    /// Refusals that a strict delta tolerates, such as a rejected text.
    pub(crate) refused: Vec<Refused>,
    /// Refusals that a strict delta does not tolerate.
    pub(crate) hard: Vec<Refused>,
}

impl<'m, 'd> DeltaApplication<'m, 'd> {
    pub(crate) fn begin(
        memory: &'m mut Memory,
        delta: &'d Delta,
        now: Timestamp,
        tables: &'d Tables,
    ) -> Self {
        let policy = memory.policy().clone();
        let unused = memory.clock() == 0 && memory.revision() == 0;
        let makes =
            |operation: &&Operation| matches!(operation, Operation::Add(_) | Operation::Insert(_));
        let made = delta.operations.iter().filter(makes).count();
        // An exact reservation copies every vector, so it pays only for large deltas.
        if made > ROOM_AT_ONCE {
            memory.arena.reserve(made);
        }
        let mut draft = Draft::begin(memory, now);
        let origin = delta
            .operations
            .iter()
            .filter_map(|operation| match operation {
                Operation::Insert(insertion) => Some(insertion.clock),
                _ => None,
            });
        if let (true, Some(clock)) = (unused, origin.max()) {
            draft.start_from(clock);
        }
        Self {
            draft,
            tables,
            policy,
            delta,
            results: Vec::with_capacity(delta.operations.len()),
            merged: Vec::new(),
            revived: Vec::new(),
            linked: Vec::new(),
            removed: Vec::new(),
            put_back: BTreeSet::new(),
            refused: Vec::new(),
            hard: Vec::new(),
        }
    }

    /// Resolves a reference to a bullet; `Err` names the fault.
    pub(crate) fn resolve(&self, reference: &BulletRef) -> Result<BulletId, String> {
        let text = reference.0.trim();
        let memory = self.draft.memory();
        if let Some(number) = text.strip_prefix('#') {
            let earlier = number
                .parse::<usize>()
                .ok()
                .and_then(|n| self.results.get(n).copied().flatten());
            return earlier.ok_or_else(|| {
                format!(
                    "`{text}` does not name an earlier operation of this delta that made a bullet"
                )
            });
        }
        let own = text.parse::<BulletId>().ok().and_then(|id| memory.get(id));
        let found = own.or_else(|| memory.by_legacy_id(text));
        let known = found.filter(|bullet| bullet.is_active() || !self.policy.is_classic());
        known.map(|bullet| bullet.id).ok_or_else(|| {
            format!("there is no bullet `{text}` in this memory; `bullets list` shows the ids")
        })
    }

    /// Returns the bullet with an id, or an error that names it.
    pub(crate) fn bullet(&self, id: BulletId) -> Result<Bullet, String> {
        self.draft
            .memory()
            .get(id)
            .ok_or_else(|| format!("there is no bullet `{id}` in this memory"))
    }

    /// Archives a bullet. In classic mode it also releases its text, which can then be added again.
    pub(crate) fn archive(&mut self, id: BulletId) {
        let forget = self.policy.is_classic();
        self.draft.edit(id, |bullet| {
            bullet.status = Status::Archived;
            bullet.holds_hash &= !forget;
        });
    }
}
