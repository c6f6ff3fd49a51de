//! The cure of a failure: the lessons' own comparison of the failed with the working action, as a sentence.

use std::collections::BTreeSet;

use super::step_action::StepAction;
use super::{Insight, headline, local, quoted};
use crate::lesson::learning::contrast::learn;
use crate::lesson::rule::Rule;
use crate::lesson::trace::{TraceFailure, TraceStep};
use crate::playbook::Category;
use hindlore_errors::fingerprint::{Evidence, Fingerprinter};

/// The cures that the actions show; each has the steps that failed and the one that worked.
pub(super) fn insights(actions: &[StepAction<'_>]) -> Vec<Insight> {
    let trace: Vec<TraceStep> = actions.iter().map(trace_step).collect();
    let candidates = learn(&trace, |_| 0).into_iter();
    let insight = |rule: &Rule, steps: Vec<u32>| {
        let last = *steps.last()?;
        let pattern = sentence(rule, &local::written_before(actions, last))?;
        let failed = actions
            .iter()
            .find(|one| one.failed() && steps.contains(&one.step.number));
        let context = failed.and_then(|one| headline(one.step));
        Some(Insight {
            category: Category::Helpful,
            pattern,
            context: context.map_or_else(String::new, |said| format!("when it fails with: {said}")),
            steps,
        })
    };
    candidates
        .filter_map(|one| insight(&one.rule, one.evidence_steps))
        .collect()
}

/// A rule as advice; `None` for one that knows no cure, or whose cure is of this run alone.
fn sentence(rule: &Rule, own_files: &BTreeSet<String>) -> Option<String> {
    if let (Some(wrong), Some(correct)) = (rule.wrong(), rule.correct()) {
        let is_local = |form| local::is_of_one_run(form, own_files);
        if is_local(wrong) || is_local(correct) {
            return None;
        }
        return Some(format!(
            "Instead of {} use {}.",
            quoted(wrong),
            quoted(correct)
        ));
    }
    let enabling = rule.as_str().strip_prefix("Before ")?;
    let sentence = enabling.split(" — ").next().unwrap_or(enabling);
    let (action, enabler) = sentence.split_once("`, run `")?;
    if local::is_of_one_run(enabler, own_files) {
        return None;
    }
    // The error gives the condition; the action that caused it belongs to this task alone.
    if local::is_of_one_run(action, own_files) || action.contains(" <str>") {
        return Some(format!("Run `{enabler} first."));
    }
    Some(format!("Before {sentence}."))
}

/// An action as the lessons compare it.
pub(super) fn trace_step(one: &StepAction<'_>) -> TraceStep {
    let failure = one.failed().then(|| {
        let message = one.step.error.clone().unwrap_or_default();
        let fingerprint = one.step.fingerprints.first().copied();
        // A step of another source may have failed without a fingerprint: its words are one.
        let fingerprint = fingerprint.unwrap_or_else(|| {
            let evidence = Evidence {
                error: message.clone().into(),
                ..Evidence::default()
            };
            Fingerprinter::default().of(&evidence).fine.id
        });
        TraceFailure {
            fingerprint,
            coarse: fingerprint,
            message,
        }
    });
    TraceStep {
        step: one.step.number,
        action: one.value.clone(),
        plan_step: None,
        failure,
    }
}
