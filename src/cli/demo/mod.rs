//! The demonstration: a playbook, a few deltas, a question, feedback, the history, an undo; then a task that
//! fails, and another one that does not, because of what was learned.
//!
//! All of it runs on the real engine; nothing of what is shown is made up. The texts are written so
//! that each of them shows one thing, and the story checks itself: what does not happen is not told.

pub(crate) mod failures;
mod failures_page;
mod grid;
pub(crate) mod page;
pub(crate) mod story;
mod texts;

use crate::domain::memory::key::MemoryKey;
use crate::engine::Engine;

pub(crate) use texts::{LESSONS, PLAYBOOK};

/// Where the story happens.
pub(crate) struct Stage<'s> {
    /// The engine.
    pub(crate) engine: Engine,
    /// A memory that is not there yet.
    pub(crate) key: MemoryKey,
    /// The store, where it is kept.
    pub(crate) store: Option<&'s str>,
}
