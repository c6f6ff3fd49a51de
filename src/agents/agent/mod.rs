//! The agent: a turn goes through a few nodes, each of which does one thing to a state that can be saved, so that a
//! turn can be inspected, and continues after its process died.
//!
//! ```text
//!   START ── router ── planner ── solver ── critic ── referee ── learning ── END
//!             │ loads memory        │ cot: drafts, the majority wins
//!             │ once a turn         │ tot: a beam of rated thoughts
//!                                   │ react: thoughts and tools, in turn
//! ```
//!
//! Every node works without a model, by rules; the answer then quotes the memory.

pub mod adapt;
pub mod calculator;
pub mod clbench;
pub mod cot;
pub mod critic;
pub mod events;
pub mod graph;
pub mod plan;
pub mod react;
pub mod referee;
pub mod router;
pub mod session;
pub mod tools;
pub mod tree;
pub mod turn;
pub mod work;

pub use graph::{Agent, AgentOptions};
pub use plan::{AnswerForm, Mode, Numbers, Plan};
pub use turn::{Node, Turn};
