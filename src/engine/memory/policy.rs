//! Verbs: show the policy of a memory, and change its fields.

use std::fmt;

use serde_json::{Map, Value};

use super::answers::AppliedDelta;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::memory::delta::{Delta, Operation, PolicyChange};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::{Policy, Profile};

/// Digits of a hash shown in a change.
const HASH_DIGITS: usize = 12;

/// A policy, and whether a memory has it.
#[derive(Clone, PartialEq, Debug)]
pub struct MemoryPolicy {
    /// The policy of the memory, or the one it would start with.
    pub policy: Policy,
    /// Revision of the memory; absent if there is none.
    pub revision: Option<u64>,
}

/// The result of a policy change.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyChanged {
    /// The delta of the change.
    pub applied: AppliedDelta,
    /// Changed fields; empty if all were the same.
    pub changes: Vec<FieldChange>,
}

/// A policy field with a new value. Displays as `floor 0.1 -> 0.2`.
#[derive(Clone, PartialEq, Debug)]
pub struct FieldChange {
    /// Name of the field.
    pub field: String,
    /// Old value.
    pub before: Value,
    /// New value.
    pub after: Value,
}

impl fmt::Display for FieldChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, after) = (plain(&self.before), plain(&self.after));
        write!(f, "{} {before} -> {after}", self.field)
    }
}

impl Engine {
    /// Shows the policy of a memory, or the one it would start with.
    pub async fn policy(&self, key: &MemoryKey) -> EngineResult<MemoryPolicy> {
        let head = self.store().head(key).await?;
        Ok(match head {
            Some(head) => MemoryPolicy {
                policy: head.policy,
                revision: Some(head.position.revision),
            },
            None => MemoryPolicy {
                policy: self.options().policy.clone(),
                revision: None,
            },
        })
    }

    /// Changes policy fields in one delta that can be undone; makes the memory if there is none.
    pub async fn set_policy(
        &self,
        key: &MemoryKey,
        mut fields: Map<String, Value>,
        author: Option<String>,
    ) -> EngineResult<PolicyChanged> {
        let now = self.policy(key).await?.policy;
        complete_weights(&mut fields, &now);
        let then = now.patched(&fields).map_err(EngineError::InvalidPolicy)?;
        let changes = changes(&now, &then);
        let said: Vec<String> = changes.iter().map(FieldChange::to_string).collect();
        let change = Operation::Policy(PolicyChange { fields });
        let mut delta = Delta::new(Self::fresh_delta_id()?, vec![change]);
        delta.reasoning = Some(if said.is_empty() {
            "policy: as it was".to_owned()
        } else {
            format!("policy: {}", said.join(", "))
        });
        delta.origin.author = author;
        let applied = self.apply_delta(key, delta).await?;
        Ok(PolicyChanged { applied, changes })
    }
}

/// Completes partial weights with the current ones.
pub fn complete_weights(fields: &mut Map<String, Value>, now: &Policy) {
    let named = fields.get("profile").and_then(Value::as_str);
    let profile = named.and_then(Profile::from_word);
    let others = now.weights_for(profile.unwrap_or(now.profile));
    let Some(Value::Object(given)) = fields.get_mut("weights") else {
        return;
    };
    if let Ok(Value::Object(others)) = serde_json::to_value(others) {
        for (name, weight) in others {
            given.entry(name).or_insert(weight);
        }
    }
}

fn changes(now: &Policy, then: &Policy) -> Vec<FieldChange> {
    let old = serde_json::to_value(now).unwrap_or_default();
    let changed = now.changed_in(then).into_iter();
    let changes = changed.map(|(field, after)| FieldChange {
        before: old.get(&field).cloned().unwrap_or_default(),
        field,
        after,
    });
    changes.collect()
}

/// A policy value for a sentence; of a hash, only the beginning.
pub fn plain(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::String(text) if text.len() == 64 => format!("{}…", &text[..HASH_DIGITS]),
        Value::String(text) => text.clone(),
        Value::Object(parts) => {
            let parts = parts.iter();
            let parts: Vec<String> = parts
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            parts.join(" ")
        }
        value => value.to_string(),
    }
}
