//! Requests and answers of the verbs about playbooks.

use super::read::PlaybookView;
use hindlore_domain::playbook::{Change, Proposal, Scope, Visibility};

/// The description of a playbook without its strategies; `None` leaves a field unchanged.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct About {
    /// Its purpose.
    pub description: Option<String>,
    /// For whom it is meant.
    pub scope: Option<Scope>,
    /// Its visibility.
    pub visibility: Option<Visibility>,
}

/// A playbook to be made.
#[derive(Clone, PartialEq, Debug)]
pub struct NewPlaybook {
    /// Its name.
    pub name: String,
    /// Its description.
    pub about: About,
    /// Its first strategies; without any it has no version yet.
    pub proposals: Vec<Proposal>,
    /// Brings an archived playbook of this name back, with its versions.
    pub revive: bool,
    /// Its author.
    pub author: Option<String>,
}

/// How proposals go into a playbook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UpdateMode {
    /// They join the existing ones.
    Merge,
    /// They take its place.
    Replace,
}

/// A change of a playbook.
#[derive(Clone, PartialEq, Debug)]
pub struct PlaybookUpdate {
    /// Its description.
    pub about: About,
    /// Strategies; `None` leaves them as they are.
    pub proposals: Option<Vec<Proposal>>,
    /// How they go in.
    pub mode: UpdateMode,
    /// Marks the version to keep its strategies for good.
    pub major: bool,
    /// The reason; `None` describes the change.
    pub reason: Option<String>,
    /// Author of the change.
    pub author: Option<String>,
}

/// The input of a curation.
#[derive(Clone, PartialEq, Debug)]
pub struct Curation {
    /// The proposals.
    pub proposals: Vec<Proposal>,
    /// The number of trajectories that support it.
    pub analysed: u32,
    /// Where it came from, for the reason of the version.
    pub source: String,
    /// Author of the curation.
    pub author: Option<String>,
}

/// A playbook after a change.
#[derive(Clone, PartialEq, Debug)]
pub struct PlaybookChanged {
    /// The playbook as it is now.
    pub view: PlaybookView,
    /// True if the change made a version.
    pub is_new_version: bool,
    /// The change of each strategy, with its reason.
    pub changes: Vec<Change>,
    /// The number of strategies that are as they were.
    pub unchanged: usize,
}
