//! Failures without a way out: the same action, tried again unchanged, with the same outcome; and the failure that ended
//! a run, where the call itself is at fault.

use std::collections::BTreeMap;

use super::recovery::trace_step;
use super::step_action::StepAction;
use super::{Insight, headline, local, quoted};
use crate::lesson::learning::contrast::is_lasting;
use crate::playbook::Category;

/// The actions that failed at least twice with equal words and never worked, most failures first, and the one that ended
/// a failed run. Those among `cured` steps have their advice already.
pub(super) fn insights(
    actions: &[StepAction<'_>],
    cured: &[u32],
    run_failed: bool,
) -> Vec<Insight> {
    let end = actions
        .last()
        .filter(|one| run_failed && is_lasting(&trace_step(one)));
    let end = end.map(|one| one.step.number);
    let mut tries: BTreeMap<String, Vec<&StepAction<'_>>> = BTreeMap::new();
    for one in actions {
        tries.entry(one.text()).or_default().push(one);
    }
    let mut kept: Vec<(String, Vec<&StepAction<'_>>)> = tries
        .into_iter()
        .filter(|(text, tries)| !text.is_empty() && is_hopeless(tries, cured, end))
        .filter(|(text, tries)| {
            let last = tries.last().map_or(0, |one| one.step.number);
            // A file that the run itself wrote to see an error fails because it should.
            !local::is_of_one_run(text, &local::written_before(actions, last))
        })
        .collect();
    kept.sort_by_key(|(_, tries)| std::cmp::Reverse(tries.len()));
    let insight = |(text, tries): (String, Vec<&StepAction<'_>>)| {
        let said = headline(tries[0].step);
        Insight {
            category: Category::Harmful,
            pattern: against(&text),
            context: said.map_or_else(String::new, |said| fails_with(&said)),
            steps: tries.iter().map(|one| one.step.number).collect(),
        }
    };
    kept.into_iter().map(insight).collect()
}

/// The advice against an action.
pub(super) fn against(text: &str) -> String {
    format!("Do not repeat {} unchanged.", quoted(text))
}

/// The reason of the advice, from the headline of its error.
pub(super) fn fails_with(said: &str) -> String {
    format!("it fails with: {said}")
}

/// All tries failed with one error, at least two or the last of the run; none of them was cured.
fn is_hopeless(tries: &[&StepAction<'_>], cured: &[u32], end: Option<u32>) -> bool {
    let error = headline(tries[0].step);
    let ends = tries.iter().any(|one| Some(one.step.number) == end);
    (tries.len() >= 2 || ends)
        && error.is_some()
        && tries.iter().all(|one| {
            one.failed() && headline(one.step) == error && !cured.contains(&one.step.number)
        })
}
