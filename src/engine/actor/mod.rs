//! One actor for each open memory: it keeps a snapshot in process, groups concurrent requests, and writes each
//! group in one transaction.
//!
//! The groups below are floors, the lowest first; imports run down only.

// Data in transit: the answer of a memory, and the messages to an actor.
pub(super) mod memory_answer;
pub(super) mod message;

// The memory in process.
pub(super) mod loading;
mod shared_snapshot;
pub(super) mod snapshot;

// The pure decision.
pub(super) mod commit_builder;
mod group;

// The memory with its locks, and the ways to read it.
pub(super) mod open_memory;
mod ranking;
mod read_latest;
mod refresh_state;

// The ways to write it.
pub(super) mod adoption;
mod creation;
mod recording;
mod transaction;

// The queue, and the task that empties it.
pub(super) mod memory_actor;
mod queue;
pub(super) mod registry;
mod rereading;
