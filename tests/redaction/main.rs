//! Redaction from outside: what is found, what is left alone, how long it takes, and that no way into a store goes
//! round it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "what is not there is a failed test"
)]

mod chance;
mod figures;
mod friends;
mod modes;
mod places;
mod secrets;
mod speed;
mod world;
mod writes;
