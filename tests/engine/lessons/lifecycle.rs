//! From outcomes to verdicts: worked examples, and the gates against a model written from the rules.

use mnemograph::domain::lesson::activation::Moment;
use mnemograph::domain::lesson::evidence::{evidence, is_major_regression};
use mnemograph::domain::lesson::ids::ActivationId;
use mnemograph::domain::lesson::lesson::{Counts, Status};
use mnemograph::domain::lesson::life::contests;
use mnemograph::domain::lesson::merge::merge;
use mnemograph::domain::lesson::metrics::measure;
use mnemograph::domain::lesson::numbers::{GateNumbers, Numbers};
use mnemograph::domain::lesson::promotion::{
    Decision, EvidenceRows, OutcomeRow, Reason, RunRow, bounds, decide, derives_again,
};
use mnemograph::domain::lesson::run::{Followed, RunRecord};
use mnemograph::domain::lesson::utility::{baseline, reliability, settle};

use super::world::{about, activation, at, fp, run, with};

fn close(ours: f64, expected: f64) {
    assert!((ours - expected).abs() < 1e-12, "{ours} is not {expected}");
}

#[test]
fn an_on_error_activation_is_compared_with_errors_that_met_no_lesson() {
    let lesson = about(1);
    // Three occurrences without a lesson, one of them followed by another; one under the lesson.
    let history = [
        run("a", 1, &[(2, 1), (5, 1)]),
        run("b", 2, &[(3, 1), (4, 2)]),
        with(run("c", 3, &[(2, 1), (3, 1)]), &lesson, 2),
    ];
    let now = with(run("d", 4, &[(3, 1)]), &lesson, 3);
    let activation = activation(&lesson, &now, Moment::OnError, 3);
    let base = baseline(&activation, &lesson, &now, &history);
    assert_eq!(base.samples, 3);
    close(base.rate, 1.0 / 3.0);
    let numbers = Numbers::default().utility;
    let outcome = settle(&activation, &lesson, &now, base, &numbers);
    close(outcome.error_reduction, (1.0 / 3.0) * 3.0 / 5.0);
    assert!(!outcome.recurred && outcome.helped());
    // The same error again, or another one right after the advice, is no cure.
    for failures in [&[(3, 1), (7, 1)][..], &[(3, 1), (4, 2)]] {
        let bad = with(run("d", 4, failures), &lesson, 3);
        let outcome = settle(&activation, &lesson, &bad, base, &numbers);
        close(outcome.error_reduction, (1.0 / 3.0 - 1.0) * 3.0 / 5.0);
        assert!(outcome.recurred && !outcome.helped());
    }
    // Another error later is not the advice's; unless the adapter says that it was.
    let mut later = with(run("d", 4, &[(3, 1), (7, 2)]), &lesson, 3);
    assert!(!settle(&activation, &lesson, &later, base, &numbers).recurred);
    later.followed.push(Followed {
        lesson: lesson.id,
        step: 7,
    });
    assert!(settle(&activation, &lesson, &later, base, &numbers).recurred);
}

#[test]
fn a_pre_run_activation_is_compared_with_runs_without_the_lesson() {
    let lesson = about(1);
    let mut history: Vec<RunRecord> = vec![
        run("a", 1, &[(2, 1)]),
        run("b", 2, &[]),
        run("c", 3, &[(1, 1)]),
        run("e", 3, &[(1, 1)]),
    ];
    history[1].steps = 20;
    history.push(with(run("x", 3, &[]), &lesson, 0));
    let mut other = run("y", 3, &[]);
    other.place.task = Some("another".to_owned());
    history.push(other);
    let mut now = with(run("d", 4, &[]), &lesson, 0);
    now.steps = 5;
    let activation = activation(&lesson, &now, Moment::PreRun, 0);
    let base = baseline(&activation, &lesson, &now, &history);
    assert_eq!(
        (base.samples, base.median_steps, base.mean_score),
        (4, Some(10.0), None)
    );
    close(base.rate, 0.75);
    let numbers = Numbers::default().utility;
    let outcome = settle(&activation, &lesson, &now, base, &numbers);
    close(outcome.error_reduction, 0.75 * 4.0 / 6.0);
    close(outcome.step_efficiency_gain, 0.5);
    close(outcome.utility, 0.65 * 0.5 + 0.35 * 0.5);
    now.passed = Some(false);
    close(
        settle(&activation, &lesson, &now, base, &numbers).step_efficiency_gain,
        0.0,
    );
    // Without any history nothing is claimed.
    let none = baseline(&activation, &lesson, &now, &[]);
    close(
        settle(&activation, &lesson, &now, none, &numbers).utility,
        0.0,
    );
    // With a referee the three weights hold.
    now.score = Some(0.9);
    now.passed = None;
    let judged = mnemograph::domain::lesson::outcome::Baseline {
        mean_score: Some(0.4),
        ..base
    };
    close(
        settle(&activation, &lesson, &now, judged, &numbers).utility,
        0.5 * 0.5 + 0.3 * 0.5 + 0.2 * 0.5,
    );
    close(reliability(0.5, 0.2, &numbers), 0.7 * 0.5 + 0.3 * 0.6);
}

