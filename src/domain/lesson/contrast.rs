//! Learning without a model: what failed is laid beside what worked in the same run.
//!
//! A failing action followed by a succeeding one with the same intent shows both the mistake and the
//! cure. An error that only ever fails still shows what not to do, with the tool's own words as the
//! reason. Recurring errors come first, because they cost most.

mod message;

use std::collections::BTreeMap;

use super::assertion::{Assertion, PriorEvidence, ResolvedStep, Verdict, solved};
use super::attempt::{intents_of, text_of};
use super::candidate::{Candidate, Origin};
use super::ids::FingerprintId;
use super::lesson::Reach;
use super::pattern::{self, Reading};
use super::rejection::CANDIDATES_MAX;
use super::rule::Rule;
use super::trace::TraceStep;
use message::{named_line, said};

/// Steps of a run that are compared; the last ones.
const STEPS_MAX: usize = 2_000;

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
    let solved = solved(trace);
    let mut proposals: Vec<Proposal> = Vec::new();
    for (fingerprint, places) in groups {
        let recurring = places.len() >= 2 || seen_before(fingerprint) > 0;
        for (turn, (rule, evidence)) in rules_of(trace, &places, &solved).into_iter().enumerate() {
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
fn rules_of(
    trace: &[TraceStep],
    places: &[usize],
    solved: &[ResolvedStep],
) -> Vec<(Rule, Vec<u32>)> {
    let mut found: Vec<(Rule, usize, Vec<u32>)> = Vec::new();
    let mut uncured: Option<usize> = None;
    // The same try is often repeated; what it shows beside the same cure is found once.
    let mut compared: BTreeMap<(String, String), Option<(Rule, usize)>> = BTreeMap::new();
    for &place in places {
        let Some(cure) = cure_of(trace, place) else {
            uncured = uncured.or(Some(place));
            continue;
        };
        let (failed, cured) = (text_of(&trace[place]), text_of(&trace[cure]));
        let contrast = compared
            .entry((failed, cured))
            .or_insert_with_key(|(failed, cured)| contrast_of(failed, cured, solved));
        let Some((rule, differing)) = contrast.clone() else {
            continue;
        };
        let steps = [trace[place].step, trace[cure].step];
        match found.iter_mut().find(|(known, ..)| *known == rule) {
            Some((_, known, evidence)) => {
                *known = differing.min(*known);
                evidence.extend(steps);
            }
            None => found.push((rule, differing, steps.to_vec())),
        }
    }
    found.sort_by_key(|(_, differing, evidence)| (*differing, std::cmp::Reverse(evidence.len())));
    let mut rules: Vec<(Rule, Vec<u32>)> = found
        .into_iter()
        .map(|(rule, _, evidence)| (rule, evidence))
        .collect();
    if rules.is_empty()
        && let Some(place) = uncured
        && let Some(rule) = forbidding(&trace[place], solved)
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

/// The rule of a failure and its cure, and in how many tokens they differ: as general as what the run shows
/// of its other steps allows, so that no rule is born that its own run refutes.
fn contrast_of(failed: &str, cured: &str, solved: &[ResolvedStep]) -> Option<(Rule, usize)> {
    let is_refuted = |wrong: &Reading, correct: &Reading| {
        let claim = Assertion {
            wrong: wrong.clone(),
            correct: Some(correct.clone()),
        };
        let mut said = solved
            .iter()
            .map(|step| step.about(&claim, PriorEvidence::default()));
        said.any(|testimony| testimony == Verdict::Refutes)
    };
    let contrast = pattern::contrast_unless(failed, cured, is_refuted)?;
    let rule = Rule::contrast(&contrast.wrong, &contrast.correct)?;
    Some((rule, contrast.differing))
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

fn forbidding(step: &TraceStep, solved: &[ResolvedStep]) -> Option<Rule> {
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
    let form = forms.iter().find(|form| {
        let form = Reading::of(form);
        !solved.iter().any(|step| step.has(&form))
    })?;
    Rule::failure(form, &message)
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
mod tests;
