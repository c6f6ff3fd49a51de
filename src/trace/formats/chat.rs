//! Conversations of language models with calls of tools: chat completions, messages with content blocks, and items of
//! responses; one document, or one conversation or one message a line.
//!
//! The formats have no exit codes, and only content blocks have a flag for errors, so that mostly words decide. Logs of
//! a proxy repeat the whole conversation with each request: messages already read are skipped.

use std::hash::{DefaultHasher, Hash, Hasher};

use hindlore_primitives::timestamp::Timestamp;
use serde_json::Value;

use super::claude_code::{answer as block_answer, part_action};
use super::{Confidence, action_of, has_list, name_of};
use crate::collector::{Out, Pending};
use crate::json::{At, Values, content, line_of, text};
use crate::step::Run;
use crate::verdict::{Answer, Call};

/// Fields that may hold the messages of a conversation.
const LISTS: &[&str] = &["messages", "conversation", "input", "history"];
/// Fields that may name a conversation.
const NAMES: &[&str] = &[
    "conversation_id",
    "session_id",
    "thread_id",
    "run_id",
    "trace_id",
    "id",
];
const ROLES: &[&str] = &[
    "system",
    "developer",
    "user",
    "assistant",
    "tool",
    "function",
];

/// Reads conversations.
#[derive(Default)]
pub(crate) struct Chat {
    pending: Pending,
    conversations: usize,
    run: Run,
    /// The messages of the last conversation, so that its continuation is recognised.
    seen: Vec<u64>,
}

/// Rates how well a record fits.
pub(crate) fn looks_like(record: &Value) -> Confidence {
    let list = conversation(record).map(|(_, list)| list);
    let is_call = |message: &Value| calls_tool(message) || is_result(message);
    match list {
        Some(list) if list.iter().any(is_call) => Confidence::Likely,
        Some(list) if list.iter().any(is_message) => Confidence::Possible,
        Some(_) => Confidence::No,
        None if is_message(record) && is_call(record) => Confidence::Likely,
        None if is_message(record) => Confidence::Possible,
        None => Confidence::No,
    }
}

/// The messages of a record and the name of the field that holds them.
fn conversation(record: &Value) -> Option<(&'static str, &Vec<Value>)> {
    let inner = ["request", "body", "kwargs"];
    let places = std::iter::once(record).chain(inner.iter().filter_map(|name| record.get(*name)));
    places
        .flat_map(|place| {
            LISTS
                .iter()
                .filter_map(|name| Some((*name, place.get(*name)?.as_array()?)))
        })
        .find(|(_, list)| list.iter().any(|item| is_message(item) || is_item(item)))
}

fn is_message(value: &Value) -> bool {
    let role = text(value, "role");
    role.is_some_and(|role| ROLES.contains(&role))
        && ["content", "tool_calls", "function_call"]
            .iter()
            .any(|name| value.get(*name).is_some())
}

/// True for an item of the responses interface, which has a type in place of a role.
fn is_item(value: &Value) -> bool {
    matches!(
        text(value, "type"),
        Some("function_call" | "function_call_output")
    ) && value.get("call_id").is_some()
}

fn calls_tool(message: &Value) -> bool {
    has_list(message, "tool_calls", |_| true)
        || message.get("function_call").is_some_and(Value::is_object)
        || has_list(message, "content", |part| {
            text(part, "type") == Some("tool_use")
        })
        || text(message, "type") == Some("function_call")
}

fn is_result(message: &Value) -> bool {
    matches!(text(message, "role"), Some("tool" | "function"))
        || has_list(message, "content", |part| {
            text(part, "type") == Some("tool_result")
        })
        || text(message, "type") == Some("function_call_output")
}

