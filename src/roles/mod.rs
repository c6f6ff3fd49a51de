//! The roles around a memory: the Generator answers, the Reflector says what an answer shows, the Curator makes a delta of
//! it. Each works by rules; with a model, the model's answer is checked and the rules stand behind it.
//!
//! ```text
//!   Trace ── reflect ──> takeaways, tags ── gate ──> kept ── curate ──> one delta ── apply ──> receipt
//! ```
//!
//! No step loses what an earlier one found: where one fails, the next works with what there is, and the answer says so.

pub mod curator;
pub mod gate;
pub mod generator;
pub mod pipeline;
pub mod reflector;
pub mod rules;
pub mod shown;
pub mod takeaway;
pub mod trace;
pub mod wishes;

pub use pipeline::{Learned, Options, Pipeline};
pub use shown::Shown;
pub use takeaway::{Kind, Takeaway, Vote};
pub use trace::Trace;
