//! Written rows of lessons come back unchanged, and a repeated commit counts once.

use hindlore_domain::lesson::evidence::evidence;
use hindlore_domain::lesson::evidence::evidence_row::RowKind;
use hindlore_domain::lesson::evidence::proof_state::{Counterexample, ProofState, Support};
use hindlore_domain::lesson::evidence::verdict_numbers::VerdictNumbers;
use hindlore_domain::lesson::learning::candidate::Origin;
use hindlore_domain::lesson::lesson::{Contest, Lesson, Status, UtilityPoint};
use hindlore_domain::lesson::promotion::{Decision, decide, derives_again};
use hindlore_domain::lesson::run::{Followed, InForce, Occurrence};
use hindlore_domain::lesson::status::{Reason, StatusChange};
use hindlore_primitives::ids::ActivationId;
use hindlore_store::ErrorKind;
use hindlore_store::lessons::TAGS_MAX;
use hindlore_store::lessons::reading::ConflictPage;
use hindlore_store::lessons::rows::{
    Conflict, LessonSource, OperationReceipt, Review, RunRow, Settled, Settlement,
};
use hindlore_store::lessons::transaction::{Ask, LessonCommit};

use crate::lesson_world::{
    activation, ended, error, fp, full_fields, lesson, outcome, raising, run, step, teaching, texts,
};
use crate::subject::{Subject, moment};

/// A lesson in which no field has its first value.
fn rich(subject: &Subject) -> Lesson {
    let mut rich = lesson(&subject.owner("l"), 1, &[3, 1], &["auth", "timeout"]);
    rich.status = Status::Promoted;
    rich.reliability = 0.1 + 0.2;
    rich.impact = -0.0;
    (
        rich.counts.retrieved,
        rich.counts.helpful,
        rich.counts.harmful,
    ) = (9, 5, 4);
    rich.history.push(UtilityPoint {
        activation: ActivationId([1; 10]),
        utility: 1.0 / 3.0,
        reliability: f64::MIN_POSITIVE,
        at: moment(5),
    });
    rich.contests.push(Contest {
        other: lesson(&subject.owner("l"), 2, &[1], &[]).id,
        won: true,
        activation: ActivationId([2; 10]),
        at: moment(6),
    });
    rich.source_runs.push("r✓".to_owned());
    rich.restates = Some(rich.id);
    rich.used_at = Some(moment(7));
    rich.unused_opportunities = 11;
    rich.proof = ProofState {
        since: Some(moment(3)),
        status_at: Some(moment(4)),
        by_person: true,
        supports: vec![Support {
            at: moment(5),
            run: "r✓".to_owned(),
        }],
        counterexamples: vec![Counterexample {
            at: moment(5),
            run: "r✗".to_owned(),
            scope: Some("späte Ernte".to_owned()),
            kind: RowKind::Worked,
        }],
        tool_words: Some("no such option: »x«".to_owned()),
        unprepared_at: Some(moment(4)),
        unfollowed: 2,
        worked_runs: 3,
        failed_runs: 1,
        direct: true,
        compared: 6,
        scopes: vec!["github.com/a/b".to_owned(), "späte Ernte".to_owned()],
        is_general: true,
        untold: Some(StatusChange {
            from: Status::Promoted,
            to: Status::Suppressed,
            reason: Reason::DirectHarm,
            at: moment(8),
        }),
    };
    rich
}

/// A run with every list filled.
fn rich_run(lesson: &Lesson) -> RunRow {
    let mut run = ended(run("r1", 1), 90);
    run.control = true;
    run.allowed_steps = Some(12);
    let end = run.end.as_mut().unwrap();
    (end.passed, end.score, end.idle) = (Some(false), Some(0.1 + 0.7), true);
    end.occurrences = vec![Occurrence {
        step: 2,
        fine: fp(1),
        coarse: fp(2),
    }];
    end.in_force = vec![InForce {
        lesson: lesson.id,
        from_step: 2,
        triggers: vec![fp(1), fp(3)],
    }];
    end.followed = vec![Followed {
        lesson: lesson.id,
        step: 3,
    }];
    end.subjects = texts(&["git push", "ü"]);
    run.trajectory = full_fields(None);
    run.trajectory.is_partial = false;
    run
}

