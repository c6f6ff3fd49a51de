//! Reads a delta in any of the three shapes agents send: native, classic, and kayba.
//!
//! A fault in one operation stays at its place as a malformed operation, so a strict delta lists all faults
//! at once, and a lenient one applies the rest. Only faults of the whole message are refused here: bad JSON,
//! a wrong outer shape, an unknown outer field.

mod classic;
mod operation;
mod wire;

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};

pub(crate) use operation::read_added;

use super::check::{described, faults};
use super::json::{HALVES_REPLACED, parse_value, replace_halves, strip_bom};
use super::patterns::NAME;
use super::problem::Problem;
use super::schema::of_request;
use hindlore_domain::memory::bullet::COUNT_MAX;
use hindlore_domain::memory::delta::{DeltaId, LABEL_MAX_CHARS, OPERATIONS_MAX, Operation};

/// Apply a delta, all of it or nothing, exactly once.
///
/// A delta is a list of operations on the bullets of a memory, decided in order and written in one
/// transaction. Sent again with the same id it changes nothing and returns the same answer.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApplyDelta {
    /// Id of the delta; sent again with the same id, it is applied once. By default a fresh one.
    #[serde(default)]
    #[schemars(length(min = 1, max = LABEL_MAX_CHARS), regex(pattern = NAME))]
    pub id: Option<String>,
    /// Person or agent who wrote it, for the history, if the caller has no name of its own; the holder of a key signs
    /// as its key, and one that claims to be another is refused.
    #[serde(default)]
    #[schemars(length(max = LABEL_MAX_CHARS))]
    pub author: Option<String>,
    /// Why, for the history.
    #[serde(default)]
    pub reasoning: Option<String>,
    /// Apply only if the memory is at this revision.
    #[serde(default)]
    #[schemars(range(max = COUNT_MAX))]
    pub expected_revision: Option<u64>,
    /// Apply what can be applied, and report the rest.
    #[serde(default)]
    pub lenient: Option<bool>,
    /// Operations in order. Each has an `op`: ADD, UPDATE, TAG, REMOVE, REJECT, PIN or POLICY, and its fields. A fault is
    /// reported at its operation.
    #[serde(default)]
    #[schemars(length(max = OPERATIONS_MAX), extend("examples" = [[{"op": "ADD", "content": "check the path first"}]]))]
    pub operations: Option<Vec<SentOperation>>,
    /// Bullets to add, in the format of the original programs, instead of `operations`.
    #[serde(default)]
    pub new_bullets: Option<Vec<Value>>,
    /// Bullets to change, by id, in that format.
    #[serde(default)]
    pub update_bullets: Option<Map<String, Value>>,
    /// Ids of bullets to archive, in that format.
    #[serde(default)]
    pub remove_bullets: Option<Vec<Value>>,
}

/// An operation as sent; an unreadable one is [`Operation::Malformed`], so that its fault stays at its place.
///
/// The schema of the request leaves it open, because this type checks it by the schema of [`entry_schema`].
#[derive(Clone, PartialEq, Debug)]
pub struct SentOperation(pub Operation);

impl<'de> Deserialize<'de> for SentOperation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(operation::read(Value::deserialize(deserializer)?)))
    }
}

impl JsonSchema for SentOperation {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "SentOperation".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        true.into()
    }
}

/// The schema by which an entry of a list or map of the request is checked; `None` if its name is none of them.
pub(crate) fn entry_schema(name: &str) -> Option<Value> {
    match name {
        "operations" => Some(operation::SCHEMA.clone()),
        "records" => Some(operation::schema_without("ADD", &["op"])),
        "new_bullets" => Some(classic::bullet_schema()),
        "update_bullets" => Some(operation::schema_without("TAG", &["op", "id"])),
        "remove_bullets" => Some(json!({ "type": "string" })),
        _ => None,
    }
}

