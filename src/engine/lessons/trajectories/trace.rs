//! A trace, and the result of learning from it.

use std::collections::BTreeMap;

use crate::lessons::advice::retrieve::LessonsRetrieved;
use crate::lessons::answer::EndedRun;
use crate::lessons::requests::StepInput;
use crate::lessons::runs::start::StartRun;
use crate::lessons::steps::capture::Captured;

/// The steps of runs, and how the runs ended.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Trace {
    /// A run to begin first, with details that no step has.
    pub start: Option<StartRun>,
    /// Id of the call, for steps without numbers: sent again with the same id, they count once.
    pub call: Option<String>,
    /// The steps in order.
    pub steps: Vec<StepInput>,
    /// Whether to look up advice against the last step if it failed.
    pub wants_hint: bool,
    /// The run that continues; all others end.
    pub stays_open: Option<String>,
    /// Passed or failed, if an evaluator judged the one run that ends.
    pub passed: Option<bool>,
    /// Passed or failed, for runs with a verdict in the trace.
    pub passed_by_run: BTreeMap<String, bool>,
    /// Replies of the agent that may state a lesson, with their runs.
    pub replies: Vec<(String, String)>,
    /// The scope in which all of it happened; absent if unknown.
    pub scope: Option<String>,
    /// The score of an evaluator or a referee for the one run that ends, 0..=1.
    pub score: Option<f64>,
}

impl Trace {
    /// Names the scope in which all of it happened.
    pub fn take_scope(&mut self, scope: &str) {
        self.scope = Some(scope.to_owned());
        if let Some(start) = &mut self.start {
            start.about.scope = Some(scope.to_owned());
        }
        for step in &mut self.steps {
            step.scope = Some(scope.to_owned());
        }
    }
}

/// The result of learning from a trace.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct TraceLearned {
    /// The results of its steps.
    pub captured: Captured,
    /// Advice against the last step; absent if it worked, or was not requested.
    pub hint: Option<LessonsRetrieved>,
    /// The answers of the ends of its runs, in the order of their names.
    pub ended: Vec<EndedRun>,
    /// Runs that hold the last parts of runs, by the names of those: of runs which had ended, or which are long.
    pub continued: Vec<(String, String)>,
    /// Runs whose steps were left out: they are known from another record, under numbers of their own.
    pub recorded: Vec<String>,
}
