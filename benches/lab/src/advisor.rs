//! The connection between runs: none, the events of the run itself, or a memory.
//!
//! The protocol talks to an advisor before a run, before and after each step and after the run; the executor
//! gets texts and never the advisor. The memory arm ([`super::memory`]) has the working memory of the second
//! control as well, so that the difference between the two is the memory across runs, and nothing else.

use std::collections::BTreeMap;

use super::error::LabResult;
use super::executor::{Hint, Step};
use super::feedback::Verdict;

/// Failed actions of one step of the plan that are compared with those that worked.
const FAILED_MAX: usize = 4;

/// Which run this is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunPlace {
    /// Its name, unique in an arm.
    pub run: String,
    /// Its place in time, from 1.
    pub number: u64,
    /// The domain of the tool.
    pub domain: String,
    /// The tool.
    pub tool: String,
    /// The task.
    pub task: String,
    /// The goal, in words.
    pub wanted: String,
    /// The observer of the run knows the steps of the plan, and not the bare actions alone.
    pub tells_plan: bool,
}

/// The results of an advisor in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Account {
    /// Uses of lessons.
    pub activations: u64,
    /// Of those, uses that were followed and worked.
    pub helped: u64,
    /// Uses that were followed and failed.
    pub harmed: u64,
    /// Lessons that were promoted at the end of the run.
    pub promoted: u64,
    /// Lessons that were suppressed at the end of the run.
    pub suppressed: u64,
}

/// Gives hints and learns.
pub trait Advisor {
    /// Hints before a run begins.
    fn before_run(&mut self, place: &RunPlace) -> LabResult<Vec<Hint>>;
    /// Hints about an action in a kind of step, before it is carried out.
    fn before_action(&mut self, intent: &str, action: &str) -> LabResult<Vec<Hint>>;
    /// Hints after a step.
    fn after_step(&mut self, step: &Step) -> LabResult<Vec<Hint>>;
    /// Takes in how the run ended.
    fn after_run(&mut self, verdict: Verdict, steps: usize) -> LabResult<Account>;
    /// The utility of each lesson, outcome by outcome; nothing for those that keep no lessons.
    fn utilities(&self) -> LabResult<Vec<LessonUtilities>>;
}

/// The utility of a lesson so far.
#[derive(Clone, PartialEq, Debug)]
pub struct LessonUtilities {
    /// Its rule.
    pub rule: String,
    /// The utility of each of its outcomes, oldest first.
    pub utilities: Vec<f64>,
}

/// Remembers nothing: the first control.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMemory;

impl Advisor for NoMemory {
    fn before_run(&mut self, _place: &RunPlace) -> LabResult<Vec<Hint>> {
        Ok(Vec::new())
    }

    fn before_action(&mut self, _intent: &str, _action: &str) -> LabResult<Vec<Hint>> {
        Ok(Vec::new())
    }

    fn after_step(&mut self, _step: &Step) -> LabResult<Vec<Hint>> {
        Ok(Vec::new())
    }

    fn after_run(&mut self, _verdict: Verdict, _steps: usize) -> LabResult<Account> {
        Ok(Account::default())
    }

    fn utilities(&self) -> LabResult<Vec<LessonUtilities>> {
        Ok(Vec::new())
    }
}

/// Remembers failed and then working actions, until the run ends: the second control.
#[derive(Clone, Debug, Default)]
pub struct WorkingMemory {
    /// By step of the plan.
    failed: BTreeMap<String, Vec<String>>,
}

impl WorkingMemory {
    /// Forgets its contents: a run begins.
    pub fn begin(&mut self) {
        self.failed.clear();
    }

    /// Takes in a step; gives hints.
    pub fn see(&mut self, step: &Step) -> Vec<Hint> {
        if step.feedback.is_failure() {
            let failed = self.failed.entry(step.plan_step.clone()).or_default();
            failed.push(step.action.clone());
            return Vec::new();
        }
        let failed = self.failed.remove(&step.plan_step).unwrap_or_default();
        let last = failed
            .into_iter()
            .rev()
            .filter(|action| *action != step.action)
            .take(FAILED_MAX);
        let pairs = last.map(|action| Hint {
            id: format!("step {}: {action}", step.number),
            text: format!("WRONG {action} → CORRECT {}", step.action),
            about: Some(step.intent.clone()),
        });
        pairs.collect()
    }
}

impl Advisor for WorkingMemory {
    fn before_run(&mut self, _place: &RunPlace) -> LabResult<Vec<Hint>> {
        self.begin();
        Ok(Vec::new())
    }

    fn before_action(&mut self, _intent: &str, _action: &str) -> LabResult<Vec<Hint>> {
        Ok(Vec::new())
    }

    fn after_step(&mut self, step: &Step) -> LabResult<Vec<Hint>> {
        Ok(self.see(step))
    }

    fn after_run(&mut self, _verdict: Verdict, _steps: usize) -> LabResult<Account> {
        Ok(Account::default())
    }

    fn utilities(&self) -> LabResult<Vec<LessonUtilities>> {
        Ok(Vec::new())
    }
}
