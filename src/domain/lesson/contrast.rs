//! Learning without a model: what failed is laid beside what worked in the same run.
//!
//! A failing action followed by a succeeding one with the same intent shows both the mistake and the
//! cure. An error that only ever fails still shows what not to do, with the tool's own words as the
//! reason. Recurring errors come first, because they cost most.

mod message;
mod worked;

use std::collections::BTreeMap;

use serde_json::Value;

use super::action::{Action, Intent};
use super::candidate::{CANDIDATES_MAX, Candidate, Origin};
use super::ids::FingerprintId;
use super::lesson::Reach;
use super::pattern::{self, Reading};
use super::rule::Rule;
use message::{named_line, said};
use worked::Worked;

/// Steps of a run that are compared; the last ones.
const STEPS_MAX: usize = 2_000;

/// One step of a run, in the order of the run.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceStep {
    /// Its number.
    pub step: u32,
    /// What was tried.
    pub action: Value,
    /// The step of the plan, where the adapter names it.
    pub plan_step: Option<String>,
    /// How it failed; absent for a step that worked.
    pub failure: Option<TraceFailure>,
}

/// How a step failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceFailure {
    /// The fine fingerprint.
    pub fingerprint: FingerprintId,
    /// The coarse one.
    pub coarse: FingerprintId,
    /// What the tool said.
    pub message: String,
}

/// Proposes lessons from a run, the most pressing first; at most [`CANDIDATES_MAX`].
///
/// `seen_before` tells in how many earlier runs a fingerprint was raised.
pub fn learn(trace: &[TraceStep], seen_before: impl Fn(FingerprintId) -> u64) -> Vec<Candidate> {
    let trace = &trace[trace.len().saturating_sub(STEPS_MAX)..];
    let mut groups: BTreeMap<FingerprintId, Vec<usize>> = BTreeMap::new();
    for (at, step) in trace.iter().enumerate() {
        if let Some(failure) = &step.failure {
            groups.entry(failure.fingerprint).or_default().push(at);
        }
    }
    let worked = Worked::of(trace);
    let mut proposals: Vec<Proposal> = Vec::new();
    for (fingerprint, places) in groups {
        let recurring = places.len() >= 2 || seen_before(fingerprint) > 0;
        for (turn, (rule, evidence)) in rules_of(trace, &places, &worked).into_iter().enumerate() {
            let has_cure = rule.correct().is_some();
            proposals.push(Proposal {
                recurring,
                turn,
                has_cure,
                count: places.len(),
                fingerprint,
                rule,
                evidence,
            });
        }
    }
    proposals.sort_by_key(Proposal::rank);
    joined(trace, proposals)
}

struct Proposal {
    recurring: bool,
    /// Place among the rules for the same error: each error has its best before any has a second.
    turn: usize,
    has_cure: bool,
    count: usize,
    fingerprint: FingerprintId,
    rule: Rule,
    evidence: Vec<u32>,
}

impl Proposal {
    fn rank(
        &self,
    ) -> (
        bool,
        usize,
        bool,
        std::cmp::Reverse<usize>,
        u32,
        FingerprintId,
    ) {
        let first = self.evidence.first().copied().unwrap_or_default();
        (
            !self.recurring,
            self.turn,
            !self.has_cure,
            std::cmp::Reverse(self.count),
            first,
            self.fingerprint,
        )
    }
}

/// The rules that the failures of one fingerprint give, each with the steps that show it; first the one
/// whose failure differs least from its cure.
fn rules_of(trace: &[TraceStep], places: &[usize], worked: &Worked) -> Vec<(Rule, Vec<u32>)> {
    let mut found: Vec<(Rule, usize, Vec<u32>)> = Vec::new();
    let mut uncured: Option<usize> = None;
    for &place in places {
        let Some(cure) = cure_of(trace, place) else {
            uncured = uncured.or(Some(place));
            continue;
        };
        let (failed, cured) = (text_of(&trace[place]), text_of(&trace[cure]));
        let contrast = pattern::contrast_unless(&failed, &cured, |wrong| worked.refutes(wrong));
        let Some(contrast) = contrast else { continue };
        let Some(rule) = Rule::contrast(&contrast.wrong, &contrast.correct) else {
            continue;
        };
        let steps = [trace[place].step, trace[cure].step];
        match found.iter_mut().find(|(known, ..)| *known == rule) {
            Some((_, differing, evidence)) => {
                *differing = contrast.differing.min(*differing);
                evidence.extend(steps);
            }
            None => found.push((rule, contrast.differing, steps.to_vec())),
        }
    }
    found.sort_by_key(|(_, differing, evidence)| (*differing, std::cmp::Reverse(evidence.len())));
    let mut rules: Vec<(Rule, Vec<u32>)> = found
        .into_iter()
        .map(|(rule, _, evidence)| (rule, evidence))
        .collect();
    if rules.is_empty()
        && let Some(place) = uncured
        && let Some(rule) = forbidding(&trace[place], worked)
    {
        let evidence = places.iter().map(|place| trace[*place].step).collect();
        rules.push((rule, evidence));
    }
    for (_, evidence) in &mut rules {
        evidence.sort_unstable();
        evidence.dedup();
    }
    rules
}

