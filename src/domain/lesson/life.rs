//! What happens to a lesson: it is used, it is passed over, an outcome comes in, a decision is made.
//!
//! Every change is a function of the lesson and the event, and taking the same event twice changes
//! nothing, so that a resent outcome counts once.

use super::activation::Activation;
use super::ids::LessonId;
use super::lesson::{Contest, HISTORY_MAX, Lesson, UtilityPoint};
use super::numbers::UtilityNumbers;
use super::promotion::Decision;
use super::utility::reliability;

impl Lesson {
    /// Takes note of having been returned; withheld activations are no use.
    pub fn note_use(&mut self, activation: &Activation) {
        if activation.lesson != self.id || activation.withheld {
            return;
        }
        self.counts.retrieved += 1;
        self.used_at = self.used_at.max(Some(activation.at));
        self.unused_opportunities = 0;
    }

    /// Takes note of a run in which it could have helped and was not returned.
    pub fn note_opportunity(&mut self) {
        self.unused_opportunities = self.unused_opportunities.saturating_add(1);
    }

    /// Takes the outcome of one of its activations; false when there is none or it is known already.
    pub fn take_outcome(&mut self, activation: &Activation, numbers: &UtilityNumbers) -> bool {
        let Some(outcome) = activation
            .outcome
            .filter(|_| activation.lesson == self.id && !activation.withheld)
        else {
            return false;
        };
        if self
            .history
            .iter()
            .any(|point| point.activation == activation.id)
        {
            return false;
        }
        if outcome.helped() {
            self.counts.helpful += 1;
        } else {
            self.counts.harmful += 1;
        }
        self.impact += outcome.utility;
        self.reliability = reliability(self.reliability, outcome.utility, numbers);
        self.evidence_at = self.evidence_at.max(outcome.at);
        let (utility, reliability) = (outcome.utility, self.reliability);
        self.history.push(UtilityPoint {
            activation: activation.id,
            utility,
            reliability,
            at: outcome.at,
        });
        self.history
            .drain(..self.history.len().saturating_sub(HISTORY_MAX));
        true
    }

    /// Takes a decided meeting with a conflicting lesson; false when it is known already.
    pub fn take_contest(&mut self, contest: Contest) -> bool {
        let same =
            |own: &Contest| (own.activation, own.other) == (contest.activation, contest.other);
        if self.contests.iter().any(same) {
            return false;
        }
        self.contests.push(contest);
        self.contests
            .drain(..self.contests.len().saturating_sub(HISTORY_MAX));
        true
    }

    /// Takes a decision about it; false when it does not fit the present status.
    pub fn take_decision(&mut self, decision: &Decision) -> bool {
        let fits = decision.lesson == self.id
            && decision.from == self.status
            && self.status.may_become(decision.to, decision.cause);
        if fits {
            self.status = decision.to;
            self.unused_opportunities = 0;
        }
        fits
    }
}

/// The meetings that an outcome decides, each with the lesson that it belongs to.
///
/// The loser's loss counts only when the winner then helped: to have been returned instead proves nothing.
pub fn contests(activation: &Activation) -> Vec<(LessonId, Contest)> {
    let Some(outcome) = activation
        .outcome
        .filter(|outcome| outcome.helped() && !activation.withheld)
    else {
        return Vec::new();
    };
    let contest = |other: LessonId, won: bool| Contest {
        other,
        won,
        activation: activation.id,
        at: outcome.at,
    };
    let both = |loser: &LessonId| {
        [
            (activation.lesson, contest(*loser, true)),
            (*loser, contest(activation.lesson, false)),
        ]
    };
    activation.beat.iter().flat_map(both).collect()
}
