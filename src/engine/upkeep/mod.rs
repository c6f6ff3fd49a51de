//! The verbs of operators: they consolidate, check and repair memories, bring them in and out, and erase them.

pub(super) mod adopt;
pub(super) mod consolidate;
mod consolidating;
pub(super) mod copy;
pub(super) mod erase;
pub(super) mod export;
mod forget_learner;
pub(super) mod import;
mod maintenance;
mod preview_import;
pub(super) mod repair;
mod sync_import;
pub(super) mod verify;
