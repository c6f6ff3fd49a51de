//! Each gate on the smallest rows that open it, and on those that just do not.

use super::*;
use crate::lesson::evidence::evidence_row::EvidenceRow;
use crate::lesson::evidence::evidence_row::{RowKind, Witness};
use crate::lesson::evidence::evidence_rows::{Arm, OutcomeRow, RunRow};
use crate::lesson::lesson::plain_lesson;
use hindlore_primitives::ids::ActivationId;

const CURED: RowKind = RowKind::Cured;
const FAILED: RowKind = RowKind::Failed;

fn lesson(status: Status) -> Lesson {
    let mut lesson = plain_lesson("WRONG cmd a → CORRECT cmd b");
    lesson.status = status;
    lesson
}

/// One row in each run.
fn rows(kinds: &[RowKind]) -> EvidenceRows {
    let outcomes = kinds.iter().zip(0_u8..).map(|(kind, n)| OutcomeRow {
        activation: ActivationId([n; 10]),
        run: n.to_string(),
        utility: f64::from(kind.sign()),
        row: EvidenceRow {
            kind: *kind,
            witness: Witness::Steps,
            followed_step: Some(2),
            needed: false,
        },
    });
    EvidenceRows {
        outcomes: outcomes.collect(),
        reliability: 0.5,
        has_correct: true,
        ..EvidenceRows::default()
    }
}

/// Runs of both arms: how many of how many raised the error with the lesson, and without it in control runs.
fn arms(with: (usize, usize), control: (usize, usize)) -> Vec<RunRow> {
    let arm = |(raised, of): (usize, usize), arm: Arm| {
        (0..of).map(move |n| RunRow {
            run: format!("{arm} {n}"),
            with_lesson: arm == Arm::With,
            raised: n < raised,
            passed: None,
            score: None,
            regression: false,
            arm: Some(arm),
            control: arm == Arm::Without,
            steps: 10,
        })
    };
    arm(with, Arm::With)
        .chain(arm(control, Arm::Without))
        .collect()
}

fn change(status: Status, rows: &EvidenceRows) -> Option<(Status, Reason)> {
    let numbers = VerdictNumbers::default();
    let decision = decide(
        &lesson(status),
        rows.clone(),
        &numbers,
        Timestamp::default(),
    )?;
    assert!(derives_again(&decision), "{decision:?}");
    let stored = serde_json::to_string(&decision).unwrap();
    let read: Decision = serde_json::from_str(&stored).unwrap();
    assert_eq!(read, decision);
    Some((decision.to, decision.reason))
}

#[test]
fn no_row_is_no_verdict() {
    for status in Status::ALL {
        assert_eq!(change(*status, &EvidenceRows::default()), None, "{status}");
        let silent = [RowKind::Unknown, RowKind::NotFollowed].repeat(20);
        assert_eq!(change(*status, &rows(&silent)), None, "{status}");
    }
}

#[test]
fn what_was_followed_and_worked_promotes_and_what_failed_suppresses() {
    let promoted = Some((Status::Promoted, Reason::DirectProof));
    let suppressed = Some((Status::Suppressed, Reason::DirectHarm));
    for (cured, failed, verdict) in [
        (1, 0, None),
        (2, 0, None),
        (3, 0, promoted),
        // Wilson's lower bound at 80 %: 0.441, 0.522, 0.496, 0.551.
        (2, 1, None),
        (3, 1, promoted),
        (4, 2, None),
        (5, 2, promoted),
        (0, 2, None),
        (0, 3, suppressed),
        (1, 3, suppressed),
        (2, 3, None),
        (2, 5, suppressed),
    ] {
        let kinds = [vec![CURED; cured], vec![FAILED; failed]].concat();
        let found = change(Status::Candidate, &rows(&kinds));
        assert_eq!(found, verdict, "{cured} of {}", cured + failed);
    }
    // A promoted lesson stays promoted until harm is shown.
    assert_eq!(change(Status::Promoted, &rows(&[CURED; 9])), None);
    assert_eq!(change(Status::Promoted, &rows(&[FAILED; 3])), suppressed);
}

