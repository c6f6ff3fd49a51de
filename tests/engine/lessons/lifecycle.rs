//! From rows to verdicts: worked examples, and invariants for any rows.

use hindlore_domain::lesson::activation::{Activation, Trigger};
use hindlore_domain::lesson::evidence::comparison::Arms;
use hindlore_domain::lesson::evidence::evidence_row::{EvidenceRow, RowKind, Witness};
use hindlore_domain::lesson::evidence::evidence_rows::EvidenceRows;
use hindlore_domain::lesson::evidence::outcome::{Baseline, Outcome};
use hindlore_domain::lesson::evidence::utility::{Followings, Use, reliability, settle};
use hindlore_domain::lesson::evidence::verdict_numbers::VerdictNumbers;
use hindlore_domain::lesson::evidence::{evidence, is_major_regression};
use hindlore_domain::lesson::learning::merge::merge;
use hindlore_domain::lesson::lesson::{Counts, Lesson, Status};
use hindlore_domain::lesson::lesson_policy::{GateNumbers, LessonPolicy, UtilityNumbers};
use hindlore_domain::lesson::lifecycle::{Contradiction, contests, with_meetings};
use hindlore_domain::lesson::metrics::measure;
use hindlore_domain::lesson::promotion::{Reason, decide, derives_again};
use hindlore_domain::lesson::run::RunRecord;

use super::world::{about, activation, at, fp, run, with};

fn close(ours: f64, expected: f64) {
    assert!((ours - expected).abs() < 1e-12, "{ours} is not {expected}");
}

fn row(kind: RowKind) -> EvidenceRow {
    EvidenceRow {
        kind,
        witness: Witness::Steps,
        followed_step: (kind.sign() != 0).then_some(2),
        needed: false,
    }
}

/// The value of a use of a lesson, with nothing else known.
fn settled(
    activation: &Activation,
    lesson: &Lesson,
    run: &RunRecord,
    kind: RowKind,
    baseline: Baseline,
) -> Outcome {
    let of = Use {
        activation,
        lesson,
        run,
        row: row(kind),
    };
    let followings = Followings {
        successes: usize::from(kind.sign() > 0),
        failures: usize::from(kind.sign() < 0),
    };
    settle(of, followings, baseline, &UtilityNumbers::default())
}

/// A use of a lesson in a run that has ended, with its row.
fn used(
    lesson: &Lesson,
    run: &RunRecord,
    (moment, step): (Trigger, u32),
    kind: RowKind,
) -> Activation {
    let mut used = activation(lesson, run, moment, step);
    used.outcome = Some(settled(&used, lesson, run, kind, Baseline::default()));
    used
}

#[test]
fn a_cure_without_a_comparison_is_worth_its_own_balance() {
    let lesson = about(1);
    let now = with(run("d", 4, &[(3, 1)]), &lesson, 3);
    let one = activation(&lesson, &now, Trigger::OnError, 3);
    let worth = |kind: RowKind| settled(&one, &lesson, &now, kind, Baseline::default());
    close(worth(RowKind::Cured).utility, 0.65 / 3.0);
    close(worth(RowKind::Failed).utility, -0.65 / 3.0);
    for silent in [RowKind::NotFollowed, RowKind::Unknown] {
        let outcome = worth(silent);
        close(outcome.utility, 0.0);
        assert!(!outcome.helped() && outcome.sign() == 0);
    }
    assert!(worth(RowKind::Cured).helped() && worth(RowKind::Failed).recurred);
    // After an error no comparison is asked: the error had come already.
    let base = Baseline {
        rate: 0.0,
        samples: 50,
        median_steps: None,
        mean_score: None,
    };
    close(
        settled(&one, &lesson, &now, RowKind::Cured, base).error_reduction,
        1.0 / 3.0,
    );
    close(
        reliability(0.5, 0.2, &UtilityNumbers::default()),
        0.7 * 0.5 + 0.3 * 0.6,
    );
}

