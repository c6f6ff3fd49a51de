//! The settings of the lesson verbs.

use std::sync::Arc;

use crate::proposer::Proposer;
use hindlore_domain::lesson::conflict::ConflictRules;
use hindlore_domain::lesson::learning::quality::QualityRules;
use hindlore_domain::lesson::lesson_policy::LessonPolicy;
use hindlore_domain::trajectory::TrajectoryPolicy;
use hindlore_errors::tag::TagRules;
use hindlore_text::guard::MergeGuard;

/// The settings of the lesson verbs.
#[derive(Debug)]
pub struct LessonRules {
    /// Weights, limits and gates.
    pub numbers: LessonPolicy,
    /// The vocabulary of tags.
    pub tags: TagRules,
    /// The requirements for a candidate.
    pub quality: QualityRules,
    /// The rules for contradictions.
    pub conflicts: ConflictRules,
    /// The rules that keep different lessons apart.
    pub guard: MergeGuard,
    /// How long the steps of trajectories are kept.
    pub trajectories: TrajectoryPolicy,
    /// Decides which runs are control runs.
    pub control_seed: u64,
    /// After this long without a report a run is ended, in milliseconds.
    pub idle_ms: u32,
    /// Proposes lessons in addition to the comparison of steps; `None`: no model is asked.
    pub proposer: Option<Arc<dyn Proposer>>,
    /// Proposes the insights of a reflection; `None`: the rules reflect.
    pub reflector: Option<Arc<dyn Proposer>>,
}

impl Default for LessonRules {
    fn default() -> Self {
        Self {
            numbers: LessonPolicy::default(),
            tags: TagRules::standard(),
            quality: QualityRules::standard(),
            conflicts: ConflictRules::new(&[]),
            guard: MergeGuard::standard(),
            trajectories: TrajectoryPolicy::default(),
            control_seed: 0,
            idle_ms: 30 * 60 * 1_000,
            proposer: None,
            reflector: None,
        }
    }
}
