//! The store of this engine: the contract, the features of its file, and properties of random histories.
//!
//! Others start this program again as another process, for one ignored test, so a file that does names its test with the
//! folder in front.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "what a test cannot do is a failed test"
)]

mod contract;
mod embedded;
mod properties;
