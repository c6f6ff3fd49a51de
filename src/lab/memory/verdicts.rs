//! Whether advice was right: what worked in the end is what shows it.
//!
//! A try that followed advice may fail for quite another reason, and one that succeeded may owe it to
//! something else. So advice is judged when the step of the plan is done: what was followed was right if it
//! brought the proposal nearer to what worked, and wrong if it led away from it. Advice that nobody
//! followed earns nothing and harms nothing, but it is refuted when it calls wrong what worked, or would not
//! have brought a proposal nearer to it.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::domain::lesson::ids::LessonId;
use crate::domain::lesson::pattern::Reading;
use crate::domain::lesson::rule::Rule;
use crate::domain::lesson::run::Followed;
use crate::lab::executor::Step;
use crate::lab::tokens::{differing, tokens};

/// The advice of a run, and the tries that wait for the end of their step of the plan.
#[derive(Debug, Default)]
pub(super) struct Verdicts {
    advice: Vec<Advice>,
    waiting: BTreeMap<String, Vec<Try>>,
    judged: BTreeSet<LessonId>,
    ended: Judged,
}

/// All verdicts of a run, at most one for a lesson.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Judged {
    /// Advice that was followed, with the step that shows what came of it.
    pub(super) followed: Vec<Followed>,
    /// Advice that was not followed, and refuted.
    pub(super) refuted: BTreeSet<LessonId>,
}

#[derive(Debug)]
struct Advice {
    lesson: LessonId,
    /// The kind of step that it is about.
    about: Option<String>,
    wrong: Reading,
    correct: Option<Reading>,
}

#[derive(Debug)]
struct Try {
    step: u32,
    proposed: String,
    action: String,
    lessons: Vec<LessonId>,
}

impl Verdicts {
    /// Takes in advice that is given.
    pub(super) fn give(&mut self, lesson: LessonId, rule: &Rule, about: Option<String>) {
        if let Some(wrong) = rule.wrong() {
            self.advice.push(Advice {
                lesson,
                about,
                wrong: Reading::of(wrong),
                correct: rule.correct().map(Reading::of),
            });
        }
    }

    /// Takes in a step.
    pub(super) fn see(&mut self, step: &Step, number: u32) {
        let followed = step.followed.iter().filter_map(|hint| hint.parse().ok());
        let own = Try {
            step: number,
            proposed: step.proposed.clone(),
            action: step.action.clone(),
            lessons: followed.collect(),
        };
        if step.feedback.is_failure() {
            let waiting = self.waiting.entry(step.plan_step.clone()).or_default();
            waiting.push(own);
            return;
        }
        let failed = self.waiting.remove(&step.plan_step).unwrap_or_default();
        self.judge_followed(&failed, &own);
        self.judge_ignored(&failed, step);
    }

    /// All verdicts of the run; what was followed in steps that were never done has failed.
    pub(super) fn end(mut self) -> Judged {
        for one in std::mem::take(&mut self.waiting).into_values().flatten() {
            for lesson in one.lessons {
                self.judge(lesson, one.step);
            }
        }
        self.ended
    }

    fn judge_followed(&mut self, failed: &[Try], worked: &Try) {
        let target = tokens(&worked.action);
        for one in failed.iter().chain([worked]) {
            let before = differing(&tokens(&one.proposed), &target);
            let after = differing(&tokens(&one.action), &target);
            let step = match after.cmp(&before) {
                Ordering::Less => worked.step,
                Ordering::Equal => continue,
                Ordering::Greater => one.step,
            };
            for lesson in &one.lessons {
                self.judge(*lesson, step);
            }
        }
    }

    fn judge_ignored(&mut self, failed: &[Try], worked: &Step) {
        let (target, read) = (tokens(&worked.action), Reading::of(&worked.action));
        let proposed = failed.iter().flat_map(|one| [&one.proposed, &one.action]);
        let tried: BTreeSet<&String> = proposed.chain([&worked.proposed]).collect();
        let is_about = |advice: &&Advice| {
            let about = advice.about.as_ref();
            about.is_none_or(|about| *about == worked.intent)
        };
        let brings_nothing = |advice: &Advice, action: &String| {
            let correct = advice.correct.as_ref();
            let made =
                correct.and_then(|correct| advice.wrong.rewritten(correct, &Reading::of(action)));
            made.is_some_and(|made| {
                differing(&tokens(&made), &target) >= differing(&tokens(action), &target)
            })
        };
        let open = self.advice.iter().filter(is_about);
        let refuted: Vec<LessonId> = open
            .filter(|advice| !self.judged.contains(&advice.lesson))
            .filter(|advice| {
                advice.wrong.fits(&read)
                    || tried.iter().any(|action| brings_nothing(advice, action))
            })
            .map(|advice| advice.lesson)
            .collect();
        self.judged.extend(refuted.iter().copied());
        self.ended.refuted.extend(refuted);
    }

    /// The first verdict on a lesson is the one of the run.
    fn judge(&mut self, lesson: LessonId, step: u32) {
        if self.judged.insert(lesson) {
            self.ended.followed.push(Followed { lesson, step });
        }
    }
}
