//! Runs from their start to their end, at which the rules learn from them.

mod ancestry;
mod contradicted;
mod copied;
pub(super) mod end;
mod ending;
mod idle;
mod late_result;
mod record;
pub(super) mod start;
pub(super) mod working_set;