#[test]
fn an_offer_before_the_run_is_compared_with_runs_without_it() {
    let lesson = about(1);
    let control = |id: &str, day: i64, failures: &[(u32, u8)]| RunRecord {
        control: true,
        ..run(id, day, failures)
    };
    let mut history = vec![
        control("a", 1, &[(2, 1)]),
        control("b", 2, &[]),
        control("c", 3, &[(1, 1)]),
        control("e", 3, &[(1, 1)]),
    ];
    history[1].steps = 20;
    // None of these is evidence about runs without the lesson: it was offered, it was not chosen by chance, it is
    // about something else.
    history.push(with(control("x", 3, &[]), &lesson, 0));
    history.push(run("y", 3, &[(1, 1)]));
    let mut other = control("z", 3, &[]);
    other.place.domain = Some("another".to_owned());
    other.place.task = None;
    history.push(other);
    let mut untried = control("w", 3, &[]);
    untried.subjects = vec!["cmd2".to_owned()];
    history.push(untried);
    let arms = Arms::new(&lesson, &history, &GateNumbers::default());
    assert_eq!((arms.with.len(), arms.without.len()), (1, 4));
    let base = arms.baseline(&lesson);
    assert_eq!(
        (base.samples, base.median_steps, base.mean_score),
        (4, Some(10.0), None)
    );
    close(base.rate, 0.75);
    let mut now = with(run("d", 4, &[]), &lesson, 0);
    now.steps = 5;
    let one = activation(&lesson, &now, Trigger::PreRun, 0);
    let outcome = settled(&one, &lesson, &now, RowKind::Averted, base);
    close(outcome.error_reduction, 0.75 * 4.0 / 6.0);
    close(outcome.step_efficiency_gain, 0.5 * 4.0 / 6.0);
    close(outcome.utility, 0.65 * 0.5 + 0.35 / 3.0);
    // Advice that failed earns nothing from a fast run, and a failed run saved no steps.
    let failed = settled(&one, &lesson, &now, RowKind::CameAnyway, base);
    close(failed.utility, 0.65 * (0.75 - 1.0) * 4.0 / 6.0);
    now.passed = Some(false);
    close(
        settled(&one, &lesson, &now, RowKind::Averted, base).step_efficiency_gain,
        0.0,
    );
    // With a referee the three weights hold.
    (now.score, now.passed) = (Some(0.9), None);
    let judged = Baseline {
        mean_score: Some(0.3),
        ..base
    };
    let outcome = settled(&one, &lesson, &now, RowKind::Averted, judged);
    close(
        outcome.utility,
        0.5 * 0.5 + 0.3 / 3.0 + 0.2 * 0.6 * 4.0 / 6.0,
    );
}

#[test]
fn the_runs_that_taught_a_lesson_are_in_no_arm_unless_chance_chose_them() {
    let mut lesson = about(1);
    lesson.created_at = at(5);
    lesson.source_runs = vec!["born".to_owned(), "again".to_owned(), "chance".to_owned()];
    let mut runs = vec![
        run("before", 2, &[]),
        run("born", 5, &[(1, 1)]),
        run("again", 6, &[(1, 1)]),
        run("chance", 7, &[(1, 1)]),
        run("late", 8, &[(1, 1)]),
    ];
    runs[1].control = true;
    runs[3].control = true;
    let arms = Arms::new(&lesson, &runs, &GateNumbers::default());
    let without: Vec<&str> = arms.without.iter().map(|run| run.id.as_str()).collect();
    assert_eq!(without, ["before", "chance"]);
}

