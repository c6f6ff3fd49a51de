//! Sharing: grants of a learner, groups of a tenant, and the gate that every verb passes.
//!
//! ```text
//!   admit        may this caller? before a verb, and again before its answer is given
//!   tuples       gathers the caller's groups and the object's tuples
//!   grant        grant and revoke, under the lock of the object's learner
//!   groups       members and leaders of a group, under the lock of the tenant
//!   list         check, objects of a subject, subjects of an object
//! ```
//!
//! *New enemy*: an answer is given only if the grant still holds when everything in it has been read. So data written
//! after a revocation is never part of an answer to the revoked, without a lock across learners.

mod admit;
mod grant;
mod groups;
mod list;
mod testimony;
mod tuples;

pub use admit::Admission;
pub use grant::{Grant, ShareChanged};
pub use groups::{GroupChanged, GroupMembers};
pub use list::{Checked, SharedSubject, SharedThing, Shares};
pub(super) use tuples::tenant_of;
