//! The result of a lesson's rows: the two proofs, the utility, and the regressions.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::evidence_row::{RowKind, Witness};
use super::evidence_rows::{Arm, EvidenceRows, RunRow};
use super::interval::{Share, difference};
use super::utility::{ArmFigures, Followings, mean, median, utility_of};
use super::verdict_numbers::VerdictNumbers;
use crate::lesson::lesson_policy::GateNumbers;

/// The result of the evidence.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// Settled outcomes.
    pub outcomes: usize,
    /// Relevant runs.
    pub relevant_runs: usize,
    /// Mean utility of the outcomes.
    pub mean: f64,
    /// Lower bound of the direct rate.
    pub lower: f64,
    /// Upper bound of it.
    pub upper: f64,
    /// Share of runs with the lesson in which its fingerprints were raised.
    pub recurrence_with: Option<f64>,
    /// The rate without it.
    pub recurrence_without: Option<f64>,
    /// Attributable regressions among the last relevant runs.
    pub regressions: usize,
    /// The proofs.
    pub proof: Proof,
}

/// The two proofs of a lesson.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Proof {
    /// Distinct runs in which the advice was followed and worked.
    pub successes: usize,
    /// Distinct runs in which it was followed and failed.
    pub failures: usize,
    /// Of a rule that only forbids and was refuted: distinct runs in which the forbidden action failed in its way after
    /// it was offered, and never worked.
    pub held: usize,
    /// Runs that show that the lesson is needed.
    pub needs: usize,
    /// Runs of the arm with the lesson.
    pub with_runs: usize,
    /// Runs of the arm without it.
    pub without_runs: usize,
    /// Of them control runs: chosen by chance, which the runs before the lesson's birth are not.
    pub control_runs: usize,
    /// Lower bound of the fall of the recurrence; absent where an arm is too small.
    pub fall_lower: Option<f64>,
    /// Upper bound of it, by control runs alone; absent where these are too few.
    pub fall_upper: Option<f64>,
    /// The utility of the lesson.
    pub utility: f64,
    /// Share of runs that passed with the lesson.
    pub passes_with: Option<f64>,
    /// The regressions without it.
    pub passes_without: Option<f64>,
}

impl Proof {
    /// Runs that prove something, of either proof.
    pub fn rows(&self) -> usize {
        (self.successes + self.failures).max(self.with_runs)
    }
}

/// The runs in which the advice was followed.
///
/// A run counts once, and as a failure when any of its rows is one: several hints of one run are one experience. An
/// averted error counts only for a lesson that is needed, else everyone who does it right anyway would prove a rule
/// against something that never fails. A rule that only forbids has no right form whose success could be counted; a
/// success of the forbidden form counts against it, and a caller's measurement counts for it, too.
pub(crate) fn followings(rows: &EvidenceRows, numbers: &GateNumbers) -> Followings {
    let is_needed = rows.needs.len() >= numbers.need_runs_min;
    let mut runs: BTreeMap<&str, bool> = BTreeMap::new();
    for outcome in &rows.outcomes {
        let row = outcome.row;
        let is_told = row.witness == Witness::Caller || row.kind == RowKind::Refuted;
        let counts = rows.has_correct || is_told;
        let is_idle = row.kind.sign() == 0 || (row.kind == RowKind::Averted && !is_needed);
        if counts && !is_idle {
            let worked = runs.entry(&outcome.run).or_insert(true);
            *worked &= row.kind.sign() > 0;
        }
    }
    for support in rows.supports.iter().filter(|_| rows.has_correct) {
        runs.entry(&support.run).or_insert(true);
    }
    for found in &rows.counterexamples {
        runs.insert(&found.run, false);
    }
    let successes = runs.values().filter(|worked| **worked).count();
    Followings {
        successes,
        failures: runs.len() - successes,
    }
}

/// The runs that speak for a rule that only forbids, where others refute it. They keep it in use and prove nothing: a
/// form that fails for a while is no reason to avoid it for ever.
fn held(rows: &EvidenceRows) -> usize {
    let shown = |kind: RowKind| -> BTreeSet<&str> {
        let rows = rows.outcomes.iter();
        let of_kind = rows.filter(|outcome| {
            outcome.row.kind == kind && (kind == RowKind::Refuted || outcome.row.needed)
        });
        of_kind.map(|outcome| outcome.run.as_str()).collect()
    };
    let refuted = shown(RowKind::Refuted);
    if refuted.is_empty() {
        return 0;
    }
    shown(RowKind::NotFollowed).difference(&refuted).count()
}

