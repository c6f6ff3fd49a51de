//! Reads JSON from outside: exact error positions, and records in file order with their lines.
//!
//! A parsed object loses the order and position of its fields, and an import needs both. So a light scan
//! finds the members first, and each is parsed on its own. The scan keeps no stack, so nesting cannot exhaust
//! it; the parser's own limit refuses deep records.

mod unique;

use serde::de::IgnoredAny;
use serde_json::Value;

use super::problem::Problem;
pub use hindlore_trace::{HALVES_REPLACED, replace_halves};
pub(crate) use unique::Unique;

/// A field of an object, or an element of an array.
#[derive(Clone, Debug)]
pub(crate) struct Member<'t> {
    /// Name of the field; absent in an array.
    pub(crate) name: Option<String>,
    /// JSON text of the value.
    pub(crate) text: &'t str,
    /// Line where the value starts in the document, from 1.
    pub(crate) line: u64,
}

impl Member<'_> {
    /// Parses the value; error positions are those of the document.
    pub(crate) fn value(&self) -> Result<Value, String> {
        let read = serde_json::from_str::<Unique>(self.text);
        read.map(|value| value.0).map_err(|error| {
            let below = u64::try_from(error.line().saturating_sub(1)).unwrap_or(u64::MAX);
            let line = self.line.saturating_add(below);
            match below {
                0 => reason(&error),
                _ => format!("{} near line {line}", reason(&error)),
            }
        })
    }
}

/// Parses a document without duplicate names; `what` names it in messages.
pub(crate) fn parse_value(what: &str, text: &str) -> Result<Value, Problem> {
    let read = serde_json::from_str::<Unique>(strip_bom(text));
    read.map(|value| value.0)
        .map_err(|error| invalid(what, &error))
}

/// Checks that a document is well-formed, at any depth.
pub(crate) fn check(what: &str, text: &str) -> Result<(), Problem> {
    serde_json::from_str::<IgnoredAny>(text)
        .map(|_| ())
        .map_err(|error| invalid(what, &error))
}

/// Strips the byte order mark that some editors write first.
pub fn strip_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The parser's message without the position.
pub fn complaint(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

/// Why a record cannot be read, without the position.
pub(crate) fn reason(error: &serde_json::Error) -> String {
    if error.is_data() {
        complaint(error)
    } else {
        format!("not valid JSON: {}", complaint(error))
    }
}

fn invalid(what: &str, error: &serde_json::Error) -> Problem {
    let (line, column) = (error.line(), error.column());
    let state = if error.is_data() {
        "cannot be taken as it is"
    } else {
        "is not valid JSON"
    };
    Problem::new(
        "invalid_json",
        format!(
            "{what} {state}: {} at line {line} column {column}",
            complaint(error)
        ),
    )
    .with_hint(hint_of(error))
    .at_line(u64::try_from(line).unwrap_or(u64::MAX))
}

/// The remedy for invalid JSON.
fn hint_of(error: &serde_json::Error) -> &'static str {
    let is_at_the_start = error.is_syntax() && error.line() == 1 && error.column() <= 1;
    if is_at_the_start {
        return "it does not look like JSON at all: check that it is the right file, and the format";
    }
    if complaint(error).contains("control character") {
        "a line break inside a text is written \\n; correct the JSON at that place, then try again"
    } else {
        "correct the JSON at that place, then try again"
    }
}

/// Members of a well-formed object or array, in order; `line` is that of its first character. `None` for
/// other values.
pub(crate) fn members(text: &str, line: u64) -> Option<Vec<Member<'_>>> {
    let found = hindlore_trace::members(text)?.into_iter();
    let found = found.map(|found| Member {
        name: found.name,
        text: found.text,
        line: line.saturating_add(u64::try_from(found.breaks).unwrap_or(u64::MAX)),
    });
    Some(found.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_in_file_order_with_their_lines() {
        let text = "{\n \"z\": {\"a\": [1,\n 2]},\n\n \"a\\u0062\": \"x,}\\\"\" , \"n\": -1.5e3\n,\"e\":[]}";
        let found: Vec<(String, &str, u64)> = members(text, 1)
            .unwrap()
            .into_iter()
            .map(|m| (m.name.unwrap_or_default(), m.text, m.line))
            .collect();
        assert_eq!(
            found,
            [
                ("z".to_owned(), "{\"a\": [1,\n 2]}", 2),
                ("ab".to_owned(), "\"x,}\\\"\"", 5),
                ("n".to_owned(), "-1.5e3", 5),
                ("e".to_owned(), "[]", 6),
            ]
        );
    }

    #[test]
    fn arrays_have_members_and_scalars_have_none() {
        let list = members(" [ 1 , true,null, \"é\" ] ", 7).unwrap();
        let texts: Vec<&str> = list.iter().map(|m| m.text).collect();
        assert_eq!(texts, ["1", "true", "null", "\"é\""]);
        assert!(list.iter().all(|m| m.line == 7 && m.name.is_none()));
        assert!(members("[]", 1).unwrap().is_empty());
        assert!(members("12", 1).is_none());
    }

    #[test]
    fn a_broken_document_is_located() {
        for (text, words) in [
            ("{\"a\": 1", "line 1 column 7"),
            ("{\n\"a\" 1}", "expected `:` at line 2 column 5"),
            ("", "EOF while parsing a value"),
            ("\"\\ud800\"", "hex escape"),
            ("{\"a\": NaN}", "expected value"),
        ] {
            let problem = parse_value("the delta", text).unwrap_err();
            assert!(problem.message.contains(words), "{problem}");
        }
        let bomb = "[".repeat(100_000);
        let message = parse_value("x", &bomb).unwrap_err().message;
        assert!(message.contains("recursion limit"), "{message}");
        let closed = format!("{bomb}{}", "]".repeat(100_000));
        assert!(check("x", &closed).is_ok());
        assert_eq!(members(&closed, 1).unwrap().len(), 1);
        assert!(members(&closed, 1).unwrap()[0].value().is_err());
    }
}
