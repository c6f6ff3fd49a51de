//! Calls that a model writes as tags in its words, as older versions of Cline and Roo let it do.
//!
//! A call is an element on lines of its own that holds nothing but elements, one for each argument.

use serde_json::{Map, Value};

/// The calls in the words of a model, by name and arguments.
pub(crate) fn calls(words: &str) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    let mut rest = words;
    while let Some((name, inner, after)) = element(rest) {
        match arguments(inner) {
            Some(arguments) => {
                found.push((name.to_owned(), Value::Object(arguments)));
                rest = after;
            }
            None => rest = after_tag(rest),
        }
    }
    found
}

/// The first element whose tag begins a line: its name, its content, and the rest.
fn element(text: &str) -> Option<(&str, &str, &str)> {
    let mut at = 0;
    while let Some(found) = text.get(at..)?.find('<') {
        let start = at + found;
        at = start + 1;
        let begins_line = text[..start].trim_end_matches([' ', '\t']).ends_with('\n')
            || text[..start].trim().is_empty();
        let rest = &text[at..];
        let Some((name, inner)) = rest.split_once('>').filter(|(name, _)| is_name(name)) else {
            continue;
        };
        let close = format!("</{name}>");
        if begins_line && let Some((inner, after)) = inner.split_once(close.as_str()) {
            return Some((name, inner, after));
        }
    }
    None
}

/// The text after its first tag.
fn after_tag(text: &str) -> &str {
    text.split_once('<').map_or("", |(_, rest)| rest)
}

/// The elements of a content; absent where it holds anything else, or none.
fn arguments(inner: &str) -> Option<Map<String, Value>> {
    let mut found = Map::new();
    let mut rest = inner.trim();
    while !rest.is_empty() {
        let (name, after) = rest.strip_prefix('<')?.split_once('>')?;
        let (value, after) = after.split_once(format!("</{name}>").as_str())?;
        is_name(name).then_some(())?;
        found.insert(name.to_owned(), Value::from(value.trim_matches('\n')));
        rest = after.trim();
    }
    (!found.is_empty()).then_some(found)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn elements_of_elements_are_calls() {
        for (words, expected) in [
            (
                "I list them.\n<execute_command>\n<command>ls -l</command>\n<requires_approval>false</requires_approval>\n</execute_command>",
                json!([["execute_command", {"command": "ls -l", "requires_approval": "false"}]]),
            ),
            (
                "<thinking>why</thinking>\n<read_file>\n<path>a.md</path>\n</read_file>",
                json!([["read_file", {"path": "a.md"}]]),
            ),
            ("a <b>bold</b> word", json!([])),
            ("<p>\ntext\n</p>", json!([])),
            ("<open", json!([])),
            ("1 < 2", json!([])),
        ] {
            assert_eq!(json!(calls(words)), expected, "{words}");
        }
    }
}
