//! The pure floor: what a memory is and how it changes. No async, no I/O, no clock, no randomness.
//!
//! Every rule here is a function of its arguments, so that all backends and all instances decide
//! alike, and so that a history can be decided again from its events.

pub mod identity;
pub mod lesson;
pub mod memory;
pub mod redact;
pub mod text;
pub mod timestamp;
mod word_enum;
