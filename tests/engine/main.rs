//! The engine from inside: its log events, the domain of lessons, and the behaviour of the original programs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "what a test cannot do is a failed test"
)]

mod embeddings;
mod events;
mod lessons;
mod opposites;
mod past;
mod playbooks;
mod progress;
mod proposals;
mod vectors;
mod vectors_lessons;
