//! The gates: what the evidence of a lesson makes of its status.
//!
//! A decision holds the numbers it was made with and the rows it rests on, so that anybody can derive it
//! again. One early regression delays a promotion and does not forbid it for ever; a suppression needs
//! evidence that the lesson does not help, not only the lack of evidence that it does.

use serde::{Deserialize, Serialize};

use super::ids::{ActivationId, DecisionId, LessonId, derive};
use super::lesson::{Cause, Contest, Lesson, Status};
use super::numbers::GateNumbers;
use super::utility::mean;
use crate::timestamp::Timestamp;
use crate::word_enum;

/// Rows of each kind that a decision keeps; the last ones.
pub const ROWS_MAX: usize = 200;

word_enum! {
    /// Why a status changed.
    Reason {
        /// An evaluator saw the errors fall and the results rise.
        EvaluatorProvesIt = "evaluator_proves_it",
        /// Its utility is high and stable.
        UtilityIsStable = "utility_is_stable",
        /// Its utility is not above zero.
        NoUtility = "no_utility",
        /// It lost to lessons that contradict it.
        LostContests = "lost_contests",
        /// Major regressions happened where it was followed.
        Regressions = "regressions",
        /// It is unreliable and nobody needed it.
        Unused = "unused",
        /// Its second chance is due.
        Retrial = "retrial",
    }
}

/// One outcome as evidence.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OutcomeRow {
    /// The activation.
    pub activation: ActivationId,
    /// Its run.
    pub run: String,
    /// What it brought.
    pub utility: f64,
}

/// One relevant run as evidence: the lesson was active in it, or one of its fingerprints was raised.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunRow {
    /// The run.
    pub run: String,
    /// The lesson was active in it.
    pub with_lesson: bool,
    /// One of its fingerprints was raised.
    pub raised: bool,
    /// What the evaluator said.
    pub passed: Option<bool>,
    /// Its score.
    pub score: Option<f64>,
    /// It was a major regression, and the lesson was active for the failing fingerprint.
    pub regression: bool,
}

/// All that a decision rests on, oldest first.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct EvidenceRows {
    /// Settled outcomes.
    pub outcomes: Vec<OutcomeRow>,
    /// Relevant runs, and comparable ones without the lesson.
    pub runs: Vec<RunRow>,
    /// Decided meetings with conflicting lessons.
    pub contests: Vec<Contest>,
    /// Reliability at the time.
    pub reliability: f64,
    /// Relevant opportunities since it was last returned.
    pub unused_opportunities: u32,
}

/// What the evidence amounts to.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// Settled outcomes.
    pub outcomes: usize,
    /// Relevant runs.
    pub relevant_runs: usize,
    /// Mean utility.
    pub mean: f64,
    /// Lower bound of it.
    pub lower: f64,
    /// Upper bound of it.
    pub upper: f64,
    /// Share of runs with the lesson in which its fingerprints were raised.
    pub recurrence_with: Option<f64>,
    /// The same without it.
    pub recurrence_without: Option<f64>,
    /// Attributable regressions.
    pub regressions: usize,
}

/// A change of status with all that it rests on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Decision {
    /// Derived from the lesson, the change and the number of outcomes behind it.
    pub id: DecisionId,
    /// Whose status.
    pub lesson: LessonId,
    /// From this
    pub from: Status,
    /// to that.
    pub to: Status,
    /// What brought it about.
    pub cause: Cause,
    /// Why.
    pub reason: Reason,
    /// What the evidence amounts to.
    pub summary: Summary,
    /// The numbers it was made with.
    pub numbers: GateNumbers,
    /// The rows it rests on.
    pub evidence: EvidenceRows,
    /// When.
    pub at: Timestamp,
}

