//! The upkeep of a store: checks, counts, erasure, and moves of whole memories.

mod check;
mod costs;
mod erase;
pub(super) mod integrity_check;
mod maintenance;
mod transfer;
pub(super) mod wipe;
