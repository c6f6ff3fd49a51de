//! The options of an engine.

use std::sync::Arc;
use std::time::Duration;

use super::embeddings::embedder::Embeddings;
use super::lessons::LessonRules;
use hindlore_domain::memory::apply::Tables;
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::playbook::RetentionRules;
use hindlore_redact::Redactor;

/// Default for the number of active bullets above which a memory is consolidated in the background.
const CONSOLIDATE_ABOVE: u64 = 10_000;

/// Default for the time after which a memory is reloaded.
const REREAD_AFTER: Duration = Duration::from_secs(600);

/// All settings of an engine except its store and clock.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Name of this instance in histories.
    pub instance: String,
    /// Author of deltas without one.
    pub author: Option<String>,
    /// Policy of memories made by this engine.
    pub policy: Policy,
    /// Whether new memories start with general advice.
    pub seeds: bool,
    /// The word tables.
    pub tables: Arc<Tables>,
    /// Whether log events show the beginnings of contents and queries.
    pub log_contents: bool,
    /// Settings of the lesson verbs.
    pub lessons: Arc<LessonRules>,
    /// When retrievals are answered.
    pub durability: Durability,
    /// A memory that grows beyond this number of active bullets is consolidated in the background; `None`: only on
    /// request.
    pub consolidate_above: Option<u64>,
    /// Age at which a memory in process is reloaded from the store, so that manual edits are noticed; `None`: never.
    pub reread_after: Option<Duration>,
    /// Which versions of playbooks keep their strategies.
    pub playbooks: RetentionRules,
    /// Removes secrets from everything before it is written.
    pub redactor: Arc<Redactor>,
    /// Whether memories are ranked by meaning as well.
    pub embeddings: Embeddings,
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
            consolidate_above: Some(CONSOLIDATE_ABOVE),
            reread_after: Some(REREAD_AFTER),
            playbooks: RetentionRules::default(),
            redactor: Arc::default(),
            embeddings: Embeddings::Off,
        }
    }
}

/// When a retrieval is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Durability {
    /// After its tick and its record are on disk.
    #[default]
    Durable,
    /// At once. Records are written together, the first of them after `window`. A process that dies loses
    /// unwritten records; writes of other instances are seen at most `window` late. Deltas are always
    /// durable, and so are retrievals that are strict or include the shared memory.
    Grouped {
        /// How long a record may wait before it is sent to the store.
        window: Duration,
    },
}

impl Durability {
    /// How long records may wait; `None` if they may not.
    pub(super) fn window(self) -> Option<Duration> {
        match self {
            Self::Durable => None,
            Self::Grouped { window } => Some(window),
        }
    }
}