/// A decision about a lesson.
pub(super) fn promotion(lesson: &Lesson) -> Decision {
    let mut candidate = lesson.clone();
    candidate.status = Status::Candidate;
    candidate.reliability = 0.1;
    candidate.unused_opportunities = 20;
    candidate.contests.clear();
    candidate.proof = ProofState::default();
    let numbers = VerdictNumbers::default();
    let rows = evidence(&candidate, &[], &[], &numbers.gates);
    decide(&candidate, rows, &numbers, moment(95)).unwrap()
}

pub(crate) async fn rows_of_lessons_come_back_bit_for_bit(subject: &Subject) {
    let owner = subject.owner("l");
    let lesson = rich(subject);
    let mut full = error(&owner, "r1", 2, (1, 2));
    (full.progress, full.efficiency) = (Some(-0.0), Some(0.1 + 0.2));
    full.failed_constraints = texts(&["three rows", "ü"]);
    (full.state, full.state_after) = ("{\"a\":1}".to_owned(), "後".to_owned());
    let mut used = activation("r1", &lesson, 2, 50);
    used.activation.outcome = Some(outcome(0.3, moment(91)));
    used.activation.beat = vec![lesson.id];
    let source = LessonSource {
        lesson: lesson.id,
        run: "r1".to_owned(),
        origin: Origin::Model,
        steps: vec![2, 3],
        events: vec![full.id],
        at: moment(92),
    };
    let review = Review {
        id: "review_1".to_owned(),
        lesson: lesson.id,
        from: Status::Suppressed,
        to: Status::Candidate,
        author: None,
        note: Some("it was the disk".to_owned()),
        at: moment(96),
    };
    let decision = promotion(&lesson);
    let mut followed = step("r1", 3, false);
    (followed.plan_step, followed.followed) = (Some("load".to_owned()), vec![lesson.id]);
    let commit = LessonCommit {
        runs: vec![rich_run(&lesson)],
        steps: vec![step("r1", 2, true), followed],
        errors: vec![full],
        lessons: vec![lesson.clone()],
        sources: vec![source],
        activations: vec![used],
        decisions: vec![decision],
        reviews: vec![review],
        ..LessonCommit::default()
    };
    subject.write(&owner, commit.clone()).await.unwrap();
    let held = subject.store.run(&owner, "r1").await.unwrap().unwrap();
    assert_eq!(vec![held.row], commit.runs);
    assert_eq!(held.steps, commit.steps);
    assert_eq!(held.errors, commit.errors);
    assert_eq!(
        held.errors[0].progress.unwrap().to_bits(),
        (-0.0_f64).to_bits()
    );
    assert_eq!(held.activations, commit.activations);
    let found = subject
        .store
        .lessons_by_id(&owner, &[lesson.id])
        .await
        .unwrap();
    assert_eq!(found.lessons, commit.lessons);
    assert_eq!(found.lessons[0].impact.to_bits(), (-0.0_f64).to_bits());
    let records = subject
        .store
        .lesson_records(&owner, lesson.id, 9)
        .await
        .unwrap();
    assert_eq!(records.sources, commit.sources);
    assert_eq!(records.decisions, commit.decisions);
    assert!(derives_again(&records.decisions[0]));
    assert_eq!(records.reviews, commit.reviews);
}

pub(crate) async fn an_event_counts_once_however_often_it_is_sent(subject: &Subject) {
    let owner = subject.owner("l");
    let first = error(&owner, "r1", 1, (1, 2));
    let mut other = first.clone();
    other.error = "another text under the same id".to_owned();
    for event in [&first, &first, &other] {
        let commit = raising(&[run("r1", 1)], vec![event.clone()]);
        subject.write(&owner, commit).await.unwrap();
    }
    let twice = raising(&[run("r1", 1)], vec![first.clone(), first.clone()]);
    subject.write(&owner, twice).await.unwrap();
    let rows = subject
        .store
        .fingerprints(&owner, &[fp(1), fp(2)])
        .await
        .unwrap();
    let counts: Vec<(u64, u64)> = rows.iter().map(|row| (row.events, row.runs)).collect();
    assert_eq!(counts, [(1, 1), (1, 1)]);
    let held = subject.store.run(&owner, "r1").await.unwrap().unwrap();
    assert_eq!(held.errors, [first]);
}

