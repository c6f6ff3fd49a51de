//! The waist: wire types and the one error shape shared by all surfaces.
//!
//! All input from outside is parsed here into types the engine can trust, and all output is shaped here, so
//! that the command line, HTTP, and the rest cannot diverge. Nothing here decides about a memory, keeps
//! state, or does I/O.
//!
//! # Example
//!
//! ```
//! use hindlore_api::{catalog, delta_input::parse_delta};
//!
//! # fn main() -> Result<(), hindlore_api::problem::Problem> {
//! let verb = catalog::find("bullets.add")?;
//! assert_eq!((verb.method(), verb.path().as_str()), ("POST", "bullets/add"));
//! assert!(catalog::find("bulets.add").is_err_and(|problem| problem.code == "unknown_verb"));
//!
//! let delta = parse_delta(r#"{"operations": [{"op": "ADD", "content": "Close the valve."}]}"#)?;
//! assert_eq!(delta.operations.len(), 1);
//! # Ok(())
//! # }
//! ```

pub mod access;
pub mod agents;
pub mod as_of;
pub mod audit;
pub mod catalog;
pub mod command_words;
pub mod comparison_page;
pub mod cursor;
pub mod definitions;
pub mod delta_input;
pub mod examples;
pub mod export;
pub mod graph;
pub mod hint;
pub mod import;
pub mod memory_page;
mod messages;
pub mod named;
pub mod needs;
pub mod playbook_file;
pub mod problem;
pub mod prompt;
pub mod responses;
pub mod server;
mod span;
pub mod standing;
pub mod steps;
pub mod trace_stream;
pub mod traces;
pub mod verb;
pub mod verbs;

mod block_marks;
pub mod check;
pub mod compute;
pub mod entry;
pub mod fields;
mod html_page;
pub mod json;
mod names;
pub mod nearest;
mod patterns;
mod received;
mod schema;
