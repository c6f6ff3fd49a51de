//! Roles, the agent and its model: against a scripted server that speaks the wires of four vendors.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "what a test cannot do is a failed test"
)]

mod adapting;
mod embeddings;
mod faults;
mod fences;
mod proposals;
mod roles;
mod scene;
mod solving;
mod transport;
mod turns;
