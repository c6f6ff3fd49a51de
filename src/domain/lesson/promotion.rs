//! The gates: the consequence of a lesson's evidence for its status.
//!
//! A decision holds its numbers and rows, so that it can be derived again. Two proofs may carry it: the results of
//! following the advice (direct), and the frequency of the error with the advice offered in time and without it
//! (comparative). Lack of evidence is never evidence of harm: no row, no verdict.

use serde::{Deserialize, Serialize};

use super::evidence::evidence_rows::EvidenceRows;
use super::evidence::proof_state::Support;
use super::evidence::summary::{Summary, runs_with_rows, summarise};
use super::evidence::verdict_numbers::VerdictNumbers;
use super::lesson::{Cause, Lesson, Status};
use super::lesson_policy::GateNumbers;
pub use super::status::Reason;
use hindlore_primitives::ids::{DecisionId, LessonId, derive};
use hindlore_primitives::timestamp::Timestamp;

/// A change of status with all that it rests on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Decision {
    /// Derived from the lesson, the change and its number of outcomes.
    pub id: DecisionId,
    /// The lesson.
    pub lesson: LessonId,
    /// From this
    pub from: Status,
    /// to that.
    pub to: Status,
    /// The cause.
    pub cause: Cause,
    /// Why.
    pub reason: Reason,
    /// The result of the evidence.
    pub summary: Summary,
    /// The numbers it was made with.
    pub numbers: VerdictNumbers,
    /// The rows it rests on.
    pub evidence: EvidenceRows,
    /// When.
    pub at: Timestamp,
}

/// Decides about a lesson; absent when its status stays.
pub fn decide(
    lesson: &Lesson,
    evidence: EvidenceRows,
    numbers: &VerdictNumbers,
    at: Timestamp,
) -> Option<Decision> {
    let summary = summarise(&evidence, numbers);
    let verdict = verdict(lesson.status, &evidence, &summary, &numbers.gates)?;
    Some(decision(lesson, verdict, (evidence, summary, *numbers), at))
}

fn decision(
    lesson: &Lesson,
    (to, reason): (Status, Reason),
    (evidence, summary, numbers): (EvidenceRows, Summary, VerdictNumbers),
    at: Timestamp,
) -> Decision {
    let cause = match reason {
        Reason::Retrial | Reason::Relearned => Cause::Retrial,
        _ => Cause::Evidence,
    };
    debug_assert!(
        lesson.status.may_become(to, cause),
        "{} to {to}",
        lesson.status
    );
    let outcomes = summary.outcomes.to_string();
    let id = derive(&[
        "decision",
        &lesson.id.to_string(),
        lesson.status.word(),
        to.word(),
        reason.word(),
        &outcomes,
        &at.to_string(),
    ]);
    Decision {
        id: DecisionId(id),
        lesson: lesson.id,
        from: lesson.status,
        to,
        cause,
        reason,
        summary,
        numbers,
        evidence,
        at,
    }
}

/// Returns true if a stored decision follows from its own rows and numbers.
pub fn derives_again(decision: &Decision) -> bool {
    let summary = summarise(&decision.evidence, &decision.numbers);
    let again = verdict(
        decision.from,
        &decision.evidence,
        &summary,
        &decision.numbers.gates,
    );
    again == Some((decision.to, decision.reason)) && summary == decision.summary
}

fn verdict(
    status: Status,
    rows: &EvidenceRows,
    summary: &Summary,
    numbers: &GateNumbers,
) -> Option<(Status, Reason)> {
    if matches!(status, Status::Suppressed | Status::Refuted) {
        return second_chance(rows, numbers).map(|reason| (Status::Candidate, reason));
    }
    if status == Status::Observed {
        return confirmation(rows);
    }
    // A person has looked at it: only new rows outweigh that.
    let is_settled = rows.by_person && summary.proof.rows() < numbers.review_rows_min;
    if !status.is_live() || is_settled {
        return None;
    }
    let runs_for = summary.proof.successes.max(rows.needs.len());
    let is_refuted = rows.counterexamples.len() >= runs_for + numbers.refuted_margin;
    if status == Status::Candidate && is_refuted {
        return Some((Status::Refuted, Reason::WrongFormWorks));
    }
    if let Some(reason) = harm(rows, summary, numbers) {
        return Some((Status::Suppressed, reason));
    }
    let unneeded = rows.reliability < numbers.archive_reliability_below
        && rows.unused_opportunities >= numbers.archive_unused;
    if unneeded {
        return Some((Status::Archived, Reason::Unused));
    }
    if status == Status::Promoted {
        return None;
    }
    merit(rows, summary, numbers).map(|reason| (Status::Promoted, reason))
}

