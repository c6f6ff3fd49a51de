//! The measurements of `bench`: readers, operating points and the form of reports.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails ends by panicking"
)]

mod cheatsheets;
mod fingerprints;
mod http;
#[cfg(unix)]
mod interrupt;
mod lessons;
mod memory;
mod merges;
#[cfg(target_os = "linux")]
mod places;
#[cfg(unix)]
mod processes;
mod refusals;
mod retrieval;
mod stream;
