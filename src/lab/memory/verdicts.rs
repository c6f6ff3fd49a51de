//! Whether advice was right: what worked in the end is what shows it.
//!
//! A try that followed advice may fail for quite another reason, and one that succeeded may owe it to
//! something else. So advice is judged when the step of the plan is done: it was right if it brought the
//! proposal nearer to what worked, wrong if it led away from it, and nothing is said if it did neither.

use std::collections::BTreeMap;

use crate::domain::lesson::ids::LessonId;
use crate::domain::lesson::run::Followed;
use crate::lab::executor::Step;
use crate::lab::tokens::{differing, tokens};

/// Tries that were made on advice and wait for the end of their step of the plan.
#[derive(Debug, Default)]
pub(super) struct Verdicts {
    waiting: BTreeMap<String, Vec<Try>>,
    followed: Vec<Followed>,
}

#[derive(Debug)]
struct Try {
    step: u32,
    proposed: String,
    action: String,
    lessons: Vec<LessonId>,
}

impl Verdicts {
    /// Takes in a step.
    pub(super) fn see(&mut self, step: &Step, number: u32) {
        let lessons: Vec<LessonId> = step
            .followed
            .iter()
            .filter_map(|hint| hint.parse().ok())
            .collect();
        let waiting = self.waiting.entry(step.plan_step.clone()).or_default();
        if !lessons.is_empty() {
            waiting.push(Try {
                step: number,
                proposed: step.proposed.clone(),
                action: step.action.clone(),
                lessons,
            });
        }
        if step.feedback.is_failure() {
            return;
        }
        let tries = self.waiting.remove(&step.plan_step).unwrap_or_default();
        let worked = tokens(&step.action);
        for one in tries {
            let before = differing(&tokens(&one.proposed), &worked);
            let after = differing(&tokens(&one.action), &worked);
            match after.cmp(&before) {
                std::cmp::Ordering::Less => self.judged(&one, number),
                std::cmp::Ordering::Equal => {}
                std::cmp::Ordering::Greater => self.judged(&one, one.step),
            }
        }
    }

    /// All verdicts of the run; advice in steps that were never done has failed.
    pub(super) fn end(mut self) -> Vec<Followed> {
        for one in std::mem::take(&mut self.waiting).into_values().flatten() {
            self.judged(&one, one.step);
        }
        self.followed
    }

    /// The first verdict on a lesson is the one of the run.
    fn judged(&mut self, one: &Try, step: u32) {
        for lesson in &one.lessons {
            if self.followed.iter().all(|known| known.lesson != *lesson) {
                self.followed.push(Followed {
                    lesson: *lesson,
                    step,
                });
            }
        }
    }
}
