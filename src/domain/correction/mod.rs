//! Corrections: what a person teaches in passing, read from a turn without a model.
//!
//! A person who corrects an agent states a practice ("we use pnpm here") or gives an order after a failure ("don't edit
//! generated files"). Such a sentence is worth more than any lesson from a trace, and a wrong one costs trust, so the
//! rules prefer to miss a correction. Each rule is a pattern over words, kept as data by language.
//!
//! Deliberately absent: any judgement of whether the person is right. A correction is only proposed; a person or a second
//! session releases it.

mod language;
mod pattern;
mod prose;
mod same;
mod sentence;
mod stated_lesson;
#[cfg(test)]
mod tests;
mod turn;

pub use self::same::Wording;
pub use self::stated_lesson::{STATED_MAX, StatedLesson, stated_lessons};
pub use self::turn::{CORRECTION_MAX_CHARS, TurnContext, correction};
