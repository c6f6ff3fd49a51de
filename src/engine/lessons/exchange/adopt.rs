//! Verb: accept lessons that were changed by hand in the store.

use crate::error::EngineResult;
use crate::handle::Engine;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_primitives::ids::LessonId;

impl Engine {
    /// Brings derived data back in line with the lessons of a learner, and returns the lessons that differed from the
    /// engine's own writes.
    pub async fn adopt_lessons(&self, owner: &LearnerId) -> EngineResult<Vec<LessonId>> {
        Ok(self.store().adopt_lessons(owner).await?)
    }
}
