//! What the memory arm keeps in process: lessons, runs, activations, decisions.

use std::collections::BTreeMap;

use crate::domain::lesson::activation::Activation;
use crate::domain::lesson::ids::{FingerprintId, LessonId};
use crate::domain::lesson::lesson::{Lesson, NewLesson, Owner, Place, Reach, Status};
use crate::domain::lesson::numbers::Numbers;
use crate::domain::lesson::promotion::Decision;
use crate::domain::lesson::rule::Rule;
use crate::domain::lesson::run::RunRecord;
use crate::domain::timestamp::Timestamp;

/// A wrong lesson to be planted.
#[derive(Clone, PartialEq, Debug)]
pub struct Planted {
    /// What it says.
    pub rule: Rule,
    /// What calls for it.
    pub triggers: Vec<FingerprintId>,
    /// What it is said to be about.
    pub tags: Vec<String>,
    /// Where it claims to be from.
    pub place: Place,
    /// How reliable it claims to be.
    pub reliability: f64,
}

/// Domain values, and how the rules are set.
#[derive(Debug, Default)]
pub struct Keeper {
    /// Every lesson by its id.
    pub lessons: BTreeMap<LessonId, Lesson>,
    /// Runs that ended, oldest first.
    pub runs: Vec<RunRecord>,
    /// Settled activations, oldest first.
    pub activations: Vec<Activation>,
    /// Decisions, oldest first.
    pub decisions: Vec<Decision>,
    /// How the rules are set.
    pub numbers: Numbers,
    /// Occurrences in all runs by fine fingerprint.
    pub seen: BTreeMap<FingerprintId, u64>,
}

impl Keeper {
    /// Notes that a lesson was returned and gives its text.
    pub(super) fn returned(&mut self, id: LessonId, at: Timestamp) -> Option<String> {
        let lesson = self.lessons.get_mut(&id)?;
        lesson.counts.retrieved += 1;
        lesson.used_at = Some(at);
        lesson.unused_opportunities = 0;
        Some(lesson.rule.as_str().to_owned())
    }

    /// Keeps a new lesson. The same rule with a common trigger is the same lesson: triggers and sources
    /// are united, and what was suppressed stays suppressed.
    pub(super) fn keep(&mut self, lesson: Lesson) {
        let rule = lesson.rule.normalised();
        let known = self.lessons.values_mut().find(|known| {
            known.rule.normalised() == rule
                && known.place.tool == lesson.place.tool
                && known.shares_trigger(&lesson)
        });
        match known {
            Some(known) => {
                known.triggers.extend(lesson.triggers);
                known.triggers.sort_unstable();
                known.triggers.dedup();
                known.tags.extend(lesson.tags);
                known.tags.sort_unstable();
                known.tags.dedup();
                known.source_runs.extend(lesson.source_runs);
                known.evidence_at = lesson.evidence_at;
            }
            None => {
                self.lessons.insert(lesson.id, lesson);
            }
        }
    }

    /// Puts a lesson in that no run has taught; gives its id.
    pub fn plant(&mut self, planted: Planted, at: Timestamp) -> Option<LessonId> {
        let mut lesson = Lesson::new(NewLesson {
            owner: owner()?,
            rule: planted.rule,
            triggers: planted.triggers,
            tags: planted.tags,
            reach: Reach::Domain,
            place: planted.place,
            source_run: None,
            at,
        });
        lesson.reliability = planted.reliability;
        let id = lesson.id;
        self.lessons.insert(id, lesson);
        Some(id)
    }

    /// Lessons of a status.
    pub fn count(&self, status: Status) -> usize {
        self.lessons
            .values()
            .filter(|lesson| lesson.status == status)
            .count()
    }
}

/// Whose lessons they are: the laboratory's.
pub(super) fn owner() -> Option<Owner> {
    Owner::new("lab", "executor").ok()
}
