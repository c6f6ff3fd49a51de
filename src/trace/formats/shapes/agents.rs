//! Calls and results in the sessions of coding agents.
//!
//! Their messages resemble those of the providers, but each keeps the state of a call in its own way.

use super::messages::{TOOL_RESULT, TOOL_USE};
use crate::formats::path::{Sign, holds, one_of, there};
use crate::formats::shape::{CallAt, Of, ResultAt, Shapes};

/// Gemini CLI keeps a call and its result in one object.
pub(crate) const GEMINI: Shapes = Shapes {
    calls: &[CallAt {
        at: "toolCalls[]",
        when: &[],
        id: &["id"],
        name: &["name"],
        arguments: &["args"],
    }],
    results: &[ResultAt {
        at: "toolCalls[]",
        when: &[one_of("status", &["success", "error", "cancelled"])],
        of: Of::Id(&["id"]),
        text: &[
            "result[].functionResponse.response.output",
            "result[].functionResponse.response.error",
            "result[].functionResponse.response",
            "resultDisplay",
        ],
        marks: &["result[].functionResponse.response"],
    }],
};

/// OpenCode: a part is a call in one state after the other.
pub(crate) const OPENCODE: Shapes = Shapes {
    calls: &[
        opencode_call("parts[]"),
        opencode_call("part"),
        opencode_call(""),
    ],
    results: &[
        opencode_result("parts[]"),
        opencode_result("part"),
        opencode_result(""),
    ],
};

const OPENCODE_CALL: &[Sign] = &[one_of("type", &["tool"])];

const OPENCODE_RESULT: &[Sign] = &[
    one_of("type", &["tool"]),
    one_of("state.status", &["completed", "error"]),
];

const fn opencode_call(at: &'static str) -> CallAt {
    CallAt {
        at,
        when: OPENCODE_CALL,
        id: &["callID", "id"],
        name: &["tool"],
        arguments: &["state.input"],
    }
}

const fn opencode_result(at: &'static str) -> ResultAt {
    ResultAt {
        at,
        when: OPENCODE_RESULT,
        of: Of::Id(&["callID", "id"]),
        text: &["state.output", "state.error"],
        marks: &["state", "state.metadata"],
    }
}

/// Cline and Roo: results are words of the user that name no call; older calls are tags.
pub(crate) const CLINE: Shapes = Shapes {
    calls: &[
        TOOL_USE,
        CallAt {
            at: "content[].text",
            ..TAGS
        },
        CallAt {
            at: "content",
            ..TAGS
        },
    ],
    results: &[
        TOOL_RESULT,
        ResultAt {
            when: &[holds("content[].text", "] Result:")],
            ..TITLES
        },
        ResultAt {
            when: &[holds("content", "] Result:")],
            ..TITLES
        },
    ],
};

const TITLES: ResultAt = ResultAt {
    at: "",
    when: &[],
    of: Of::Titles,
    text: &["content"],
    marks: &[],
};

const TAGS: CallAt = CallAt {
    at: "",
    when: &[holds("", "</")],
    id: &[],
    name: &[],
    arguments: &[],
};

/// Copilot CLI: an event for the begin and one for the end.
pub(crate) const COPILOT: Shapes = Shapes {
    calls: &[CallAt {
        at: "",
        when: &[one_of("type", &["tool.execution_start"])],
        id: &["data.toolCallId"],
        name: &["data.toolName"],
        arguments: &["data.arguments"],
    }],
    results: &[ResultAt {
        at: "",
        when: &[one_of("type", &["tool.execution_complete"])],
        of: Of::Id(&["data.toolCallId"]),
        text: &["data.result.content", "data.result", "data.error.message"],
        marks: &["data", "data.result"],
    }],
};

pub(crate) const GOOSE: Shapes = Shapes {
    calls: &[CallAt {
        at: "content[]",
        when: &[one_of("type", &["toolRequest"])],
        id: &["id"],
        name: &["toolCall.value.name", "toolCall.name"],
        arguments: &["toolCall.value.arguments", "toolCall.arguments"],
    }],
    results: &[ResultAt {
        at: "content[]",
        when: &[one_of("type", &["toolResponse"])],
        of: Of::Id(&["id"]),
        text: &[
            "toolResult.value.content",
            "toolResult.value",
            "toolResult.error",
        ],
        marks: &["toolResult", "toolResult.value"],
    }],
};

pub(crate) const CRUSH: Shapes = Shapes {
    calls: &[CallAt {
        at: "parts[]",
        when: &[one_of("type", &["tool_call"])],
        id: &["data.id"],
        name: &["data.name"],
        arguments: &["data.input"],
    }],
    results: &[ResultAt {
        at: "parts[]",
        when: &[one_of("type", &["tool_result"])],
        of: Of::Id(&["data.tool_call_id"]),
        text: &["data.content"],
        marks: &["data"],
    }],
};

pub(crate) const ENTIRE: Shapes = Shapes {
    calls: &[TOOL_USE],
    results: &[ResultAt {
        at: "content[]",
        when: &[one_of("type", &["tool_use"]), there("result")],
        of: Of::Id(&["id"]),
        text: &["result.output", "result"],
        marks: &["result"],
    }],
};

pub(crate) const PI: Shapes = Shapes {
    calls: &[CallAt {
        at: "message.content[]",
        when: &[one_of("type", &["toolCall"])],
        id: &["id"],
        name: &["name"],
        arguments: &["arguments"],
    }],
    results: &[ResultAt {
        at: "message",
        when: &[one_of("role", &["toolResult"])],
        of: Of::Id(&["toolCallId"]),
        text: &["content"],
        marks: &["details"],
    }],
};
