//! The laboratory: its tools are right, its executor is blind, and its experiment can fail.

#![allow(clippy::unwrap_used, reason = "a test that fails must stop")]

mod executor;
mod program;
mod stability;
mod tools;
