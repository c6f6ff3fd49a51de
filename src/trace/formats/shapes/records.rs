//! Calls and results in records of benchmarks and observers: trajectories, simulations, runs, spans.
//!
//! A record of an observer is a call and its result in one.

use super::messages::{TOOL_CALLS, TOOL_MESSAGE};
use crate::formats::path::{Sign, one_of, there};
use crate::formats::shape::{CallAt, Of, ResultAt, Shapes};

/// tau2: a result has the id of its call, and one message may hold several.
pub(crate) const TAU2: Shapes = Shapes {
    calls: &[TOOL_CALLS],
    results: &[
        ResultAt {
            at: "tool_messages[]",
            when: &[],
            ..TAU2_RESULT
        },
        TAU2_RESULT,
    ],
};

const TAU2_RESULT: ResultAt = ResultAt {
    of: Of::Id(&["tool_call_id", "id"]),
    ..TOOL_MESSAGE
};

pub(crate) const ATIF: Shapes = Shapes {
    calls: &[TOOL_CALLS],
    results: &[ResultAt {
        at: "observation.results[]",
        when: &[],
        of: Of::Id(&["source_call_id"]),
        text: &["content"],
        marks: &["extra"],
    }],
};

/// LangSmith: a run of a tool is a call and its result.
pub(crate) const LANGSMITH: Shapes = Shapes {
    calls: &[CallAt {
        at: "",
        when: &[one_of("run_type", &["tool"])],
        id: &["id"],
        name: &["name"],
        arguments: &["inputs.input", "inputs"],
    }],
    results: &[ResultAt {
        at: "",
        when: &[one_of("run_type", &["tool"])],
        of: Of::Id(&["id"]),
        text: &["outputs.output.content", "outputs.output", "outputs"],
        marks: &["outputs", "outputs.output"],
    }],
};

/// Langfuse; before it had tools, they were spans without other observations in them.
pub(crate) const LANGFUSE: Shapes = Shapes {
    calls: &[
        CallAt {
            at: "",
            when: &[one_of("type", &["TOOL"])],
            id: &["id"],
            name: &["name"],
            arguments: &["input"],
        },
        CallAt {
            at: "",
            when: LANGFUSE_SPAN,
            id: &["id"],
            name: &["name"],
            arguments: &["input"],
        },
    ],
    results: &[
        ResultAt {
            at: "",
            when: &[one_of("type", &["TOOL"])],
            ..OBSERVED
        },
        ResultAt {
            at: "",
            when: LANGFUSE_SPAN,
            ..OBSERVED
        },
    ],
};
const LANGFUSE_SPAN: &[Sign] = &[one_of("type", &["SPAN"]), there("input")];
const OBSERVED: ResultAt = ResultAt {
    at: "",
    when: &[],
    of: Of::Id(&["id"]),
    text: &["output", "statusMessage", "status_message"],
    marks: &["output"],
};

/// Messages in the attributes of OpenTelemetry.
pub(crate) const SPANS: Shapes = Shapes {
    calls: &[CallAt {
        at: "parts[]",
        when: &[one_of("type", &["tool_call"])],
        id: &["id"],
        name: &["name"],
        arguments: &["arguments"],
    }],
    results: &[ResultAt {
        at: "parts[]",
        when: &[one_of("type", &["tool_call_response"])],
        of: Of::Id(&["id"]),
        text: &["response", "result"],
        marks: &["response"],
    }],
};
