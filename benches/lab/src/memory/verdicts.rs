//! Whether advice was right: what worked in the end is what shows it.
//!
//! A try that followed advice may fail for quite another reason, and one that succeeded may owe it to
//! something else. So advice is judged when the step of the plan is done, by what that step says about the
//! claim of the rule; where the rule was carried over to an action that it does not speak of, by whether the
//! action came nearer to what worked. Of steps that disagree the majority decides: one verdict for a run.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::executor::Step;
use crate::tokens::{differing, tokens};
use mnemograph::domain::lesson::assertion::{self, Assertion, PriorEvidence, ResolvedStep};
use mnemograph::domain::lesson::ids::LessonId;
use mnemograph::domain::lesson::pattern::Reading;

/// The steps of a run, and the tries that wait for the end of their step of the plan.
#[derive(Debug, Default)]
pub(super) struct Verdicts {
    waiting: BTreeMap<String, Vec<Try>>,
    done: Vec<Done>,
    /// The step of the plan that was tried last.
    last: String,
    /// Its kind.
    last_kind: String,
    /// The kinds of steps that were tried.
    kinds: BTreeSet<String>,
    /// By step: what was done.
    actions: BTreeMap<u32, Reading>,
}

/// The advice of a lesson.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Advice {
    pub(super) lesson: LessonId,
    pub(super) claim: Assertion,
    /// The kind of step that it is about; any where absent.
    pub(super) about: Option<String>,
}

/// What a run says about the advice of a lesson.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Verdict {
    pub(super) testimony: assertion::Verdict,
    /// The step that shows what came of following it; absent when nobody followed it.
    pub(super) followed: Option<u32>,
}

/// A step of the plan that was done.
#[derive(Debug)]
struct Done {
    intent: String,
    solved: ResolvedStep,
    /// All tries, the one that worked as the last.
    tries: Vec<Try>,
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
        self.actions.insert(number, Reading::of(&step.action));
        self.last.clone_from(&step.plan_step);
        self.last_kind.clone_from(&step.intent);
        self.kinds.insert(step.intent.clone());
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
        let mut tries = self.waiting.remove(&step.plan_step).unwrap_or_default();
        tries.push(own);
        let tried = tries.iter().flat_map(|one| [&one.proposed, &one.action]);
        self.done.push(Done {
            intent: step.intent.clone(),
            solved: ResolvedStep::new(tried.map(String::as_str), &step.action),
            tries,
        });
    }

    /// What was done at each step.
    pub(super) fn actions(&self) -> &BTreeMap<u32, Reading> {
        &self.actions
    }

    /// What worked, with the kind of step that it worked in.
    pub(super) fn worked(&self) -> impl Iterator<Item = (&str, &str)> {
        self.done
            .iter()
            .filter_map(|done| Some((done.intent.as_str(), done.tries.last()?.action.as_str())))
    }

    /// Tells whether something worked that has a form, in a step of this kind.
    pub(super) fn has_worked(&self, form: &Reading, about: Option<&String>) -> bool {
        self.of_kind(about).any(|done| done.solved.has(form))
    }

    /// Tells whether something that worked in a step of this kind is of a form, or holds it.
    pub(super) fn holds(&self, form: &Reading, about: Option<&String>) -> bool {
        self.of_kind(about).any(|done| done.solved.holds(form))
    }

    /// Tells whether the run came to a kind of step.
    pub(super) fn came_to(&self, kind: &str) -> bool {
        self.kinds.contains(kind)
    }

    /// Tells whether the run ended with a step of this kind that was never done.
    pub(super) fn ended_in(&self, about: Option<&String>) -> bool {
        let is_undone = self.waiting.contains_key(&self.last);
        is_undone && about.is_none_or(|about| *about == self.last_kind)
    }

    /// Judges the advice of a lesson by what is known of its forms.
    pub(super) fn about(&self, advice: &Advice, known: PriorEvidence) -> Verdict {
        let mut tally = Tally::default();
        for done in self.of_kind(advice.about.as_ref()) {
            let followed = |one: &&Try| one.lessons.contains(&advice.lesson);
            let mut tries = done.tries.iter().filter(followed);
            let testimony = match done.solved.about(&advice.claim, known) {
                assertion::Verdict::Silent => carried(tries.clone(), done),
                said => said,
            };
            let shown = tries.next().and_then(|one| match testimony {
                assertion::Verdict::Supports => done.tries.last().map(|last| last.step),
                _ => Some(one.step),
            });
            tally.add(testimony, shown);
        }
        // Advice that was never seen to work and that the run ended with has failed.
        let undone = self.waiting.get(&self.last).into_iter().flatten();
        let mut ended = undone.filter(|one| one.lessons.contains(&advice.lesson));
        if let Some(one) = ended.next().filter(|_| !known.correct_works) {
            tally.add(assertion::Verdict::Refutes, Some(one.step));
        }
        tally.verdict()
    }

    fn of_kind<'v>(&'v self, about: Option<&'v String>) -> impl Iterator<Item = &'v Done> {
        self.done
            .iter()
            .filter(move |done| about.is_none_or(|about| *about == done.intent))
    }
}

/// Whether tries that followed a rule by analogy came nearer to what worked; the majority of them.
fn carried<'t>(tries: impl Iterator<Item = &'t Try>, done: &Done) -> assertion::Verdict {
    let target = tokens(done.tries.last().map_or("", |last| &last.action));
    let sum: i64 = tries
        .map(|one| {
            let before = differing(&tokens(&one.proposed), &target);
            match differing(&tokens(&one.action), &target).cmp(&before) {
                Ordering::Less => 1,
                Ordering::Equal => 0,
                Ordering::Greater => -1,
            }
        })
        .sum();
    match sum.cmp(&0) {
        Ordering::Greater => assertion::Verdict::Supports,
        Ordering::Equal => assertion::Verdict::Silent,
        Ordering::Less => assertion::Verdict::Refutes,
    }
}

/// What the steps of a run say about one lesson.
#[derive(Default)]
struct Tally {
    supports: usize,
    refutes: usize,
    /// The first steps that show what came of following it, by what they show.
    shown: BTreeMap<assertion::Verdict, u32>,
}

impl Tally {
    fn add(&mut self, testimony: assertion::Verdict, shown: Option<u32>) {
        match testimony {
            assertion::Verdict::Supports => self.supports += 1,
            assertion::Verdict::Refutes => self.refutes += 1,
            assertion::Verdict::Silent => return,
        }
        if let Some(step) = shown {
            self.shown.entry(testimony).or_insert(step);
        }
    }

    fn verdict(&self) -> Verdict {
        let testimony = match self.supports.cmp(&self.refutes) {
            Ordering::Greater => assertion::Verdict::Supports,
            Ordering::Less => assertion::Verdict::Refutes,
            Ordering::Equal => assertion::Verdict::Silent,
        };
        Verdict {
            testimony,
            followed: self.shown.get(&testimony).copied(),
        }
    }
}
