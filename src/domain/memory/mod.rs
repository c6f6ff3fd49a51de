//! The memory of one (tenant, learner, scope): bullets, clock, revision, policy, and every rule that changes
//! them.
//!
//! A memory changes by deltas and by touches only, each a function of the memory and its arguments, so that a
//! replay of the history leads to the same digest on every machine.

pub mod aggregate;
pub mod apply;
pub mod bullet;
pub mod consolidation;
pub mod content;
pub mod decay;
pub mod delta;
pub mod digest;
mod index;
pub mod key;
pub mod link;
pub mod policy;
pub mod query;
pub mod rank;
pub mod receipt;
pub mod record;
pub mod seed;
mod tables;
pub mod touch;
pub mod undo;
