//! A delta while it is applied: the draft of the memory, and the results of its operations.
//!
//! The operations are methods of this type, in `add.rs`, `edit.rs`, `restore.rs` and `rehash.rs`.

use std::collections::BTreeSet;

use super::aggregate::Memory;
use super::bullet::{Bullet, BulletId, Status};
use super::delta::{BulletRef, Delta, Operation};
use super::draft::Draft;
use super::policy::Policy;
use super::receipt::{Linked, Merged, Refused};
use super::tables::Tables;
use hindlore_primitives::timestamp::Timestamp;

/// From this many new bullets on, a delta reserves space for all of them at once.
const ROOM_AT_ONCE: usize = 1_000;

/// A delta being applied.
pub(super) struct DeltaApplication<'m, 'd> {
    pub(super) draft: Draft<'m>,
    pub(super) tables: &'d Tables,
    pub(super) policy: Policy,
    pub(super) delta: &'d Delta,
    /// The bullet that each operation added or merged into, for references of the form `#N`.
    pub(super) results: Vec<Option<BulletId>>,
    pub(super) merged: Vec<Merged>,
    pub(super) revived: Vec<BulletId>,
    pub(super) linked: Vec<Linked>,
    /// Bullets that a REMOVE archived.
    pub(super) removed: Vec<BulletId>,
    /// Bullets that an import or an undo restored; the refine pass leaves them as they are.
    pub(super) put_back: BTreeSet<BulletId>,
    /// Refusals that a strict delta tolerates, such as a rejected text.
    pub(super) refused: Vec<Refused>,
    /// Refusals that a strict delta does not tolerate.
    pub(super) hard: Vec<Refused>,
}

impl<'m, 'd> DeltaApplication<'m, 'd> {
    pub(super) fn begin(
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
    pub(super) fn resolve(&self, reference: &BulletRef) -> Result<BulletId, String> {
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
    pub(super) fn bullet(&self, id: BulletId) -> Result<Bullet, String> {
        self.draft
            .memory()
            .get(id)
            .ok_or_else(|| format!("there is no bullet `{id}` in this memory"))
    }

    /// Archives a bullet. In classic mode it also releases its text, which can then be added again.
    pub(super) fn archive(&mut self, id: BulletId) {
        let forget = self.policy.is_classic();
        self.draft.edit(id, |bullet| {
            bullet.status = Status::Archived;
            bullet.holds_hash &= !forget;
        });
    }
}
