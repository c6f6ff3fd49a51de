//! The commands `memory`: list, clear and consolidate memories.

pub(crate) mod clear;
pub(crate) mod consolidate;
pub(crate) mod list;
pub(crate) mod rollback;
