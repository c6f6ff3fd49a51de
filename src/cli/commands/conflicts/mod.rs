//! The commands `conflicts`: list contradictions, and record a decision about two of them.

pub(crate) mod list;
pub(crate) mod resolve;