/// Decides about a lesson; absent when its status stays.
pub fn decide(
    lesson: &Lesson,
    evidence: EvidenceRows,
    numbers: &GateNumbers,
    at: Timestamp,
) -> Option<Decision> {
    let summary = summarise(&evidence, numbers);
    let (to, reason) = verdict(lesson.status, &evidence, &summary, numbers)?;
    let cause = if reason == Reason::Retrial {
        Cause::Retrial
    } else {
        Cause::Evidence
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
    Some(Decision {
        id: DecisionId(id),
        lesson: lesson.id,
        from: lesson.status,
        to,
        cause,
        reason,
        summary,
        numbers: *numbers,
        evidence,
        at,
    })
}

/// Tells whether a stored decision follows from its own rows and numbers.
pub fn derives_again(decision: &Decision) -> bool {
    let summary = summarise(&decision.evidence, &decision.numbers);
    verdict(
        decision.from,
        &decision.evidence,
        &summary,
        &decision.numbers,
    ) == Some((decision.to, decision.reason))
        && summary == decision.summary
}

fn verdict(
    status: Status,
    rows: &EvidenceRows,
    summary: &Summary,
    numbers: &GateNumbers,
) -> Option<(Status, Reason)> {
    if status == Status::Suppressed {
        let due = numbers
            .retrial_after
            .is_some_and(|after| rows.unused_opportunities >= after);
        return due.then_some((Status::Candidate, Reason::Retrial));
    }
    if !status.is_live() {
        return None;
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

fn harm(rows: &EvidenceRows, summary: &Summary, numbers: &GateNumbers) -> Option<Reason> {
    if summary.regressions >= numbers.regressions_to_suppress.max(1) {
        return Some(Reason::Regressions);
    }
    let last = &rows.contests[rows.contests.len().saturating_sub(numbers.contests_window)..];
    if last.iter().filter(|contest| !contest.won).count() >= numbers.contests_lost_min.max(1) {
        return Some(Reason::LostContests);
    }
    let useless = summary.outcomes >= numbers.outcomes_min.max(1)
        && summary.mean <= numbers.suppress_mean_max
        && summary.upper < numbers.suppress_upper_below;
    useless.then_some(Reason::NoUtility)
}

fn merit(rows: &EvidenceRows, summary: &Summary, numbers: &GateNumbers) -> Option<Reason> {
    let relevant: Vec<&RunRow> = rows
        .runs
        .iter()
        .filter(|run| run.with_lesson || run.raised)
        .collect();
    let recent = &relevant[relevant
        .len()
        .saturating_sub(numbers.regression_blocks_runs)..];
    let blocked = recent.iter().any(|run| run.regression);
    if blocked || summary.relevant_runs < numbers.relevant_runs_min || summary.outcomes == 0 {
        return None;
    }
    let evaluated = rows
        .runs
        .iter()
        .any(|run| run.with_lesson && run.passed.is_some());
    if evaluated {
        return evaluator_proves(rows, summary, numbers).then_some(Reason::EvaluatorProvesIt);
    }
    let stable = summary.outcomes >= numbers.outcomes_min
        && summary.mean >= numbers.promote_mean_min
        && summary.lower > 0.0;
    stable.then_some(Reason::UtilityIsStable)
}

/// The errors fell by enough, and passes or scores rose.
fn evaluator_proves(rows: &EvidenceRows, summary: &Summary, numbers: &GateNumbers) -> bool {
    let with: Vec<&RunRow> = rows.runs.iter().filter(|run| run.with_lesson).collect();
    let without: Vec<&RunRow> = rows.runs.iter().filter(|run| !run.with_lesson).collect();
    let (Some(now), Some(before)) = (summary.recurrence_with, summary.recurrence_without) else {
        return false;
    };
    let fell = before > 0.0 && now <= before * (1.0 - numbers.recurrence_fall_min);
    let passes = |runs: &[&RunRow]| {
        mean(
            &runs
                .iter()
                .filter_map(|run| run.passed)
                .map(|passed| f64::from(u8::from(passed)))
                .collect::<Vec<_>>(),
        )
    };
    let scores =
        |runs: &[&RunRow]| mean(&runs.iter().filter_map(|run| run.score).collect::<Vec<_>>());
    let rose = |of: &dyn Fn(&[&RunRow]) -> Option<f64>| {
        of(&with)
            .zip(of(&without))
            .is_some_and(|(now, before)| now > before)
    };
    // Where nothing could rise, because every run passes, the fall of the errors is the improvement.
    let full = passes(&with) == Some(1.0) && passes(&without) == Some(1.0);
    with.len() >= numbers.relevant_runs_min && fell && (rose(&passes) || rose(&scores) || full)
}

/// Adds up the rows.
pub fn summarise(rows: &EvidenceRows, numbers: &GateNumbers) -> Summary {
    let utilities: Vec<f64> = rows.outcomes.iter().map(|row| row.utility).collect();
    let (lower, upper) = bounds(&utilities, numbers.bound_z);
    let rate = |with: bool| {
        let runs = rows.runs.iter().filter(|run| run.with_lesson == with);
        mean(
            &runs
                .map(|run| f64::from(u8::from(run.raised)))
                .collect::<Vec<_>>(),
        )
    };
    Summary {
        outcomes: utilities.len(),
        relevant_runs: rows
            .runs
            .iter()
            .filter(|run| run.with_lesson || run.raised)
            .count(),
        mean: mean(&utilities).unwrap_or_default(),
        lower,
        upper,
        recurrence_with: rate(true),
        recurrence_without: rate(false),
        regressions: rows.runs.iter().filter(|run| run.regression).count(),
    }
}

/// One-sided bounds of the mean, from the outcomes and one added 0.
pub fn bounds(utilities: &[f64], z: f64) -> (f64, f64) {
    let n = utilities.len() as f64 + 1.0;
    let mean = utilities.iter().sum::<f64>() / n;
    let squares = utilities
        .iter()
        .chain(&[0.0])
        .map(|value| (value - mean) * (value - mean))
        .sum::<f64>();
    let deviation = if n > 1.0 {
        libm::sqrt(squares / (n - 1.0))
    } else {
        0.0
    };
    let reach = z * deviation / libm::sqrt(n);
    (mean - reach, mean + reach)
}