/// Adds up the rows.
pub fn summarise(rows: &EvidenceRows, numbers: &VerdictNumbers) -> Summary {
    let (proof, numbers) = (proof(rows, numbers), &numbers.gates);
    let direct = Share {
        hits: proof.successes,
        of: proof.successes + proof.failures,
    };
    let bounds = direct.wilson(numbers.bound_z);
    let in_use = Share {
        hits: direct.hits + proof.held,
        of: direct.of + proof.held,
    };
    let utilities: Vec<f64> = rows.outcomes.iter().map(|row| row.utility).collect();
    let is_relevant = |run: &&RunRow| run.with_lesson || run.raised;
    let relevant: Vec<&RunRow> = rows.runs.iter().filter(is_relevant).collect();
    let recent = &relevant[relevant.len().saturating_sub(numbers.regression_runs)..];
    Summary {
        outcomes: utilities.len(),
        relevant_runs: relevant.len(),
        mean: mean(&utilities).unwrap_or_default(),
        lower: bounds.lower,
        upper: in_use.wilson(numbers.bound_z).upper,
        recurrence_with: raised(&in_arm(rows, Arm::With)).rate(),
        recurrence_without: raised(&in_arm(rows, Arm::Without)).rate(),
        regressions: recent.iter().filter(|run| run.regression).count(),
        proof,
    }
}

fn proof(rows: &EvidenceRows, all: &VerdictNumbers) -> Proof {
    let numbers = &all.gates;
    let followings = followings(rows, numbers);
    let (with, without) = (in_arm(rows, Arm::With), in_arm(rows, Arm::Without));
    let control: Vec<&RunRow> = without.iter().copied().filter(|run| run.control).collect();
    let fall = |without: &[&RunRow]| {
        let is_enough = with.len().min(without.len()) >= numbers.arm_runs_min;
        let bounds = difference(raised(without), raised(&with), numbers.bound_z);
        bounds.filter(|_| is_enough)
    };
    let utility = utility_of(figures(&with), figures(&without), followings, &all.utility);
    Proof {
        successes: followings.successes,
        failures: followings.failures,
        held: held(rows),
        needs: rows.needs.len(),
        with_runs: with.len(),
        without_runs: without.len(),
        control_runs: control.len(),
        fall_lower: fall(&without).map(|bounds| bounds.lower),
        // A lesson is born from the first run that failed, so that the runs before are clean by construction: compared
        // with them any lesson looks harmful. Harm is judged by control runs alone.
        fall_upper: fall(&control).map(|bounds| bounds.upper),
        utility,
        passes_with: passes(&with),
        passes_without: passes(&without),
    }
}

fn in_arm(rows: &EvidenceRows, arm: Arm) -> Vec<&RunRow> {
    rows.runs
        .iter()
        .filter(|run| run.arm == Some(arm))
        .collect()
}

fn raised(runs: &[&RunRow]) -> Share {
    Share::from_cases(runs.iter().map(|run| run.raised))
}

fn passes(runs: &[&RunRow]) -> Option<f64> {
    Share::from_cases(runs.iter().filter_map(|run| run.passed)).rate()
}

fn figures(runs: &[&RunRow]) -> ArmFigures {
    // A run that failed early took few steps, and saved none.
    let completed = runs.iter().filter(|run| run.passed != Some(false));
    let mut steps: Vec<f64> = completed.map(|run| f64::from(run.steps)).collect();
    let scores: Vec<f64> = runs.iter().filter_map(|run| run.score).collect();
    ArmFigures {
        runs: runs.len() as u64,
        rate: raised(runs).rate().unwrap_or_default(),
        median_steps: median(&mut steps),
        mean_score: mean(&scores),
    }
}

/// The distinct runs of the rows that are evidence about the advice, or about the arm with it.
pub(crate) fn runs_with_rows(rows: &EvidenceRows) -> usize {
    let says = |kind: RowKind| kind != RowKind::Unknown;
    let outcomes = rows.outcomes.iter();
    let shown = outcomes.filter(|outcome| says(outcome.row.kind));
    let shown = shown.map(|outcome| outcome.run.as_str());
    let supports = rows.supports.iter().map(|support| support.run.as_str());
    let with = in_arm(rows, Arm::With)
        .into_iter()
        .map(|run| run.run.as_str());
    shown
        .chain(supports)
        .chain(with)
        .collect::<BTreeSet<_>>()
        .len()
}
