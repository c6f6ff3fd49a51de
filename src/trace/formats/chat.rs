//! Conversations of language models with calls of tools: chat completions, messages with content blocks, and items of
//! responses; one document, or one conversation or one message a line.
//!
//! The formats have no exit codes, and only content blocks have a flag for errors, so that mostly words decide. Logs of
//! a proxy repeat the whole conversation with each request: messages already read are skipped.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use super::shape::{Joiner, Place};
use super::shapes::MESSAGES;
use super::{Confidence, name_of};
use crate::collector::Out;
use crate::json::{At, Values, content, line_of, text};
use crate::step::Run;
use crate::verdict::Call;

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
    joiner: Joiner,
    conversations: usize,
    run: Run,
    /// The messages of the last conversation, so that its continuation is recognised.
    seen: Vec<u64>,
}

/// Rates how well a record fits.
pub(crate) fn looks_like(record: &Value) -> Confidence {
    let list = conversation(record).map(|(_, list)| list);
    let is_call = |message: &Value| MESSAGES.fit(message);
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
            self.joiner.finish(out);
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
        self.joiner.finish(out);
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
        if text(message, "role") == Some("assistant") {
            let said = content(message.get("content").unwrap_or(&Value::Null));
            out.reply(self.run.clone(), &said);
        }
        let place = Place {
            begun: Call {
                run: self.run.clone(),
                line,
                ..Call::default()
            },
            position: None,
        };
        self.joiner.entry(message, &MESSAGES, &place, out);
    }
}
