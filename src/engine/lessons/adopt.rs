//! Verb: take lessons that were changed by hand in the store as they stand.

use crate::domain::lesson::ids::LessonId;
use crate::domain::lesson::lesson::Owner;
use crate::engine::error::EngineResult;
use crate::engine::handle::Engine;

impl Engine {
    /// Makes what follows from the lessons of a learner agree with them again, and gives those of which something was
    /// not as the engine had written it.
    pub async fn adopt_lessons(&self, owner: &Owner) -> EngineResult<Vec<LessonId>> {
        Ok(self.store().adopt_lessons(owner).await?)
    }
}
