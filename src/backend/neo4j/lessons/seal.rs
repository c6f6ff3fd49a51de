//! The seal of a lesson: a hash of everything that the engine wrote, which reveals an edit by hand.
//!
//! Only the doctor uses it. Reading a lesson always goes by its properties.

use crate::error::Result;
use hindlore_domain::lesson::lesson::Lesson;
use hindlore_primitives::identity::{derived_hash, hex};

/// Bytes of a seal.
const SEAL_BYTES: usize = 16;

/// Returns the seal of a lesson.
pub(super) fn seal(lesson: &Lesson) -> Result<String> {
    let text = serde_json::to_string(lesson)?;
    Ok(hex(&derived_hash(&["lesson", &text])[..SEAL_BYTES]))
}
