//! Verb: import the steps that another program recorded, then the lessons that it learned from them.
//!
//! Steps go in batches, each of which is written whole or not at all; sent again, they count once, so an import that
//! was cut off is simply sent again.

use super::import::{LessonImport, LessonsImported};
use crate::error::EngineResult;
use crate::handle::Engine;
use crate::lessons::requests::StepInput;
use crate::lessons::steps::capture::Captured;
use hindlore_domain::lesson::lesson::LearnerId;

/// The results of both.
#[derive(Clone, PartialEq, Debug)]
pub struct LearnedElsewhere {
    /// The steps.
    pub captured: Captured,
    /// The lessons.
    pub lessons: LessonsImported,
}

impl Engine {
    /// Captures the steps of another program and imports its lessons.
    ///
    /// # Errors
    /// Those of `capture_all` and `import_lessons`; batches before the failed one stay.
    pub async fn import_learned(
        &self,
        owner: &LearnerId,
        steps: Vec<StepInput>,
        lessons: LessonImport,
    ) -> EngineResult<LearnedElsewhere> {
        let captured = self.capture_all(owner, None, steps).await?;
        let lessons = self.import_lessons(owner, lessons).await?;
        Ok(LearnedElsewhere { captured, lessons })
    }
}
