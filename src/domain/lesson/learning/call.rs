//! A call in one form, independent of the form in which the harness reports it.
//!
//! The same command arrives as a line, as the `command` of a tool called `Bash`, as `["bash", "-lc", line]` or after a
//! `cd`, with its output cut by `| tail`; the same arguments arrive as data or as a text that holds JSON. Two tries can
//! be compared only when both are in one form.

use serde_json::{Map, Value, json};

use hindlore_errors::action::Action;
use hindlore_errors::shell::{bare, is_shell_tool};

/// Arguments in which such a tool takes the line.
const LINE_KEYS: &[&str] = &["command", "cmd", "script", "line", "commandline"];

/// An action in its one form: the line of a command, or `{"name": tool, "arguments": {…}}`; anything else as
/// it is.
pub fn canonical(action: &Value) -> Value {
    match read(action) {
        Form::Line(line) => Value::from(bare(without_folder_change(&line))),
        Form::Data(data) => data,
    }
}

/// The line of a command with its change of folder and its redirections; absent for any other action.
pub fn written_line(action: &Value) -> Option<String> {
    match read(action) {
        Form::Line(line) => Some(line),
        Form::Data(_) => None,
    }
}

/// An action without the form in which the harness reports it.
enum Form {
    Line(String),
    Data(Value),
}

fn read(action: &Value) -> Form {
    match action {
        Value::String(text) => of_text(text.trim()),
        Value::Array(words) => of_words(words).unwrap_or_else(|| Form::Data(action.clone())),
        Value::Object(_) => match Action::read(action) {
            Action::Tool { name, arguments } => of_tool(&name, arguments),
            Action::Command(line) => of_text(&line),
            Action::Other(_) | Action::None => Form::Data(action.clone()),
        },
        other => Form::Data(other.clone()),
    }
}

fn of_text(text: &str) -> Form {
    if text.starts_with('{')
        && let Ok(record @ Value::Object(_)) = serde_json::from_str(text)
        && !matches!(Action::read(&record), Action::Other(_))
    {
        return read(&record);
    }
    if text.starts_with('[')
        && let Ok(Value::Array(words)) = serde_json::from_str(text)
        && let Some(line) = of_words(&words)
    {
        return line;
    }
    if let Some((name, arguments)) = tool_with_json(text) {
        return of_tool(name, arguments);
    }
    if let Some(line) = handed_to_shell(text) {
        return of_text(line.trim());
    }
    Form::Line(without_continuations(text))
}

/// A line that was continued after a `\\` at the end of a line, on one line.
fn without_continuations(text: &str) -> String {
    let pieces: Vec<&str> = text.split("\\\n").collect();
    match pieces[..] {
        [only] => only.to_owned(),
        _ => pieces
            .iter()
            .map(|piece| piece.trim())
            .collect::<Vec<_>>()
            .join(" "),
    }
}

/// The line of `bash -lc 'line'`.
fn handed_to_shell(text: &str) -> Option<&str> {
    let (shell, rest) = text.split_once(' ')?;
    let (flag, line) = rest.trim_start().split_once(' ')?;
    let line = line.trim();
    let is_shell = is_shell_tool(shell) && flag.starts_with('-') && flag.ends_with('c');
    let mark = line.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let inside = line.strip_prefix(mark)?.strip_suffix(mark)?;
    // A word quoted twice has to be read by the shell itself.
    let is_plain = !inside.is_empty() && !inside.contains(mark) && !inside.contains('\\');
    (is_shell && is_plain).then_some(inside)
}

/// `name {…}` or `name({…})`.
fn tool_with_json(text: &str) -> Option<(&str, Map<String, Value>)> {
    let at = text.find('{')?;
    let name = text[..at].trim_end().trim_end_matches('(').trim_end();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    let body = text[at..].trim_end();
    let body = body.strip_suffix(')').unwrap_or(body);
    match serde_json::from_str(body) {
        Ok(Value::Object(arguments)) => Some((name, arguments)),
        _ => None,
    }
}

