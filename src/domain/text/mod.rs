//! What a text says, as far as rules can tell: its words, how alike two texts are, and whether two
//! texts that look alike still mean different things.
//!
//! Everything here is a pure function of the text, and gives the same answer on every platform: no
//! logarithm, no power, no hash order reaches a result.
pub mod antonyms;
pub mod code;
pub mod guard;
pub mod identifiers;
pub mod lower_words;
mod markup;
pub mod mentions;
pub mod negation;
pub mod numbers;
pub mod quotes;
pub mod similar;
pub mod similarity;
pub mod spelling;
pub mod stop_words;
pub mod subject;
pub mod symbols;
pub mod wording;
pub mod words;