#[test]
fn a_regression_blames_only_lessons_that_were_followed_before_the_failing_step() {
    let (guilty, late, ignored) = (about(1), about(2), about(3));
    let gates = GateNumbers::default();
    let passed = |passed: bool, run: RunRecord| RunRecord {
        passed: Some(passed),
        ..run
    };
    let mut bad = passed(false, run("b", 2, &[(4, 7)]));
    for lesson in [&guilty, &late, &ignored] {
        bad = with(bad, lesson, 0);
    }
    let runs = [passed(true, run("a", 1, &[])), bad.clone()];
    assert!(is_major_regression(&bad, &runs, &gates));
    let mut uses = vec![
        used(&guilty, &bad, (Trigger::PreRun, 0), RowKind::Averted),
        used(&late, &bad, (Trigger::PreRun, 0), RowKind::Averted),
        used(&ignored, &bad, (Trigger::PreRun, 0), RowKind::NotFollowed),
    ];
    uses[1].outcome.as_mut().unwrap().row.followed_step = Some(5);
    let blamed = |lesson: &Lesson, runs: &[RunRecord]| {
        let rows = evidence(lesson, runs, &uses, &gates).runs;
        rows.iter().filter(|row| row.regression).count()
    };
    let of_all = [&guilty, &late, &ignored].map(|lesson| blamed(lesson, &runs));
    assert_eq!(of_all, [1, 0, 0]);
    // Without a failing step the failure is unknown.
    let mut silent = runs.clone();
    silent[1].occurrences.clear();
    assert_eq!(blamed(&guilty, &silent), 0);
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
        .map(|run| is_major_regression(run, &runs, &gates))
        .collect();
    assert_eq!(found, [false, false, true, true]);
}

#[test]
fn an_unreliable_lesson_that_nobody_needs_is_archived_and_a_retrial_is_off_by_default() {
    let numbers = VerdictNumbers::default();
    let unused = |reliability: f64, unused_opportunities: u32| EvidenceRows {
        reliability,
        unused_opportunities,
        ..EvidenceRows::default()
    };
    let to = |lesson: &Lesson, rows: EvidenceRows, numbers: &VerdictNumbers| {
        decide(lesson, rows, numbers, at(1)).map(|decision| (decision.to, decision.reason))
    };
    assert_eq!(to(&about(1), unused(0.29, 19), &numbers), None);
    assert_eq!(to(&about(1), unused(0.3, 90), &numbers), None);
    let archived = Some((Status::Archived, Reason::Unused));
    assert_eq!(to(&about(1), unused(0.29, 20), &numbers), archived);
    let mut suppressed = about(1);
    suppressed.status = Status::Suppressed;
    assert_eq!(to(&suppressed, unused(0.1, 99), &numbers), None);
    let mut retrial = numbers;
    retrial.gates.retrial_after = Some(30);
    let tried = Some((Status::Candidate, Reason::Retrial));
    assert_eq!(to(&suppressed, unused(0.1, 30), &retrial), tried);
    // Relearning is no use: the count continues.
    suppressed.unused_opportunities = 30;
    assert_eq!(merge(&suppressed, &about(1)).unused_opportunities, 30);
}

#[test]
fn the_metrics_of_a_run_count_what_happened_in_it() {
    let lesson = about(1);
    let mut now = with(run("r", 1, &[(1, 1), (2, 2), (4, 1)]), &lesson, 1);
    now.score = Some(0.5);
    let failed = used(&lesson, &now, (Trigger::OnError, 1), RowKind::Failed);
    let ignored = used(&lesson, &now, (Trigger::OnError, 2), RowKind::NotFollowed);
    let mut withheld = activation(&lesson, &now, Trigger::PreRun, 0);
    withheld.withheld = true;
    let metrics = measure(&now, &[failed, ignored.clone(), withheld], &[], |id| {
        id == fp(2)
    });
    assert_eq!((metrics.tool_errors, metrics.recurrences), (3, 2));
    assert_eq!((metrics.activations, metrics.withheld), (2, 1));
    assert_eq!(metrics.precision, Some(0.0));
    // Advice that was not followed is no evidence about the precision.
    assert_eq!(measure(&now, &[ignored], &[], |_| false).precision, None);
}

