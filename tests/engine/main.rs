//! The engine from inside: what it tells the log, the domain of lessons, and what the original programs did.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "what a test cannot do is a failed test"
)]

mod events;
mod lessons;
mod opposites;
mod playbooks;
mod progress;
mod vectors;
mod vectors_lessons;
