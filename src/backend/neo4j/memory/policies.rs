//! The policy of a memory as a node that people read, each value a property: `rates.semantic` is `rates_semantic` there.
//!
//! The engine decides by the text on the node of the memory, which one read of that node brings along. Both are written in
//! one transaction.

use neo4rs::BoltType;
use serde_json::{Map as Json, Value};

use super::events::Place;
use crate::bolt::executor::Executor;
use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, memory_key, memory_names};
use crate::bolt::work::send;
use crate::error::{Failure, Result};
use crate::statements::{POLICY, PUT_POLICY};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;

/// Properties of the node that are no values of the policy.
const OUTER: [&str; 5] = ["hindlore_key", "tenant", "learner", "scope", "title"];

/// Writes the node of a policy.
pub(crate) async fn show(tx: &mut Transaction, place: Place<'_>, policy: &Policy) -> Result<()> {
    let shown = Map::new()
        .with("memory", place.memory)
        .with("policy", properties(place.key, policy)?);
    tx.execute(PUT_POLICY, shown).await
}

/// Lists the differences between the node of a memory's policy and the policy.
pub(crate) async fn differences(executor: &Executor, key: &MemoryKey) -> Result<Vec<String>> {
    let asked = Map::new().with("memory", memory_key(key));
    let rows = send(executor, POLICY, asked).await?;
    let Some(row) = rows.first() else {
        return Ok(Vec::new());
    };
    // Reading the memory reports an unreadable one.
    let Ok(policy) = serde_json::from_str::<Policy>(&row.get::<String>("policy")?) else {
        return Ok(Vec::new());
    };
    let Some(shown) = row.get::<Option<Json<String, Value>>>("shown")? else {
        return Ok(vec!["the node of its policy is gone".to_owned()]);
    };
    Ok(compared(&values(&policy)?, &shown))
}

fn compared(meant: &Json<String, Value>, shown: &Json<String, Value>) -> Vec<String> {
    let names = meant.keys().chain(shown.keys());
    let mut names: Vec<&String> = names
        .filter(|name| !OUTER.contains(&name.as_str()))
        .collect();
    names.sort();
    names.dedup();
    let differ = |name: &&String| match (meant.get(*name), shown.get(*name)) {
        // A person types 1 where a number has a point.
        (Some(a), Some(b)) => a != b && (a.as_f64().is_none() || a.as_f64() != b.as_f64()),
        (a, b) => a != b,
    };
    let told = |name: &String| {
        let of = |map: &Json<String, Value>| {
            map.get(name).map_or("nothing".to_owned(), Value::to_string)
        };
        format!(
            "the node of its policy says {} as `{name}`, and the policy {}",
            of(shown),
            of(meant)
        )
    };
    names.into_iter().filter(differ).map(told).collect()
}

/// The values by the names of their properties; those that are not set are missing.
fn values(policy: &Policy) -> Result<Json<String, Value>> {
    let mut flat = Json::new();
    for (name, value) in policy.fields().map_err(Failure::Refused)? {
        match value {
            Value::Null => {}
            Value::Object(parts) => {
                let parts = parts.into_iter();
                flat.extend(parts.map(|(part, value)| (format!("{name}_{part}"), value)));
            }
            value => {
                flat.insert(name, value);
            }
        }
    }
    Ok(flat)
}

fn properties(key: &MemoryKey, policy: &Policy) -> Result<Map> {
    let title = format!("policy of {}", key.scope());
    let names = memory_names(key)
        .with("hindlore_key", memory_key(key))
        .with("title", crate::bolt::values::title(&title));
    let values = values(policy)?.into_iter();
    Ok(values.fold(names, |map, (name, value)| {
        map.with(&name, property(&value))
    }))
}

fn property(value: &Value) -> BoltType {
    match value {
        Value::Bool(flag) => (*flag).into(),
        Value::String(text) => text.as_str().into(),
        value => match value.as_i64() {
            Some(whole) => whole.into(),
            None => value.as_f64().into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_value_is_a_property_and_every_difference_is_named() {
        let policy = Policy::default();
        let meant = values(&policy).unwrap();
        assert_eq!(meant["rates_semantic"], json!(0.01));
        assert_eq!(meant["link_shares_previous"], json!(0.35));
        assert_eq!(meant["source_weights_agent"], json!(1.0));
        assert_eq!(meant["mode"], json!("engine"));
        assert!(!meant.contains_key("weights"), "it is not set");
        assert!(
            meant
                .values()
                .all(|value| !value.is_object() && !value.is_null())
        );
        let mut shown = meant.clone();
        shown.insert("title".to_owned(), json!("policy of it"));
        shown.insert("base_strength".to_owned(), json!(100));
        assert_eq!(compared(&meant, &shown), Vec::<String>::new());
        shown.insert("floor".to_owned(), json!(0.3));
        shown.insert("mine".to_owned(), json!(true));
        shown.remove("guard");
        let told = compared(&meant, &shown);
        assert_eq!(told.len(), 3, "{told:?}");
        assert_eq!(
            told[0],
            "the node of its policy says 0.3 as `floor`, and the policy 0.1"
        );
    }
}
