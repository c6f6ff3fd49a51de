//! A lesson as a retrieval returns it.

use hindlore_domain::lesson::activation::RetrievalChannel;
use hindlore_domain::lesson::lesson::Lesson;
use hindlore_domain::lesson::lesson_policy::RetrievalNumbers;
use hindlore_domain::lesson::retrieval::score::ScoreParts;
use hindlore_domain::lesson::retrieval::walk::Path;
use hindlore_domain::lesson::status::StatusChange;
use hindlore_primitives::ids::{ActivationId, LessonId};

/// A lesson with why it is returned.
#[derive(Clone, PartialEq, Debug)]
pub struct RetrievedLesson {
    /// The lesson.
    pub lesson: Lesson,
    /// The score that ranks it.
    pub score: f64,
    /// The parts of the score.
    pub parts: ScoreParts,
    /// By which door it came.
    pub lane: RetrievalChannel,
    /// How it was reached.
    pub path: Path,
    /// Lessons left out because they contradict this one.
    pub beat: Vec<LessonId>,
    /// The record of this use; absent without a run.
    pub activation: Option<ActivationId>,
    /// Whether a hook may refuse the action once with this advice.
    pub may_refuse: bool,
    /// The change of its status by the rules since it was last returned.
    pub change: Option<StatusChange>,
}

impl RetrievedLesson {
    /// A lesson that an index gave, on its own: nothing was left out for it and nothing is written down.
    pub(super) fn found(
        lesson: &Lesson,
        path: Path,
        parts: ScoreParts,
        numbers: &RetrievalNumbers,
    ) -> Self {
        let parts = ScoreParts {
            reliability: lesson.reliability.clamp(0.0, 1.0),
            ..parts
        };
        Self {
            lesson: lesson.clone(),
            score: parts.score(numbers),
            parts,
            lane: RetrievalChannel::Strict,
            path,
            beat: Vec::new(),
            activation: None,
            may_refuse: false,
            change: None,
        }
    }
}