/// A delta as sent, not yet bound to a memory or an instance.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DeltaInput {
    /// The sender's id; absent: generate one.
    pub id: Option<DeltaId>,
    /// Its author, a person or agent.
    pub author: Option<String>,
    /// Its reasoning.
    pub reasoning: Option<String>,
    /// Apply only at this revision.
    pub expected_revision: Option<u64>,
    /// Apply the valid operations; absent: the surface decides.
    pub lenient: Option<bool>,
    /// Operations in order; unreadable ones are [`Operation::Malformed`].
    pub operations: Vec<Operation>,
    /// Notes on replaced input.
    pub notes: Vec<String>,
}

/// Fields that identify the classic shape.
const CLASSIC: [&str; 3] = ["new_bullets", "update_bullets", "remove_bullets"];

/// Parses a delta: an object in one of the three shapes, or a bare list of operations.
///
/// # Errors
///
/// `invalid_json` with line and column, `invalid_delta`, `too_many_operations`.
pub fn parse_delta(text: &str) -> Result<DeltaInput, Problem> {
    let whole = replace_halves(text);
    let mut delta = match parse_value("the delta", &whole)? {
        list @ Value::Array(_) => json!({ "operations": list }),
        other => other,
    };
    let Some(object) = delta.as_object() else {
        return Err(invalid(format!(
            "a delta is an object or a list of operations, not {}",
            described(&delta)
        )));
    };
    let is_classic = CLASSIC.iter().any(|name| object.contains_key(*name));
    let operations = object.get("operations").and_then(Value::as_array);
    bounded(operations.map_or(0, Vec::len))?;
    let faults = faults(&of_request::<ApplyDelta>(), &mut delta);
    if !faults.is_empty() {
        return Err(invalid(format!("the delta: {}", faults.join("; "))));
    }
    let mut request: ApplyDelta =
        serde_json::from_value(delta).map_err(|error| invalid(format!("the delta: {error}")))?;
    if is_classic {
        // Null is an empty group here.
        request.new_bullets.get_or_insert_default();
    }
    let mut input = request.read(Some(strip_bom(&whole)))?;
    if let Cow::Owned(_) = whole {
        input.notes.push(HALVES_REPLACED.to_owned());
    }
    Ok(input)
}

impl ApplyDelta {
    /// Reads the request; `text` is its document, if that is known, for the order of fields.
    ///
    /// # Errors
    ///
    /// `invalid_delta`, `too_many_operations`.
    pub(crate) fn read(self, text: Option<&str>) -> Result<DeltaInput, Problem> {
        let groups = (self.new_bullets, self.update_bullets, self.remove_bullets);
        let operations = match (self.operations, groups) {
            (Some(sent), (None, None, None)) => sent.into_iter().map(|sent| sent.0).collect(),
            (None, (None, None, None)) => {
                return Err(invalid("the delta has no `operations`".to_owned()));
            }
            (Some(_), _) => {
                return Err(invalid(
                    "a delta has either `operations` or the classic lists, not both".to_owned(),
                ));
            }
            (None, (new, updates, removals)) => {
                let groups = classic::Groups {
                    new: new.unwrap_or_default(),
                    updates: updates.unwrap_or_default(),
                    removals: removals.unwrap_or_default(),
                };
                classic::read(groups, text)
            }
        };
        bounded(operations.len())?;
        if let Some(author) = &self.author
            && author.chars().any(char::is_control)
        {
            return Err(invalid("`author` has a control character".to_owned()));
        }
        let id = self.id.as_deref().map(DeltaId::parse).transpose();
        Ok(DeltaInput {
            id: id.map_err(invalid)?,
            author: self.author,
            reasoning: self.reasoning,
            expected_revision: self.expected_revision,
            lenient: self.lenient,
            operations,
            notes: Vec::new(),
        })
    }
}

fn bounded(operations: usize) -> Result<(), Problem> {
    if operations <= OPERATIONS_MAX {
        return Ok(());
    }
    Err(Problem::new(
        "too_many_operations",
        format!("the delta has {operations} operations; the limit is {OPERATIONS_MAX}"),
    )
    .with_hint("split it into several deltas"))
}

