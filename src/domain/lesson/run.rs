//! A run as the lifecycle of lessons sees it: where it happened, how it ended, and which fingerprints
//! were raised at which steps.

use serde::{Deserialize, Serialize};

use super::lesson::Place;
use hindlore_primitives::ids::{FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;

/// A fingerprint that was raised in a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Occurrence {
    /// The step that failed.
    pub step: u32,
    /// The fine fingerprint.
    pub fine: FingerprintId,
    /// The coarse one.
    pub coarse: FingerprintId,
}

impl Occurrence {
    /// Returns true if it is of one of these fingerprints, on either level.
    pub fn is_of(&self, triggers: &[FingerprintId]) -> bool {
        triggers.binary_search(&self.fine).is_ok() || triggers.binary_search(&self.coarse).is_ok()
    }
}

/// Which lesson was in force from which step on; step 0 is before the run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InForce {
    /// The lesson.
    pub lesson: LessonId,
    /// The step after which it was returned.
    pub from_step: u32,
    /// The fingerprints that it was in force for, sorted.
    pub triggers: Vec<FingerprintId>,
}

/// A step that was taken on the advice of a lesson, as the adapter reports it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Followed {
    /// The lesson.
    pub lesson: LessonId,
    /// The step.
    pub step: u32,
}

/// A run that has ended.
#[derive(Clone, PartialEq, Debug)]
pub struct RunRecord {
    /// Its name.
    pub id: String,
    /// Task, domain and tool.
    pub place: Place,
    /// Passed or failed, if an evaluator judged it.
    pub passed: Option<bool>,
    /// The score of an evaluator or a referee, 0..=1.
    pub score: Option<f64>,
    /// Steps taken.
    pub steps: u32,
    /// The failures, in the order of the steps.
    pub occurrences: Vec<Occurrence>,
    /// The lessons that were returned and not withheld.
    pub in_force: Vec<InForce>,
    /// The steps taken on the advice of lessons, as the adapter reports them.
    pub followed: Vec<Followed>,
    /// Its attempts: programs with their sub-commands, and tools, sorted. Empty if unknown.
    pub subjects: Vec<String>,
    /// True for a run of the control share, from which lessons may be withheld.
    pub control: bool,
    /// When it ended.
    pub ended_at: Timestamp,
}

impl RunRecord {
    /// Returns true if one of these fingerprints was raised; they are sorted.
    pub fn raised(&self, triggers: &[FingerprintId]) -> bool {
        self.occurrences
            .iter()
            .any(|occurrence| occurrence.is_of(triggers))
    }

    /// Returns true if a lesson was in force at some step.
    pub fn had(&self, lesson: LessonId) -> bool {
        self.in_force.iter().any(|row| row.lesson == lesson)
    }

    /// Returns true if a lesson was offered before the first step.
    pub fn was_offered(&self, lesson: LessonId) -> bool {
        let is_before = |row: &InForce| row.lesson == lesson && row.from_step == 0;
        self.in_force.iter().any(is_before)
    }

    /// Returns true if it attempted one of these subjects; an empty list counts as attempted.
    pub fn attempted(&self, subjects: &[String]) -> bool {
        let is_known = |subject: &String| self.subjects.binary_search(subject).is_ok();
        subjects.is_empty() || subjects.iter().any(is_known)
    }

    /// Returns true if an evaluator judged that the run failed.
    pub fn failed(&self) -> bool {
        self.passed == Some(false)
    }

    /// The run with only those failures whose step is `spoken_of`.
    ///
    /// A tool may print the same message for many mistakes. Where the actions are known, a lesson answers for the
    /// failures that its rule is about, in the run at hand and in its baseline alike.
    pub fn about(&self, spoken_of: impl Fn(u32) -> bool) -> Self {
        let mut run = self.clone();
        run.occurrences.retain(|one| spoken_of(one.step));
        run
    }
}

/// The runs that a run may be compared with: of the same task, else of the same domain and tool.
pub fn comparable<'r>(run: &RunRecord, others: &'r [RunRecord]) -> Vec<&'r RunRecord> {
    let others = || others.iter().filter(|other| other.id != run.id);
    let of_task: Vec<&RunRecord> = others()
        .filter(|other| run.place.shares_task(&other.place))
        .collect();
    if !of_task.is_empty() {
        return of_task;
    }
    others()
        .filter(|other| run.place.shares_domain(&other.place))
        .collect()
}
