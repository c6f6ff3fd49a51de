//! Agents over a memory: the language model as a trait, its vendors, the three roles, and a turn as a graph of nodes.
//!
//! Every node and role works without a model, by rules. A model never writes to a memory: its proposals pass the same
//! checks as those of any caller.
//!
//! # Example
//!
//! ```
//! use hindlore_agents::roles::{Trace, rules};
//!
//! let trace = Trace {
//!     question: "Which sensor is higher?".to_owned(),
//!     answer: "A".to_owned(),
//!     feedback: Some("A is given in feet, B in metres.".to_owned()),
//!     success: Some(false),
//!     ..Trace::default()
//! };
//! let takeaways = rules::reflect(&trace).takeaways;
//! assert_eq!(takeaways[0].content, "A is given in feet, B in metres.");
//! ```

pub mod agent;
pub mod model;
#[cfg(feature = "models")]
pub mod provider;
pub mod roles;
