//! Lessons: how failures become rules, and how outcomes decide which rules stay.

pub mod action;
pub mod candidate;
pub mod contrast;
pub mod event;
pub mod feedback;
pub mod fingerprint;
pub mod ids;
pub mod lesson;
pub mod pattern;
pub mod quality;
pub mod rule;
pub mod tag;
mod tag_table;
