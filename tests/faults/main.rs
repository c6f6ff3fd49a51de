//! What survives: killed processes, several processes on one file, lost answers and full disks.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a broken promise ends by panicking"
)]

mod crash;
mod disk;
mod grouped;
mod processes;
mod program;
mod resend;
