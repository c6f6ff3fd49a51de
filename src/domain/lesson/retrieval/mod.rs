//! Retrieval: which lessons help with a task before it starts, and with an error when it happens.
//!
//! Gather, then decide. A [`walk`](walk::walk) reads a bounded neighbourhood of the error from a
//! [`GraphView`](view::GraphView) of any store; [`choose`](choose::choose) scores the lessons reached and keeps those
//! that pass lanes, contradictions and guards. A store may answer the reads one by one, or fetch the neighbourhood at
//! once into a [`LocalGraph`](view::LocalGraph): the walk is the same, so the answer is.

pub mod before_action;
pub mod by_text;
pub mod choose;
#[cfg(test)]
mod examples;
mod floor;
pub mod page_rank;
pub mod query;
pub mod score;
pub mod view;
pub mod walk;
pub mod worth_knowing;
