//! Use cases: one verb, one file. Each gathers from the store, lets the domain decide, and applies the
//! result in one atomic write.
//!
//! The engine keeps a snapshot of each memory in process and brings it up to date by revision and
//! clock, never by time; concurrent requests on one memory are grouped into one transaction.

mod adopt;
mod adopting;
mod answer;
mod apply_delta;
mod as_of;
mod batch;
mod bullets;
pub mod clock;
mod copy;
mod erase;
pub mod error;
mod events;
mod feedback;
mod history;
mod import;
mod injected;
mod lane;
pub mod lessons;
mod look;
mod open;
mod owed;
mod prepared_delta;
mod progress;
mod queue;
mod rebase;
mod redact;
mod replay;
mod request;
mod retain;
mod retrieve;
mod retrieve_over_two;
mod shared;
mod since;
mod undo_delta;
mod undone;
mod upgrade;
mod verify;
mod writer;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::task::JoinSet;

pub use adopt::Adopted;
pub use apply_delta::AppliedDelta;
pub use as_of::PastMemory;
pub use bullets::{BulletDetail, MemoryView};
pub use copy::Copied;
pub use erase::{Record, RecordErased};
pub use error::{EngineError, EngineResult};
pub use feedback::{Feedback, FeedbackGiven, Verdict};
pub use import::{ImportDelta, ImportRequest, Imported};
pub use owed::Durability;
pub use rebase::Rebased;
pub use replay::{Mismatch, Replayed};
pub use retrieve::{MemoryStanding, RetrieveRequest, Retrieved, RetrievedBullet};
pub use since::{BulletNow, Since, UndoneBy};
pub use undone::undoes;
pub use upgrade::Upgraded;
pub use verify::{Difference, Verified};

use crate::domain::memory::apply::Tables;
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::policy::Policy;
use crate::domain::redact::Redactor;
use crate::store::Store;
use clock::WallClock;
use lane::Lane;
use lessons::LessonRules;

/// Memories that stay in process; the least recently opened go first, but none that is at work or owes
/// records.
const LANES_MAX: usize = 256;

/// What an engine needs besides its store.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Name of this instance in the history.
    pub instance: String,
    /// Author of deltas that name none.
    pub author: Option<String>,
    /// Policy of memories that this engine creates.
    pub policy: Policy,
    /// Whether general advice is planted in new memories.
    pub seeds: bool,
    /// The word tables.
    pub tables: Arc<Tables>,
    /// Whether log events show the beginnings of contents and queries.
    pub log_contents: bool,
    /// What the verbs of lessons are set to.
    pub lessons: Arc<LessonRules>,
    /// When retrievals are answered.
    pub durability: Durability,
    /// What takes secrets out of everything before it is written.
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

/// The memory engine over one store. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
}

struct Shared {
    store: Arc<dyn Store>,
    clock: Arc<dyn WallClock>,
    options: EngineOptions,
    lanes: Mutex<Lanes>,
    idle_looks: lessons::IdleLooks,
    progress: progress::Progress,
    /// Work that no request waits for.
    background: Mutex<JoinSet<()>>,
    /// Memories that were brought to newer rules unasked, still to be told.
    upgrades: Mutex<Vec<Upgraded>>,
}

/// The open memories, with a counter that tells which was opened last.
#[derive(Default)]
struct Lanes {
    open: HashMap<MemoryKey, (u64, Arc<Lane>)>,
    opened: u64,
}

impl Engine {
    /// An engine over a store.
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn WallClock>, options: EngineOptions) -> Self {
        let (lanes, background) = (Mutex::default(), Mutex::default());
        Self {
            shared: Arc::new(Shared {
                store,
                clock,
                options,
                lanes,
                idle_looks: Mutex::default(),
                progress: progress::Progress::default(),
                background,
                upgrades: Mutex::default(),
            }),
        }
    }

    /// The store behind this engine.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.shared.store
    }

    /// What this engine was made with.
    pub fn options(&self) -> &EngineOptions {
        &self.shared.options
    }

    /// Waits until work is done that no request waits for: records that were promised under
    /// [`Durability::Grouped`], and folding old ones. To be called before a process ends; folding that is
    /// cut off is done again later.
    pub async fn settle(&self) {
        self.flush_all().await;
        loop {
            let mut waiting = {
                let mut background = self
                    .shared
                    .background
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                std::mem::take(&mut *background)
            };
            if waiting.is_empty() {
                return;
            }
            while let Some(ended) = waiting.join_next().await {
                // Whoever waits here asked for none of it.
                if let Err(error) = ended {
                    tracing::warn!(%error, "work in the background did not end");
                }
            }
        }
    }

    fn in_background(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut background = self
            .shared
            .background
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        while background.try_join_next().is_some() {}
        background.spawn(work);
    }

    fn open_memories(&self) -> Vec<MemoryKey> {
        let lanes = self
            .shared
            .lanes
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        lanes.open.keys().cloned().collect()
    }

    fn lane(&self, key: &MemoryKey) -> Arc<Lane> {
        let mut lanes = self
            .shared
            .lanes
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        lanes.opened += 1;
        let turn = lanes.opened;
        if let Some(entry) = lanes.open.get_mut(key) {
            entry.0 = turn;
            return entry.1.clone();
        }
        if lanes.open.len() >= LANES_MAX {
            let oldest = lanes
                .open
                .iter()
                // With one that is at work, what it owes would be out of sight.
                .filter(|(_, entry)| entry.1.queue.is_idle())
                .min_by_key(|(_, entry)| entry.0)
                .map(|(key, _)| key.clone());
            oldest.and_then(|key| lanes.open.remove(&key));
        }
        let lane = Arc::new(Lane::new(key.clone()));
        lanes.open.insert(key.clone(), (turn, lane.clone()));
        lane
    }
}
