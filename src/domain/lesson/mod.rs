//! Lessons: how failures become rules, and how outcomes decide which rules stay.
//!
//! The way of an error: [`event::capture`] records a failed step with its [`fingerprint`](hindlore_errors::fingerprint)
//! and [`tag`](hindlore_errors::tag)s; at the end of the run [`learning::contrast::learn`] (or a model) proposes
//! candidates, and [`learning::candidate::admit`] checks each of them; [`learning::merge::place`] finds the place of a
//! new lesson, and [`conflict`] its contradictions. [`retrieval`] walks from an
//! error to the lessons near it. Each use is an [`activation`]; [`attribution`] gives it a row of evidence by the
//! actions taken, [`evidence::utility::settle`] values it, and [`promotion::decide`] turns the
//! [`evidence`] into a status, with every row it rests on.
//!
//! Nothing here reads a clock, draws a number or waits: a store delivers rows, the rules decide, and the engine writes
//! the decisions.

pub mod activation;
mod advice;
pub mod conflict;
pub mod event;
pub mod evidence;
pub mod feedback;
pub mod learning;
#[allow(
    clippy::module_inception,
    reason = "the lesson is what this folder is about, and its type needs a file like any other"
)]
pub mod lesson;
pub mod lesson_policy;
pub mod lifecycle;
pub mod metrics;
pub mod promotion;
pub mod retrieval;
pub mod rule;
pub mod run;
pub mod status;
pub mod trace;
