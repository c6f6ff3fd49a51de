//! The caller of a verb, as its credential determines it: the operator, the holder of a key for a tenant, or one principal
//! of a tenant with the groups that its credential vouches for.

use super::subject::{Group, Principal};
use crate::lesson::lesson::LearnerId;

/// The caller, by its credential. A party without a credential is `Nobody`, which may do nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Party {
    /// A request whose caller is not determined.
    Nobody,
    /// The operator: who runs the store, and may do everything.
    Operator,
    /// The holder of a credential for all of a tenant.
    Tenant {
        /// The tenant; nothing of another one can be reached.
        tenant: String,
        /// Name of the holder in messages.
        name: String,
    },
    /// A principal, which reaches its own objects and those granted to it.
    Principal(Caller),
}

impl Party {
    /// The principal, if it is one.
    pub fn caller(&self) -> Option<&Caller> {
        match self {
            Self::Principal(caller) => Some(caller),
            Self::Nobody | Self::Operator | Self::Tenant { .. } => None,
        }
    }

    /// True if it owns everything of a learner without a grant, so that nothing can take the right away.
    pub fn owns(&self, owner: &LearnerId) -> bool {
        match self {
            Self::Nobody => false,
            Self::Operator => true,
            Self::Tenant { tenant, .. } => tenant == owner.tenant(),
            Self::Principal(caller) => caller.is_learner(owner),
        }
    }

    /// True if it reaches all learners of a tenant.
    pub fn has_tenant(&self, own: &str) -> bool {
        match self {
            Self::Operator => true,
            Self::Tenant { tenant, .. } => tenant == own,
            Self::Nobody | Self::Principal(_) => false,
        }
    }

    /// Its name in messages.
    pub fn name(&self) -> String {
        match self {
            Self::Nobody => "nobody".to_owned(),
            Self::Operator => "the operator".to_owned(),
            Self::Tenant { name, .. } => name.clone(),
            Self::Principal(caller) => caller.principal.to_string(),
        }
    }
}

/// A principal that calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caller {
    /// The tenant; nothing of another one can be reached.
    pub tenant: String,
    /// The agent or user.
    pub principal: Principal,
    /// Groups of the tenant in the credential, in addition to those in the store.
    pub groups: Vec<Group>,
    /// The learner of its credential: it acts as this learner, under any name of its own.
    pub learner: Option<String>,
}

impl Caller {
    /// A principal of a tenant, without vouched groups.
    pub fn new(tenant: &str, principal: Principal) -> Self {
        Self {
            tenant: tenant.to_owned(),
            principal,
            groups: Vec::new(),
            learner: None,
        }
    }

    /// The agent that a learner is.
    pub fn of_learner(owner: &LearnerId) -> Self {
        Self::new(owner.tenant(), Principal::of_learner(owner.learner()))
    }

    /// True if the caller is this learner itself, which owns all it keeps.
    pub fn is_learner(&self, owner: &LearnerId) -> bool {
        let is_for = self.learner.as_deref() == Some(owner.learner());
        self.tenant == owner.tenant() && (is_for || self.principal.is_learner(owner.learner()))
    }
}
