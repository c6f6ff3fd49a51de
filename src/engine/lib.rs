//! hindlore keeps what AI agents learn, so that they do not fail the same way twice.
//!
//! # Bird's-eye view
//!
//! A *memory* belongs to one (tenant, learner, scope) and holds *bullets*: strategies, facts and experiences whose
//! strength fades with each event of the memory and comes back with use. *Deltas* change a memory; a *retrieval* ranks
//! and explains the bullets for a query. Every event is numbered, recorded, and can be decided again from the record.
//!
//! # Example
//!
//! ```
//! use hindlore::prelude::*;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("memory.db");
//! let engine = Engine::open(path)?;
//! let key = MemoryKey::new("default", "agent-7", "default")?;
//! engine.add(&key, "Retry a 429 with backoff and jitter.").await?;
//! let found = engine.retrieve(&key, "how do I retry a 429?".into()).await?.bullets;
//! assert_eq!(found[0].bullet.content.as_str(), "Retry a 429 with backoff and jitter.");
//! # Ok(())
//! # }
//! ```
//!
//! `docs/examples` has six programs, from the first bullet to a server in process.
//!
//! # Features
//!
//! | feature | default | adds |
//! | --- | --- | --- |
//! | `neo4j` | yes | the Neo4j backend |
//! | `testkit` | no | access to the store of an engine, for tests |
//!
//! The workspace turns the default off; the program turns on the features that it needs.
//!
//! # Invariants
//!
//! - Stores move data, the domain decides: no backend knows a score, a threshold or a policy.
//! - An event is written with its receipt in one transaction; its tick and revision leave no gap.
//! - Nothing is destroyed by learning; only `Engine::erase` destroys.
//! - Equal events in equal order give equal digests on every machine and backend.
//!
//! # How the engine works
//!
//! Use cases: one verb, one file. Each gathers from the store, lets the domain decide, and applies the
//! result in one atomic write.
//!
//! The engine keeps a snapshot of each memory in process and brings it up to date by revision and clock,
//! never by time; concurrent requests on one memory are grouped into one transaction.
//!
//! ```text
//!   verbs           memory/       retrieve, apply a delta, take feedback: one file each
//!     │             history/      read, replay, undo, roll back, compact
//!     │             upkeep/       consolidate, check, repair, import, export, erase
//!     │             lessons/   playbooks/   reflections/   sharing/
//!     │
//!   handle          Engine: the context and the actors
//!     │
//!   actor/          registry      the open memories
//!     │             memory_actor  queue, groups, one task while there is work
//!     │             creation      decides a first group before its memory is made
//!     │             transaction   decides a group under the store's lock ───────┐
//!     │             recording     records rankings without the lock             │ store.transact(decide)
//!     │             open_memory   snapshot, write lock, refresh                 │
//!     │             group                                                       │
//!     │             commit_builder   decide_group(snapshot, messages) -> Commit ◄┘
//!     │             snapshot, message, memory_answer
//!     │
//!   history/        compaction, replaying   work on stored events, below the actors that trigger it
//!   upkeep/         consolidating           plans a consolidation on a thread of its own, batch by batch
//!     │
//!   context         store, clock, options, background tasks
//!   memory/         answers, retrieval's request and answer
//!   error, log, options, clock
//! ```
//!
//! Calls run down, with one inversion: the store calls the decision of a group while it holds the memory's
//! lock. So one lock and one round trip carry both the changes of others, which the decision needs, and the
//! result of the decision. The decision itself is pure: it changes the snapshot, which can be rolled back,
//! and returns the commit.

pub use hindlore_domain as domain;
pub use hindlore_embedded as embedded;
#[cfg(feature = "neo4j")]
pub use hindlore_neo4j as neo4j;
pub use hindlore_store as store;

mod actor;
pub mod api_keys;
pub mod clock;
mod context;
mod conversations;
mod decide_records;
pub mod embeddings;
pub mod error;
mod handle;
mod history;
mod id_kind;
mod id_prefix;
pub mod lessons;
mod log;
mod memory;
mod options;
pub mod playbooks;
pub mod prelude;
mod progress;
pub mod proposals;
pub mod proposer;
mod redact;
pub mod reflections;
pub mod sharing;
mod upkeep;
mod write_limiter;

pub use error::{EngineError, EngineResult};
pub use handle::Engine;
pub use history::as_of::{Moment, PastMemory};
pub use history::compare_replay::ReplayComparison;
pub use history::delta_log::LoggedDelta;
pub use history::rebase::Rebased;
pub use history::replaying::{Mismatch, Replayed};
pub use history::roll_back::RolledBack;
pub use history::stored_delta::undoes;
pub use id_kind::IdKind;
pub use log::PREVIEW_CHARS;
pub use memory::answers::{AppliedDelta, BulletNow, Since, UndoneBy};
pub use memory::bullets::{BulletDetail, MemoryView};
pub use memory::conflicts::{ConflictDecision, ConflictRequest, ConflictingBullets};
pub use memory::feedback::{Feedback, FeedbackGiven, Verdict};
pub use memory::forget_bullet::Forgotten;
pub use memory::list_memories::ListedMemories;
pub use memory::memory_figures::MemoryFigures;
pub use memory::memory_picture::{MemoryPicture, PlaybookHistory};
pub use memory::memory_status::MemoryStatus;
pub use memory::name_feedback::NamedFeedback;
pub use memory::policy::{FieldChange, MemoryPolicy, PolicyChanged, complete_weights, plain};
pub use memory::read_bullets::{BulletFilter, BulletPage};
pub use memory::retrieval::injection::{ChooseBullets, Fit, FitBullets, Injection, Shown};
pub use memory::retrieval::related::{Beside, NamedBullet};
pub use memory::retrieval::{MemoryPosition, RetrieveRequest, Retrieved, RetrievedBullet};
pub use options::{Durability, EngineOptions};
pub use upkeep::adopt::Adopted;
pub use upkeep::consolidate::{ConsolidateRequest, Consolidated, Level, MergedGroup};
pub use upkeep::copy::Copied;
pub use upkeep::erase::{Record, RecordErased};
pub use upkeep::export::Exported;
pub use upkeep::import::{Again, ImportDelta, ImportRequest, Imported};
pub use upkeep::repair::Repaired;
pub use upkeep::verify::{Difference, LinkDifference, Verified};

/// The examples of the README and of the book, compiled with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
#[doc = include_str!("../../docs/book/src/rust.md")]
pub struct Readme;
