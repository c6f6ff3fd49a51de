//! Rules are learned from the steps of a run, checked, and given a place among the lessons.

pub mod attempt;
pub mod call;
pub mod candidate;
pub mod contrast;
pub mod failed_action;
pub mod locality;
pub mod merge;
pub mod opposite;
pub mod pattern;
pub mod quality;
pub mod rejection;
pub mod tool_words;
pub mod watched_form;
pub mod wrong_form;
