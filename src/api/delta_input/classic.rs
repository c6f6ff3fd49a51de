//! The classic shape: new bullets, then updates by id, then removals.
//!
//! The three groups have a fixed order; within a group the sender's order counts. An update adds to counts,
//! so it becomes a TAG, even with zeros: in the original programs that touches the bullet as well.

use serde_json::{Map, Value};

use super::operation::{LONG_NAMES, build, malformed, schema_without};
use crate::check::described;
use crate::json::members;
use hindlore_domain::memory::delta::Operation;

/// Fields of a classic bullet that are derived from memory and event, not taken from the sender.
const FOLLOWING: [&str; 13] = [
    "last_used",
    "semantic_strength",
    "episodic_strength",
    "procedural_strength",
    "semantic_last_access",
    "episodic_last_access",
    "procedural_last_access",
    "semantic_access_index",
    "episodic_access_index",
    "procedural_access_index",
    "learner_id",
    "context_scope_id",
    "content_hash",
];

/// The three groups as sent.
pub(super) struct Groups {
    /// Bullets to add.
    pub(super) new: Vec<Value>,
    /// Changes by bullet id.
    pub(super) updates: Map<String, Value>,
    /// Ids of bullets to archive.
    pub(super) removals: Vec<Value>,
}

/// Converts the three groups; `text` is their document, if that is known.
pub(super) fn read(groups: Groups, text: Option<&str>) -> Vec<Operation> {
    let mut updates = groups.updates;
    let order = text.map_or_else(|| updates.keys().cloned().collect(), order_of_updates);
    let updated = order.iter().filter_map(|id| {
        let counts = updates.remove(id)?;
        Some(update(id, counts))
    });
    let new = groups.new.into_iter().map(new_bullet);
    let operations = new
        .chain(updated)
        .chain(groups.removals.into_iter().map(removal));
    operations
        .map(|read| read.unwrap_or_else(malformed))
        .collect()
}

/// The schema of a new bullet, without the fields that are not taken.
pub(super) fn bullet_schema() -> Value {
    let mut schema = schema_without("ADD", &["op"]);
    if let Some(fields) = schema["properties"].as_object_mut() {
        let renamed = LONG_NAMES.iter().chain(&[("id", "legacy_id")]);
        for (name, native) in renamed {
            let field = fields.remove(*native).unwrap_or_default();
            fields.insert((*name).to_owned(), field);
        }
    }
    // Fields that are derived from memory and event are passed over.
    schema["additionalProperties"] = true.into();
    schema
}

/// Ids of `update_bullets` in document order, which the parsed object has lost.
fn order_of_updates(text: &str) -> Vec<String> {
    let updates = members(text, 1)
        .into_iter()
        .flatten()
        .find(|member| member.name.as_deref() == Some("update_bullets"));
    let ids = updates.and_then(|member| members(member.text, member.line));
    let names = ids.into_iter().flatten();
    names.filter_map(|member| member.name).collect()
}

fn new_bullet(value: Value) -> Result<Operation, String> {
    let Value::Object(bullet) = value else {
        return Err(format!(
            "a new bullet is an object, not {}",
            described(&value)
        ));
    };
    let mut fields = Map::new();
    for (name, value) in bullet {
        let long = LONG_NAMES.iter().find(|(long, _)| *long == name);
        let name = match (name.as_str(), long) {
            ("id", _) => "legacy_id",
            (_, Some((_, native))) => native,
            // In no schema, because their values are not used.
            (following, None) if FOLLOWING.contains(&following) => continue,
            (other, None) => other,
        };
        let is_blank_id = name == "legacy_id" && value.as_str() == Some("");
        if value.is_null() || is_blank_id {
            continue;
        }
        if fields.insert(name.to_owned(), value).is_some() {
            return Err(format!("ADD: `{name}` is given twice"));
        }
    }
    build("ADD", fields)
}

fn update(id: &str, counts: Value) -> Result<Operation, String> {
    let Value::Object(mut fields) = counts else {
        return Err(format!(
            "an update holds the counts to add, not {}",
            described(&counts)
        ));
    };
    if fields.insert("id".to_owned(), id.into()).is_some() {
        return Err("TAG: `id` is given twice".to_owned());
    }
    build("TAG", fields)
}

fn removal(id: Value) -> Result<Operation, String> {
    build("REMOVE", Map::from_iter([("id".to_owned(), id)]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::delta_input::parse_delta;

    #[test]
    fn new_then_updates_then_removals_in_the_order_of_the_sender() {
        let input = parse_delta(
            r#"{"remove_bullets": ["r1"],
                "update_bullets": {"z": {"helpful": 2, "harmful": 1}, "a": {"helpful": 0}, "m": {}},
                "new_bullets": [{"id": "", "content": "one", "memory_type": "semantic",
                                 "tags": ["t"], "helpful_count": 3, "semantic_strength": 100.0,
                                 "last_used": null, "learner_id": "u"}]}"#,
        )
        .unwrap();
        assert_eq!(
            serde_json::to_value(&input.operations).unwrap(),
            json!([
                {"op": "ADD", "content": "one", "memory_type": "semantic", "tags": ["t"], "helpful": 3},
                {"op": "TAG", "id": "z", "helpful": 2, "harmful": 1},
                {"op": "TAG", "id": "a"},
                {"op": "TAG", "id": "m"},
                {"op": "REMOVE", "id": "r1"},
            ])
        );
    }

    #[test]
    fn faults_stay_at_their_places() {
        let input = parse_delta(
            r#"{"new_bullets": [{"contents": "x"}, 3, {"content": "x", "helpful": 1, "helpful_count": 2}],
                "update_bullets": {"a": {"good": 1}, "b": 1}, "remove_bullets": [4]}"#,
        )
        .unwrap();
        let reasons = serde_json::to_value(&input.operations).unwrap();
        for (at, words) in [
            (0, "did you mean `content`"),
            (1, "not the number 3"),
            (2, "given twice"),
            (3, "`good`"),
            (4, "not the number 1"),
            (5, "must be a text"),
        ] {
            assert_eq!(reasons[at]["op"], "MALFORMED");
            let reason = reasons[at]["reason"].as_str().unwrap();
            assert!(reason.contains(words), "{reason}");
        }
    }

    #[test]
    fn a_group_of_the_wrong_type_is_a_problem() {
        for text in [
            r#"{"new_bullets": {}}"#,
            r#"{"update_bullets": []}"#,
            r#"{"remove_bullets": "r1"}"#,
        ] {
            assert_eq!(
                parse_delta(text).unwrap_err().code,
                "invalid_delta",
                "{text}"
            );
        }
        assert!(
            parse_delta(r#"{"new_bullets": null}"#)
                .unwrap()
                .operations
                .is_empty()
        );
    }
}
