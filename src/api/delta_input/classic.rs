//! The classic shape: new bullets, then updates by id, then removals.
//!
//! The three groups have a fixed order; within a group the sender's order counts. An update adds to counts,
//! so it becomes a TAG, even with zeros: in the original programs that touches the bullet as well.

use serde_json::{Map, Value};

use super::invalid;
use super::operation::{build, malformed};
use crate::fields::described;
use crate::json::members;
use crate::problem::Problem;
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

/// Converts the three groups; `text` is the document of `object`, if that is known.
pub(super) fn read(
    text: Option<&str>,
    object: &Map<String, Value>,
) -> Result<Vec<Operation>, Problem> {
    let mut operations = Vec::new();
    for value in list(object, "new_bullets")? {
        operations.push(new_bullet(value).unwrap_or_else(malformed));
    }
    match object.get("update_bullets") {
        None | Some(Value::Null) => {}
        Some(Value::Object(updates)) => {
            let order = text.map_or_else(|| updates.keys().cloned().collect(), order_of_updates);
            for id in order.iter().filter(|id| updates.contains_key(*id)) {
                operations.push(update(id, &updates[id]).unwrap_or_else(malformed));
            }
        }
        Some(other) => {
            return Err(invalid(format!(
                "`update_bullets` must be an object by bullet id, not {}",
                described(other)
            )));
        }
    }
    for value in list(object, "remove_bullets")? {
        operations.push(removal(value).unwrap_or_else(malformed));
    }
    Ok(operations)
}

fn list<'o>(object: &'o Map<String, Value>, name: &str) -> Result<&'o [Value], Problem> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(list)) => Ok(list),
        Some(other) => Err(invalid(format!(
            "`{name}` must be a list, not {}",
            described(other)
        ))),
    }
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

fn new_bullet(value: &Value) -> Result<Operation, String> {
    let Value::Object(bullet) = value else {
        return Err(format!(
            "a new bullet is an object, not {}",
            described(value)
        ));
    };
    let mut fields = Map::new();
    for (name, value) in bullet {
        let name = match name.as_str() {
            "id" => "legacy_id",
            "helpful_count" => "helpful",
            "harmful_count" => "harmful",
            "neutral_count" => "neutral",
            // In no table, because their values are not used.
            following if FOLLOWING.contains(&following) => continue,
            other => other,
        };
        let is_blank_id = name == "legacy_id" && value.as_str() == Some("");
        if value.is_null() || is_blank_id {
            continue;
        }
        if fields.insert(name.to_owned(), value.clone()).is_some() {
            return Err(format!("ADD: `{name}` is given twice"));
        }
    }
    build("ADD", fields)
}

fn update(id: &str, value: &Value) -> Result<Operation, String> {
    let Value::Object(counts) = value else {
        return Err(format!(
            "an update holds the counts to add, not {}",
            described(value)
        ));
    };
    if counts.contains_key("id") {
        return Err("TAG: `id` is given twice".to_owned());
    }
    let mut fields = counts.clone();
    fields.insert("id".to_owned(), Value::String(id.to_owned()));
    build("TAG", fields)
}

fn removal(value: &Value) -> Result<Operation, String> {
    let mut fields = Map::new();
    fields.insert("id".to_owned(), value.clone());
    build("REMOVE", fields)
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
