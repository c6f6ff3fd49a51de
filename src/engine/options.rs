//! What an engine is made with.

use std::sync::Arc;
use std::time::Duration;

use super::lessons::LessonRules;
use crate::domain::memory::apply::Tables;
use crate::domain::memory::policy::Policy;
use crate::domain::redact::Redactor;

/// What an engine needs besides its store and its clock.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Name of this instance in the history.
    pub instance: String,
    /// Author of deltas that name none.
    pub author: Option<String>,
    /// Policy of memories that this engine creates.
    pub policy: Policy,
    /// Whether new memories begin with general advice.
    pub seeds: bool,
    /// The word tables.
    pub tables: Arc<Tables>,
    /// Whether log events show the beginnings of contents and queries.
    pub log_contents: bool,
    /// The settings of the lesson verbs.
    pub lessons: Arc<LessonRules>,
    /// When retrievals are answered.
    pub durability: Durability,
    /// Takes secrets out of everything before it is written.
    pub redactor: Arc<Redactor>,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            instance: "local".to_owned(),
            author: None,
            policy: Policy::default(),
            seeds: true,
            tables: Arc::new(Tables::standard()),
            log_contents: false,
            lessons: Arc::default(),
            durability: Durability::default(),
            redactor: Arc::default(),
        }
    }
}

/// When a retrieval is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Durability {
    /// After its tick and its record are on disk.
    #[default]
    Durable,
    /// At once. Records are written together, the first of them after `window`; a process that dies loses
    /// those that were not. Writes of other instances are seen at most `window` late. Retrievals that are
    /// strict or include the shared memory are durable all the same, and so is every delta.
    Grouped {
        /// How long a record may wait until it is sent to the store.
        window: Duration,
    },
}

impl Durability {
    /// How long records may wait; `None` when they may not.
    pub(super) fn window(self) -> Option<Duration> {
        match self {
            Self::Durable => None,
            Self::Grouped { window } => Some(window),
        }
    }
}
