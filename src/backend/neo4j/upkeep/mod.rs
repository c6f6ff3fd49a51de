//! The upkeep of a store: checks, repairs of manual edits, counts, erasure, and moves of whole memories.

pub(super) mod ace_states;
pub(super) mod bullets_by_hand;
pub(super) mod by_hand;
mod check;
mod compact;
mod costs;
mod erase;
mod erasures;
mod maintenance;
mod missing_nodes;
mod purge;
pub(super) mod receipts;
mod shape;
mod transfer;
mod wrong_types;
