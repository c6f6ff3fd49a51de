//! The requirements of a verb for its caller, which a server knows from the route alone, before it reads a request.

use schemars::JsonSchema;
use serde::Serialize;

use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::sharing::api_key::Rights;
use hindlore_domain::sharing::object::Object;
use hindlore_domain::sharing::relation::Relation;

/// The subject of a verb, which a credential must cover.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// The whole store, with all tenants.
    Store,
    /// One tenant with all its learners.
    Tenant,
    /// One learner: lessons, errors and runs, which belong to no scope.
    Learner,
    /// One memory: a learner's bullets in one scope.
    Memory,
}

/// The effect of a verb on its subject.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Changes nothing.
    Reads,
    /// Adds and changes, reversibly.
    Writes,
    /// Destroys for good.
    Destroys,
}

impl Subject {
    /// The object of a verb about it, where a request names none.
    pub(super) fn object(self, key: &MemoryKey) -> Object {
        match self {
            Self::Memory => Object::Memory(key.scope().to_owned()),
            Self::Store | Self::Tenant | Self::Learner => Object::Learner,
        }
    }
}

/// The requirements of a verb for its caller, known from its route alone.
#[derive(Clone, Copy, Debug)]
pub struct Needs {
    /// Name of the verb.
    pub verb: &'static str,
    /// Its effect.
    pub effect: Effect,
    pub(super) subject: Subject,
    pub(super) rights: Rights,
    pub(super) relation: Relation,
    pub(super) is_of_operator: bool,
    pub(super) is_of_caller: bool,
}

impl Needs {
    /// How far a credential must go.
    pub fn rights(&self) -> Rights {
        self.rights
    }

    /// True for a verb about the caller itself.
    pub fn is_of_caller(&self) -> bool {
        self.is_of_caller
    }

    /// The relation to its object; `None` for a verb about the caller itself.
    pub(super) fn relation(&self) -> Option<Relation> {
        (!self.is_of_caller).then_some(self.relation)
    }

    /// The object of a request that names none.
    pub(super) fn object(&self, key: &MemoryKey) -> Object {
        self.subject.object(key)
    }

    /// True if it is about all learners of a tenant.
    pub(super) fn is_of_tenant(&self) -> bool {
        self.subject == Subject::Tenant && !self.is_of_caller
    }
}
