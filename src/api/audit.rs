//! What the gate tells of every call to whoever keeps an audit log.

use std::sync::Arc;

use super::problem::Problem;
use super::verb::Effect;
use crate::domain::memory::key::MemoryKey;

/// Somebody called a verb.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deed {
    /// The holder of the credential, such as `key:ci` or `user:ada`; absent where none was needed.
    pub holder: Option<String>,
    /// As whom it was called, such as `agent:planner`.
    pub caller: Option<String>,
    /// The verb; empty where nobody was let in to one.
    pub verb: &'static str,
    /// What it does.
    pub effect: Effect,
    /// The id of the request, which the answer and the log have, too.
    pub request: Option<String>,
    /// The memory that it was about.
    pub key: MemoryKey,
}

/// Keeps an audit log.
pub trait Auditor: Send + Sync {
    /// Notes a deed: before a change begins, without an outcome; and when it has ended, with `done` or the code of its
    /// problem.
    ///
    /// # Errors
    /// `audit_unwritable`. What cannot be noted is not done.
    fn note(&self, deed: &Deed, outcome: Option<&str>) -> Result<(), Problem>;
}

/// An auditor, shared between threads.
pub type SharedAuditor = Arc<dyn Auditor>;