/// The next step with the same intent that worked.
fn cure_of(trace: &[TraceStep], place: usize) -> Option<usize> {
    let intents = intents_of(&trace[place]);
    let later = trace.iter().enumerate().skip(place + 1);
    let mut worked = later.filter(|(_, step)| step.failure.is_none());
    worked
        .find(|(_, step)| {
            intents_of(step)
                .iter()
                .any(|intent| intents.contains(intent))
        })
        .map(|(at, _)| at)
}

fn intents_of(step: &TraceStep) -> Vec<Intent> {
    // Where the plan is known it decides alone: two steps of a plan may use the same program.
    match &step.plan_step {
        Some(name) => vec![Intent::PlanStep(name.clone())],
        None => Action::read(&step.action).intent().into_iter().collect(),
    }
}

fn forbidding(step: &TraceStep, worked: &Worked) -> Option<Rule> {
    let action = text_of(step);
    let message = step
        .failure
        .as_ref()
        .map(|failure| said(&failure.message))
        .unwrap_or_default();
    let action = named_line(&action, &message).unwrap_or(&action);
    if action.is_empty() || message.is_empty() {
        return None;
    }
    let forms = [pattern::masked(action), action.to_owned()];
    let form = forms
        .iter()
        .find(|form| !worked.refutes(&Reading::of(form)))?;
    Rule::failure(form, &message)
}

/// The lines of an action stay apart here, since only one of them may be to blame.
fn text_of(step: &TraceStep) -> String {
    match Action::read(&step.action) {
        Action::Command(lines) => lines,
        other => other.text(),
    }
}