fn rows(utilities: &[f64]) -> EvidenceRows {
    let numbered = || utilities.iter().zip(0_u8..);
    EvidenceRows {
        outcomes: numbered()
            .map(|(utility, n)| OutcomeRow {
                activation: ActivationId([n; 10]),
                run: n.to_string(),
                utility: *utility,
            })
            .collect(),
        runs: numbered()
            .map(|(_, n)| RunRow {
                run: n.to_string(),
                with_lesson: true,
                raised: false,
                passed: None,
                score: None,
                regression: false,
            })
            .collect(),
        reliability: 0.5,
        ..EvidenceRows::default()
    }
}

/// The verdict without an evaluator, written down from the specification alone.
fn model(utilities: &[f64]) -> Option<Status> {
    let n = utilities.len() as f64;
    if utilities.len() < 3 {
        return None;
    }
    let mean = utilities.iter().sum::<f64>() / n;
    let padded: Vec<f64> = utilities.iter().copied().chain([0.0]).collect();
    let centre = padded.iter().sum::<f64>() / (n + 1.0);
    let variance = padded.iter().map(|u| (u - centre).powi(2)).sum::<f64>() / n;
    let reach = 0.8416 * variance.sqrt() / (n + 1.0).sqrt();
    if mean <= 0.0 && centre + reach < 0.10 {
        return Some(Status::Suppressed);
    }
    (mean >= 0.20 && centre - reach > 0.0).then_some(Status::Promoted)
}

#[test]
fn verdicts_of_lessons_follow_the_model_on_random_outcomes() {
    let mut rng = fastrand::Rng::with_seed(6);
    let mut seen = [0; 3];
    for _ in 0..2_000 {
        let centre = rng.f64() * 1.2 - 0.6;
        let spread = rng.f64();
        let utilities: Vec<f64> = (0..rng.usize(0..12))
            .map(|_| (centre + (rng.f64() - 0.5) * spread).clamp(-1.0, 1.0))
            .collect();
        let decision = decide(&about(1), rows(&utilities), &GateNumbers::default(), at(1));
        let to = decision.as_ref().map(|decision| decision.to);
        assert_eq!(to, model(&utilities), "{utilities:?}");
        seen[match to {
            None => 0,
            Some(Status::Promoted) => 1,
            _ => 2,
        }] += 1;
        if let Some(decision) = decision {
            assert!(derives_again(&decision));
            let stored = serde_json::to_string(&decision).unwrap();
            let read: Decision = serde_json::from_str(&stored).unwrap();
            assert!(read == decision && derives_again(&read));
            let mut forged = read;
            forged.evidence.outcomes.pop();
            assert!(!derives_again(&forged));
        }
    }
    assert!(seen.iter().all(|count| *count > 120), "{seen:?}");
}

