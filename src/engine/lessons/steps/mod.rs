//! Steps and errors, from the report of a caller to their records.

pub(super) mod capture;
pub(crate) mod capture_all;
mod diagnosed;
pub(super) mod names;
mod numbering;
pub(super) mod reported;
