//! The commands that tell, look, compare, examine and move: the real program on stores of its own.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "what is not there is a failed test"
)]

mod analyze;
#[cfg(unix)]
mod as_it_is;
#[cfg(unix)]
mod beside;
mod browser;
mod compare;
mod demo;
mod doctor;
mod learn;
mod lessons;
mod migrate;
#[cfg(unix)]
mod terminal;
#[cfg(unix)]
mod waiting;

// The same user with a machine of their own as in the tests of the other commands.
#[allow(dead_code, reason = "not every story needs all of it")]
#[path = "../surface/world.rs"]
mod world;