#[test]
fn an_outcome_counts_once_and_a_contest_is_decided_by_a_winner_that_cured() {
    let (mut winner, loser) = (about(1), about(2));
    let now = with(run("d", 4, &[(3, 1)]), &winner, 3);
    let numbers = UtilityNumbers::default();
    let mut cured = activation(&winner, &now, Trigger::OnError, 3);
    cured.beat.push(loser.id);
    winner.note_use(&cured);
    assert!(
        !winner.take_outcome(&cured, &numbers),
        "there is no outcome yet"
    );
    let with_row = |kind: RowKind| Activation {
        outcome: Some(settled(&cured, &winner, &now, kind, Baseline::default())),
        ..cured.clone()
    };
    let (cured, ignored) = (with_row(RowKind::Cured), with_row(RowKind::NotFollowed));
    assert!(!winner.take_outcome(&ignored, &numbers), "it says nothing");
    assert!(winner.take_outcome(&cured, &numbers) && !winner.take_outcome(&cured, &numbers));
    let once = Counts {
        retrieved: 1,
        helpful: 1,
        harmful: 0,
    };
    assert_eq!(winner.counts, once);
    close(winner.impact, winner.history[0].utility);
    close(winner.reliability, 0.35 + 0.3 * (winner.impact + 1.0) / 2.0);
    let decided = contests(&cured);
    let of: Vec<_> = decided
        .iter()
        .map(|(id, contest)| (*id, contest.won))
        .collect();
    assert_eq!(of, [(winner.id, true), (loser.id, false)]);
    assert!(winner.take_contest(decided[0].1) && !winner.take_contest(decided[0].1));
    assert!(contests(&ignored).is_empty());
}

#[test]
fn of_two_contradicting_lessons_that_a_run_had_the_one_that_worked_beats_the_other() {
    let (one, other) = (about(1), about(2));
    let now = with(run("d", 4, &[(3, 1)]), &one, 3);
    let (low, high) = (one.id.min(other.id), one.id.max(other.id));
    let beaten = |rows: &[(&Lesson, u32, RowKind)],
                  (conflicts, has_helped): (&[Contradiction], bool)|
     -> Vec<_> {
        let uses = rows
            .iter()
            .map(|(lesson, step, kind)| used(lesson, &now, (Trigger::BeforeAction, *step), *kind));
        let met = with_meetings(uses.collect(), conflicts, |_| has_helped);
        let lost = met.iter().flat_map(contests);
        lost.filter(|(_, contest)| !contest.won)
            .map(|(id, _)| id)
            .collect()
    };
    let pair = |excludes: bool| {
        [Contradiction {
            lessons: [low, high],
            excludes,
        }]
    };
    let (won, untold) = (RowKind::Averted, RowKind::Unknown);
    for (row, excluded, other_cure) in [
        // The winner's form is the one that the loser calls wrong; another cure was only not taken.
        (RowKind::NotFollowed, true, false),
        (RowKind::Failed, true, true),
        (RowKind::CameAnyway, true, true),
        // Nothing that it speaks of was done, or both were right in their places.
        (untold, false, false),
        (RowKind::Averted, false, false),
    ] {
        for (winner, loser) in [(&one, &other), (&other, &one)] {
            // Followed twice and offered twice in one run: one meeting.
            let rows = [
                (winner, 0, won),
                (winner, 2, won),
                (loser, 0, row),
                (loser, 2, row),
            ];
            for (excludes, has_helped, loses) in [
                (true, true, excluded),
                (false, true, other_cure),
                // A cure that never helped is no more than a claim.
                (false, false, excluded),
            ] {
                let expected = if loses { vec![loser.id] } else { Vec::new() };
                let found = beaten(&rows, (&pair(excludes), has_helped));
                assert_eq!(found, expected, "{row}");
            }
            let none = beaten(&rows, (&[], false));
            assert_eq!(none, [], "they do not contradict each other");
        }
    }
    // Without a winner that worked there is no loser.
    let rows = [
        (&one, 0, RowKind::NotFollowed),
        (&other, 0, RowKind::Failed),
    ];
    assert_eq!(beaten(&rows, (&pair(true), false)), []);
}

