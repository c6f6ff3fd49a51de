//! The commands `runs`: list, show and end the runs of a learner.

pub(crate) mod end;
pub(crate) mod list;
pub(crate) mod show;
