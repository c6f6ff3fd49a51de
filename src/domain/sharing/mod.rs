//! Sharing: rights to read, change and own the data of a learner.
//!
//! A *relation tuple* has the form `object # relation @ subject`, as in Zanzibar (Pang et al., USENIX ATC 2019). Owner
//! includes editor, editor includes viewer. A subject is an agent, a user, the members of a group, or the members of
//! the tenant. A relation to a learner holds for everything of that learner.
//!
//! A check climbs from the caller to the groups that hold it ([`closure::Closure`]), then looks for a tuple of one of
//! them. The climb is bounded in depth and work; groups beyond the bounds are ignored. A learner owns itself, so that
//! no object is ever without an owner.

pub mod access;
pub mod api_key;
pub mod audit_chain;
pub mod caller;
pub mod closure;
pub mod evidence;
pub mod object;
pub mod relation;
pub mod subject;