/// Uses of a lesson in runs of their own, a day apart.
fn history(lesson: &Lesson, kinds: &[RowKind]) -> (Vec<RunRecord>, Vec<Activation>) {
    let runs = kinds
        .iter()
        .zip(1_i64..)
        .map(|(_, day)| with(run(&format!("r{day}"), day, &[(1, 1)]), lesson, 1));
    let runs: Vec<RunRecord> = runs.collect();
    let uses = runs.iter().zip(kinds);
    let uses = uses.map(|(run, kind)| used(lesson, run, (Trigger::OnError, 1), *kind));
    (runs.clone(), uses.collect())
}

#[test]
fn a_decision_is_taken_once_and_only_from_the_status_it_was_made_for() {
    let mut lesson = about(1);
    let (runs, uses) = history(&lesson, &[RowKind::Cured; 3]);
    let numbers = VerdictNumbers::default();
    let rows = evidence(&lesson, &runs, &uses, &numbers.gates);
    let decision = decide(&lesson, rows, &numbers, at(9)).unwrap();
    let mut suppressed = lesson.clone();
    suppressed.status = Status::Suppressed;
    assert!(!suppressed.take_decision(&decision) && suppressed.status == Status::Suppressed);
    assert!(lesson.take_decision(&decision) && !lesson.take_decision(&decision));
    assert_eq!(lesson.status, Status::Promoted);
    assert_eq!(lesson.proof.status_at, Some(at(9)));
}

#[test]
fn what_was_before_a_review_no_longer_counts() {
    let mut lesson = about(1);
    let (runs, uses) = history(&lesson, &[RowKind::Failed; 9]);
    let numbers = VerdictNumbers::default();
    let change = |lesson: &Lesson| {
        let rows = evidence(lesson, &runs, &uses, &numbers.gates);
        decide(lesson, rows, &numbers, at(20)).map(|decision| decision.to)
    };
    assert_eq!(change(&lesson), Some(Status::Suppressed));
    for (day, verdict) in [(9, None), (5, None), (4, Some(Status::Suppressed))] {
        lesson.proof.take_review(at(day));
        assert_eq!(change(&lesson), verdict, "reviewed on day {day}");
    }
}

const KINDS: [RowKind; 6] = [
    RowKind::Cured,
    RowKind::Failed,
    RowKind::Averted,
    RowKind::CameAnyway,
    RowKind::NotFollowed,
    RowKind::Unknown,
];

#[test]
fn the_order_of_arrival_and_resending_change_no_verdict() {
    let mut rng = fastrand::Rng::with_seed(11);
    let numbers = VerdictNumbers::default();
    let mut decided = 0;
    for _ in 0..300 {
        let lesson = about(1);
        let kinds: Vec<RowKind> = (0..rng.usize(0..14))
            .map(|_| KINDS[rng.usize(0..6)])
            .collect();
        let (runs, uses) = history(&lesson, &kinds);
        let rows = evidence(&lesson, &runs, &uses, &numbers.gates);
        let first = decide(&lesson, rows.clone(), &numbers, at(99));
        let mut mixed = uses.clone();
        rng.shuffle(&mut mixed);
        let mut again = evidence(&lesson, &runs, &mixed, &numbers.gates);
        rng.shuffle(&mut again.runs);
        let again = decide(&lesson, again, &numbers, at(99));
        let verdict = |decision: &Option<_>| {
            let decision: &Option<hindlore_domain::lesson::promotion::Decision> = decision;
            decision
                .as_ref()
                .map(|one| (one.to, one.reason, one.summary.proof))
        };
        assert_eq!(verdict(&first), verdict(&again), "{kinds:?}");
        // The lesson itself takes each outcome once.
        let (mut once, mut twice) = (lesson.clone(), lesson.clone());
        for one in &uses {
            once.take_outcome(one, &numbers.utility);
            twice.take_outcome(one, &numbers.utility);
            twice.take_outcome(one, &numbers.utility);
        }
        assert_eq!(once, twice);
        decided += usize::from(first.is_some());
        assert!(first.is_none_or(|decision| derives_again(&decision)));
    }
    assert!((30..270).contains(&decided), "{decided}");
}

