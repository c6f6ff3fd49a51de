//! CL-bench: tasks that can only be solved with the context that they come with, judged by lists of requirements.
//!
//! ```text
//!   rows ── infer ──> model_output ── grade ──> requirement_status, score ── errors ──> labels ── report
//!             └── contexts one after another, the tasks of one in their order, in a scope of their own
//! ```

pub mod grade;
pub mod labels;
pub mod paired;
pub mod report;
pub mod row;
mod status;

pub use row::Row;