#[test]
fn a_run_counts_once_and_its_failure_outweighs_its_cure() {
    let mut one_run = rows(&[CURED; 5]);
    one_run
        .outcomes
        .iter_mut()
        .for_each(|row| row.run = "r".into());
    assert_eq!(change(Status::Candidate, &one_run), None);
    let mut twice = rows(&[CURED, CURED, CURED, FAILED]);
    twice.outcomes[3].run = "2".to_owned();
    let summary = summarise(&twice, &VerdictNumbers::default());
    assert_eq!((summary.proof.successes, summary.proof.failures), (2, 1));
}

#[test]
fn an_averted_error_counts_once_the_need_is_shown() {
    let mut averted = rows(&[RowKind::Averted; 6]);
    averted.needs = vec!["one".to_owned()];
    assert_eq!(change(Status::Candidate, &averted), None);
    averted.needs.push("two".to_owned());
    let promoted = Some((Status::Promoted, Reason::DirectProof));
    assert_eq!(change(Status::Candidate, &averted), promoted);
    // An error that comes anyway counts without.
    assert!(change(Status::Candidate, &rows(&[RowKind::CameAnyway; 3])).is_some());
}

#[test]
fn a_ban_of_what_works_goes_and_one_that_mostly_holds_stays() {
    let forbids = |refuted: usize, held: usize| {
        let kinds = [
            vec![RowKind::Refuted; refuted],
            vec![RowKind::NotFollowed; held],
        ];
        let mut rows = rows(&kinds.concat());
        rows.has_correct = false;
        for row in rows.outcomes.iter_mut().map(|one| &mut one.row) {
            row.needed = row.kind == RowKind::NotFollowed;
        }
        rows
    };
    let suppressed = Some((Status::Suppressed, Reason::DirectHarm));
    for (refuted, held, verdict) in [
        (0, 9, None),
        (2, 0, None),
        (3, 0, suppressed),
        (3, 1, suppressed),
        (3, 2, None),
        (3, 9, None),
        (5, 2, suppressed),
    ] {
        let rows = forbids(refuted, held);
        for status in [Status::Candidate, Status::Promoted] {
            assert_eq!(change(status, &rows), verdict, "{refuted}, {held}");
        }
    }
    // Only a failure in its way supports it.
    let mut idle = forbids(3, 9);
    for row in idle.outcomes.iter_mut().map(|one| &mut one.row) {
        row.needed = false;
    }
    assert_eq!(change(Status::Candidate, &idle), suppressed);
    // One run is one experience, however many failures it had before.
    let mut one = forbids(3, 1);
    one.outcomes[3].run = "0".to_owned();
    assert_eq!(summarise(&one, &VerdictNumbers::default()).proof.held, 0);
}

#[test]
fn a_rule_that_only_forbids_has_no_direct_proof_unless_a_caller_measured_it() {
    let mut forbids = rows(&[CURED; 5]);
    forbids.has_correct = false;
    assert_eq!(change(Status::Candidate, &forbids), None);
    for outcome in &mut forbids.outcomes {
        outcome.row.witness = Witness::Caller;
    }
    assert!(change(Status::Candidate, &forbids).is_some());
}

#[test]
fn the_comparison_of_the_arms_promotes_and_suppresses() {
    let promoted = Some((Status::Promoted, Reason::ComparativeProof));
    let suppressed = Some((Status::Suppressed, Reason::ComparativeHarm));
    for (with, without, verdict) in [
        ((0, 10), (8, 10), promoted),
        ((0, 3), (3, 3), promoted),
        // Too few runs in an arm.
        ((0, 2), (3, 3), None),
        ((0, 3), (2, 2), None),
        // The fall is shown, and too small to be of use: utility 0.05.
        ((0, 200), (16, 200), None),
        // Nothing is shown.
        ((0, 10), (0, 10), None),
        ((5, 10), (5, 10), None),
        ((4, 10), (3, 10), None),
        // The error comes more often.
        ((9, 10), (1, 10), suppressed),
        ((3, 3), (0, 3), suppressed),
        ((3, 3), (0, 2), None),
    ] {
        let mut rows = rows(&[]);
        rows.runs = arms(with, without);
        assert_eq!(
            change(Status::Candidate, &rows),
            verdict,
            "{with:?} {without:?}"
        );
    }
    // Runs before the birth of a lesson are clean by construction: they prove no harm.
    let mut before = rows(&[]);
    before.runs = arms((3, 10), (0, 30));
    before.runs.iter_mut().for_each(|run| run.control = false);
    assert_eq!(change(Status::Candidate, &before), None);
}

