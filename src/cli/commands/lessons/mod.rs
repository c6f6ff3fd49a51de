//! The commands `lessons`: find, show and review the lessons of a learner.

pub(crate) mod brief;
pub(crate) mod conflicts;
pub(crate) mod explain;
pub(crate) mod list;
pub(crate) mod outcome;
pub(crate) mod retrieve;
pub(crate) mod review;
pub(crate) mod show;
pub(crate) mod state;
