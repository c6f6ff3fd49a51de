//! Retrieves the lessons that help, and records their uses.

mod activate;
mod before_action;
pub(super) mod retrieve;
pub(super) mod retrieved_lesson;
mod session_start;
mod view;
