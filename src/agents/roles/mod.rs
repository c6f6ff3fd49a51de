//! The roles around a memory: the Generator answers, the Reflector finds the insights of an answer, the Curator makes a
//! delta of them. Each works by rules; with a model, the model's answer is checked and the rules are the fallback.
//!
//! ```text
//!   Trace ── reflect ──> takeaways, tags ── gate ──> kept ── curate ──> one delta ── apply ──> receipt
//! ```
//!
//! No step loses the results of an earlier one: where one fails, the next works with them, and the answer reports it.

pub mod curator;
pub mod gate;
pub mod generator;
pub mod insight;
pub mod learned_change;
pub mod pipeline;
pub mod proposed_operations;
pub mod reflector;
pub mod rules;
pub mod run_proposer;
pub mod shown;
pub mod trace;

pub use insight::{Kind, Takeaway, Vote};
pub use learned_change::{Effect, LearnedChange};
pub use pipeline::{Learned, Options, Pipeline};
pub use shown::Shown;
pub use trace::Trace;
