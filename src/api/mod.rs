//! The waist: the wire types and the one error shape that every surface shares.
//!
//! Whatever a stranger sends is read here once, into types that the engine can trust, and whatever a
//! stranger gets is shaped here, so that the command line, HTTP and the rest cannot drift apart.
//! Nothing in here decides about a memory, keeps state or does input and output of its own.

pub mod catalog;
pub mod delta_input;
pub mod export;
pub mod hint;
pub mod import;
pub mod problem;
pub mod prompt;
pub mod responses;
pub mod steps;
pub mod verb;
pub mod verbs;

mod check;
mod fields;
mod json;
pub(crate) mod nearest;
mod schema;
