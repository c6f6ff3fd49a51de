//! One actor for each open memory: it keeps a snapshot in process, groups concurrent requests, and writes each
//! group in one transaction.
//!
//! The files stand in the order of their floors, the lowest first; imports run down only.

pub(super) mod memory_answer;
pub(super) mod message;

pub(super) mod loading;
mod shared_snapshot;
pub(super) mod snapshot;

pub(super) mod commit_builder;
mod group;

pub(super) mod adoption;
mod creation;
pub(super) mod open_memory;
mod ranking;
mod read_latest;
mod recording;
mod refresh_state;
mod transaction;

pub(super) mod memory_actor;
mod queue;
pub(super) mod registry;
