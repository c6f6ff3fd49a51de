//! The memory of one (tenant, learner, scope): bullets, clock, revision, policy, and every rule by
//! which they change.

mod add;
pub mod aggregate;
pub mod apply;
pub mod bullet;
pub mod classify;
pub mod content;
mod count_change;
pub mod decay;
pub mod delta;
pub mod digest;
pub mod draft;
mod edit;
mod index;
pub mod key;
pub mod link;
mod operation;
pub mod plant;
pub mod policy;
pub mod query;
pub mod rank;
pub mod ranking;
pub mod receipt;
pub mod record;
mod refine;
mod refusal;
mod relevance;
mod restore;
mod tables;
pub mod term_index;
pub mod touch;
pub mod undo;
