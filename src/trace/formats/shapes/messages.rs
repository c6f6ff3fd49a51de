//! Calls and results in messages of the providers of models: chat completions, content blocks, items of responses.
//!
//! Many writers keep these messages as they are, so that the forms serve several rows.

use crate::formats::path::one_of;
use crate::formats::shape::{CallAt, Of, ResultAt, Shapes};

/// Chat completions: `tool_calls` of a message.
pub(super) const TOOL_CALLS: CallAt = CallAt {
    at: "tool_calls[]",
    when: &[],
    id: &["id", "tool_call_id", "call_id"],
    name: &[
        "function.name",
        "name",
        "function",
        "function_name",
        "tool_name",
    ],
    arguments: &["function.arguments", "arguments", "args", "input"],
};

/// The older form of chat completions with one call a message.
const FUNCTION_CALL: CallAt = CallAt {
    at: "function_call",
    ..TOOL_CALLS
};

/// Content blocks of Anthropic's messages.
pub(super) const TOOL_USE: CallAt = CallAt {
    at: "content[]",
    when: &[one_of("type", &["tool_use", "server_tool_use"])],
    id: &["id"],
    name: &["name"],
    arguments: &["input"],
};

/// An item of OpenAI's responses.
const ITEM: CallAt = CallAt {
    at: "",
    when: &[one_of("type", &["function_call", "custom_tool_call"])],
    id: &["call_id", "id"],
    name: &["name"],
    arguments: &["arguments", "input"],
};

/// The items in the output of a response.
const OUTPUT_ITEM: CallAt = CallAt {
    at: "output[]",
    ..ITEM
};

/// A message of a tool.
pub(super) const TOOL_MESSAGE: ResultAt = ResultAt {
    at: "",
    when: &[one_of("role", &["tool", "function"])],
    of: Of::Id(&["tool_call_id", "call_id"]),
    text: &["content", "output"],
    marks: &["extra"],
};

pub(super) const TOOL_RESULT: ResultAt = ResultAt {
    at: "content[]",
    when: &[one_of("type", &["tool_result"])],
    of: Of::Id(&["tool_use_id"]),
    text: &["content"],
    marks: &[],
};

const ITEM_OUTPUT: ResultAt = ResultAt {
    at: "",
    when: &[one_of(
        "type",
        &["function_call_output", "custom_tool_call_output"],
    )],
    of: Of::Id(&["call_id"]),
    text: &["output"],
    marks: &["extra"],
};

/// Chat completions, Anthropic's messages and OpenAI's items.
pub(crate) const MESSAGES: Shapes = Shapes {
    calls: &[TOOL_CALLS, FUNCTION_CALL, TOOL_USE, ITEM, OUTPUT_ITEM],
    results: &[TOOL_RESULT, TOOL_MESSAGE, ITEM_OUTPUT],
};
