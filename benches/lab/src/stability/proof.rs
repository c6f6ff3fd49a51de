//! The right forms, by the references of a tool, which no arm ever sees.
//!
//! A lesson is right when a reference has its correct form and none its wrong one, and when all that it changes in any
//! way of saying a step of the task that it speaks of had to be changed. A rule that is right
//! in one place and wrong in another is not right.

use std::collections::{BTreeMap, BTreeSet};

use crate::chance::Chance;
use crate::tool::{Level, Task, Tool};
use hindlore_domain::lesson::evidence::assertion::Assertion;
use hindlore_domain::lesson::learning::pattern::Reading;
use hindlore_domain::lesson::rule::Rule;

/// Ways of saying a step that are drawn.
const WAYS: usize = 200;
/// Times that a reference is sent again, since some faults of a world pass.
const REPEATS_MAX: usize = 12;

/// The references of a tool, and many forms of each step of one task.
pub(super) struct Proof {
    /// The forms of an expert of the tool in any task.
    references: Vec<Reading>,
    /// The forms in the task at hand.
    of_task: Vec<Reading>,
    /// The kind of each step of the task, ways of saying it, and its reference.
    steps: Vec<(String, Vec<Reading>, Reading)>,
}

impl Proof {
    /// Carries out the references of a task and draws possible forms of its steps.
    pub(super) fn of(tool: &Tool, task: &Task, seed: u64) -> Self {
        let lines = |task: &Task| tool.reference(task).unwrap_or_default();
        let read = |lines: &[String]| lines.iter().map(|line| Reading::of(line)).collect();
        let all: Vec<String> = tool.tasks.iter().flat_map(lines).collect();
        let of_task = lines(task);
        let mut chance = Chance::of(seed, "ways of saying");
        let mut world = tool.world(task, Level::Helpful, seed);
        let mut steps = BTreeMap::new();
        for line in &of_task {
            let Some(intent) = world.next() else { break };
            let mut draw = || {
                let mut choose = |_: &str, among: &[_]| chance.below(among.len());
                tool.habits.say(&intent.name, &intent.data, &mut choose)
            };
            let ways: BTreeSet<String> = (0..WAYS).filter_map(|_| draw()).collect();
            let ways = ways
                .iter()
                .filter(|way| *way != line)
                .map(|way| Reading::of(way));
            let ways = ways.collect();
            steps.insert(
                (intent.name.clone(), line.clone()),
                (intent.name, ways, Reading::of(line)),
            );
            let mut sent = (0..REPEATS_MAX).map(|_| world.act(line));
            if sent.all(|feedback| feedback.is_failure()) {
                break;
            }
        }
        Self {
            references: read(&all),
            of_task: read(&of_task),
            steps: steps.into_values().collect(),
        }
    }

    /// Returns true if a rule is right in the kind of step that it is about.
    pub(super) fn is_right(&self, rule: &Rule, about: Option<&String>) -> bool {
        let Some(Assertion {
            wrong,
            correct: Some(correct),
        }) = Assertion::of(rule)
        else {
            return false;
        };
        let has = |form: &Reading| self.references.iter().any(|line| form.fits(line));
        let mut steps = self.steps.iter();
        has(&correct)
            && !has(&wrong)
            && steps.all(|(kind, ways, reference)| {
                let is_about = about.is_none_or(|about| about == kind);
                !is_about
                    || !ways
                        .iter()
                        .any(|way| leads_away(&wrong, &correct, way, reference))
            })
    }

    /// Returns true if a rule is right and prescribes a form that the task at hand needs.
    pub(super) fn is_needed(&self, rule: &Rule, about: Option<&String>) -> bool {
        let correct = rule.correct().map(Reading::of);
        let is_used = correct.is_some_and(|form| self.of_task.iter().any(|line| form.fits(line)));
        is_used && self.is_right(rule, about)
    }
}

/// Returns true if a rule changes the form of a step in a way that has to be changed again: its result does not lie
/// between that form and the reference.
fn leads_away(wrong: &Reading, correct: &Reading, way: &Reading, reference: &Reading) -> bool {
    let made = wrong.rewritten(correct, way);
    made.is_some_and(|made| !Reading::of(&made).lies_between(way, reference))
}
