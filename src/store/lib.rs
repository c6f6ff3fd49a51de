//! The contract between the engine and whatever keeps its memories: traits and types without default
//! bodies; beside them the forms of what all backends keep as text, and the pure projections that say which
//! rows a commit changes, so that no backend decides anything.
//!
//! A backend moves data; every decision arrives ready-made. What a backend promises: one event is
//! committed with its receipt, all or nothing; ticks and revisions of a memory have no gap; updates
//! of one memory are serialised, whoever sends them; and no call crosses the key it was given.

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

pub use erase::{
    DecideStrike, EraseNote, EraseOrder, EraseReceipt, EraseStore, Erased, Erasure, Extent,
    NotWiped, RECEIPTS_MAX, StrikeOrder,
};
pub use error::{ErrorKind, StoreError, StoreResult};
pub use event::{DeltaRecord, EventRecord, Mark, RetrievalRecord, Returned};
pub use form::{CheckpointForm, CheckpointPiece, CheckpointReader, PIECE_BYTES, PiecePart};
pub use history::{CHECKPOINTS_KEPT, Checkpoint, DeltaPage, HistoryStore, LaterChange, Usage};
pub use lessons::LessonStore;
pub use maintenance::{Finding, MaintenanceStore, MemoryCopy, MemorySummary, SchemaStatus};
pub use memory::{
    CatchUp, Commit, Creation, Decide, Head, Known, Loaded, LoadedPart, MemoryStore, Outcome,
    Position, StoreHints, StoredReceipt, TakeParts, TouchBatch, TouchOutcome, Touched,
};
pub use memory_ext::MemoryStoreExt;
pub use records::RecordStore;

/// Everything that a backend offers.
pub trait Store:
    MemoryStore + HistoryStore + MaintenanceStore + LessonStore + RecordStore + EraseStore
{
}

impl<S> Store for S where
    S: MemoryStore + HistoryStore + MaintenanceStore + LessonStore + RecordStore + EraseStore
{
}
