//! The commands `delta`: apply, list and undo the deltas of a memory.

pub(crate) mod apply;
pub(crate) mod log;
pub(crate) mod undo;