/// The share of 2,000 lessons of no effect that a single look promotes or suppresses, by the share of runs that raise
/// the error anyway.
fn placebos(error_rate: f64, seed: u64) -> (f64, f64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let (lesson, numbers) = (about(1), VerdictNumbers::default());
    let (mut promoted, mut suppressed) = (0, 0);
    for _ in 0..2_000 {
        let runs: Vec<RunRecord> = (0..40_i64)
            .map(|n| {
                let failures: &[(u32, u8)] = if rng.f64() < error_rate {
                    &[(1, 1)]
                } else {
                    &[]
                };
                let mut one = run(&format!("r{n}"), n + 1, failures);
                one.control = n % 2 == 0;
                if one.control {
                    one
                } else {
                    with(one, &lesson, 0)
                }
            })
            .collect();
        let rows = evidence(&lesson, &runs, &[], &numbers.gates);
        match decide(&lesson, rows, &numbers, at(99)).map(|decision| decision.to) {
            Some(Status::Promoted) => promoted += 1,
            Some(Status::Suppressed) => suppressed += 1,
            _ => {}
        }
    }
    (
        f64::from(promoted) / 2_000.0,
        f64::from(suppressed) / 2_000.0,
    )
}

#[test]
fn a_placebo_passes_the_comparison_no_oftener_than_its_bound_says() {
    for (error_rate, seed) in [(0.0, 1), (0.05, 2), (0.2, 3), (0.5, 4), (0.8, 5), (1.0, 6)] {
        let (promoted, suppressed) = placebos(error_rate, seed);
        // One-sided 80 %: one look in five, plus three deviations of 2,000 trials.
        assert!(promoted <= 0.20 + 0.027, "{error_rate}: {promoted}");
        assert!(suppressed <= 0.20 + 0.045, "{error_rate}: {suppressed}");
    }
    assert_eq!(
        (placebos(0.0, 7), placebos(1.0, 8)),
        ((0.0, 0.0), (0.0, 0.0))
    );
}

#[test]
fn advice_that_nobody_follows_is_never_promoted_or_suppressed() {
    let mut rng = fastrand::Rng::with_seed(12);
    let numbers = VerdictNumbers::default();
    for _ in 0..200 {
        let silent = [RowKind::NotFollowed, RowKind::Unknown];
        let kinds: Vec<RowKind> = (0..60).map(|_| silent[rng.usize(0..2)]).collect();
        let mut lesson = about(1);
        let (runs, uses) = history(&lesson, &kinds);
        let rows = evidence(&lesson, &runs, &uses, &numbers.gates);
        assert_eq!(decide(&lesson, rows.clone(), &numbers, at(99)), None);
        lesson.note_proof(&rows, &numbers);
        let ignored = kinds
            .iter()
            .filter(|kind| **kind == RowKind::NotFollowed)
            .count();
        assert_eq!(lesson.proof.unfollowed as usize, ignored);
        assert!(lesson.proof.is_idle(&LessonPolicy::default().retrieval));
    }
}

#[test]
fn a_merge_counts_common_evidence_once() {
    let now = with(run("d", 4, &[(3, 1)]), &about(1), 3);
    let of = |steps: &[u32]| {
        let mut lesson = about(1);
        for step in steps {
            let used = used(&about(1), &now, (Trigger::OnError, *step), RowKind::Cured);
            lesson.note_use(&used);
            lesson.take_outcome(&used, &UtilityNumbers::default());
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
