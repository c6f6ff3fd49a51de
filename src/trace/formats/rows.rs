//! The table of formats: where each has its runs, entries, calls, results and marks of failure.
//!
//! A format that is written by the common fields costs one row. Each row names the writer whose files it describes; the
//! sharper forms come first, since the first one that fits wins.

use super::path::{Sign, begins, holds, one_of, there};
use super::row::{Order, Row};
use super::shape::Shapes;
use super::shapes as of;

/// A format of messages: the fields of most rows.
const fn messages(
    word: &'static str,
    signs: &'static [&'static [Sign]],
    shapes: &'static Shapes,
) -> Row {
    Row {
        word,
        signs,
        runs: &[],
        entries: LISTS,
        nested: "",
        parent: &[],
        name: NAMES,
        name_of_entry: &[],
        task: &[],
        reward: &[],
        order: Order::Kept,
        shapes,
    }
}

/// Fields that hold the messages of a conversation.
const LISTS: &[&str] = &[
    "messages[]",
    "conversation[]",
    "history[]",
    "values.messages[]",
    "state.messages[]",
    "session.messages[]",
    "output.messages[]",
    // Updates of LangGraph, by the name of the node.
    "{}.messages[]",
];
/// Fields that name a conversation.
const NAMES: &[&str] = &[
    "sessionId",
    "session_id",
    "conversation_id",
    "thread_id",
    "run_id",
    "config.configurable.thread_id",
];

