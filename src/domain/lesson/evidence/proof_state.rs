//! The state of a lesson's proof between decisions: since when its rows count, and who set its status last.
//!
//! Verdicts follow from rows; this is the small rest. A review and a retrial draw a line: evidence against the lesson
//! before it does not count again, or a person's decision would last until the next run.

use serde::{Deserialize, Serialize};

use super::evidence_row::RowKind;
use crate::lesson::activation::Trigger;
use crate::lesson::lesson_policy::{GateNumbers, RetrievalNumbers};
use crate::lesson::status::StatusChange;
use hindlore_primitives::timestamp::Timestamp;

/// Number of runs kept of those that taught a lesson again.
const SUPPORTS_MAX: usize = 200;
/// Scopes that are kept of those in which a lesson was seen; two are enough for every rule.
const SCOPES_MAX: usize = 8;

/// The lesson was learned again in a run that did not learn it first: its wrong form failed and its right form worked
/// once more.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Support {
    /// When.
    pub at: Timestamp,
    /// In which run.
    pub run: String,
}

/// A run that speaks against the lesson, whether or not it was offered there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Counterexample {
    /// When.
    pub at: Timestamp,
    /// In which run.
    pub run: String,
    /// In which scope; absent if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Whether the wrong form worked, or the error came although the advice was followed.
    pub kind: RowKind,
}

