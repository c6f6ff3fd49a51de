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
//! use std::sync::Arc;
//!
//! use hindlore::prelude::*;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("memory.db");
//! let store = EmbeddedStore::open(path, EmbeddedOptions::default())?;
//! let engine = Engine::new(Arc::new(store), Arc::new(SystemClock), EngineOptions::default());
//! let key = MemoryKey::new("default", "agent-7", "default")?;
//!
//! let content = "Retry a 429 with backoff and jitter.".to_owned();
//! let add = Operation::Add(Box::new(NewBullet { content, ..NewBullet::default() }));
//! engine.apply_delta(&key, Delta::new(DeltaId::parse("lesson-1")?, vec![add])).await?;
//!
//! let request = RetrieveRequest::new(Query::new("how do I retry a 429?"));
//! let found = engine.retrieve(&key, request).await?.bullets;
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
//!   verbs           one file each: retrieve, apply_delta, undo_delta, adopt, erase, …   lessons/   sharing/
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
//!   compaction, replaying      work on stored events, below the actors that trigger it
//!   consolidating              plans a consolidation on a thread of its own, batch by batch
//!     │
//!   context         store, clock, options, background tasks
//!   answers, retrieval's request and answer, error, log, options, clock
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
mod adopt;
mod answers;
pub mod api_keys;
mod apply_delta;
mod as_of;
mod beside;
mod bullets;
mod change_bullet;
pub mod clock;
mod compact;
mod compaction;
mod compare_replay;
mod conflicts;
mod consolidate;
mod consolidating;
mod context;
mod conversations;
mod copy;
mod decide_records;
mod delta_log;
mod erase;
pub mod error;
mod export;
mod feedback;
mod find_bullet;
mod find_lesson;
mod forget_learner;
mod handle;
mod history;
mod id_beginning;
mod id_kind;
mod import;
mod injection;
mod lanes;
pub mod lessons;
mod list_memories;
mod log;
mod maintenance;
mod memory_figures;
mod memory_picture;
mod memory_status;
mod name_feedback;
mod options;
pub mod playbooks;
mod policy;
pub mod prelude;
mod prepared_delta;
mod preview_import;
mod progress;
mod read_bullets;
mod rebase;
mod redact;
pub mod reflections;
mod repair;
mod replay;
mod replaying;
mod retrieval;
mod retrieve;
mod retrieve_over_two;
mod roll_back;
mod send_delta;
pub mod sharing;
mod shortening;
mod since;
mod stored_delta;
mod sync_import;
mod undo_delta;
mod undone;
mod verify;

pub use adopt::Adopted;
pub use answers::{AppliedDelta, BulletNow, Since, UndoneBy};
pub use as_of::PastMemory;
pub use beside::{Beside, NamedBullet};
pub use bullets::{BulletDetail, MemoryView};
pub use compare_replay::ReplayComparison;
pub use conflicts::{ConflictDecision, ConflictRequest, ConflictingBullets};
pub use consolidate::{ConsolidateRequest, Consolidated, Level, MergedGroup};
pub use copy::Copied;
pub use delta_log::LoggedDelta;
pub use erase::{Record, RecordErased};
pub use error::{EngineError, EngineResult};
pub use export::Exported;
pub use feedback::{Feedback, FeedbackGiven, Verdict};
pub use handle::Engine;
pub use id_kind::IdKind;
pub use import::{Again, ImportDelta, ImportRequest, Imported};
pub use injection::{Fit, FitBullets, Injection, Shown};
pub use list_memories::ListedMemories;
pub use log::PREVIEW_CHARS;
pub use memory_figures::MemoryFigures;
pub use memory_picture::{MemoryPicture, PlaybookHistory};
pub use memory_status::MemoryStatus;
pub use name_feedback::NamedFeedback;
pub use options::{Durability, EngineOptions};
pub use policy::{FieldChange, MemoryPolicy, PolicyChanged, complete_weights, plain};
pub use read_bullets::{BulletFilter, BulletPage};
pub use rebase::Rebased;
pub use repair::Repaired;
pub use replaying::{Mismatch, Replayed};
pub use retrieval::{MemoryPosition, RetrieveRequest, Retrieved, RetrievedBullet};
pub use roll_back::RolledBack;
pub use stored_delta::undoes;
pub use verify::{Difference, LinkDifference, Verified};

/// The examples of the README, compiled with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
