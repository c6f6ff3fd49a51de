//! The rival arm: the same memory, judged by the plain rule of runs with a lesson and runs without it.
//!
//! ExpGraph scores an experience by the mean outcome of the runs that had it minus that of the runs that had it not.
//! It does not check whether the advice was followed, whether its runs can be compared, or how few they are. It shows
//! the value of the product's verdicts, and nothing but the verdicts differs: the engine's own gates are shut.

use super::advisor::{Account, Advisor, LessonUtilities, RunPlace};
use super::error::LabResult;
use super::executor::{Hint, Step};
use super::feedback::Verdict;
use super::memory::{Memory, Remembering, RunNote};
use hindlore::lessons::LessonRules;
use hindlore_api::verbs::lessons::{LessonStatusChoice, ReviewLesson};
use hindlore_domain::lesson::lesson::Status;
use hindlore_domain::lesson::lesson_policy::{GateNumbers, LessonPolicy};
use hindlore_primitives::ids::LessonId;

/// Minimum runs of each kind for the rule.
const RUNS_MIN: usize = 3;
/// A number that never occurs in an experiment.
const NEVER: usize = 1_000_000;

/// A memory with the verdicts of the plain rule.
#[allow(
    missing_debug_implementations,
    reason = "an engine over an open file has nothing to show"
)]
pub struct Rival {
    memory: Memory,
}

impl Rival {
    /// An empty memory; `seed` decides which runs are control runs.
    pub fn new(seed: u64) -> LabResult<Self> {
        let gates = GateNumbers {
            runs_min: NEVER,
            arm_runs_min: NEVER,
            failures_min: NEVER,
            regressions_to_suppress: NEVER,
            contests_lost_min: NEVER,
            archive_reliability_below: 0.0,
            ..GateNumbers::default()
        };
        let rules = LessonRules {
            control_seed: seed,
            numbers: LessonPolicy {
                gates,
                ..LessonPolicy::default()
            },
            ..LessonRules::default()
        };
        Ok(Self {
            memory: Memory::with_rules(rules)?,
        })
    }

    /// Gives every live lesson the status that its utility asks for.
    fn judge(&self, account: &mut Account) -> LabResult<()> {
        for lesson in self.memory.lessons()? {
            let Some(utility) = utility(self.memory.runs(), lesson.id) else {
                continue;
            };
            let to = match lesson.status {
                Status::Candidate | Status::Promoted if utility < 0.0 => {
                    account.suppressed += 1;
                    LessonStatusChoice::Suppressed
                }
                Status::Candidate if utility > 0.0 => {
                    account.promoted += 1;
                    LessonStatusChoice::Promoted
                }
                _ => continue,
            };
            self.memory.hook().call(ReviewLesson {
                id: lesson.id.to_string(),
                to,
                note: None,
            })?;
        }
        Ok(())
    }
}

/// Mean outcome of the runs that had a lesson minus that of the others, −1..=1; absent while either are few.
fn utility(runs: &[RunNote], lesson: LessonId) -> Option<f64> {
    let outcomes = |had: bool| -> Option<f64> {
        let some = runs.iter().filter(|run| run.had.contains(&lesson) == had);
        let some: Vec<f64> = some.map(outcome).collect();
        (some.len() >= RUNS_MIN).then(|| some.iter().sum::<f64>() / some.len() as f64)
    };
    Some(outcomes(true)? - outcomes(false)?)
}

/// The value of a run, 0..=1: the share of its goal that it reached, times the share of its actions that worked.
fn outcome(run: &RunNote) -> f64 {
    let worked = run.steps.saturating_sub(run.errors);
    run.score * worked as f64 / run.steps.max(1) as f64
}

impl Remembering for Rival {
    fn memory(&self) -> &Memory {
        &self.memory
    }
}

impl Advisor for Rival {
    fn before_run(&mut self, place: &RunPlace) -> LabResult<Vec<Hint>> {
        self.memory.before_run(place)
    }

    fn before_action(&mut self, intent: &str, action: &str) -> LabResult<Vec<Hint>> {
        self.memory.before_action(intent, action)
    }

    fn after_step(&mut self, step: &Step) -> LabResult<Vec<Hint>> {
        self.memory.after_step(step)
    }

    fn after_run(&mut self, verdict: Verdict, steps: usize) -> LabResult<Account> {
        let mut account = self.memory.after_run(verdict, steps)?;
        self.judge(&mut account)?;
        Ok(account)
    }

    fn utilities(&self) -> LabResult<Vec<LessonUtilities>> {
        self.memory.utilities()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_rule_compares_all_runs_with_a_lesson_with_all_without() {
        let lesson = LessonId([1; 10]);
        let run = |had: bool, errors: usize| RunNote {
            had: had.then_some(lesson).into_iter().collect::<BTreeSet<_>>(),
            score: 1.0,
            steps: 10,
            errors,
            ..RunNote::default()
        };
        let mut runs = vec![run(true, 5), run(true, 5), run(false, 0), run(false, 0)];
        assert_eq!(utility(&runs, lesson), None);
        runs.extend([run(true, 5), run(false, 0)]);
        assert_eq!(utility(&runs, lesson), Some(-0.5));
        // A run that was given up reached nothing.
        runs.iter_mut().for_each(|run| run.score = 0.0);
        assert_eq!(utility(&runs, lesson), Some(0.0));
    }
}
