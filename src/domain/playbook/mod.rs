//! Playbooks: named sets of strategies, how sure each is, and how a set changes.
//!
//! A *strategy* is a sentence of advice with the trajectories that bear on it. A *playbook* is the list of strategies of
//! one learner under one name; each change makes a *version*, numbered without gap and never changed again. Nothing here
//! writes sentences: they come from people, files, or [`reflection`](crate::reflection).

pub mod confidence;
pub mod content;
pub mod curation;
pub mod diff;
mod header;
pub mod retention;
pub mod strategy;
pub mod usage;

pub use confidence::{Confidence, ConfidenceRules};
pub use content::{
    DEFAULT_NAME, STRATEGIES_MAX, Scope, Visibility, content_digest, parse_playbook_name,
    playbook_id,
};
pub use curation::{Change, ChangeKind, Curated, CurationRules, curate, replace};
pub use diff::{StrategyDiff, apply, diff};
pub use header::{Playbook, Version};
pub use retention::{RetentionRules, VersionMark, retired};
pub use strategy::{Category, Evidence, Proposal, Stated, Strategy, sentence};
pub use usage::{Usage, UsageReport};
