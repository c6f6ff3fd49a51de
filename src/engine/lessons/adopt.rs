//! Verb: accept lessons that were changed by hand in the store.

use crate::domain::lesson::ids::LessonId;
use crate::domain::lesson::lesson::Owner;
use crate::engine::error::EngineResult;
use crate::engine::handle::Engine;

impl Engine {
    /// Brings derived data back in line with the lessons of a learner, and returns the lessons that differed from the
    /// engine's own writes.
    pub async fn adopt_lessons(&self, owner: &Owner) -> EngineResult<Vec<LessonId>> {
        Ok(self.store().adopt_lessons(owner).await?)
    }
}