pub(crate) async fn events_and_runs_of_a_fingerprint_are_counted_exactly(subject: &Subject) {
    let owner = subject.owner("l");
    let errors = vec![
        error(&owner, "r1", 1, (1, 2)),
        error(&owner, "r1", 4, (1, 2)),
        // Nothing is quoted here: both levels are one fingerprint, and count once.
        error(&owner, "r2", 2, (2, 2)),
    ];
    let commit = raising(&[run("r1", 1), run("r2", 2)], errors);
    subject.write(&owner, commit).await.unwrap();
    let rows = subject
        .store
        .fingerprints(&owner, &[fp(2), fp(1), fp(9)])
        .await
        .unwrap();
    let seen: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row.fingerprint.id,
                row.events,
                row.runs,
                row.first_at,
                row.last_at,
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            (fp(2), 3, 2, Some(moment(1)), Some(moment(4))),
            (fp(1), 2, 1, Some(moment(1)), Some(moment(4))),
        ]
    );
    assert_eq!(rows[0].fingerprint.normalised, "error number 2");
}

pub(crate) async fn a_fingerprint_has_the_tags_of_all_its_events(subject: &Subject) {
    let owner = subject.owner("l");
    let mut second = error(&owner, "r1", 2, (1, 1));
    second.tags = texts(&["auth", "timeout"]);
    let errors = vec![error(&owner, "r1", 1, (1, 1)), second];
    subject
        .write(&owner, raising(&[run("r1", 1)], errors))
        .await
        .unwrap();
    let tags = |rows: &[hindlore_store::lessons::rows::FingerprintRow]| rows[0].tags.clone();
    let rows = subject.store.fingerprints(&owner, &[fp(1)]).await.unwrap();
    assert_eq!(tags(&rows), ["auth", "timeout"]);
    let mut many = error(&owner, "r1", 3, (1, 1));
    many.tags = (0..2 * TAGS_MAX).map(|n| format!("tag_{n:03}")).collect();
    subject
        .write(&owner, raising(&[run("r1", 1)], vec![many]))
        .await
        .unwrap();
    let rows = subject.store.fingerprints(&owner, &[fp(1)]).await.unwrap();
    assert_eq!(tags(&rows).len(), TAGS_MAX);
    assert!(tags(&rows).is_sorted());
}

pub(crate) async fn a_step_stays_as_it_was_first_reported(subject: &Subject) {
    let owner = subject.owner("l");
    for plan in ["first", "second"] {
        let mut step = step("r1", 1, false);
        step.plan_step = Some(plan.to_owned());
        let commit = LessonCommit {
            runs: vec![run("r1", 1)],
            steps: vec![step],
            ..LessonCommit::default()
        };
        subject.write(&owner, commit).await.unwrap();
    }
    let held = subject.store.run(&owner, "r1").await.unwrap().unwrap();
    let plans: Vec<_> = held
        .steps
        .iter()
        .map(|step| step.plan_step.as_deref())
        .collect();
    assert_eq!(plans, [Some("first")]);
}

pub(crate) async fn an_activation_and_its_outcome_are_set_once(subject: &Subject) {
    let owner = subject.owner("l");
    let lesson = lesson(&owner, 1, &[1], &["auth"]);
    let open = activation("r1", &lesson, 2, 50);
    let mut helped = open.clone();
    helped.activation.outcome = Some(outcome(0.5, moment(60)));
    helped.activation.score = 0.9;
    let mut harmed = open.clone();
    harmed.activation.outcome = Some(outcome(-0.5, moment(70)));
    for row in [&open, &open, &helped, &harmed, &open] {
        let commit = LessonCommit {
            runs: vec![run("r1", 1)],
            lessons: vec![lesson.clone()],
            activations: vec![row.clone()],
            ..LessonCommit::default()
        };
        subject.write(&owner, commit).await.unwrap();
    }
    let id = open.activation.id;
    let found = subject
        .store
        .activations_by_id(&owner, &[id])
        .await
        .unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].activation.outcome, helped.activation.outcome);
    assert_eq!(
        found[0].activation.score.to_bits(),
        open.activation.score.to_bits()
    );
    let totals = subject.store.lesson_totals(&owner).await.unwrap();
    assert_eq!(
        (totals.activations, totals.helped, totals.harmed),
        (1, 1, 0)
    );
}