fn of_words(words: &[Value]) -> Option<Form> {
    let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
    let words = words?;
    let line = match words[..] {
        [shell, flag, line] if is_shell_tool(shell) && flag.ends_with('c') => line.to_owned(),
        _ => words.join(" "),
    };
    Some(of_text(&line))
}

fn of_tool(name: &str, arguments: Map<String, Value>) -> Form {
    if is_shell_tool(name) {
        let line = LINE_KEYS.iter().find_map(|key| arguments.get(*key));
        match line {
            Some(Value::String(line)) => return of_text(line.trim()),
            Some(Value::Array(words)) if let Some(line) = of_words(words) => return line,
            _ => {}
        }
    }
    let read = |(key, value): (String, Value)| (key, read_json(value));
    let arguments: Map<String, Value> = arguments.into_iter().map(read).collect();
    Form::Data(json!({"name": name, "arguments": arguments}))
}

/// A text that holds a list or a record, as that value.
fn read_json(value: Value) -> Value {
    let Value::String(text) = &value else {
        return value;
    };
    if !text.trim_start().starts_with(['{', '[']) {
        return value;
    }
    match serde_json::from_str(text) {
        Ok(read @ (Value::Object(_) | Value::Array(_))) => read,
        _ => value,
    }
}

/// Returns true if such a tool takes its line under a key.
pub(crate) fn is_line_key(key: &str) -> bool {
    LINE_KEYS.contains(&key)
}

/// A line without the change of folder at its beginning: it names the place, not the action.
fn without_folder_change(line: &str) -> &str {
    let Some(rest) = line.strip_prefix("cd ") else {
        return line;
    };
    let end = rest
        .find("&&")
        .map(|at| (at, 2))
        .or_else(|| rest.find(';').map(|at| (at, 1)));
    match end {
        // Several lines are a script of its own, and a lone change of folder is the action itself.
        Some((at, mark)) if !rest[..at].contains('\n') && !rest[at + mark..].trim().is_empty() => {
            rest[at + mark..].trim()
        }
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_call_has_one_form() {
        let line = json!("npm run build");
        for form in [
            json!("npm run build"),
            json!("cd /srv/app && npm run build"),
            json!("npm run build 2>&1 | tail -20"),
            json!({"name": "Bash", "arguments": {"command": "npm run build", "timeout": 9}}),
            json!({"tool": "execute_bash", "input": "{\"command\": \"npm run build\"}"}),
            json!({"name": "shell", "arguments": {"command": ["bash", "-lc", "cd app; npm run build"]}}),
            json!(["/bin/sh", "-c", "npm run build"]),
            json!("{\"name\": \"Bash\", \"arguments\": {\"command\": \"npm run build\"}}"),
            json!("[\"bash\", \"-lc\", \"npm run build\"]"),
            json!("bash -lc 'cd app && npm run build'"),
            json!("/bin/sh -c \"npm run build\""),
            json!("npm \\\n  run \\\n  build"),
        ] {
            assert_eq!(canonical(&form), line, "{form}");
        }
        let call = json!({"name": "edit", "arguments": {"path": "a.c", "at": {"line": 3}}});
        for form in [
            json!("edit {\"path\": \"a.c\", \"at\": {\"line\": 3}}"),
            json!("edit({\"path\": \"a.c\", \"at\": {\"line\": 3}})"),
            json!({"function": {"name": "edit", "arguments": "{\"path\": \"a.c\", \"at\": \"{\\\"line\\\": 3}\"}"}}),
        ] {
            assert_eq!(canonical(&form), call, "{form}");
        }
    }

    #[test]
    fn what_is_no_call_stays_as_it_is() {
        for form in [
            json!("cd /srv"),
            json!("awk '{print $1}' a"),
            json!("[ -f a ] && make"),
            json!("bash -c \"echo \\\"a\\\"\""),
            json!("bash run.sh -c 'x'"),
            json!("RANK total desc\nSHOW 5"),
            json!({"x": 1}),
            Value::Null,
        ] {
            assert_eq!(canonical(&form), form);
        }
    }
}
