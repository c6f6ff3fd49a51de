//! The pure floor: memories, lessons, trajectories, and every rule by which they change. No async, no I/O, no clock, no
//! randomness.
//!
//! Every rule is a function of its arguments, so that all backends and instances decide alike, and so that a
//! history can be replayed from its events.

pub mod identity;
pub mod lesson;
pub mod memory;
pub mod playbook;
pub mod redact;
pub mod reflection;
pub mod sharing;
pub mod steps;
pub mod text;
pub mod timestamp;
pub mod trajectory;
mod word_enum;