pub(crate) async fn a_revised_outcome_takes_the_place_of_the_one_that_is_there(subject: &Subject) {
    let owner = subject.owner("l");
    let lesson = lesson(&owner, 1, &[1], &["auth"]);
    let mut row = activation("r1", &lesson, 2, 50);
    row.activation.outcome = Some(outcome(0.5, moment(60)));
    let commit = LessonCommit {
        runs: vec![run("r1", 1)],
        lessons: vec![lesson.clone()],
        activations: vec![row.clone()],
        ..LessonCommit::default()
    };
    subject.write(&owner, commit).await.unwrap();
    let mut revised = row.clone();
    revised.activation.outcome = Some(outcome(-0.5, moment(70)));
    let mut unknown = activation("r2", &lesson, 1, 50);
    unknown.activation.outcome = Some(outcome(0.1, moment(70)));
    for _ in 0..2 {
        let commit = LessonCommit {
            revised: vec![revised.clone(), unknown.clone()],
            ..LessonCommit::default()
        };
        subject.write(&owner, commit).await.unwrap();
        let ids = [row.activation.id, unknown.activation.id];
        let found = subject.store.activations_by_id(&owner, &ids).await.unwrap();
        assert_eq!(found, [revised.clone()]);
        let totals = subject.store.lesson_totals(&owner).await.unwrap();
        assert_eq!(
            (totals.activations, totals.helped, totals.harmed),
            (1, 0, 1)
        );
    }
}

pub(crate) async fn a_conflict_is_one_row_whoever_finds_it(subject: &Subject) {
    let owner = subject.owner("l");
    let (a, b) = (lesson(&owner, 1, &[1], &[]), lesson(&owner, 2, &[1], &[]));
    let mut commit = teaching(&[a.clone(), b.clone()]);
    commit.conflicts = vec![
        Conflict::between(a.id, b.id, "first".to_owned(), moment(1)),
        Conflict::between(b.id, a.id, "second".to_owned(), moment(2)),
    ];
    subject.write(&owner, commit).await.unwrap();
    let again = LessonCommit {
        conflicts: vec![Conflict::between(b.id, a.id, "third".to_owned(), moment(3))],
        ..LessonCommit::default()
    };
    subject.write(&owner, again).await.unwrap();
    let ask = Ask {
        lessons: vec![b.id, a.id],
        ..Ask::default()
    };
    let found = subject.gather(&owner, ask).await;
    let expected = Conflict::between(a.id, b.id, "first".to_owned(), moment(1));
    assert_eq!(found.conflicts, std::slice::from_ref(&expected));
    let both = subject
        .store
        .lessons_by_id(&owner, &[b.id, a.id])
        .await
        .unwrap();
    assert_eq!(both.conflicts, [expected]);
    let alone = subject.store.lessons_by_id(&owner, &[b.id]).await.unwrap();
    assert!(alone.conflicts.is_empty());
    assert_eq!(
        subject.store.lesson_totals(&owner).await.unwrap().conflicts,
        1
    );
}

pub(crate) async fn a_settled_conflict_stays_settled_whoever_finds_it_again(subject: &Subject) {
    let owner = subject.owner("l");
    let (a, b) = (lesson(&owner, 1, &[1], &[]), lesson(&owner, 2, &[1], &[]));
    let found = Conflict::between(a.id, b.id, "opposites".to_owned(), moment(1));
    let settle = |decision| Conflict {
        settled: Some(Settlement {
            decision,
            kept: Some(a.id),
            author: Some("eve".to_owned()),
            note: None,
            before: Some("[]".to_owned()),
            at: moment(2),
        }),
        ..found.clone()
    };
    let mut commit = teaching(&[a.clone(), b.clone()]);
    commit.conflicts = vec![found.clone()];
    subject.write(&owner, commit).await.unwrap();
    let page = || ConflictPage {
        limit: 10,
        ..ConflictPage::default()
    };
    for row in [settle(Settled::One), settle(Settled::Reopened)] {
        for written in [&row, &found] {
            let commit = LessonCommit {
                conflicts: vec![written.clone()],
                ..LessonCommit::default()
            };
            subject.write(&owner, commit).await.unwrap();
        }
        let listed = subject.store.conflicts(&owner, page()).await.unwrap();
        assert_eq!(listed, std::slice::from_ref(&row));
        let both = subject.store.lessons_by_id(&owner, &[a.id, b.id]).await;
        assert_eq!(both.unwrap().conflicts, std::slice::from_ref(&row));
        let totals = subject.store.lesson_totals(&owner).await.unwrap();
        assert_eq!(totals.conflicts, u64::from(row.is_open()), "{row:?}");
        let copy = subject
            .store
            .copy_lessons_out(&owner)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(copy.conflicts, [row]);
    }
}

