//! The commands `trajectory`: record, show and list the work of an agent step by step.

pub(crate) mod complete;
pub(crate) mod feedback;
pub(crate) mod list;
pub(crate) mod log;
pub(crate) mod show;
pub(crate) mod start;
