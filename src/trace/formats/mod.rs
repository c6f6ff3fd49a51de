//! The formats, one file each, and their common parts: how well a record fits, and the action of a call.

pub(crate) mod chat;
pub(crate) mod claude_code;
pub(crate) mod codex;
pub(crate) mod described;
mod flat;
pub(crate) mod open_hands;
pub(crate) mod open_telemetry;
mod path;
pub(crate) mod row;
mod rows;
mod shape;
mod shapes;
pub(crate) mod swe_agent;
mod tags;
pub(crate) mod tau_bench;

use hindlore_errors::shell::is_shell_tool;
use serde_json::Value;

use crate::json::{text, unpacked};
pub(crate) use crate::step::Action;

/// How well a record fits a format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Confidence {
    /// It does not.
    No,
    /// Others have such records as well.
    Possible,
    /// Hardly any other has.
    Likely,
    /// No other has.
    Certain,
}

/// Arguments about the way a command is run, not its effect.
const ABOUT_THE_RUN: &[&str] = &[
    "description",
    "timeout",
    "timeout_ms",
    "workdir",
    "cwd",
    "explanation",
    "is_background",
    "run_in_background",
    "is_input",
    "security_risk",
    "blocking",
    "thought",
    "hidden",
    "confirmation_state",
    "max_output_tokens",
    "yield_time_ms",
    "justification",
    "with_escalated_permissions",
    "sandbox_permissions",
    "login",
    "shell",
    "tty",
    "reset",
    "require_user_approval",
    "requires_approval",
    "dangerouslyDisableSandbox",
    "is_static",
    "summary",
    "kind",
    "prefix_rule",
];

/// The action of a call: the command line of a shell, else name and arguments.
pub(crate) fn action_of(name: &str, arguments: &Value) -> Action {
    let arguments = unpacked(arguments);
    if let Some(line) = command_line(name, &arguments) {
        return Action::Command(line);
    }
    Action::Call {
        name: name.to_owned(),
        arguments,
    }
}

fn command_line(name: &str, arguments: &Value) -> Option<String> {
    let is_shell = is_shell_tool(name);
    let command = match arguments {
        // A shell whose only argument is the line itself.
        Value::String(line) if is_shell => return Some(line.clone()),
        Value::Object(object) => {
            let names = ["command", "cmd"];
            let command = names.iter().find_map(|name| object.get(*name))?;
            let is_about = |name: &String| {
                names.contains(&name.as_str()) || ABOUT_THE_RUN.contains(&name.as_str())
            };
            // `command` is also the verb of editors, which then have further arguments.
            (is_shell || object.keys().all(is_about)).then_some(command)?
        }
        _ => return None,
    };
    match command {
        Value::String(line) => Some(line.clone()),
        Value::Array(words) => Some(joined(words)),
        _ => None,
    }
}

/// The words of a command as one line; of a shell with `-c` the line that it was given.
pub(crate) fn joined(words: &[Value]) -> String {
    let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
    if let [shell, flag, line] = words[..]
        && matches!(flag, "-c" | "-lc" | "-ic" | "-Command" | "/c")
        && is_shell_tool(shell)
    {
        return line.to_owned();
    }
    words.join(" ")
}

/// True for a value whose field holds a list with an element that passes.
pub(crate) fn has_list(value: &Value, name: &str, passes: impl Fn(&Value) -> bool) -> bool {
    let list = value.get(name).and_then(Value::as_array);
    list.is_some_and(|list| list.iter().any(passes))
}

/// A name that may be a number.
pub(crate) fn name_of(value: &Value, name: &str) -> Option<String> {
    match value.get(name)? {
        Value::Number(number) => Some(number.to_string()),
        _ => text(value, name).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_command_line_is_told_from_other_arguments() {
        for (name, arguments, line) in [
            (
                "Bash",
                json!({"command": "ls -l", "description": "list"}),
                Some("ls -l"),
            ),
            (
                "shell",
                json!({"command": ["bash", "-lc", "make test"]}),
                Some("make test"),
            ),
            (
                "shell",
                json!({"command": ["git", "status"], "workdir": "/w"}),
                Some("git status"),
            ),
            ("exec_command", json!("{\"cmd\":\"pwd\"}"), Some("pwd")),
            ("do_it", json!({"command": "pwd"}), Some("pwd")),
            ("bash", json!("ls"), Some("ls")),
            (
                "str_replace_editor",
                json!({"command": "view", "path": "/a"}),
                None,
            ),
            ("search", json!({"query": "x"}), None),
            ("search", json!(null), None),
        ] {
            let action = action_of(name, &arguments);
            match line {
                Some(line) => assert_eq!(action, Action::Command(line.to_owned())),
                None => assert!(matches!(action, Action::Call { .. }), "{action:?}"),
            }
        }
    }
}
