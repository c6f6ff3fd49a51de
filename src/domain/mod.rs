//! The pure floor: what a memory is and how it changes. No async, no I/O, no clock, no randomness.
pub mod text;
