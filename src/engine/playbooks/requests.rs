//! What the verbs about playbooks are asked, and what they answer.

use super::read::PlaybookView;
use crate::domain::playbook::{Change, Proposal, Scope, Visibility};

/// What is said of a playbook beside its strategies; what is `None` stays as it is.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct About {
    /// What it is for.
    pub description: Option<String>,
    /// For whom it is meant.
    pub scope: Option<Scope>,
    /// Who may read it.
    pub visibility: Option<Visibility>,
}

/// A playbook to be made.
#[derive(Clone, PartialEq, Debug)]
pub struct NewPlaybook {
    /// Its name.
    pub name: String,
    /// What is said of it.
    pub about: About,
    /// Its first strategies; without any it has no version yet.
    pub proposals: Vec<Proposal>,
    /// Brings an archived playbook of this name back, with its versions.
    pub revive: bool,
    /// Who makes it.
    pub author: Option<String>,
}

/// How proposals go into a playbook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UpdateMode {
    /// They join what is there.
    Merge,
    /// They take its place.
    Replace,
}

/// A change of a playbook.
#[derive(Clone, PartialEq, Debug)]
pub struct PlaybookUpdate {
    /// What is said of it.
    pub about: About,
    /// Strategies; `None` leaves them as they are.
    pub proposals: Option<Vec<Proposal>>,
    /// How they go in.
    pub mode: UpdateMode,
    /// Marks the version to keep its strategies for good.
    pub major: bool,
    /// Why; `None` says what was done.
    pub reason: Option<String>,
    /// Who changes it.
    pub author: Option<String>,
}

/// What a curation puts into a playbook.
#[derive(Clone, PartialEq, Debug)]
pub struct Curation {
    /// What was proposed.
    pub proposals: Vec<Proposal>,
    /// The number of trajectories behind it.
    pub analysed: u32,
    /// Where it came from, for the reason of the version.
    pub source: String,
    /// Who curates.
    pub author: Option<String>,
}

/// A playbook after a change.
#[derive(Clone, PartialEq, Debug)]
pub struct PlaybookChanged {
    /// The playbook as it is now.
    pub view: PlaybookView,
    /// True if the change made a version.
    pub is_new_version: bool,
    /// What happened to which strategy, and why.
    pub changes: Vec<Change>,
    /// The number of strategies that are as they were.
    pub unchanged: usize,
}
