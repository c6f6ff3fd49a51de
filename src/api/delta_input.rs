//! Reads a delta in any of the three shapes agents send: native, classic, and kayba.
//!
//! A fault in one operation stays at its place as a malformed operation, so a strict delta lists all faults
//! at once, and a lenient one applies the rest. Only faults of the whole message are refused here: bad JSON,
//! a wrong outer shape, an unknown outer field.

mod classic;
mod operation;

use std::borrow::Cow;

use serde_json::{Map, Value};

pub(crate) use operation::{operation_fields, read_added};

use super::fields::{Shape, Table, described, faults};
use super::json::{HALVES_REPLACED, parse_value, replace_halves, strip_bom};
use super::problem::Problem;
use hindlore_domain::memory::delta::{DeltaId, LABEL_MAX_CHARS, OPERATIONS_MAX, Operation};

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

/// Outer fields of the native and kayba shapes.
const OUTER: Table = &[
    ("id", Shape::Name),
    ("author", Shape::Text),
    ("reasoning", Shape::Text),
    ("expected_revision", Shape::Count),
    ("lenient", Shape::Flag),
    ("operations", Shape::Any),
];

/// Outer fields of the classic shape.
const OUTER_CLASSIC: Table = &[
    ("id", Shape::Name),
    ("author", Shape::Text),
    ("reasoning", Shape::Text),
    ("expected_revision", Shape::Count),
    ("lenient", Shape::Flag),
    ("new_bullets", Shape::Any),
    ("update_bullets", Shape::Any),
    ("remove_bullets", Shape::Any),
];

/// Fields that identify the classic shape.
const CLASSIC: [&str; 3] = ["new_bullets", "update_bullets", "remove_bullets"];

/// Parses a delta: an object in one of the three shapes, or a bare list of operations.
///
/// # Errors
///
/// `invalid_json` with line and column, `invalid_delta`, `too_many_operations`.
pub fn parse_delta(text: &str) -> Result<DeltaInput, Problem> {
    let whole = replace_halves(text);
    let mut input = read(&parse_value("the delta", &whole)?, Some(strip_bom(&whole)))?;
    if let Cow::Owned(_) = whole {
        input.notes.push(HALVES_REPLACED.to_owned());
    }
    Ok(input)
}

/// Reads a parsed delta; `text` is its document, if that is known, for the order of fields.
///
/// # Errors
///
/// `invalid_delta`, `too_many_operations`.
pub(crate) fn read(delta: &Value, text: Option<&str>) -> Result<DeltaInput, Problem> {
    match delta {
        Value::Array(list) => Ok(DeltaInput {
            operations: read_list(list)?,
            ..DeltaInput::default()
        }),
        Value::Object(object) => read_object(text, object),
        other => Err(invalid(format!(
            "a delta is an object or a list of operations, not {}",
            described(other)
        ))),
    }
}

fn read_object(text: Option<&str>, object: &Map<String, Value>) -> Result<DeltaInput, Problem> {
    let is_classic = CLASSIC.iter().any(|name| object.contains_key(*name));
    if is_classic && object.contains_key("operations") {
        return Err(invalid(
            "a delta has either `operations` or the classic lists, not both".to_owned(),
        ));
    }
    let table = if is_classic { OUTER_CLASSIC } else { OUTER };
    let faults = faults(object, table);
    if !faults.is_empty() {
        return Err(invalid(format!("the delta: {}", faults.join("; "))));
    }
    let operations = if is_classic {
        let operations = classic::read(text, object)?;
        bounded(operations.len())?;
        operations
    } else {
        match object.get("operations") {
            Some(Value::Array(list)) => read_list(list)?,
            Some(other) => {
                return Err(invalid(format!(
                    "`operations` must be a list, not {}",
                    described(other)
                )));
            }
            None => return Err(invalid("the delta has no `operations`".to_owned())),
        }
    };
    Ok(DeltaInput {
        id: delta_id(object)?,
        author: label(object, "author")?,
        reasoning: text_of(object, "reasoning"),
        expected_revision: object.get("expected_revision").and_then(Value::as_u64),
        lenient: object.get("lenient").and_then(Value::as_bool),
        operations,
        notes: Vec::new(),
    })
}

fn read_list(list: &[Value]) -> Result<Vec<Operation>, Problem> {
    bounded(list.len())?;
    Ok(list.iter().map(operation::read).collect())
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

fn delta_id(object: &Map<String, Value>) -> Result<Option<DeltaId>, Problem> {
    match object.get("id").and_then(Value::as_str) {
        Some(raw) => DeltaId::parse(raw).map(Some).map_err(invalid),
        None => Ok(None),
    }
}

fn label(object: &Map<String, Value>, name: &str) -> Result<Option<String>, Problem> {
    let Some(label) = text_of(object, name) else {
        return Ok(None);
    };
    if label.chars().count() > LABEL_MAX_CHARS || label.chars().any(char::is_control) {
        return Err(invalid(format!(
            "`{name}` has at most {LABEL_MAX_CHARS} characters and no control characters"
        )));
    }
    Ok(Some(label))
}

fn text_of(object: &Map<String, Value>, name: &str) -> Option<String> {
    object.get(name).and_then(Value::as_str).map(str::to_owned)
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
