//! Undo: the operations that take back what one delta did, as far as nothing later stands on it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::{Map, Value};

use super::aggregate::Memory;
use super::bullet::{Bullet, BulletId, Status};
use super::content::Content;
use super::count_change::CountChange;
use super::delta::{DeltaId, LinkChange, Operation, PolicyChange, Restoration};
use super::policy::Policy;
use super::receipt::ChangeRecord;
use super::record::BulletRecord;

/// What history knows of the delta that is to be undone.
#[derive(Clone, Copy, Debug)]
pub struct Undoable<'h> {
    /// Its tick, and those of the deltas that put it back after an undo.
    pub ticks: &'h BTreeSet<u64>,
    /// What it changed.
    pub changes: &'h [ChangeRecord],
    /// What it made of the policy, when it changed the policy.
    pub policy: Option<&'h PolicyStep>,
}

/// The fields of the policy that one delta changed, with their earlier values.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyStep(Map<String, Value>);

impl PolicyStep {
    /// What the operations of a delta make of the policy before it. Those that cannot be applied were left
    /// out when the delta was.
    pub fn from_operations(before: &Policy, operations: &[Operation]) -> Self {
        let mut after = before.clone();
        for operation in operations {
            if let Operation::Policy(change) = operation {
                after = after.patched(&change.fields).unwrap_or(after);
            }
        }
        Self(after.changed_in(before))
    }

    /// True when another delta changed a field that this one changed.
    pub fn meets(&self, other: &Self) -> bool {
        self.0.keys().any(|name| other.0.contains_key(name))
    }

    /// The operation that gives the fields of this step their earlier values, and leaves the others as
    /// they are now.
    fn taken_back(&self, now: &Policy) -> Option<Operation> {
        let mut fields = self.0.clone();
        // A change of the mode brings that mode's defaults with it, so each field has to be named.
        if fields.contains_key("mode") {
            let Ok(Value::Object(whole)) = serde_json::to_value(now) else {
                return None;
            };
            let kept = whole
                .into_iter()
                .filter(|(name, _)| !fields.contains_key(name));
            let kept: Vec<_> = kept.collect();
            fields.extend(kept);
        }
        for fixed in Policy::FIXED_FIELDS {
            fields.remove(*fixed);
        }
        (!fields.is_empty()).then_some(Operation::Policy(PolicyChange { fields }))
    }
}

/// What stands on what would be restored.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UndoRefusal {
    /// Later deltas that changed the same, each once, in order.
    pub later: Vec<DeltaId>,
    /// Bullets whose earlier text is that of another one by now, and those others.
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

/// Plans the undo of a delta. `later` are the changes of later deltas to the same bullets, and the later
/// deltas whose step of the policy meets that of this one; with `force` they do not stand in the way. A text
/// that another bullet has by now goes back with `force`, and the other one is merged into its first owner.
pub fn plan_undo(
    memory: &Memory,
    undone: Undoable<'_>,
    (later, later_policies): (&[(DeltaId, ChangeRecord)], &[DeltaId]),
    force: bool,
) -> Result<Vec<Operation>, UndoRefusal> {
    let restored: BTreeSet<BulletId> = undone
        .changes
        .iter()
        .filter(|change| change.fields)
        .map(|change| change.bullet)
        .collect();
    let mut standing: Vec<DeltaId> = later_policies.to_vec();
    let mut named: BTreeSet<&DeltaId> = later_policies.iter().collect();
    for (delta, change) in later {
        if change.fields && restored.contains(&change.bullet) && named.insert(delta) {
            standing.push(delta.clone());
        }
    }
    let rivals = rivals(memory, undone.changes);
    if !(force || standing.is_empty() && rivals.is_empty()) {
        let texts = rivals.iter().map(|(id, rival)| (*id, rival.id));
        return Err(UndoRefusal {
            later: standing,
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
    restorations.extend(rivals.iter().map(|(id, rival)| merged_away(rival, *id)));
    let all = restorations.into_iter().map(Box::new);
    let mut operations: Vec<Operation> = all.map(Operation::Restore).collect();
    let made = memory
        .all_links()
        .filter(|link| undone.ticks.contains(&link.changed_tick));
    operations.extend(made.map(|link| {
        Operation::Link(LinkChange {
            kind: link.id.kind,
            from: link.id.from.into(),
            to: link.id.to.into(),
            reason: link.reason.clone(),
            similarity: link.similarity,
            removed: !link.removed,
        })
    }));
    let step = undone.policy;
    operations.extend(step.and_then(|step| step.taken_back(memory.policy())));
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

/// The bullets that are to have an earlier text back which another one has by now, each with the other one.
fn rivals(memory: &Memory, changes: &[ChangeRecord]) -> Vec<(BulletId, Bullet)> {
    let restored = changes
        .iter()
        .filter(|change| change.fields || change.before.is_none());
    let restored: BTreeSet<BulletId> = restored.map(|change| change.bullet).collect();
    let rival = |change: &ChangeRecord| {
        let before = change.before.as_ref();
        let record = before.filter(|record| change.fields && record.holds_hash)?;
        let text = Content::parse(&record.content, u32::MAX).ok()?;
        let holder = memory.holder(text.hash_in(memory.policy().identity()))?;
        (!restored.contains(&holder.id)).then_some((change.bullet, holder))
    };
    changes.iter().filter_map(rival).collect()
}

/// What a bullet becomes whose text goes back to another one.
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
