//! Lessons enter from another program, store or export, and leave for another store.

mod adopt;
pub(super) mod copy;
pub(super) mod import;
pub(super) mod learned_elsewhere;
pub(super) mod restore;
