//! The caller of a verb: a principal of one tenant, with the groups that its credential vouches for.

use super::subject::{Group, Principal};
use crate::lesson::lesson::Owner;

/// Who calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caller {
    /// The tenant; nothing of another one can be reached.
    pub tenant: String,
    /// The agent or user.
    pub principal: Principal,
    /// Groups of the tenant that a credential vouches for, beside those that the store knows.
    pub groups: Vec<Group>,
}

impl Caller {
    /// A principal of a tenant, without vouched groups.
    pub fn new(tenant: &str, principal: Principal) -> Self {
        Self {
            tenant: tenant.to_owned(),
            principal,
            groups: Vec::new(),
        }
    }

    /// The agent that a learner is.
    pub fn of_learner(owner: &Owner) -> Self {
        Self::new(owner.tenant(), Principal::of_learner(owner.learner()))
    }

    /// True if the caller is this learner itself, which owns all it keeps.
    pub fn is_learner(&self, owner: &Owner) -> bool {
        self.tenant == owner.tenant() && self.principal.is_learner(owner.learner())
    }
}
