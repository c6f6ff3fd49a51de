//! The forms of calls and results in the table of formats.
//!
//! A form is data; the interpreter in `shape` gives it its meaning.

mod agents;
mod frameworks;
mod messages;
mod records;

pub(super) use agents::{CLINE, COPILOT, CRUSH, ENTIRE, GEMINI, GOOSE, OPENCODE, PI};
pub(super) use frameworks::{
    AI_SDK, AUTOGEN, GOOGLE, HAYSTACK, LANGCHAIN, PYDANTIC, SMOLAGENTS, STRANDS,
};
pub(super) use messages::MESSAGES;
pub(super) use records::{ATIF, LANGFUSE, LANGSMITH, SPANS, TAU2};
