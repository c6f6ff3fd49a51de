//! Codex's own report on a call when it ends: exit code, streams, whether the person declined it.

use serde_json::Value;

use super::{Place, streams};
use crate::formats::{Action, action_of};
use crate::json::{content, exit_code, text};
use crate::step::{Run, Step};
use crate::verdict::{Answer, Call};

/// The status of a call that the person did not allow.
const DECLINED: &str = "declined";
/// The answer to such a call.
const REJECTED: &str = "rejected by user";

/// The step of an item of `codex exec --json`; absent for items that are no calls.
pub(super) fn step(item: &Value, run: &Run, place: Place) -> Option<Step> {
    let (tool, action, answer) = match text(item, "type").or_else(|| text(item, "item_type"))? {
        "command_execution" => {
            let line = text(item, "command")?;
            let action = Action::Command(bare(line).to_owned());
            ("shell".to_owned(), action, of_command(item))
        }
        "mcp_tool_call" => {
            let name = text(item, "tool")?;
            let arguments = item.get("arguments").unwrap_or(&Value::Null);
            let answer = Answer {
                text: content(item.get("result").unwrap_or(&Value::Null)),
                failed: Some(text(item, "status") == Some("failed")),
                ..Answer::default()
            };
            let answer = match item.get("error").filter(|error| !error.is_null()) {
                Some(error) => Answer {
                    text: text(error, "message").map_or_else(|| content(error), str::to_owned),
                    failed: Some(true),
                    ..answer
                },
                None => answer,
            };
            (name.to_owned(), action_of(name, arguments), answer)
        }
        _ => return None,
    };
    let call = Call {
        run: run.clone(),
        line: place.line,
        tool: Some(tool),
        action,
        ..Call::default()
    };
    Some(call.answered(Answer {
        at: place.at,
        ..answer
    }))
}

/// The line within `bash -lc '…'`.
fn bare(line: &str) -> &str {
    let Some((shell, inner)) = line.split_once(" -lc ") else {
        return line;
    };
    let is_shell = shell
        .rsplit('/')
        .next()
        .is_some_and(|name| name.ends_with("sh"));
    let quote = inner.chars().next().filter(|c| matches!(c, '\'' | '"'));
    let unquoted = quote.and_then(|quote| inner.strip_prefix(quote)?.strip_suffix(quote));
    match (is_shell, unquoted) {
        (true, Some(unquoted)) if !unquoted.contains(['\'', '\\']) => unquoted,
        (true, None) => inner,
        _ => line,
    }
}

/// The first command of a script of code mode: the text after `cmd:`, which is a string of JSON.
pub(super) fn command_of_script(script: &str) -> Option<String> {
    let (_, rest) = script.split_once("exec_command(")?;
    let (_, rest) = rest.split_once("cmd")?;
    let value = rest
        .trim_start_matches(['"', '\'', ' '])
        .strip_prefix(':')?;
    let mut values = serde_json::Deserializer::from_str(value.trim_start()).into_iter();
    values.next()?.ok()
}

/// The answer of a script of which no command ran: its error without the report around it.
pub(super) fn of_script(answer: Answer) -> Answer {
    match answer.text.split_once("Script error:\n") {
        Some((_, error)) => Answer {
            text: error.to_owned(),
            failed: Some(true),
            ..answer
        },
        None => answer,
    }
}

/// The answer of a command's event.
pub(super) fn of_command(event: &Value) -> Answer {
    let is_declined = text(event, "status") == Some(DECLINED);
    let output = text(event, "aggregated_output").or_else(|| text(event, "formatted_output"));
    Answer {
        text: if is_declined {
            REJECTED.to_owned()
        } else {
            output.unwrap_or_default().to_owned()
        },
        streams: streams(event),
        exit_code: event.get("exit_code").and_then(exit_code),
        ..Answer::default()
    }
}

/// The answer of a patch's event.
pub(super) fn of_patch(event: &Value) -> Answer {
    let success = event.get("success").and_then(Value::as_bool);
    Answer {
        streams: streams(event),
        failed: success.map(|success| !success),
        ..Answer::default()
    }
}

/// The action and the result of a call to an MCP server.
pub(super) fn of_mcp(event: &Value) -> (Action, Answer) {
    let invocation = event.get("invocation").unwrap_or(&Value::Null);
    let name = text(invocation, "tool").unwrap_or("mcp");
    let arguments = invocation.get("arguments").unwrap_or(&Value::Null);
    let result = event.get("result").unwrap_or(&Value::Null);
    let refused = result.get("Err");
    let good = result.get("Ok").unwrap_or(result);
    let is_error = ["isError", "is_error"]
        .iter()
        .any(|name| good.get(*name).and_then(Value::as_bool) == Some(true));
    let answer = Answer {
        text: content(refused.unwrap_or(good)),
        failed: Some(refused.is_some() || is_error),
        ..Answer::default()
    };
    (action_of(name, arguments), answer)
}
