//! Undo: the operations that take back what one delta did, as far as nothing later stands on it.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value;

use super::aggregate::Memory;
use super::bullet::BulletId;
use super::delta::{DeltaId, LinkChange, Operation, PolicyChange, Restoration};
use super::policy::Policy;
use super::receipt::ChangeRecord;

/// What history knows of the delta that is to be undone.
#[derive(Clone, Copy, Debug)]
pub struct Undoable<'h> {
    /// Its tick.
    pub tick: u64,
    /// What it changed.
    pub changes: &'h [ChangeRecord],
    /// The policy before it, when it changed the policy.
    pub policy_before: Option<&'h Policy>,
}

/// Later deltas that changed what would be restored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UndoRefusal {
    /// The deltas, each once, in order.
    pub later: Vec<DeltaId>,
}

impl fmt::Display for UndoRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.later.iter().map(DeltaId::as_str).collect();
        write!(
            f,
            "later deltas changed the same bullets: {}",
            names.join(", ")
        )
    }
}

/// Plans the undo of a delta. `later` are the changes of later deltas to the same bullets; with
/// `force` they do not stand in the way.
pub fn plan_undo(
    memory: &Memory,
    undone: Undoable<'_>,
    later: &[(DeltaId, ChangeRecord)],
    force: bool,
) -> Result<Vec<Operation>, UndoRefusal> {
    let restored: BTreeSet<BulletId> = undone
        .changes
        .iter()
        .filter(|change| change.fields)
        .map(|change| change.bullet)
        .collect();
    let mut standing: Vec<DeltaId> = Vec::new();
    for (delta, change) in later {
        if change.fields && restored.contains(&change.bullet) && !standing.contains(delta) {
            standing.push(delta.clone());
        }
    }
    if !standing.is_empty() && !force {
        return Err(UndoRefusal { later: standing });
    }
    let mut operations: Vec<Operation> = undone.changes.iter().map(restoration_of).collect();
    let made = memory
        .all_links()
        .filter(|link| link.changed_tick == undone.tick);
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
    operations.extend(undone.policy_before.and_then(policy_operation));
    Ok(operations)
}

fn restoration_of(change: &ChangeRecord) -> Operation {
    let made = change.before.is_none();
    let fields = change.before.as_ref().filter(|_| change.fields);
    Operation::Restore(Box::new(Restoration {
        id: change.bullet,
        counts: change.counts.negated(),
        fields: fields.cloned(),
        archive: made,
        exact: false,
    }))
}

fn policy_operation(before: &Policy) -> Option<Operation> {
    let Ok(Value::Object(mut fields)) = serde_json::to_value(before) else {
        return None;
    };
    for fixed in Policy::FIXED_FIELDS {
        fields.remove(*fixed);
    }
    Some(Operation::Policy(PolicyChange { fields }))
}