pub(crate) async fn a_receipt_is_found_and_never_written_over(subject: &Subject) {
    let owner = subject.owner("l");
    let receipt = |answer: &str| OperationReceipt {
        operation: "end:r1".to_owned(),
        body_digest: "00ff".to_owned(),
        answer: answer.to_owned(),
        at: moment(1),
    };
    let commit = |answer: &str| LessonCommit {
        runs: vec![run(answer, 1)],
        receipt: Some(receipt(answer)),
        ..LessonCommit::default()
    };
    subject.write(&owner, commit("one")).await.unwrap();
    let refused = subject.write(&owner, commit("two")).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Invalid, "{refused}");
    let ask = |operation: &str| Ask {
        operation: Some(operation.to_owned()),
        ..Ask::default()
    };
    let found = subject.gather(&owner, ask("end:r1")).await;
    assert_eq!(found.receipt, Some(receipt("one")));
    assert_eq!(subject.gather(&owner, ask("end:r2")).await.receipt, None);
    assert_eq!(subject.store.run(&owner, "two").await.unwrap(), None);
}

pub(crate) async fn old_receipts_go_some_with_each_commit_the_oldest_first(subject: &Subject) {
    let (owner, other) = (subject.owner("l"), subject.owner("m"));
    let commit = |number: i64, before: Option<i64>| LessonCommit {
        receipt: Some(OperationReceipt {
            operation: format!("op {number}"),
            body_digest: "00ff".to_owned(),
            answer: "{}".to_owned(),
            at: moment(number),
        }),
        receipts_before: before.map(moment),
        ..LessonCommit::default()
    };
    for number in (0..10).rev() {
        subject.write(&owner, commit(number, None)).await.unwrap();
        subject.write(&other, commit(number, None)).await.unwrap();
    }
    let kept = async |owner| {
        let copy = subject.store.copy_lessons_out(owner).await.unwrap();
        let receipts = copy.unwrap().receipts.into_iter();
        let mut times: Vec<i64> = receipts
            .map(|receipt| receipt.at.millis() - moment(0).millis())
            .collect();
        times.sort_unstable();
        times
    };
    for (number, expected) in [
        (20, vec![4, 5, 6, 7, 8, 9, 20]),
        (21, vec![6, 7, 8, 9, 20, 21]),
        (22, vec![6, 7, 8, 9, 20, 21, 22]),
    ] {
        let more = commit(number, Some(6));
        subject.write(&owner, more).await.unwrap();
        assert_eq!(kept(&owner).await, expected);
    }
    assert_eq!(kept(&other).await, (0..10).collect::<Vec<i64>>());
}

pub(crate) async fn a_row_of_another_owner_refuses_the_whole(subject: &Subject) {
    let (owner, other) = (subject.owner("l"), subject.owner("m"));
    let mut commit = raising(&[run("r1", 1)], vec![error(&other, "r1", 1, (1, 1))]);
    let refused = subject.write(&owner, commit.clone()).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Invalid, "{refused}");
    commit.errors.clear();
    commit.lessons = vec![lesson(&other, 1, &[1], &[])];
    let refused = subject.write(&owner, commit).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Invalid, "{refused}");
    for owner in [&owner, &other] {
        assert_eq!(subject.store.run(owner, "r1").await.unwrap(), None);
        assert_eq!(
            subject.store.lesson_totals(owner).await.unwrap(),
            Default::default()
        );
    }
}

pub(crate) async fn an_error_of_an_unknown_run_is_refused(subject: &Subject) {
    let owner = subject.owner("l");
    let commit = raising(&[run("r1", 1)], vec![error(&owner, "r2", 1, (1, 1))]);
    let refused = subject.write(&owner, commit).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Invalid, "{refused}");
    let steps = LessonCommit {
        runs: vec![run("r1", 1)],
        steps: vec![step("r2", 1, false)],
        ..LessonCommit::default()
    };
    let refused = subject.write(&owner, steps).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Invalid, "{refused}");
    assert_eq!(subject.store.run(&owner, "r1").await.unwrap(), None);
}

pub(crate) async fn an_empty_lesson_commit_makes_no_learner(subject: &Subject) {
    let owner = subject.owner("l");
    subject
        .write(&owner, LessonCommit::default())
        .await
        .unwrap();
    let learners = subject
        .store
        .lesson_learners(&subject.tenant, None)
        .await
        .unwrap();
    assert!(learners.is_empty(), "{learners:?}");
    assert_eq!(subject.store.copy_lessons_out(&owner).await.unwrap(), None);
}
