//! Lessons: how failures become rules, and how outcomes decide which rules stay.

pub mod action;
pub mod feedback;
pub mod fingerprint;
pub mod ids;
pub mod tag;
mod tag_table;
