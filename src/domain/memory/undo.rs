//! Plans an undo: the operations that revert one delta, unless later deltas build on it.
//!
//! An undo is a delta like any other, so history stays complete and an undo can be undone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::{Map, Value};

use super::aggregate::Memory;
use super::apply::count_change::CountChange;
use super::bullet::{Bullet, BulletId, Status};
use super::content::Content;
use super::delta::{DeltaId, LinkChange, Operation, PolicyChange, Restoration};
use super::policy::Policy;
use super::receipt::ChangeRecord;
use super::record::BulletRecord;

/// The delta to undo, as history records it.
#[derive(Clone, Copy, Debug)]
pub struct Undoable<'h> {
    /// Its tick, and those of the deltas that redid it after an undo.
    pub ticks: &'h BTreeSet<u64>,
    /// Its changes.
    pub changes: &'h [ChangeRecord],
    /// Its change of the policy, if any.
    pub policy: Option<&'h PolicyStep>,
}

/// Later deltas that may build on the one to undo.
#[derive(Clone, Copy, Debug)]
pub struct LaterChanges<'h> {
    /// Changes to the same bullets, in order.
    pub bullets: &'h [(DeltaId, ChangeRecord)],
    /// Deltas that changed a field of the policy which the delta to undo changed too, in order.
    pub policies: &'h [DeltaId],
}

/// The fields of the policy that one delta changed, with their earlier values.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyStep(Map<String, Value>);

impl PolicyStep {
    /// Replays the operations of a delta on the policy before it. Operations that cannot be applied were skipped
    /// then, and are skipped now.
    pub fn from_operations(before: &Policy, operations: &[Operation]) -> Self {
        let mut after = before.clone();
        for operation in operations {
            if let Operation::Policy(change) = operation {
                after = after.patched(&change.fields).unwrap_or(after);
            }
        }
        Self(after.changed_in(before))
    }

    /// Returns true if another delta changed a field that this one changed.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.0.keys().any(|name| other.0.contains_key(name))
    }

    /// Returns the operation that restores the fields of this step and leaves the others as they are in `now`.
    fn reversal(&self, now: &Policy) -> Option<Operation> {
        let mut fields = self.0.clone();
        // A change of mode resets all fields to that mode's defaults, so each field must be named.
        if fields.contains_key("mode") {
            let Ok(Value::Object(whole)) = serde_json::to_value(now) else {
                return None;
            };
            let others: Vec<_> = whole
                .into_iter()
                .filter(|(name, _)| !fields.contains_key(name))
                .collect();
            fields.extend(others);
        }
        for fixed in Policy::FIXED_FIELDS {
            fields.remove(*fixed);
        }
        (!fields.is_empty()).then_some(Operation::Policy(PolicyChange { fields }))
    }
}

/// Why an undo is refused: later changes that depend on the delta.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UndoRefusal {
    /// Later deltas that changed the same bullets or fields, each once, in order.
    pub later: Vec<DeltaId>,
    /// Bullets whose earlier text now belongs to another bullet, each with that one.
    pub texts: Vec<(BulletId, BulletId)>,
}

impl fmt::Display for UndoRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut reasons: Vec<String> = Vec::new();
        if !self.later.is_empty() {
            let names: Vec<&str> = self.later.iter().map(DeltaId::as_str).collect();
            reasons.push(format!(
                "later deltas changed the same bullets, or fields of the policy: {}",
                names.join(", ")
            ));
        }
        let texts = self.texts.iter();
        reasons.extend(
            texts.map(|(id, other)| format!("the text of `{id}` now belongs to `{other}`")),
        );
        write!(f, "{}", reasons.join("; "))
    }
}

/// Plans the undo of a delta. Refuses if a later delta changed the same, or if a text now belongs to another
/// bullet. With `force` it never refuses: later changes are overwritten, and a bullet that has such a text is
/// merged into the text's first owner.
pub fn plan_undo(
    memory: &Memory,
    undone: Undoable<'_>,
    later: LaterChanges<'_>,
    force: bool,
) -> Result<Vec<Operation>, UndoRefusal> {
    let restored: BTreeSet<BulletId> = undone
        .changes
        .iter()
        .filter(|change| change.fields)
        .map(|change| change.bullet)
        .collect();
    let mut blocking: Vec<DeltaId> = later.policies.to_vec();
    let mut named: BTreeSet<&DeltaId> = later.policies.iter().collect();
    for (delta, change) in later.bullets {
        if change.fields && restored.contains(&change.bullet) && named.insert(delta) {
            blocking.push(delta.clone());
        }
    }
    let rivals = rivals(memory, undone.changes);
    if !(force || blocking.is_empty() && rivals.is_empty()) {
        let texts = rivals.iter().map(|(id, rival)| (*id, rival.id));
        return Err(UndoRefusal {
            later: blocking,
            texts: texts.collect(),
        });
    }
    let mut restorations: Vec<Restoration> = undone.changes.iter().map(restoration_of).collect();
    let gained: BTreeMap<BulletId, CountChange> = rivals
        .iter()
        .map(|(id, rival)| (*id, CountChange::from_counts(rival.counts)))
        .collect();
    for one in &mut restorations {
        if let Some(gained) = gained.get(&one.id) {
            one.counts = one.counts.and(*gained);
        }
    }
    // With `force`, the first owner of a text gets it back together with the votes it earned elsewhere.
    restorations.extend(rivals.iter().map(|(id, rival)| merged_away(rival, *id)));
    let all = restorations.into_iter().map(Box::new);
    let mut operations: Vec<Operation> = all.map(Operation::Restore).collect();
    let made = memory
        .all_links()
        .filter(|link| undone.ticks.contains(&link.changed_tick));
    operations.extend(made.map(|link| Operation::Link(LinkChange::of(link, !link.removed))));
    let step = undone.policy;
    operations.extend(step.and_then(|step| step.reversal(memory.policy())));
    Ok(operations)
}

fn restoration_of(change: &ChangeRecord) -> Restoration {
    let made = change.before.is_none();
    let fields = change.before.as_ref().filter(|_| change.fields);
    Restoration {
        id: change.bullet,
        counts: change.counts.negated(),
        fields: fields.cloned(),
        archive: made,
        exact: false,
    }
}

/// Returns the bullets whose earlier text now belongs to another bullet, each with that one.
fn rivals(memory: &Memory, changes: &[ChangeRecord]) -> Vec<(BulletId, Bullet)> {
    let restored: BTreeSet<BulletId> = changes
        .iter()
        .filter(|change| change.fields || change.before.is_none())
        .map(|change| change.bullet)
        .collect();
    let rival = |change: &ChangeRecord| {
        let before = change.before.as_ref();
        let record = before.filter(|record| change.fields && record.holds_hash)?;
        let text = Content::parse(&record.content, u32::MAX).ok()?;
        let holder = memory.holder(text.hash_in(memory.policy().identity()))?;
        (!restored.contains(&holder.id)).then_some((change.bullet, holder))
    };
    changes.iter().filter_map(rival).collect()
}

/// Archives a bullet whose text returns to its first owner, as merged into that one.
fn merged_away(rival: &Bullet, into: BulletId) -> Restoration {
    let fields = BulletRecord {
        status: Status::Archived,
        merged_into: Some(into),
        holds_hash: false,
        ..BulletRecord::from_bullet(rival)
    };
    Restoration {
        id: rival.id,
        counts: CountChange::default(),
        fields: Some(Box::new(fields)),
        archive: false,
        exact: false,
    }
}