/// A contrast of one run is believed when a second run shows it, and dropped when its wrong form works once.
fn confirmation(rows: &EvidenceRows) -> Option<(Status, Reason)> {
    if !rows.counterexamples.is_empty() {
        return Some((Status::Refuted, Reason::WrongFormWorks));
    }
    let is_seen_again = !rows.supports.is_empty();
    is_seen_again.then_some((Status::Candidate, Reason::Recurred))
}

/// A lesson that is out of use comes back when later runs teach it again, or when its scheduled retrial is due. One that a
/// person has suppressed takes as many rows as any other change of their decision, and no schedule.
fn second_chance(rows: &EvidenceRows, numbers: &GateNumbers) -> Option<Reason> {
    let is_later = |support: &&Support| rows.status_at.is_none_or(|status| support.at > status);
    let relearned = rows.supports.iter().filter(is_later).count();
    let needed = if rows.by_person {
        numbers.review_rows_min
    } else {
        numbers.relearned_min.max(1)
    };
    if relearned >= needed {
        return Some(Reason::Relearned);
    }
    let due = numbers
        .retrial_after
        .is_some_and(|after| rows.unused_opportunities >= after);
    (due && !rows.by_person).then_some(Reason::Retrial)
}

fn harm(rows: &EvidenceRows, summary: &Summary, numbers: &GateNumbers) -> Option<Reason> {
    if summary.regressions >= numbers.regressions_to_suppress.max(1) {
        return Some(Reason::Regressions);
    }
    let last = &rows.contests[rows.contests.len().saturating_sub(numbers.contests_window)..];
    if last.iter().filter(|contest| !contest.won).count() >= numbers.contests_lost_min.max(1) {
        return Some(Reason::LostContests);
    }
    let proof = &summary.proof;
    if proof.failures >= numbers.failures_min.max(1) && summary.upper < numbers.direct_upper_below {
        return Some(Reason::DirectHarm);
    }
    let is_more_common = proof.fall_upper.is_some_and(|upper| upper < 0.0);
    is_more_common.then_some(Reason::ComparativeHarm)
}

fn merit(rows: &EvidenceRows, summary: &Summary, numbers: &GateNumbers) -> Option<Reason> {
    let proof = &summary.proof;
    let passes = proof.passes_with.zip(proof.passes_without);
    let pass_rate_fell = passes.is_some_and(|(with, without)| with < without);
    let is_young = runs_with_rows(rows) < numbers.runs_min;
    if is_young || summary.regressions > 0 || pass_rate_fell {
        return None;
    }
    if stands(summary, numbers) {
        return Some(Reason::DirectProof);
    }
    let is_rarer = proof.fall_lower.is_some_and(|lower| lower > 0.0);
    let is_useful = is_rarer && proof.utility >= numbers.utility_min;
    is_useful.then_some(Reason::ComparativeProof)
}

/// Returns true if the direct proof holds: the advice was followed in enough runs, and its rate is shown to lie above
/// the threshold. One success alone would have a lower bound of 0.585, so that the runs are counted, too.
pub fn stands(summary: &Summary, numbers: &GateNumbers) -> bool {
    let runs = summary.proof.successes + summary.proof.failures;
    runs >= numbers.runs_min && summary.lower > numbers.direct_lower_above
}

pub mod classic;
#[cfg(test)]
mod tests;
