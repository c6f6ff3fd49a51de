//! Answers that are one JSON object: an exit code, two streams and flags of errors as fields.
//!
//! The words of the tool are in a field then. They are taken out, so that equal errors are equal in and out of JSON. An
//! object without such fields is the tool's own answer and stays whole.

use serde_json::{Map, Value};

use crate::exit_code;
use crate::json::value::{content, exit_code as code_of};
use crate::marks;
use crate::streams::Streams;

/// Fields of the words of a tool, next to an exit code or a flag.
const WORDS: &[&str] = &["output", "content", "result", "error", "message", "text"];
/// Fields that may hold the object of a result.
const INNER: &[&str] = &["result", "data", "response", "output"];
/// Fields that hold an exit code only next to the two streams.
const CODES_OF_STREAMS: &[&str] = &["code", "status"];

/// An answer in fields.
#[derive(Default, Debug)]
pub(crate) struct Fields {
    pub(crate) exit_code: Option<i32>,
    pub(crate) streams: Option<Streams>,
    /// It is the envelope of a tool's answer, which no text that a tool reads has.
    pub(crate) is_envelope: bool,
    /// Its flag of an error.
    pub(crate) failed: Option<bool>,
    /// The words; absent where the object itself is the answer.
    pub(crate) text: Option<String>,
}

/// Reads an answer that is one object with an exit code, streams or a flag of an error.
pub(crate) fn fields(answer: &str) -> Option<Fields> {
    let object = parsed(answer)?;
    let inner = || {
        let mut inner = INNER
            .iter()
            .filter_map(|name| object.get(*name)?.as_object());
        inner.find_map(fields_of)
    };
    fields_of(&object).or_else(inner)
}

fn fields_of(object: &Map<String, Value>) -> Option<Fields> {
    let stream = |name: &str| object.get(name).and_then(Value::as_str).map(str::to_owned);
    let (stdout, stderr) = (stream("stdout"), stream("stderr"));
    let streams = (stdout.is_some() || stderr.is_some()).then(|| Streams {
        stdout: stdout.unwrap_or_default(),
        stderr: stderr.unwrap_or_default(),
    });
    let value = Value::Object(object.clone());
    let of_streams = || {
        let mut codes = CODES_OF_STREAMS.iter().filter_map(|name| value.get(*name));
        codes.find_map(code_of).filter(|_| streams.is_some())
    };
    let metadata = value.get("metadata").and_then(marks::exit_code_of);
    let exit_code = marks::exit_code_of(&value).or(metadata).or_else(of_streams);
    let is_marked = ["isError", "is_error"]
        .iter()
        .any(|name| value.get(*name).is_some_and(Value::is_boolean));
    if exit_code.is_none() && streams.is_none() && !is_marked {
        return None;
    }
    let text = match &streams {
        Some(streams) => Some(format!("{}\n{}", streams.stdout, streams.stderr)),
        None => {
            let words = WORDS.iter().filter_map(|name| value.get(*name));
            words.map(content).find(|words| !words.is_empty())
        }
    };
    Some(Fields {
        exit_code,
        streams,
        is_envelope: is_marked && value.get("content").is_some(),
        failed: marks::of(&[&value]).failed,
        text: text.or_else(|| is_code_only(&value).then(String::new)),
    })
}

fn is_code_only(value: &Value) -> bool {
    value.as_object().is_some_and(|object| {
        let is_aside = |name: &String| exit_code::is_field(name) || WORDS.contains(&name.as_str());
        object.keys().all(is_aside)
    })
}

/// Returns whether a JSON answer reports an error; absent when it is no object.
pub(crate) fn is_error(answer: &str) -> Option<bool> {
    let value = Value::Object(parsed(answer)?);
    let field = |name: &str| value.get(name);
    if let Some(failed) = marks::of(&[&value]).failed {
        return Some(failed);
    }
    let is_set = |value: &Value| !matches!(value, Value::Null | Value::Bool(false)) && value != "";
    let is_error = field("error").is_some_and(is_set)
        || field("errors")
            .and_then(Value::as_array)
            .is_some_and(|all| !all.is_empty());
    Some(is_error)
}

fn parsed(answer: &str) -> Option<Map<String, Value>> {
    let answer = answer.trim();
    if !answer.starts_with('{') {
        return None;
    }
    match serde_json::from_str(answer)
        .or_else(|_| serde_json::from_str(&of_python(answer)))
        .ok()?
    {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

/// A dictionary as Python prints it, as JSON; texts that hold quotes are left to fail.
fn of_python(answer: &str) -> String {
    let mut text = answer.replace('\'', "\"");
    for (python, json) in [("None", "null"), ("True", "true"), ("False", "false")] {
        text = text.replace(&format!(": {python}"), &format!(": {json}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_words_are_taken_out_of_an_object() {
        for (answer, code, text) in [
            (
                r#"{"stdout": "", "stderr": "no", "exit_code": 2}"#,
                Some(2),
                Some("\nno"),
            ),
            (
                r#"{"returncode": 1, "output": "bad"}"#,
                Some(1),
                Some("bad"),
            ),
            (
                r#"{"result": {"exit_code": 2, "stderr": "no"}}"#,
                Some(2),
                Some("\nno"),
            ),
            (
                "{'returncode': 1, 'output': 'bad', 'signal': None}",
                Some(1),
                Some("bad"),
            ),
            (
                r#"{"result": {"exit_code": 2, "stderr": "no"}}"#,
                Some(2),
                Some("\nno"),
            ),
            (
                "{'returncode': 1, 'output': 'bad', 'signal': None}",
                Some(1),
                Some("bad"),
            ),
            (r#"{"exitCode": 0}"#, Some(0), Some("")),
            (
                r#"{"output": "x", "metadata": {"exit_code": 3}}"#,
                Some(3),
                Some("x"),
            ),
            (r#"{"status": 1, "stderr": "x"}"#, Some(1), Some("\nx")),
            (
                r#"{"isError": true, "content": [{"type": "text", "text": "no such user"}]}"#,
                None,
                Some("no such user"),
            ),
        ] {
            let read = fields(answer).unwrap();
            assert_eq!(
                (read.exit_code, read.text.as_deref()),
                (code, text),
                "{answer}"
            );
        }
        for answer in [
            r#"{"status": 1, "name": "x"}"#,
            r#"{"error": "x"}"#,
            r#"{"code": 1}"#,
            "[]",
            "{",
            "rc=1",
        ] {
            assert!(fields(answer).is_none(), "{answer}");
        }
    }

    #[test]
    fn an_object_reports_its_own_error() {
        for (answer, failed) in [
            (r#"{"error": {"message": "x"}}"#, Some(true)),
            (r#"{"success": false}"#, Some(true)),
            (r#"{"errors": ["x"]}"#, Some(true)),
            (r#"{"status": "error"}"#, Some(true)),
            (r#"{"error": null, "items": []}"#, Some(false)),
            (r#"{"errors": []}"#, Some(false)),
            ("{", None),
        ] {
            assert_eq!(is_error(answer), failed, "{answer}");
        }
    }
}