/// The state of a lesson's proof between decisions. The default is the state of a new lesson.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct ProofState {
    /// Rows up to here no longer count: a person reviewed it, or it got a second chance.
    pub since: Option<Timestamp>,
    /// When its status last changed.
    pub status_at: Option<Timestamp>,
    /// A person set its status.
    pub by_person: bool,
    /// Runs that taught it again, oldest first, the last 200.
    pub supports: Vec<Support>,
    /// Runs that speak against it, oldest first, the last 200.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counterexamples: Vec<Counterexample>,
    /// Times in a row that it was offered and another form was taken.
    pub unfollowed: u32,
    /// Distinct runs in which its advice was followed or taught again and worked.
    #[serde(skip_serializing_if = "is_zero")]
    pub worked_runs: u32,
    /// Distinct runs in which it was followed and failed, or its wrong form worked.
    #[serde(skip_serializing_if = "is_zero")]
    pub failed_runs: u32,
    /// Its direct proof holds.
    pub direct: bool,
    /// Comparable runs without it that are known.
    pub compared: u32,
    /// The scopes in which it was seen, in the order of their appearance, the first `SCOPES_MAX`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<String>,
    /// The tool itself named its right form, and it holds nothing of a project.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_general: bool,
    /// The tool's own words about the failure, shortened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_words: Option<String>,
    /// When its action last worked without the preparation that the lesson names: whether it is needed is a matter of the
    /// state of things.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unprepared_at: Option<Timestamp>,
    /// The last change of its status by the rules, until it was reported to a reader of the lesson.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untold: Option<StatusChange>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl ProofState {
    /// Notes a run that taught the lesson again; false when it is known already.
    pub fn take_support(&mut self, support: Support) -> bool {
        if self.supports.iter().any(|known| known.run == support.run) {
            return false;
        }
        self.supports.push(support);
        self.supports.sort_unstable();
        let surplus = self.supports.len().saturating_sub(SUPPORTS_MAX);
        self.supports.drain(..surplus);
        true
    }

    /// Notes a run that speaks against the lesson; false when it is known already.
    pub fn take_counterexample(&mut self, found: Counterexample) -> bool {
        let mut known = self.counterexamples.iter();
        if known.any(|known| known.run == found.run) {
            return false;
        }
        self.counterexamples.push(found);
        self.counterexamples.sort_unstable();
        let surplus = self.counterexamples.len().saturating_sub(SUPPORTS_MAX);
        self.counterexamples.drain(..surplus);
        true
    }

    /// Returns true if the wrong form worked in a scope after a time; a run without a scope counts everywhere.
    pub fn has_worked_in(&self, scope: Option<&str>, since: Timestamp) -> bool {
        self.counterexamples.iter().any(|one| {
            let is_here = one.scope.as_deref().zip(scope).is_none_or(|(a, b)| a == b);
            one.kind == RowKind::Worked && one.at >= since && is_here
        })
    }

    /// Takes note of a scope in which the lesson was seen; false when it is known already.
    pub fn take_scope(&mut self, scope: &str) -> bool {
        let is_known = self.scopes.iter().any(|known| known == scope);
        if is_known || self.scopes.len() >= SCOPES_MAX {
            return false;
        }
        self.scopes.push(scope.to_owned());
        true
    }

    /// Draws the line of a review: earlier evidence no longer counts.
    pub fn take_review(&mut self, at: Timestamp) {
        self.since = Some(at);
        self.status_at = Some(at);
        self.by_person = true;
        self.unfollowed = 0;
        self.direct = false;
        self.untold = None;
    }

    /// Returns true if rows of a moment still count.
    pub fn counts(&self, at: Timestamp) -> bool {
        self.since.is_none_or(|since| at > since)
    }

    /// Returns true if a control run withholds the lesson.
    ///
    /// Only as long as there is something to learn from it: help is not withheld for the sake of statistics. After an
    /// error a lesson that cures is never withheld, because a comparison is weaker evidence than its cures.
    pub fn is_withheld(&self, moment: Trigger, numbers: &GateNumbers) -> bool {
        let is_open = (self.compared as usize) < numbers.compared_max;
        is_open && !(moment == Trigger::OnError && self.direct)
    }

    /// Returns true if it was offered so often without being followed that it is offered only when nothing else is.
    pub fn is_idle(&self, numbers: &RetrievalNumbers) -> bool {
        self.unfollowed >= numbers.idle_offers
    }

    /// The state of two lessons that become one: evidence counted against neither is counted against both, and a
    /// person's decision stays.
    #[must_use]
    pub fn joined(&self, other: &Self) -> Self {
        let mut joined = self.clone();
        for support in &other.supports {
            joined.take_support(support.clone());
        }
        for found in &other.counterexamples {
            joined.take_counterexample(found.clone());
        }
        // A lesson without scopes may be shown everywhere, and the lesson that it joins stays in its own.
        for scope in &other.scopes {
            joined.take_scope(scope);
        }
        joined.is_general |= other.is_general;
        joined.tool_words = joined.tool_words.or_else(|| other.tool_words.clone());
        joined.unprepared_at = self.unprepared_at.max(other.unprepared_at);
        joined.since = self.since.max(other.since);
        joined.status_at = self.status_at.max(other.status_at);
        joined.by_person |= other.by_person;
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_support_counts_once_and_in_the_order_of_time() {
        let support = |at: i64| Support {
            at: Timestamp::from_millis(at),
            run: at.to_string(),
        };
        let (mut one, mut two) = (ProofState::default(), ProofState::default());
        for at in [3, 1, 2] {
            assert!(one.take_support(support(at)) && !one.take_support(support(at)));
        }
        for at in [2, 3, 1] {
            two.take_support(support(at));
        }
        assert_eq!(one, two);
        assert_eq!(one.joined(&two), one);
    }

    #[test]
    fn a_control_run_withholds_only_what_it_can_learn_from() {
        let numbers = GateNumbers::default();
        let state = |direct: bool, compared: u32| ProofState {
            direct,
            compared,
            ..ProofState::default()
        };
        for (state, pre_run, on_error) in [
            (state(false, 0), true, true),
            (state(true, 0), true, false),
            (state(true, 9), true, false),
            (state(false, 10), false, false),
            (state(true, 10), false, false),
        ] {
            assert_eq!(
                state.is_withheld(Trigger::PreRun, &numbers),
                pre_run,
                "{state:?}"
            );
            assert_eq!(
                state.is_withheld(Trigger::OnError, &numbers),
                on_error,
                "{state:?}"
            );
        }
    }
}
