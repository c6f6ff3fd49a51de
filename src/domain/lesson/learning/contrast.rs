//! Learning without a model: failed actions are compared with those that worked in the same run.
//!
//! A failing action followed by one that worked shows both the mistake and the cure, if the two have the same intent:
//! by their tool, by the tool's own suggestion, or by the arguments that they share. An action that works unchanged
//! after another step shows a missing preparation. An error without a cure gives no rule: it is a known error, and a
//! rule would only repeat its message. Recurring errors come first, because they cost most. A wrong lesson
//! does more harm than a missing one, so a pair that could have met by chance teaches nothing.

mod another_tool;
mod answers;
mod command;
mod cure;
mod enabling;
mod guards;
mod inline;
mod message;
mod nature;
mod phrases;
mod related;
mod resemblance;
mod rules;
mod step_view;
mod tool_call;
mod width;

use std::collections::BTreeMap;

use super::candidate::{Candidate, Origin};
use super::rejection::CANDIDATES_MAX;
use crate::lesson::lesson::Reach;
use crate::lesson::rule::Rule;
use crate::lesson::trace::TraceStep;
use hindlore_primitives::ids::FingerprintId;
use rules::Run;

/// Steps of a run that are compared; the last ones.
const STEPS_MAX: usize = 2_000;

/// The most informative line of an error, without values of one case; empty for an error without words.
pub fn headline(error: &str) -> String {
    message::headline(&message::cleaned(error))
}

/// Returns true if a failed action will fail again: the call is wrong, or a rule forbids it. A report on the state of
/// the work, an absent object and a passing fault may be otherwise the next time.
pub fn is_lasting(step: &TraceStep) -> bool {
    let view = step_view::StepView::of(step);
    nature::nature(&view) == nature::Nature::Call || nature::is_forbidden(&view)
}

/// Proposes lessons from a run, the most pressing first; at most [`CANDIDATES_MAX`].
///
/// `seen_before` returns the number of earlier runs that raised a fingerprint.
pub fn learn(trace: &[TraceStep], seen_before: impl Fn(FingerprintId) -> u64) -> Vec<Candidate> {
    let run = Run::of(&trace[trace.len().saturating_sub(STEPS_MAX)..]);
    let mut proposals: Vec<Proposal> = Vec::new();
    for (fingerprint, places) in run.failures() {
        let recurring = places.len() >= 2 || seen_before(fingerprint) > 0;
        let found = run.rules_of(&places, recurring);
        for (turn, (rule, evidence)) in found.into_iter().enumerate() {
            let is_contrast = rule.correct().is_some();
            proposals.push(Proposal {
                recurring,
                turn,
                is_contrast,
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
    is_contrast: bool,
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
            !self.is_contrast,
            std::cmp::Reverse(self.count),
            first,
            self.fingerprint,
        )
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
mod chance;
#[cfg(test)]
mod everyday;
#[cfg(test)]
mod graded;
#[cfg(test)]
mod tests;
