//! The demonstration: a playbook, a few deltas, a query, feedback, the history, an undo; then a task that
//! fails, and another that succeeds because of the lessons.
//!
//! All of it runs on the real engine; nothing shown is made up. Each text shows one thing, and the story
//! checks itself: it never claims a false result.

pub(crate) mod failures;
mod failures_page;
mod grid;
pub(crate) mod page;
pub(crate) mod story;
mod texts;

use hindlore::Engine;
use hindlore_domain::memory::key::MemoryKey;

/// Setting of the story.
pub(crate) struct Stage<'s> {
    /// The engine.
    pub(crate) engine: Engine,
    /// A memory that does not exist yet.
    pub(crate) key: MemoryKey,
    /// The store, if permanent.
    pub(crate) store: Option<&'s str>,
}
