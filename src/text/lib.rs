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
pub mod dates;
pub mod guard;
pub mod layout;
pub mod literals;
pub mod negation;
pub mod similar;
pub mod similarity;
pub mod standing;
pub mod statement;
pub mod subject;
pub mod words;
