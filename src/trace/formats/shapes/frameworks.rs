//! Calls and results in the messages of frameworks for agents.
//!
//! Several paths for one field are the spellings of different versions.

use super::messages::TOOL_CALLS;
use crate::formats::path::{Sign, one_of, there};
use crate::formats::shape::{CallAt, Of, ResultAt, Shapes};

/// Calls and results of Google's models, in parts of a content.
pub(crate) const GOOGLE: Shapes = Shapes {
    calls: &[
        google_call("parts[].functionCall"),
        google_call("parts[].function_call"),
        google_call("content.parts[].functionCall"),
        google_call("content.parts[].function_call"),
        google_call("message.parts[].functionCall"),
    ],
    results: &[
        google_result("parts[].functionResponse"),
        google_result("parts[].function_response"),
        google_result("content.parts[].functionResponse"),
        google_result("content.parts[].function_response"),
        google_result("message.parts[].functionResponse"),
        // ADK records only an event when a tool raises.
        ResultAt {
            at: "",
            when: &[there("errorCode")],
            ..EVENT_OF_ERROR
        },
        ResultAt {
            at: "",
            when: &[there("error_code")],
            ..EVENT_OF_ERROR
        },
    ],
};

const EVENT_OF_ERROR: ResultAt = ResultAt {
    at: "",
    when: &[],
    of: Of::All,
    text: &["errorMessage", "error_message"],
    marks: &[],
};

const fn google_call(at: &'static str) -> CallAt {
    CallAt {
        at,
        when: &[],
        id: &["id"],
        name: &["name"],
        arguments: &["args", "arguments"],
    }
}

const fn google_result(at: &'static str) -> ResultAt {
    ResultAt {
        at,
        when: &[],
        of: Of::Id(&["id"]),
        text: &[
            "response.output",
            "response.result",
            "response.error",
            "response",
        ],
        marks: &["response"],
    }
}

/// smolagents: the call of a failed step is only in the message of the model; one observation is for all calls.
pub(crate) const SMOLAGENTS: Shapes = Shapes {
    calls: &[
        TOOL_CALLS,
        CallAt {
            at: "model_output_message.tool_calls[]",
            ..TOOL_CALLS
        },
    ],
    results: &[ResultAt {
        at: "",
        when: &[there("step_number")],
        of: Of::All,
        text: &["observations", "error.message"],
        marks: &[],
    }],
};

pub(crate) const PYDANTIC: Shapes = Shapes {
    calls: &[CallAt {
        at: "parts[]",
        when: &[one_of("part_kind", &["tool-call", "builtin-tool-call"])],
        id: &["tool_call_id"],
        name: &["tool_name"],
        arguments: &["args"],
    }],
    results: &[
        ResultAt {
            at: "parts[]",
            when: &[one_of("part_kind", &["tool-return", "builtin-tool-return"])],
            of: Of::Id(&["tool_call_id"]),
            text: &["content"],
            marks: &[],
        },
        // Version 1 asks the model to try again in a part of its own.
        ResultAt {
            at: "parts[]",
            when: &[one_of("part_kind", &["retry-prompt"]), there("tool_name")],
            of: Of::Id(&["tool_call_id"]),
            text: &["content"],
            marks: &[],
        },
    ],
};

/// Messages of models and of user interfaces of the Vercel AI SDK.
pub(crate) const AI_SDK: Shapes = Shapes {
    calls: &[
        CallAt {
            at: "content[]",
            when: &[one_of("type", &["tool-call"])],
            ..PART
        },
        CallAt {
            at: "parts[]",
            when: &[there("toolCallId")],
            ..PART
        },
        CallAt {
            at: "parts[].toolInvocation",
            ..PART
        },
        CallAt {
            at: "toolInvocations[]",
            ..PART
        },
    ],
    results: &[
        ResultAt {
            at: "content[]",
            when: &[one_of("type", &["tool-result", "tool-error"])],
            ..PART_RESULT
        },
        ResultAt {
            at: "parts[]",
            when: &[one_of("state", STATES)],
            ..PART_RESULT
        },
        ResultAt {
            at: "parts[].toolInvocation",
            when: &[one_of("state", STATES)],
            ..PART_RESULT
        },
        ResultAt {
            at: "toolInvocations[]",
            when: &[one_of("state", STATES)],
            ..PART_RESULT
        },
    ],
};

/// States of a call that has ended.
const STATES: &[&str] = &[
    "result",
    "output-available",
    "output-error",
    "output-denied",
];

const PART: CallAt = CallAt {
    at: "",
    when: &[],
    id: &["toolCallId"],
    name: &["toolName", "type"],
    arguments: &["input", "args"],
};

const PART_RESULT: ResultAt = ResultAt {
    at: "",
    when: &[],
    of: Of::Id(&["toolCallId"]),
    text: &["output.value", "output", "result", "errorText", "error"],
    marks: &["output"],
};

pub(crate) const AUTOGEN: Shapes = Shapes {
    calls: &[CallAt {
        at: "content[]",
        when: &[there("name"), there("arguments")],
        id: &["id"],
        name: &["name"],
        arguments: &["arguments"],
    }],
    results: &[ResultAt {
        at: "content[]",
        when: &[there("call_id")],
        of: Of::Id(&["call_id"]),
        text: &["content"],
        marks: &[],
    }],
};

pub(crate) const HAYSTACK: Shapes = Shapes {
    calls: &[
        haystack_call("content[].tool_call"),
        haystack_call("_content[].tool_call"),
    ],
    results: &[
        haystack_result("content[].tool_call_result"),
        haystack_result("_content[].tool_call_result"),
    ],
};

const fn haystack_call(at: &'static str) -> CallAt {
    CallAt {
        at,
        when: &[],
        id: &["id"],
        name: &["tool_name"],
        arguments: &["arguments"],
    }
}

const fn haystack_result(at: &'static str) -> ResultAt {
    ResultAt {
        at,
        when: &[],
        of: Of::Id(&["origin.id"]),
        text: &["result"],
        marks: &[],
    }
}

/// strands, and Amazon's Converse interface.
pub(crate) const STRANDS: Shapes = Shapes {
    calls: &[
        strands_call("content[].toolUse"),
        strands_call("message.content[].toolUse"),
    ],
    results: &[
        strands_result("content[].toolResult"),
        strands_result("message.content[].toolResult"),
    ],
};

const fn strands_call(at: &'static str) -> CallAt {
    CallAt {
        at,
        when: &[],
        id: &["toolUseId"],
        name: &["name"],
        arguments: &["input"],
    }
}

const fn strands_result(at: &'static str) -> ResultAt {
    ResultAt {
        at,
        when: &[],
        of: Of::Id(&["toolUseId"]),
        text: &["content"],
        marks: &[],
    }
}

/// LangChain: as `messages_to_dict`, `model_dump` and `dumpd` write messages.
pub(crate) const LANGCHAIN: Shapes = Shapes {
    calls: &[
        TOOL_CALLS,
        CallAt {
            at: "data.tool_calls[]",
            ..TOOL_CALLS
        },
        CallAt {
            at: "kwargs.tool_calls[]",
            ..TOOL_CALLS
        },
    ],
    results: &[
        langchain_result(""),
        langchain_result("data"),
        langchain_result("kwargs"),
    ],
};

const NAMES_CALL: &[Sign] = &[there("tool_call_id")];

const fn langchain_result(at: &'static str) -> ResultAt {
    ResultAt {
        at,
        when: NAMES_CALL,
        of: Of::Id(&["tool_call_id"]),
        text: &["content"],
        marks: &[],
    }
}
