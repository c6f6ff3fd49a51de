//! A run that ends, as the rules see it: its failures, the lessons in force, and the trace that learning
//! reads.

use std::collections::BTreeSet;

use serde_json::Value;

use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::learning::attempt::subjects;
use hindlore_domain::lesson::learning::candidate::RunFacts;
use hindlore_domain::lesson::run::{Followed, InForce, Occurrence};
use hindlore_domain::lesson::trace::{TraceFailure, TraceStep};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::rows::{RunContents, RunEnd};

/// The lists of a run that ends now, without the evaluator's result; `trace` is that of its contents.
pub(super) fn end_of(
    contents: &RunContents,
    trace: &[TraceStep],
    at: Timestamp,
    idle: bool,
) -> RunEnd {
    let occurrence = |event: &ErrorEvent| Occurrence {
        step: event.step,
        fine: event.fingerprints.fine.id,
        coarse: event.fingerprints.coarse.id,
    };
    let in_force = contents
        .activations
        .iter()
        .filter(|row| !row.activation.withheld)
        .map(|row| InForce {
            lesson: row.activation.lesson,
            from_step: row.activation.step,
            triggers: row.triggers.clone(),
        });
    RunEnd {
        passed: None,
        score: None,
        at,
        idle,
        occurrences: contents.errors.iter().map(occurrence).collect(),
        in_force: in_force.collect(),
        followed: followed_of(contents).collect(),
        subjects: subjects(trace.iter().map(|step| &step.action)),
        metrics: String::new(),
    }
}

/// The steps that were taken on the advice of lessons.
pub(super) fn followed_of(contents: &RunContents) -> impl Iterator<Item = Followed> {
    contents.steps.iter().flat_map(|step| {
        step.followed.iter().map(|lesson| Followed {
            lesson: *lesson,
            step: step.step,
        })
    })
}

/// The steps in order: every error with its action, and every step that worked.
pub(super) fn trace_of(contents: &RunContents) -> Vec<TraceStep> {
    let errors_of = contents.errors_by_step();
    let mut trace = Vec::new();
    for step in &contents.steps {
        let action: Value = serde_json::from_str(&step.action).unwrap_or_default();
        let of_step = |failure: Option<TraceFailure>| TraceStep {
            step: step.step,
            action: action.clone(),
            plan_step: step.plan_step.clone(),
            failure,
        };
        match errors_of.get(&step.step) {
            Some(errors) => {
                trace.extend(errors.iter().map(|error| of_step(Some(failure_of(error)))));
            }
            None => trace.push(of_step(None)),
        }
    }
    trace
}

fn failure_of(error: &ErrorEvent) -> TraceFailure {
    TraceFailure {
        fingerprint: error.fingerprints.fine.id,
        coarse: error.fingerprints.coarse.id,
        message: error.message().to_owned(),
    }
}

/// The evidence that a proposal may name.
pub(super) fn facts_of(contents: &RunContents) -> RunFacts {
    let fingerprints: BTreeSet<_> = contents
        .errors
        .iter()
        .flat_map(|error| error.fingerprints.ids())
        .collect();
    let steps: BTreeSet<u32> = contents.steps.iter().map(|step| step.step).collect();
    RunFacts {
        fingerprints: fingerprints.into_iter().collect(),
        steps: steps.into_iter().collect(),
    }
}
