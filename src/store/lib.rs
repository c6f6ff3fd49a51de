//! The contract between the engine and its stores: traits and types without default bodies; also the text forms that
//! all backends share, and the pure projections of a commit to row changes.
//!
//! A backend moves data; every decision arrives ready-made. A backend promises four things: an event is committed with
//! its receipt or not at all; ticks and revisions of a memory have no gap; writes to one memory are serialised across
//! all processes; and no call reaches beyond the key that it was given.
//!
//! # Example
//!
//! ```
//! use hindlore_primitives::timestamp::Timestamp;
//! use hindlore_store::order_key::OrderKey;
//!
//! // A list is the front of an index: its key puts the newest entry first, and the id breaks ties.
//! let at = |millis| OrderKey::new().newest(Timestamp::from_millis(millis));
//! assert!(at(2_000).position("a") < at(1_000).position("a"));
//! assert!(at(1_000).position("a") < at(1_000).position("b"));
//! ```

pub mod costs;
pub mod erase;
pub mod error;
pub mod event;
pub mod form;
pub mod history;
pub mod lessons;
pub mod maintenance;
pub mod memory;
pub mod memory_ext;
pub mod order_key;
pub mod records;
pub mod request;
pub mod shape;

pub use costs::{Cost, CostKind};
pub use erase::{
    CascadeOrder, DecideCascade, EraseNote, EraseOrder, EraseReceipt, EraseStore, Erased, Erasure,
    Extent, Mention, NotWiped, RECEIPTS_MAX,
};
pub use error::{ErrorKind, StoreError, StoreResult};
pub use event::{DeltaRecord, EventRecord, Mark, RetrievalRecord, Returned};
pub use form::{
    CheckpointForm, CheckpointPiece, CheckpointReader, FoldedDelta, PIECE_BYTES, PiecePart,
};
pub use history::{
    CHECKPOINTS_KEPT, Checkpoint, DeltaPage, FoldOrder, HistoryStore, LaterChange, Usage,
};
pub use lessons::LessonStore;
pub use maintenance::{Finding, MaintenanceStore, MemoryCopy, MemorySummary, SchemaStatus};
pub use memory::{
    CatchUp, Commit, Creation, Decide, Head, ImagePart, Known, Loaded, LoadedPart, MemoryImage,
    MemoryStore, Outcome, Position, StoreHints, StoredReceipt, TakeParts, TouchBatch, TouchOutcome,
    Touched,
};
pub use memory_ext::MemoryStoreExt;
pub use records::RecordStore;
pub use shape::{LinkRepairs, Repairs, ShapeFault, ShapeRemedy, WrongValue};

/// The whole contract: a type that implements the six parts is a store.
pub trait Store:
    MemoryStore + HistoryStore + MaintenanceStore + LessonStore + RecordStore + EraseStore
{
}

impl<S> Store for S where
    S: MemoryStore + HistoryStore + MaintenanceStore + LessonStore + RecordStore + EraseStore
{
}
