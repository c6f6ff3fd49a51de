//! Sharing: who may read, change and own what a learner keeps.
//!
//! A *relation tuple* says `object # relation @ subject`, as in Zanzibar (Pang et al., USENIX ATC 2019). Owner includes
//! editor, editor includes viewer. A subject is an agent, a user, the members of a group, or the members of the tenant.
//! Whoever holds a relation to a learner holds it to everything of that learner.
//!
//! A check climbs from the caller to the groups that hold it ([`closure::Closure`]), then looks for a tuple of one of
//! them. The climb is bounded in depth and work; what lies beyond the bounds is not allowed. A learner owns itself, so
//! that no object is ever without an owner.

pub mod access;
pub mod api_key;
pub mod audit_chain;
pub mod caller;
pub mod closure;
pub mod evidence;
pub mod object;
pub mod relation;
pub mod subject;