/// All rows.
pub(crate) const ROWS: &[Row] = &[
    // Qwen Code: records of Claude Code's form around messages of Google's.
    messages(
        "qwen-code",
        &[&[there("message.parts[]"), there("sessionId")]],
        &of::GOOGLE,
    ),
    // Gemini CLI: a document, or a log of edits in which a later record replaces one of the same id.
    Row {
        order: Order::Repeated,
        ..messages(
            "gemini-cli",
            &[
                &[one_of("type", &["gemini"])],
                &[there("sessionId"), there("projectHash")],
            ],
            &of::GEMINI,
        )
    },
    messages(
        "mini-swe-agent",
        &[
            &[
                begins("trajectory_format", "mini-swe"),
                there("messages[].tool_calls[]"),
            ],
            &[
                begins("trajectory_format", "mini-swe"),
                there("messages[].output[]"),
            ],
        ],
        &of::MESSAGES,
    ),
    // ATIF of Harbor and Terminal-Bench.
    Row {
        entries: &["steps[]"],
        name: &["session_id", "trajectory_id"],
        ..messages(
            "atif",
            &[
                &[begins("schema_version", "ATIF")],
                &[there("steps[].observation.results[]")],
            ],
            &of::ATIF,
        )
    },
    Row {
        runs: &["simulations[]"],
        name: &["id", "task_id+trial"],
        task: &["task_id"],
        reward: &["reward_info.reward"],
        ..messages(
            "tau2",
            &[
                &[there("simulations[].messages[]")],
                &[there("reward_info"), there("messages[].turn_idx")],
                &[one_of("role", &["tool"]), there("requestor")],
                &[there("info"), there("tasks[].user_scenario")],
            ],
            &of::TAU2,
        )
    },
    // Inspect: `inspect log dump`, or a log that was written as JSON.
    Row {
        runs: &["samples[]"],
        name: &["eval.eval_id", "eval.run_id", "uuid", "id+epoch"],
        task: &["id"],
        ..messages(
            "inspect",
            &[
                &[there("eval.task"), there("version")],
                &[there("samples[].messages[].role"), there("eval")],
                // One sample of a log.
                &[there("epoch"), there("target"), there("messages[].role")],
            ],
            &of::MESSAGES,
        )
    },
    Row {
        name: &["info.id", "sessionID"],
        order: Order::Repeated,
        ..messages(
            "opencode",
            &[
                &[there("parts[].callID")],
                &[there("part.callID")],
                &[there("callID"), there("state.input")],
                &[there("info.sessionID"), there("parts[]")],
            ],
            &of::OPENCODE,
        )
    },
    messages(
        "cline",
        &[
            &[
                holds("content[].text", "] Result:"),
                begins("content[].text", "["),
            ],
            &[begins("content", "["), holds("content", "] Result:\n")],
        ],
        &of::CLINE,
    ),
    Row {
        name: &["data.sessionId"],
        ..messages(
            "copilot-cli",
            &[
                &[begins("type", "tool.execution_")],
                &[one_of("type", &["session.start"]), there("data.sessionId")],
            ],
            &of::COPILOT,
        )
    },
    Row {
        entries: &["runs[]"],
        nested: "child_runs[]",
        name: &[],
        name_of_entry: &["trace_id", "session_id"],
        order: Order::ByTime,
        ..messages(
            "langsmith",
            &[
                &[there("run_type"), there("inputs")],
                &[there("run_type"), there("trace_id")],
            ],
            &of::LANGSMITH,
        )
    },
    Row {
        entries: &["observations[]", "data[]"],
        parent: &["parentObservationId", "parent_observation_id"],
        name: &["trace.id", "id"],
        name_of_entry: &["traceId", "trace_id"],
        order: Order::ByTime,
        ..messages(
            "langfuse",
            &[
                &[one_of("type", LANGFUSE), there("traceId")],
                &[one_of("type", LANGFUSE), there("trace_id")],
                &[one_of("observations[].type", LANGFUSE)],
            ],
            &of::LANGFUSE,
        )
    },
    messages(
        "smolagents",
        &[
            &[there("step_number"), there("model_output_message")],
            &[there("step_number"), there("model_input_messages")],
            &[there("step_number"), there("is_final_answer")],
        ],
        &of::SMOLAGENTS,
    )
    .with_entries(&["steps[]", "memory.steps[]"]),
    messages(
        "pydantic-ai",
        &[&[there("parts[].part_kind")]],
        &of::PYDANTIC,
    ),
    messages(
        "ai-sdk",
        &[
            &[there("content[].toolCallId")],
            &[there("parts[].toolCallId")],
            &[there("parts[].toolInvocation")],
            &[there("toolInvocations[]")],
        ],
        &of::AI_SDK,
    ),
    messages(
        "autogen",
        &[
            &[there("content[].call_id"), there("content[].is_error")],
            &[
                there("content[].arguments"),
                there("content[].name"),
                one_of("type", AUTOGEN),
            ],
            &[there("llm_context.messages[]")],
            &[there("agent_states")],
        ],
        &of::AUTOGEN,
    )
    .with_entries(&[
        "llm_context.messages[]",
        "agent_states{}.agent_state.llm_context.messages[]",
        "agent_states{}.llm_context.messages[]",
        "messages[]",
    ]),
    messages(
        "haystack",
        &[
            &[there("content[].tool_call")],
            &[there("content[].tool_call_result")],
            &[there("_content[].tool_call")],
            &[there("_content[].tool_call_result")],
        ],
        &of::HAYSTACK,
    ),
    messages(
        "strands",
        &[
            &[there("content[].toolUse.toolUseId")],
            &[there("content[].toolResult.toolUseId")],
            &[there("message.content[].toolUse.toolUseId")],
            &[there("message.content[].toolResult.toolUseId")],
        ],
        &of::STRANDS,
    ),
    Row {
        entries: &["events[]"],
        name: &["id"],
        ..messages(
            "adk",
            &[
                &[there("author"), there("content.parts[]")],
                &[there("app_name"), there("events[]")],
                &[there("appName"), there("events[]")],
            ],
            &of::GOOGLE,
        )
    },
    messages(
        "google-genai",
        &[
            &[there("parts[].functionCall")],
            &[there("parts[].function_call")],
            &[there("parts[].functionResponse")],
        ],
        &of::GOOGLE,
    )
    .with_entries(&["contents[]", "history[]", "messages[]"]),
    messages(
        "goose",
        &[&[one_of("content[].type", &["toolRequest", "toolResponse"])]],
        &of::GOOSE,
    ),
    messages(
        "crush",
        &[&[
            one_of("parts[].type", &["tool_call", "tool_result"]),
            there("parts[].data"),
        ]],
        &of::CRUSH,
    ),
    // Entire: its transcript of any agent, with the result inside the call.
    messages(
        "entire",
        &[&[there("v"), there("agent"), there("cli_version")]],
        &of::ENTIRE,
    ),
    messages(
        "pi",
        &[
            &[one_of("message.content[].type", &["toolCall"])],
            &[one_of("message.role", &["toolResult"])],
        ],
        &of::PI,
    ),
    Row {
        order: Order::Repeated,
        ..messages(
            "langchain",
            &[
                &[there("data.content"), one_of("type", LANGCHAIN)],
                &[there("lc"), there("kwargs.content")],
                &[there("tool_call_id"), one_of("type", LANGCHAIN)],
                &[there("tool_calls[]"), one_of("type", LANGCHAIN)],
            ],
            &of::LANGCHAIN,
        )
    },
    // agno, and other writers of chat completions with an id of the run.
    Row {
        runs: &["runs[]"],
        name: &["run_id", "session_id"],
        ..messages(
            "agno",
            &[
                &[there("agent_id"), there("messages[].role")],
                &[there("runs[].messages[].role"), there("session_id")],
                &[there("tool_call_error")],
            ],
            &of::MESSAGES,
        )
    },
];

const LANGFUSE: &[&str] = &[
    "TOOL",
    "SPAN",
    "GENERATION",
    "AGENT",
    "EVENT",
    "CHAIN",
    "RETRIEVER",
];
const LANGCHAIN: &[&str] = &["human", "ai", "tool", "system", "AIMessageChunk"];
const AUTOGEN: &[&str] = &["AssistantMessage", "ToolCallRequestEvent"];

impl Row {
    const fn with_entries(mut self, entries: &'static [&'static str]) -> Self {
        self.entries = entries;
        self
    }
}
