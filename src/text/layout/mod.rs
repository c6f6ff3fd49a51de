//! The form of a text: marks, headings, sentences, and its length.

pub mod dated;
pub mod invisible;
pub mod markup;
pub mod passage;
pub mod preview;
pub mod sentences;
pub mod tokens;