impl Values for Chat {
    fn value(&mut self, record: &Value, at: At<'_>, out: &mut Out<'_>) {
        let Some((name, messages)) = conversation(record) else {
            self.message(record, at.line, out);
            return;
        };
        let hashes: Vec<u64> = messages.iter().map(hash).collect();
        // A prefix of the messages already read, as in a file that is cut off.
        if !hashes.is_empty() && self.seen.starts_with(&hashes) {
            return;
        }
        let goes_on = !self.seen.is_empty() && hashes.starts_with(&self.seen);
        let read = if goes_on { self.seen.len() } else { 0 };
        if !goes_on {
            self.pending.finish(out);
            self.conversations += 1;
            let names = NAMES.iter().find_map(|name| name_of(record, name));
            self.run = names.map_or(Run::Part(self.conversations), Run::Named);
        }
        let lines = at.elements(name);
        for (index, message) in messages.iter().enumerate().skip(read) {
            self.message(message, line_of(&lines, index, at), out);
        }
        self.seen = hashes;
        // The answer to a logged request is in the same record.
        let choices = ["choices", "response", "output"]
            .iter()
            .find_map(|name| record.get(*name));
        for message in choices.into_iter().flat_map(answers) {
            self.message(message, at.line, out);
            self.seen.push(hash(message));
        }
    }

    fn end(&mut self, out: &mut Out<'_>) {
        self.pending.finish(out);
    }
}

/// The messages of a response.
fn answers(response: &Value) -> Vec<&Value> {
    let choices = response.get("choices").unwrap_or(response).as_array();
    let messages = choices.into_iter().flatten();
    messages
        .filter_map(|choice| {
            choice
                .get("message")
                .or_else(|| is_item(choice).then_some(choice))
        })
        .collect()
}

fn hash(message: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    for name in [
        "role",
        "type",
        "tool_call_id",
        "call_id",
        "tool_calls",
        "content",
        "output",
        "arguments",
    ] {
        message
            .get(name)
            .filter(|value| !value.is_null())
            .map(Value::to_string)
            .hash(&mut hasher);
    }
    hasher.finish()
}

impl Chat {
    fn message(&mut self, message: &Value, line: usize, out: &mut Out<'_>) {
        let time = ["timestamp", "created_at", "time"];
        let at = time
            .iter()
            .find_map(|name| text(message, name))
            .and_then(Timestamp::parse);
        let begun = |id: Option<&str>, name: Option<&str>| Call {
            id: id.map(str::to_owned),
            run: self.run.clone(),
            line,
            tool: name.map(str::to_owned),
            at,
            ..Call::default()
        };
        let list = |name: &str| {
            message
                .get(name)
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
        };
        let mut calls = Vec::new();
        for call in list("tool_calls") {
            let function = call.get("function").unwrap_or(call);
            calls.push((text(call, "id"), function));
        }
        calls.extend(
            message
                .get("function_call")
                .filter(|call| call.is_object())
                .map(|call| (None, call)),
        );
        if text(message, "type") == Some("function_call") {
            calls.push((text(message, "call_id"), message));
        }
        let mut waiting = Vec::new();
        for (id, function) in calls {
            let name = text(function, "name").unwrap_or("tool");
            let arguments = ["arguments", "args", "input"]
                .iter()
                .find_map(|name| function.get(*name));
            waiting.push(Call {
                action: action_of(name, arguments.unwrap_or(&Value::Null)),
                ..begun(id, Some(name))
            });
        }
        for part in list("content").filter(|part| text(part, "type") == Some("tool_use")) {
            waiting.push(Call {
                action: part_action(part),
                ..begun(text(part, "id"), text(part, "name"))
            });
        }
        for call in waiting {
            self.pending.add(call, out);
        }
        self.results(message, line, at, out);
    }

    fn results(&mut self, message: &Value, line: usize, at: Option<Timestamp>, out: &mut Out<'_>) {
        let parts = message.get("content").and_then(Value::as_array);
        for part in parts.into_iter().flatten() {
            if text(part, "type") == Some("tool_result") {
                let mut answer = block_answer(part, None);
                // Messages built by hand omit the flag and write the error as a text.
                answer.failed = part.get("is_error").and_then(Value::as_bool);
                answer.at = at;
                self.pending
                    .answer(text(part, "tool_use_id"), line, answer, out);
            }
        }
        let is_tool = matches!(text(message, "role"), Some("tool" | "function"));
        let is_output = text(message, "type") == Some("function_call_output");
        if !is_tool && !is_output {
            return;
        }
        let said = ["content", "output"]
            .iter()
            .find_map(|name| message.get(*name));
        let status = text(message, "status");
        let answer = Answer {
            text: said.map(content).unwrap_or_default(),
            failed: (status == Some("error")).then_some(true),
            at,
            ..Answer::default()
        };
        let id = text(message, "tool_call_id").or_else(|| text(message, "call_id"));
        self.pending.answer(id, line, answer, out);
    }
}
