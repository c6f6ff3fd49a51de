//! The memory of one (tenant, learner, scope): bullets, clock, revision, policy, and every rule by
//! which they change.

pub mod bullet;
pub mod classify;
pub mod content;
pub mod decay;
pub mod delta;
pub mod digest;
pub mod key;
pub mod link;
pub mod policy;
pub mod receipt;
pub mod record;