#[test]
fn an_evaluator_promotes_on_proof_and_two_regressions_suppress() {
    let numbers = GateNumbers::default();
    let row = |with: bool, raised: bool, passed: bool| RunRow {
        run: String::new(),
        with_lesson: with,
        raised,
        passed: Some(passed),
        score: None,
        regression: false,
    };
    let mut proof = rows(&[0.4, 0.4, 0.4]);
    proof.runs = vec![
        row(false, true, false),
        row(false, true, true),
        row(true, false, true),
        row(true, false, true),
        row(true, false, true),
    ];
    let decision = decide(&about(1), proof.clone(), &numbers, at(1)).unwrap();
    assert_eq!(
        (decision.to, decision.reason),
        (Status::Promoted, Reason::EvaluatorProvesIt)
    );
    // No fall of the errors, or no rise of the passes, is no proof.
    let mut no_fall = proof.clone();
    no_fall.runs[2].raised = true;
    no_fall.runs[3].raised = true;
    assert_eq!(decide(&about(1), no_fall, &numbers, at(1)), None);
    let mut no_rise = proof.clone();
    no_rise.runs[2].passed = Some(false);
    no_rise.runs[3].passed = Some(false);
    assert_eq!(decide(&about(1), no_rise, &numbers, at(1)), None);
    let mut regressed = proof;
    regressed.runs[2].regression = true;
    assert_eq!(decide(&about(1), regressed.clone(), &numbers, at(1)), None);
    regressed.runs[3].regression = true;
    let decision = decide(&about(1), regressed, &numbers, at(1)).unwrap();
    assert_eq!(
        (decision.to, decision.reason),
        (Status::Suppressed, Reason::Regressions)
    );
}

#[test]
fn a_regression_blames_only_lessons_that_were_active_for_the_failure() {
    let (guilty, other) = (about(1), about(2));
    let numbers = GateNumbers::default();
    let passed = |mut run: RunRecord, passed: bool| {
        run.passed = Some(passed);
        run
    };
    let bad = passed(
        with(with(run("b", 2, &[(3, 1)]), &guilty, 0), &other, 0),
        false,
    );
    let runs = [passed(run("a", 1, &[]), true), bad.clone()];
    assert!(is_major_regression(&bad, &runs, &numbers));
    let blamed = |lesson| {
        evidence(lesson, &runs, &[], &numbers)
            .runs
            .iter()
            .filter(|row| row.regression)
            .count()
    };
    assert_eq!((blamed(&guilty), blamed(&other)), (1, 0));
    // A score that falls by 0.3 below the mean of the comparable runs before it.
    let scored = |id: &str, day: i64, score: f64| RunRecord {
        score: Some(score),
        ..run(id, day, &[])
    };
    let runs = [
        scored("a", 1, 0.8),
        scored("b", 2, 0.9),
        scored("c", 3, 0.55),
        scored("d", 4, 0.44),
    ];
    let found: Vec<bool> = runs
        .iter()
        .map(|run| is_major_regression(run, &runs, &numbers))
        .collect();
    assert_eq!(found, [false, false, true, true]);
}

#[test]
fn an_unreliable_lesson_that_nobody_needs_is_archived_and_a_retrial_is_off_by_default() {
    let numbers = GateNumbers::default();
    let unused = |reliability: f64, unused_opportunities: u32| EvidenceRows {
        reliability,
        unused_opportunities,
        ..EvidenceRows::default()
    };
    assert_eq!(decide(&about(1), unused(0.29, 19), &numbers, at(1)), None);
    assert_eq!(decide(&about(1), unused(0.3, 90), &numbers, at(1)), None);
    assert_eq!(
        decide(&about(1), unused(0.29, 20), &numbers, at(1))
            .unwrap()
            .to,
        Status::Archived
    );
    let mut suppressed = about(1);
    suppressed.status = Status::Suppressed;
    assert_eq!(decide(&suppressed, unused(0.1, 99), &numbers, at(1)), None);
    let retrial = GateNumbers {
        retrial_after: Some(30),
        ..numbers
    };
    let decision = decide(&suppressed, unused(0.1, 30), &retrial, at(1)).unwrap();
    assert_eq!(
        (decision.to, decision.reason),
        (Status::Candidate, Reason::Retrial)
    );
}

#[test]
fn bounds_of_no_outcome_and_of_equal_ones() {
    assert_eq!(bounds(&[], 0.8416), (0.0, 0.0));
    let (lower, upper) = bounds(&[0.5, 0.5, 0.5], 0.8416);
    close((lower + upper) / 2.0, 0.375);
    close(upper - lower, 2.0 * 0.8416 * 0.25 / 2.0);
}

