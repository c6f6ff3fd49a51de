//! The commands `errors`: record and list the errors of a learner.

pub(crate) mod capture;
pub(crate) mod list;