/// One candidate for each rule, with every fingerprint that gave it.
fn joined(trace: &[TraceStep], proposals: Vec<Proposal>) -> Vec<Candidate> {
    let coarse: BTreeMap<FingerprintId, FingerprintId> = trace
        .iter()
        .filter_map(|step| step.failure.as_ref())
        .map(|failure| (failure.fingerprint, failure.coarse))
        .collect();
    let mut candidates: Vec<Candidate> = Vec::new();
    for proposal in proposals {
        let triggers = [
            Some(proposal.fingerprint),
            coarse.get(&proposal.fingerprint).copied(),
        ];
        match candidates
            .iter_mut()
            .find(|candidate| candidate.rule == proposal.rule)
        {
            Some(known) => {
                known.triggers.extend(triggers.into_iter().flatten());
                known.evidence_steps.extend(proposal.evidence);
            }
            None => candidates.push(Candidate {
                triggers: triggers.into_iter().flatten().collect(),
                rule: proposal.rule,
                reach: Reach::Domain,
                evidence_steps: proposal.evidence,
                origin: Origin::Contrast,
            }),
        }
    }
    candidates.truncate(CANDIDATES_MAX);
    for candidate in &mut candidates {
        candidate.triggers.sort_unstable();
        candidate.triggers.dedup();
        candidate.evidence_steps.sort_unstable();
        candidate.evidence_steps.dedup();
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(step: u32, action: &str, failure: Option<(u8, &str)>) -> TraceStep {
        let failure = failure.map(|(id, message)| TraceFailure {
            fingerprint: FingerprintId([id; 10]),
            coarse: FingerprintId([id; 10]),
            message: message.to_owned(),
        });
        TraceStep {
            step,
            action: Value::from(action),
            plan_step: None,
            failure,
        }
    }

    fn rules(trace: &[TraceStep]) -> Vec<String> {
        learn(trace, |_| 0)
            .into_iter()
            .map(|candidate| candidate.rule.as_str().to_owned())
            .collect()
    }

    #[test]
    fn a_failure_and_its_cure_become_a_contrast() {
        let trace = [
            step(
                1,
                "RANK DESC total",
                Some((1, "ERROR at line 1: unexpected DESC")),
            ),
            step(2, "SHOW 5", None),
            step(3, "RANK total desc", None),
        ];
        let learned = learn(&trace, |_| 0);
        assert_eq!(
            learned[0].rule.as_str(),
            "WRONG RANK DESC <1> → CORRECT RANK <1> desc"
        );
        assert_eq!(learned[0].evidence_steps, [1, 3]);
        assert_eq!(learned[0].triggers, [FingerprintId([1; 10])]);
    }

    #[test]
    fn an_error_without_a_cure_becomes_a_warning() {
        let trace = [
            step(
                1,
                "LOAD a.csv\nSHWO 5",
                Some((1, "note\nERROR at line 2: unknown command SHWO")),
            ),
            step(
                2,
                "LOAD a.csv\nSHWO 7",
                Some((1, "ERROR at line 2: unknown command SHWO")),
            ),
        ];
        assert_eq!(
            rules(&trace),
            ["WRONG SHWO <num> — ERROR at line 2: unknown command SHWO"]
        );
    }

    #[test]
    fn another_program_or_another_step_of_the_plan_is_no_cure() {
        let failed = step(1, "git push", Some((1, "error: no upstream")));
        assert_eq!(
            rules(&[failed.clone(), step(2, "git pull -r", None)]),
            ["WRONG git push — error: no upstream"]
        );
        let planned = |mut step: TraceStep, name: &str| {
            step.plan_step = Some(name.to_owned());
            step
        };
        let trace = [
            planned(failed.clone(), "publish"),
            planned(step(2, "git push -u", None), "clean"),
        ];
        assert!(rules(&trace)[0].ends_with("no upstream"));
        let trace = [
            planned(failed, "publish"),
            planned(step(2, "hub sync", None), "publish"),
        ];
        assert_eq!(rules(&trace), ["WRONG git push → CORRECT hub sync"]);
    }

    #[test]
    fn recurring_errors_come_first_and_six_are_enough() {
        let mut trace: Vec<TraceStep> = (1..=9)
            .map(|n| step(u32::from(n), &format!("cmd{n} x"), Some((n, "failed"))))
            .collect();
        trace.push(step(10, "cmd9 y", Some((9, "failed"))));
        let learned = learn(&trace, |id| u64::from(id == FingerprintId([5; 10])));
        assert_eq!(learned.len(), CANDIDATES_MAX);
        assert_eq!(learned[0].triggers, [FingerprintId([9; 10])]);
        assert_eq!(learned[1].triggers, [FingerprintId([5; 10])]);
    }

    #[test]
    fn the_failure_nearest_to_its_cure_teaches_first() {
        let error = Some((1, "ERROR at line 1: no"));
        let trace = [
            step(1, "RANK BY total DESC now", error),
            step(2, "RANK total DESC", error),
            step(3, "RANK total desc", None),
        ];
        assert_eq!(
            rules(&trace)[0],
            "WRONG RANK <1> DESC → CORRECT RANK <1> desc"
        );
    }

    #[test]
    fn nothing_that_worked_is_called_wrong() {
        let busy = Some((1, "busy"));
        let trace = [
            step(1, "push a", busy),
            step(2, "push a", None),
            step(3, "push b", busy),
            step(4, "push -f b", None),
        ];
        assert!(
            rules(&trace)
                .iter()
                .all(|rule| !rule.contains("push <1> →")),
            "{:?}",
            rules(&trace)
        );
        let trace = [
            step(1, "SHOW 5", None),
            step(2, "SHOW 7", Some((2, "failed: busy"))),
        ];
        assert_eq!(rules(&trace), ["WRONG SHOW 7 — failed: busy"]);
    }

    #[test]
    fn a_run_without_failures_teaches_nothing() {
        assert!(rules(&[]).is_empty());
        assert!(rules(&[step(1, "SHOW 5", None)]).is_empty());
        assert!(rules(&[step(1, "", Some((1, "")))]).is_empty());
    }
}
