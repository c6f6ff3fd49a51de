//! Verb: read everything an export of a memory holds, including the lessons of its learner.

use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::memory::bullets::MemoryView;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::lessons::reading::LessonsCopy;

/// Contents of an export. A learner may have lessons and no memory under the key, or the other way round.
#[derive(Clone, PartialEq, Debug)]
pub struct Exported {
    /// The memory; absent if the key has none.
    pub view: Option<MemoryView>,
    /// Lessons, errors and runs of the learner; absent if there are none, or they were not requested.
    pub lessons: Option<LessonsCopy>,
    /// Scopes of the learner's other memories, each of which needs its own export.
    pub other_scopes: Vec<String>,
}

impl Engine {
    /// Reads a whole memory and, `with_lessons`, everything its learner learned from failures.
    ///
    /// # Errors
    ///
    /// `NoMemory` if there is nothing to export.
    pub async fn export(&self, key: &MemoryKey, with_lessons: bool) -> EngineResult<Exported> {
        let view = self.view(key).await?;
        let lessons = if with_lessons {
            self.lessons_of(key).await?
        } else {
            None
        };
        if view.is_none() && lessons.is_none() {
            return Err(EngineError::NoMemory(key.clone()));
        }
        let own = self.memories(key.tenant(), Some(key.learner())).await?;
        let others = own.into_iter().filter(|one| one.key != *key);
        Ok(Exported {
            view,
            lessons,
            other_scopes: others.map(|one| one.key.scope().to_owned()).collect(),
        })
    }

    async fn lessons_of(&self, key: &MemoryKey) -> EngineResult<Option<LessonsCopy>> {
        let owner = LearnerId::new(key.tenant(), key.learner())
            .map_err(|error| EngineError::Invalid(error.to_string()))?;
        let copy = self.store().copy_lessons_out(&owner).await?;
        Ok(copy.filter(|copy| !copy.is_empty()))
    }
}
