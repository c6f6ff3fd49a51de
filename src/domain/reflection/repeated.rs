//! Repeated failures: the same action, tried again unchanged, with the same outcome.

use std::collections::BTreeMap;

use super::step_action::StepAction;
use super::{Insight, headline, local, quoted};
use crate::playbook::Category;

/// The actions that failed at least twice with equal words and never worked, most failures first. Those among `cured`
/// steps have their advice already.
pub(super) fn insights(actions: &[StepAction<'_>], cured: &[u32]) -> Vec<Insight> {
    let mut tries: BTreeMap<String, Vec<&StepAction<'_>>> = BTreeMap::new();
    for one in actions {
        tries.entry(one.text()).or_default().push(one);
    }
    let mut kept: Vec<(String, Vec<&StepAction<'_>>)> = tries
        .into_iter()
        .filter(|(text, tries)| !text.is_empty() && is_hopeless(tries, cured))
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
            pattern: format!("Do not repeat {} unchanged.", quoted(&text)),
            context: said.map_or_else(String::new, |said| format!("it fails with: {said}")),
            steps: tries.iter().map(|one| one.step.number).collect(),
        }
    };
    kept.into_iter().map(insight).collect()
}

/// All tries failed, at least two, with one error; none of them was cured.
fn is_hopeless(tries: &[&StepAction<'_>], cured: &[u32]) -> bool {
    let error = headline(tries[0].step);
    tries.len() >= 2
        && error.is_some()
        && tries.iter().all(|one| {
            one.failed() && headline(one.step) == error && !cured.contains(&one.step.number)
        })
}
