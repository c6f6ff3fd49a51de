//! Names, hashes, ids, times and enums with fixed words: the values that every other crate shares.
//!
//! Each is checked where it is made, so that the rest of the project need not check it again. [`steps`] counts the work
//! of a computation, which bounds it without a clock.
//!
//! # Example
//!
//! ```
//! use hindlore_primitives::ids::{LessonId, derive};
//! use hindlore_primitives::timestamp::Timestamp;
//!
//! let id = LessonId(derive(&["agent-7", "quote the path"]));
//! assert_eq!(id.to_string().parse(), Ok(id));
//! assert!("fp_0123456789abcdef0123".parse::<LessonId>().is_err());
//!
//! let day = Timestamp::parse("2026-09-21T10:00:00+02:00").map(|at| at.to_string());
//! assert_eq!(day.as_deref(), Some("2026-09-21T08:00:00.000Z"));
//! ```

pub mod identity;
pub mod ids;
pub mod steps;
pub mod timestamp;
mod word_enum;