#[test]
fn the_metrics_of_a_run_count_what_happened_in_it() {
    let lesson = about(1);
    let mut now = with(run("r", 1, &[(1, 1), (2, 2), (4, 1)]), &lesson, 1);
    now.score = Some(0.5);
    let mut helped = activation(&lesson, &now, Moment::OnError, 1);
    let base = baseline(&helped, &lesson, &now, &[run("a", 0, &[(1, 1), (2, 1)])]);
    helped.outcome = Some(settle(
        &helped,
        &lesson,
        &now,
        base,
        &Numbers::default().utility,
    ));
    let mut withheld = activation(&lesson, &now, Moment::PreRun, 0);
    withheld.withheld = true;
    let metrics = measure(&now, &[helped, withheld], &[], |id| id == fp(2));
    assert_eq!(
        (
            metrics.tool_errors,
            metrics.recurrences,
            metrics.activations,
            metrics.withheld
        ),
        (3, 2, 1, 1)
    );
    assert_eq!(metrics.precision, Some(0.0));
    assert_eq!(lesson.counts, Counts::default());
}

#[test]
fn an_outcome_counts_once_and_a_contest_is_decided_by_a_helpful_winner_only() {
    let (mut winner, loser) = (about(1), about(2));
    let now = with(run("d", 4, &[(3, 1)]), &winner, 3);
    let numbers = Numbers::default().utility;
    let history = [run("a", 1, &[(2, 1), (5, 1)])];
    let mut used = activation(&winner, &now, Moment::OnError, 3);
    used.beat.push(loser.id);
    winner.note_use(&used);
    assert!(
        !winner.take_outcome(&used, &numbers),
        "there is no outcome yet"
    );
    used.outcome = Some(settle(
        &used,
        &winner,
        &now,
        baseline(&used, &winner, &now, &history),
        &numbers,
    ));
    assert!(winner.take_outcome(&used, &numbers) && !winner.take_outcome(&used, &numbers));
    assert_eq!(
        winner.counts,
        Counts {
            retrieved: 1,
            helpful: 1,
            harmful: 0
        }
    );
    close(winner.impact, winner.history[0].utility);
    close(winner.reliability, 0.35 + 0.3 * (winner.impact + 1.0) / 2.0);
    let decided = contests(&used);
    assert_eq!(
        decided
            .iter()
            .map(|(id, contest)| (*id, contest.won))
            .collect::<Vec<_>>(),
        [(winner.id, true), (loser.id, false)]
    );
    assert!(winner.take_contest(decided[0].1) && !winner.take_contest(decided[0].1));
    let again = with(run("d", 4, &[(3, 1), (4, 1)]), &winner, 3);
    used.outcome = Some(settle(
        &used,
        &winner,
        &again,
        baseline(&used, &winner, &again, &history),
        &numbers,
    ));
    assert!(contests(&used).is_empty());
}

#[test]
fn a_decision_is_taken_once_and_only_from_the_status_it_was_made_for() {
    let mut lesson = about(1);
    let decision = decide(
        &lesson,
        rows(&[0.5, 0.5, 0.5]),
        &GateNumbers::default(),
        at(1),
    )
    .unwrap();
    let mut suppressed = lesson.clone();
    suppressed.status = Status::Suppressed;
    assert!(!suppressed.take_decision(&decision) && suppressed.status == Status::Suppressed);
    assert!(lesson.take_decision(&decision) && !lesson.take_decision(&decision));
    assert_eq!(lesson.status, Status::Promoted);
}

#[test]
fn a_merge_counts_common_evidence_once() {
    let now = with(run("d", 4, &[(3, 1)]), &about(1), 3);
    let numbers = Numbers::default().utility;
    let settled = |step: u32| {
        let lesson = about(1);
        let mut used = activation(&lesson, &now, Moment::OnError, step);
        used.outcome = Some(settle(
            &used,
            &lesson,
            &now,
            baseline(&used, &lesson, &now, &[run("a", 1, &[(2, 1), (5, 1)])]),
            &numbers,
        ));
        used
    };
    let of = |steps: &[u32]| {
        let mut lesson = about(1);
        for used in steps.iter().map(|step| settled(*step)) {
            lesson.note_use(&used);
            lesson.take_outcome(&used, &numbers);
        }
        lesson
    };
    let (a, b) = (of(&[3, 4, 5]), of(&[4, 5, 6, 7]));
    let merged = merge(&a, &b);
    assert_eq!((merged.counts.retrieved, merged.history.len()), (5, 5));
    assert_eq!(merged.counts.helpful + merged.counts.harmful, 5);
    close(
        merged.impact,
        merged.history.iter().map(|point| point.utility).sum(),
    );
    // To import the same again changes nothing.
    assert_eq!(merge(&merged, &b), merged);
}