fn invalid(message: String) -> Problem {
    Problem::new("invalid_delta", message).with_hint(
        "send {\"operations\": [{\"op\": \"ADD\", \"content\": \"...\"}]}, a list of operations, or \
         {\"new_bullets\": [], \"update_bullets\": {}, \"remove_bullets\": []}",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_native_shape_is_read_whole() {
        let input = parse_delta(
            r#"{"id": " d1 ", "author": "ann", "reasoning": "why", "expected_revision": 3,
                "lenient": true, "operations": [{"op": "ADD", "content": "x"}]}"#,
        )
        .unwrap();
        assert_eq!(input.id.unwrap().as_str(), "d1");
        assert_eq!(input.author.as_deref(), Some("ann"));
        assert_eq!(input.reasoning.as_deref(), Some("why"));
        assert_eq!(
            (input.expected_revision, input.lenient),
            (Some(3), Some(true))
        );
        assert!(matches!(&input.operations[..], [Operation::Add(new)] if new.content == "x"));
    }

    #[test]
    fn a_bare_list_and_nulls_are_enough() {
        let input = parse_delta("\u{feff}[]").unwrap();
        assert!(input.operations.is_empty() && input.id.is_none());
        let input = parse_delta(r#"{"id": null, "lenient": null, "operations": []}"#).unwrap();
        assert!(input.id.is_none() && input.lenient.is_none());
    }

    #[test]
    fn what_spoils_the_whole_delta_is_a_problem() {
        let deep = format!("[{}1{}]", "[".repeat(500), "]".repeat(500));
        let long = format!(r#"{{"id": "{}", "operations": []}}"#, "x".repeat(257));
        for (text, code, words) in [
            ("{\"operations\": [", "invalid_json", "line 1 column 16"),
            (
                "[{\"op\": \"ADD\",\n \"content\" \"x\"}]",
                "invalid_json",
                "expected `:` at line 2",
            ),
            (&deep, "invalid_json", "recursion limit"),
            ("12", "invalid_delta", "not the number 12"),
            ("null", "invalid_delta", "not null"),
            ("{}", "invalid_delta", "no `operations`"),
            (r#"{"operations": {}}"#, "invalid_delta", "a list"),
            (
                r#"{"operation": []}"#,
                "invalid_delta",
                "did you mean `operations`",
            ),
            (r#"{"op": "ADD", "content": "x"}"#, "invalid_delta", "`op`"),
            (
                r#"{"operations": [], "lenient": "yes"}"#,
                "invalid_delta",
                "`lenient`",
            ),
            (
                r#"{"operations": [], "expected_revision": -1}"#,
                "invalid_delta",
                "0 or more",
            ),
            (
                r#"{"operations": [], "new_bullets": []}"#,
                "invalid_delta",
                "not both",
            ),
            (
                r#"{"operations": [], "author": "a\u0000b"}"#,
                "invalid_delta",
                "`author`",
            ),
            (&long, "invalid_delta", "256"),
        ] {
            let problem = parse_delta(text).unwrap_err();
            assert_eq!(problem.code, code, "{text}");
            assert!(problem.message.contains(words), "{problem}");
        }
    }

    #[test]
    fn half_an_emoji_is_replaced_and_told() {
        let input = parse_delta(r#"[{"op": "ADD", "content": "half \ud83d of it"}]"#).unwrap();
        let [Operation::Add(new)] = &input.operations[..] else {
            panic!("{input:?}");
        };
        assert_eq!(new.content, "half \u{fffd} of it");
        assert_eq!(input.notes, [HALVES_REPLACED]);
    }

    #[test]
    fn one_bad_operation_leaves_the_others_in_place() {
        let input = parse_delta(
            r#"[{"op": "ADD", "content": "a"}, 7, {"op": "TAG", "id": "b_1", "good": 1},
                {"type": "remove", "bullet_id": "errors-00002"}]"#,
        )
        .unwrap();
        assert_eq!(input.operations.len(), 4);
        assert!(matches!(&input.operations[1], Operation::Malformed(m) if m.reason.contains("7")));
        assert!(
            matches!(&input.operations[2], Operation::Malformed(m) if m.reason.contains("good"))
        );
        assert!(matches!(&input.operations[3], Operation::Remove(r) if r.id.0 == "errors-00002"));
    }
}
