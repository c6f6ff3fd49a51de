//! The subjects that a principal counts as: itself, the tenant's members, and the groups that hold any of them.
//!
//! The climb goes level by level, from members to the groups that hold them, so that each level is one read of the
//! store and a cycle ends by itself. It stops at [`DEPTH_MAX`] levels and at [`WORK_MAX`] memberships. Relations only
//! ever add rights, so groups reached by then are right, and others are denied.

use std::collections::BTreeSet;

use super::caller::Caller;
use super::subject::{Group, Principal, Subject};

/// Most levels of groups above a principal.
pub const DEPTH_MAX: usize = 8;
/// Most memberships that one climb looks at.
pub const WORK_MAX: usize = 1_000;

/// A climb, and the subjects that it has reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Closure {
    reached: BTreeSet<Subject>,
    /// Reached subjects whose groups were not asked for yet.
    frontier: Vec<Subject>,
    depth: usize,
    work: usize,
    was_cut: bool,
}

impl Closure {
    /// Begins at a caller: the principal, the learner that it is, its tenant, and its vouched groups.
    pub fn of(caller: &Caller) -> Self {
        let vouched = caller.groups.iter().take(WORK_MAX);
        let vouched = vouched.cloned().map(Subject::Members);
        let learner = caller.learner.as_deref().map(Principal::of_learner);
        Self::begin(
            [
                Subject::Principal(caller.principal.clone()),
                Subject::Tenant,
            ]
            .into_iter()
            .chain(learner.map(Subject::Principal))
            .chain(vouched),
        )
    }

    /// Begins at one subject; that of a principal also holds the tenant.
    pub fn of_subject(subject: &Subject) -> Self {
        Self::begin([subject.clone(), Subject::Tenant])
    }

    fn begin(first: impl IntoIterator<Item = Subject>) -> Self {
        let reached: BTreeSet<Subject> = first.into_iter().collect();
        Self {
            frontier: reached.iter().cloned().collect(),
            reached,
            depth: 0,
            work: 0,
            was_cut: false,
        }
    }

    /// The subjects whose groups are to be looked up next; empty at the end of the climb.
    pub fn frontier(&self) -> &[Subject] {
        if self.depth < DEPTH_MAX && self.work < WORK_MAX {
            &self.frontier
        } else {
            &[]
        }
    }

    /// Goes one level up, to the groups that hold the subjects of the frontier.
    pub fn climb(&mut self, groups: impl IntoIterator<Item = Group>) {
        self.depth += 1;
        self.frontier.clear();
        for group in groups {
            if self.work >= WORK_MAX {
                self.was_cut = true;
                return;
            }
            self.work += 1;
            let members = Subject::Members(group);
            if self.reached.insert(members.clone()) {
                self.frontier.push(members);
            }
        }
    }

    /// True if the principal counts as this subject.
    pub fn holds(&self, subject: &Subject) -> bool {
        self.reached.contains(subject)
    }

    /// All subjects that it counts as, ascending.
    pub fn subjects(&self) -> impl Iterator<Item = &Subject> {
        self.reached.iter()
    }

    /// True if a bound ended the climb, so that groups further up may be missing.
    pub fn was_cut(&self) -> bool {
        self.was_cut || (self.frontier().is_empty() && !self.frontier.is_empty())
    }
}

#[cfg(test)]
mod tests;
