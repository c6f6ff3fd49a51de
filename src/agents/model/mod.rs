//! Language models as the engine sees them: messages in, a text and its bill out. Nothing here reaches a network.
//!
//! ```text
//!   ask ── messages + shape ──> Metered ── within the budget ──> Model (provider, or a test's)
//!    └── extract ── the first JSON value that fits; else the reply and what is wrong go back, three times at most
//! ```

pub mod ask;
pub mod budget;
pub mod error;
pub mod extract;
pub mod fence;
pub mod inject;
pub mod language_model;
pub mod message;

pub use ask::{Asked, Refused, Shape, ask};
pub use budget::{Budget, Metered, Prices, Spent};
pub use error::ModelError;
pub use language_model::Model;
pub use message::{Message, Reply, Request, Role, Usage};
