//! Texts and their comparison: words, similarity, and whether two similar texts mean different things.
//!
//! Everything here is a pure function of the text with the same result on every platform: no logarithm, no
//! power and no hash order reaches a result.
//!
//! # Example
//!
//! ```
//! use hindlore_text::guard::{GuardReason, MergeGuard};
//!
//! let guard = MergeGuard::standard();
//! let retry = guard.features("Retry the request with jitter.");
//! let never = guard.features("Never retry the request with jitter.");
//! assert_eq!(guard.check(&retry, &never), Some(GuardReason::Negation));
//! assert_eq!(guard.check(&retry, &retry.clone()), None);
//! ```

pub mod antonyms;
pub mod code;
pub mod dated;
mod folding;
mod function_words;
pub mod guard;
pub mod identifiers;
pub mod invisible;
mod language;
pub mod lower_words;
pub mod markup;
pub mod mentions;
pub mod negation;
pub mod numbers;
pub mod passage;
pub mod preview;
pub mod quotes;
pub mod search_words;
pub mod sentences;
pub mod similar;
pub mod similarity;
pub mod spelling;
pub mod statement;
pub mod stop_words;
pub mod subject;
pub mod symbols;
pub mod tokens;
pub mod units;
pub mod wording;
pub mod words;