#[test]
fn a_fallen_pass_rate_and_a_regression_stand_in_the_way_of_a_promotion() {
    let with_passes = |with: usize, without: usize| {
        let mut rows = rows(&[CURED; 3]);
        rows.runs = arms((0, 4), (0, 4));
        for (at, run) in rows.runs.iter_mut().enumerate() {
            let passes = if at < 4 { with } else { without };
            run.passed = Some(at % 4 < passes);
        }
        rows
    };
    for (with, without, promoted) in [(4, 4, true), (4, 3, true), (3, 4, false), (0, 0, true)] {
        let found = change(Status::Candidate, &with_passes(with, without));
        assert_eq!(found.is_some(), promoted, "{with} {without}");
    }
    // One regression blocks as long as it is among the last ten relevant runs; two of them suppress.
    for (regressions, later, verdict) in [
        (1, 9, None),
        (1, 10, Some((Status::Promoted, Reason::DirectProof))),
        (2, 0, Some((Status::Suppressed, Reason::Regressions))),
        (2, 8, Some((Status::Suppressed, Reason::Regressions))),
        (2, 9, None),
    ] {
        let mut rows = rows(&[CURED; 3]);
        rows.runs = arms((0, regressions + later), (0, 0));
        rows.runs
            .iter_mut()
            .take(regressions)
            .for_each(|run| run.regression = true);
        assert_eq!(
            change(Status::Candidate, &rows),
            verdict,
            "{regressions} {later}"
        );
    }
}

#[test]
fn a_person_is_overruled_by_five_new_rows_only() {
    let reviewed = |kinds: &[RowKind]| EvidenceRows {
        by_person: true,
        ..rows(kinds)
    };
    let suppressed = Some((Status::Suppressed, Reason::DirectHarm));
    assert_eq!(change(Status::Candidate, &reviewed(&[FAILED; 4])), None);
    assert_eq!(
        change(Status::Candidate, &reviewed(&[FAILED; 5])),
        suppressed
    );
    assert_eq!(change(Status::Candidate, &reviewed(&[CURED; 4])), None);
    assert!(change(Status::Candidate, &reviewed(&[CURED; 5])).is_some());
    let mut unused = reviewed(&[]);
    (unused.reliability, unused.unused_opportunities) = (0.1, 99);
    assert_eq!(change(Status::Candidate, &unused), None);
}

#[test]
fn a_suppressed_lesson_is_tried_again_once_two_later_runs_teach_it_anew() {
    let at = Timestamp::from_millis;
    let relearned = |times: &[i64], by_person: bool| EvidenceRows {
        supports: times
            .iter()
            .map(|time| Support {
                at: at(*time),
                run: time.to_string(),
            })
            .collect(),
        status_at: Some(at(10)),
        by_person,
        ..rows(&[FAILED; 3])
    };
    let back = Some((Status::Candidate, Reason::Relearned));
    for (times, by_person, verdict) in [
        (&[11, 12][..], false, back),
        (&[9, 10, 11], false, None),
        (&[11, 12, 13, 14], true, None),
        (&[11, 12, 13, 14, 15], true, back),
    ] {
        let found = change(Status::Suppressed, &relearned(times, by_person));
        assert_eq!(found, verdict, "{times:?} {by_person}");
    }
}

#[test]
fn to_be_taught_anew_is_one_cured_row() {
    let support = |n: i64| Support {
        at: Timestamp::from_millis(n),
        run: n.to_string(),
    };
    let mut rows = rows(&[CURED]);
    rows.supports = vec![support(0), support(7)];
    // The run `0` has a row already.
    assert_eq!(change(Status::Candidate, &rows), None);
    rows.supports.push(support(8));
    let promoted = Some((Status::Promoted, Reason::DirectProof));
    assert_eq!(change(Status::Candidate, &rows), promoted);
}
