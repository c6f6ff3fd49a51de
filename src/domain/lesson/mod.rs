//! Lessons: how failures become rules, and how outcomes decide which rules stay.
//!
//! The way of an error: [`event::capture`] records a failed step with its [`fingerprint`] and [`tag`]s; at the end of
//! the run [`contrast::learn`] (or a model) proposes [`candidate`]s, and [`candidate::admit`] checks each of them;
//! [`merge::place`] finds the place of a new lesson, and [`conflict`] its contradictions. [`retrieval`] walks from an
//! error to the lessons near it. Each use is an [`activation`]; [`attribution`] gives it a row of evidence by the
//! actions taken, [`utility::settle`] values it, and [`promotion::decide`] turns the [`evidence`] into a status, with
//! every row it rests on.
//!
//! Nothing here reads a clock, draws a number or waits: a store delivers rows, the rules decide, and the engine writes
//! the decisions.

pub mod activation;
pub mod assertion;
pub mod attempt;
pub mod attribution;
pub mod call;
pub mod candidate;
pub mod classic;
pub mod comparison;
pub mod conflict;
pub mod contrast;
pub mod event;
pub mod evidence;
pub mod evidence_row;
pub mod evidence_rows;
pub mod feedback;
pub mod interval;
#[allow(
    clippy::module_inception,
    reason = "the lesson is what this folder is about, and its type needs a file like any other"
)]
pub mod lesson;
pub mod lesson_policy;
pub mod lifecycle;
pub mod locality;
pub mod merge;
pub mod metrics;
pub mod outcome;
pub mod pattern;
pub mod promotion;
pub mod proof_state;
pub mod quality;
pub mod rejection;
pub mod retrieval;
pub mod rule;
pub mod run;
pub mod status;
pub mod summary;
pub mod trace;
pub mod utility;
pub mod verdict_numbers;
pub mod wrong_form;
