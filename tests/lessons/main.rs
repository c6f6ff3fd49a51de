//! The domain of lessons as its users see it: the defects of the original asserted absent, the
//! lifecycle from worked examples, and retrieval and gates against small models of their own.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod conflicts;
mod lifecycle;
mod opposites;
mod retrieval;
mod world;
