//! The life of a lesson: it is used, it is passed over, an outcome arrives, a decision is made.
//!
//! Every change is a function of the lesson and the event, and taking the same event twice changes
//! nothing, so that a resent outcome counts once.

use super::activation::Activation;
use super::evidence::evidence_row::RowKind;
use super::evidence::evidence_rows::EvidenceRows;
use super::evidence::summary::summarise;
use super::evidence::utility::reliability;
use super::evidence::verdict_numbers::VerdictNumbers;
use super::lesson::{Cause, Contest, HISTORY_MAX, Lesson, RELIABILITY_AT_BIRTH, UtilityPoint};
use super::lesson_policy::UtilityNumbers;
use super::promotion::{Decision, stands};
use super::status::StatusChange;
use hindlore_primitives::ids::LessonId;

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

    /// Takes the outcome of one of its activations; false when there is none, when it is known already, or when it is
    /// no evidence: advice that was not followed is not less reliable for it.
    pub fn take_outcome(&mut self, activation: &Activation, numbers: &UtilityNumbers) -> bool {
        let Some(outcome) = activation
            .outcome
            .filter(|outcome| outcome.sign() != 0)
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

    /// Replaces the outcome of an activation, and computes its consequences again; false when it had none that counts.
    pub fn revise_outcome(&mut self, activation: &Activation, numbers: &UtilityNumbers) -> bool {
        let same = |point: &UtilityPoint| point.activation == activation.id;
        let place = self.history.iter().position(same);
        let (Some(at), Some(outcome)) = (place, activation.outcome) else {
            return false;
        };
        let before = std::mem::replace(&mut self.history[at].utility, outcome.utility);
        self.impact += outcome.utility - before;
        match (before > 0.0, outcome.utility > 0.0) {
            (true, false) => {
                self.counts.helpful = self.counts.helpful.saturating_sub(1);
                self.counts.harmful += 1;
            }
            (false, true) => {
                self.counts.harmful = self.counts.harmful.saturating_sub(1);
                self.counts.helpful += 1;
            }
            _ => {}
        }
        let earlier = at.checked_sub(1).map(|at| self.history[at].reliability);
        let mut now = earlier.unwrap_or(RELIABILITY_AT_BIRTH);
        for point in &mut self.history[at..] {
            now = reliability(now, point.utility, numbers);
            point.reliability = now;
        }
        self.reliability = now;
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

    /// Notes the result of its rows, for the retrievals until the next decision.
    pub fn note_proof(&mut self, rows: &EvidenceRows, numbers: &VerdictNumbers) {
        let summary = summarise(rows, numbers);
        let kinds = rows.outcomes.iter().rev().map(|outcome| outcome.row);
        let told = kinds.filter(|row| row.kind != RowKind::Unknown);
        let ignored = told.take_while(|row| row.kind == RowKind::NotFollowed);
        self.proof.unfollowed = ignored.count().try_into().unwrap_or(u32::MAX);
        self.proof.direct = stands(&summary, &numbers.gates);
        let count = |runs: usize| runs.try_into().unwrap_or(u32::MAX);
        self.proof.worked_runs = count(summary.proof.successes);
        self.proof.failed_runs = count(summary.proof.failures);
        // A run of another place knows fewer of the comparable runs; a comparison once made stays.
        let compared = summary.proof.without_runs.try_into().unwrap_or(u32::MAX);
        self.proof.compared = self.proof.compared.max(compared);
    }

    /// Takes a decision about it; false when it does not fit the present status.
    pub fn take_decision(&mut self, decision: &Decision) -> bool {
        let fits = decision.lesson == self.id
            && decision.from == self.status
            && self.status.may_become(decision.to, decision.cause);
        if fits {
            if decision.cause == Cause::Retrial {
                // A second chance: the reasons for the old status do not count against it again.
                self.proof.since = self.proof.status_at;
            }
            self.status = decision.to;
            self.unused_opportunities = 0;
            self.proof.status_at = Some(decision.at);
            self.proof.by_person = false;
            self.proof.unfollowed = 0;
            self.proof.untold = Some(StatusChange {
                from: decision.from,
                to: decision.to,
                reason: decision.reason,
                at: decision.at,
            });
        }
        fits
    }
}

/// Two lessons that contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contradiction {
    /// Both.
    pub lessons: [LessonId; 2],
    /// One calls a form right that the other calls wrong; else they cure the same in different ways, and both may.
    pub excludes: bool,
}

impl Contradiction {
    /// Returns true if it is between these two.
    pub fn joins(&self, a: LessonId, b: LessonId) -> bool {
        self.lessons == [a, b] || self.lessons == [b, a]
    }

    /// Returns true if neither of two lessons may be shown: they exclude each other, and neither is proved.
    pub fn hides(&self, a: &Lesson, b: &Lesson) -> bool {
        self.excludes && self.joins(a.id, b.id) && !a.is_proved() && !b.is_proved()
    }
}

/// The lesson for whose sake another may not be shown: its opposite, while neither is proved.
pub fn unproved_opposite<'l>(
    lesson: &Lesson,
    others: impl IntoIterator<Item = &'l Lesson>,
    pairs: &[Contradiction],
) -> Option<&'l Lesson> {
    let mut others = others.into_iter();
    others.find(|other| pairs.iter().any(|pair| pair.hides(lesson, other)))
}

/// The settled uses of a run with the meetings that were decided in it: of two lessons that contradict each other and
/// that the run both had, one was followed and worked, and the other did not work although something was done that it
/// speaks of. Of two cures one may have been taken by chance, so that the other has not lost by that if it `has_helped`
/// in an earlier run.
///
/// A retrieval lets one of the two through where it looks at both; a run that asks several times may have both, and so
/// may one that is warned before an action, since only the lessons that speak of that action are looked at then.
pub fn with_meetings(
    mut settled: Vec<Activation>,
    contradictions: &[Contradiction],
    has_helped: impl Fn(LessonId) -> bool,
) -> Vec<Activation> {
    let kinds = |lesson: LessonId| {
        let own = settled.iter().filter(move |one| one.lesson == lesson);
        own.filter_map(|one| Some(one.outcome?.row.kind))
    };
    let is_decided = |winner: LessonId, loser: LessonId, excludes: bool| {
        let is_doubted = excludes || !has_helped(loser);
        let has_lost =
            |kind: RowKind| kind.sign() < 0 || (is_doubted && kind == RowKind::NotFollowed);
        let mut of_loser = kinds(loser);
        kinds(winner).any(|kind| kind.sign() > 0)
            && of_loser.any(has_lost)
            && !kinds(loser).any(|kind| kind.sign() > 0)
    };
    let decided: Vec<(LessonId, LessonId)> = contradictions
        .iter()
        .flat_map(|row| {
            let [a, b] = row.lessons;
            [(a, b, row.excludes), (b, a, row.excludes)]
        })
        .filter(|(winner, loser, excludes)| is_decided(*winner, *loser, *excludes))
        .map(|(winner, loser, _)| (winner, loser))
        .collect();
    for (winner, loser) in decided {
        let own = |one: &&mut Activation| one.lesson == winner;
        let mut wins: Vec<&mut Activation> = settled.iter_mut().filter(own).collect();
        // One run is one meeting.
        if wins.iter().any(|one| one.beat.contains(&loser)) {
            continue;
        }
        if let Some(first) = wins.iter_mut().find(|one| helped(one)) {
            first.beat.push(loser);
        }
    }
    settled
}

fn helped(one: &Activation) -> bool {
    one.outcome.is_some_and(|outcome| outcome.helped())
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
