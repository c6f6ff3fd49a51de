//! The header of a playbook, and a version of it.

use super::content::{Scope, Visibility};
use super::usage::Usage;
use hindlore_primitives::timestamp::Timestamp;

/// The header of a playbook, common to all its versions.
#[derive(Clone, PartialEq, Debug)]
pub struct Playbook {
    /// Its name, unique for its learner.
    pub name: String,
    /// Its purpose; may be empty.
    pub description: String,
    /// For whom it is meant.
    pub scope: Scope,
    /// Its visibility.
    pub visibility: Visibility,
    /// True once it was deleted: it is kept, and listed only when asked for.
    pub archived: bool,
    /// The results of its uses.
    pub usage: Usage,
    /// When it was used last.
    pub used_at: Option<Timestamp>,
    /// Number of curations that took something in.
    pub curations: u32,
    /// Number of trajectories that it was curated from, each counted once for each curation.
    pub analysed: u32,
    /// When it was curated last.
    pub curated_at: Option<Timestamp>,
    /// The number of its newest version, from 1; 0 before the first.
    pub version: u32,
    /// The number of its changes, of every kind.
    pub revision: i64,
    /// When it was made.
    pub created: Timestamp,
    /// When it changed last.
    pub updated: Timestamp,
}

impl Playbook {
    /// A playbook without a version.
    pub fn new(name: String, now: Timestamp) -> Self {
        Self {
            name,
            description: String::new(),
            scope: Scope::Agent,
            visibility: Visibility::Private,
            archived: false,
            usage: Usage::default(),
            used_at: None,
            curations: 0,
            analysed: 0,
            curated_at: None,
            version: 0,
            revision: 0,
            created: now,
            updated: now,
        }
    }
}

/// A version of a playbook, without its strategies. It never changes, but for the loss of its strategies by retention.
#[derive(Clone, PartialEq, Debug)]
pub struct Version {
    /// Its number, from 1, without a gap.
    pub number: u32,
    /// The digest of its strategies; see [`content_digest`](super::content_digest).
    pub digest: String,
    /// The number of its strategies.
    pub strategies: u32,
    /// The operation that made it, in one line.
    pub reason: String,
    /// Its author; `None` if unknown.
    pub author: Option<String>,
    /// Marked to keep its strategies for good.
    pub major: bool,
    /// The version whose content it has again.
    pub restores: Option<u32>,
    /// True once its strategies are gone by retention.
    pub retired: bool,
    /// When it was made.
    pub at: Timestamp,
}
