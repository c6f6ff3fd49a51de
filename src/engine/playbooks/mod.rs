//! Playbooks of a learner: read, and changed version by version.
//!
//! ```text
//!   read      a playbook with the strategies of a version; listings
//!   change    the one way to write: read, decide, write if no one else did meanwhile
//!   verbs     create, update, curate, restore, archive, use
//!   rank      strategies for a task
//! ```
//!
//! Strategies are many, so a change is decided outside of the learner's lock on the state that was read, and written
//! under it only if the playbook is still as it was; else it is decided again. So versions are numbered without gap,
//! and no decision rests on an older one.

mod change;
mod rank;
mod read;
mod requests;
mod verbs;

pub use rank::RankedStrategy;
pub use read::{PlaybookView, Which};
pub use requests::{About, Curation, NewPlaybook, PlaybookChanged, PlaybookUpdate, UpdateMode};
