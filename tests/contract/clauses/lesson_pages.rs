//! Listings come in pages, in their order, without a row lost or shown twice where many are equal.

use hindlore_domain::lesson::lesson::{LearnerId, Place, Status};
use hindlore_domain::lesson::promotion::Decision;
use hindlore_primitives::ids::DecisionId;
use hindlore_store::lessons::reading::{
    ActivationPage, ConflictPage, ErrorFilter, ErrorPage, LessonPage, LessonTotals, RunPage,
};
use hindlore_store::lessons::rows::Conflict;
use hindlore_store::lessons::transaction::LessonCommit;

use super::lesson_commits::promotion;
use crate::lesson_world::{
    activation, at_place, ended, error, fp, ids, lesson, outcome, raising, run, teaching,
    with_status,
};
use crate::subject::{Subject, moment};

pub(crate) async fn lessons_come_in_pages(subject: &Subject) {
    let owner = subject.owner("l");
    let mut lessons = Vec::new();
    for n in 0..11 {
        let mut one = lesson(&owner, n, &[n], &[]);
        one.created_at = moment(i64::from(n / 4));
        one.status = if n % 3 == 0 {
            Status::Promoted
        } else {
            Status::Candidate
        };
        lessons.push(one);
    }
    subject.write(&owner, teaching(&lessons)).await.unwrap();
    lessons.sort_by_key(|one| (std::cmp::Reverse(one.created_at), one.id));
    for status in [None, Some(Status::Promoted), Some(Status::Archived)] {
        let mut seen = Vec::new();
        loop {
            let page = LessonPage {
                status,
                after: seen
                    .last()
                    .map(|one: &hindlore_domain::lesson::lesson::Lesson| (one.created_at, one.id)),
                limit: 3,
            };
            let rows = subject.store.lessons(&owner, page).await.unwrap();
            assert!(rows.len() <= 3);
            if rows.is_empty() {
                break;
            }
            seen.extend(rows);
        }
        let expected = lessons
            .iter()
            .filter(|one| status.is_none_or(|status| one.status == status));
        assert_eq!(seen, expected.cloned().collect::<Vec<_>>());
    }
    let none = LessonPage::default();
    assert!(
        subject
            .store
            .lessons(&owner, none)
            .await
            .unwrap()
            .is_empty()
    );
}

pub(crate) async fn runs_come_in_pages(subject: &Subject) {
    let owner = subject.owner("l");
    let mut runs: Vec<_> = (0..9).map(|n| run(&format!("r{n}"), n / 3)).collect();
    runs[4] = ended(runs[4].clone(), 70);
    subject
        .write(&owner, raising(&runs, Vec::new()))
        .await
        .unwrap();
    runs.sort_by_key(|one| (std::cmp::Reverse(one.started_at), one.id.clone()));
    let mut seen = Vec::new();
    for _ in 0..5 {
        let page = RunPage {
            after: seen
                .last()
                .map(|one: &hindlore_store::lessons::rows::RunRow| {
                    (one.started_at, one.id.clone())
                }),
            limit: 2,
            ..RunPage::default()
        };
        seen.extend(subject.store.runs(&owner, page).await.unwrap());
    }
    assert_eq!(seen, runs);
}

pub(crate) async fn idle_runs_come_longest_idle_first(subject: &Subject) {
    let owner = subject.owner("l");
    let runs = [
        run("b", 5),
        run("a", 5),
        run("c", 1),
        ended(run("d", 0), 9),
        run("late", 20),
    ];
    subject
        .write(&owner, raising(&runs, Vec::new()))
        .await
        .unwrap();
    let idle = |before: i64, limit: usize| subject.store.idle_runs(&owner, moment(before), limit);
    assert_eq!(idle(20, 9).await.unwrap(), ["c", "a", "b"]);
    assert_eq!(idle(20, 2).await.unwrap(), ["c", "a"]);
    assert!(idle(1, 9).await.unwrap().is_empty());
}

pub(crate) async fn errors_come_in_pages_by_what_is_asked(subject: &Subject) {
    let owner = subject.owner("l");
    let mut errors = Vec::new();
    for n in 0..12_u32 {
        let mut one = error(
            &owner,
            if n % 2 == 0 { "r1" } else { "r2" },
            n + 1,
            (n as u16 % 3, 9),
        );
        one.at = moment(i64::from(n / 5));
        one.place = match n % 4 {
            0 => at_place("t", "d"),
            1 => Place {
                tool: Some("x".to_owned()),
                ..at_place("u", "d")
            },
            _ => Place::default(),
        };
        errors.push(one);
    }
    let commit = raising(&[run("r1", 1), run("r2", 1)], errors.clone());
    subject.write(&owner, commit).await.unwrap();
    errors.sort_by_key(|one| (std::cmp::Reverse(one.at), one.id));
    type Holds = fn(&hindlore_domain::lesson::event::ErrorEvent) -> bool;
    let domain = |tool: Option<&str>| ErrorFilter::Domain("d".to_owned(), tool.map(str::to_owned));
    let filters: [(ErrorFilter, Holds, usize); 7] = [
        (ErrorFilter::All, |_| true, 12),
        (ErrorFilter::Run("r2".to_owned()), |one| one.run == "r2", 6),
        (
            ErrorFilter::Fingerprint(fp(1)),
            |one| one.fingerprints.fine.id == fp(1),
            4,
        ),
        (ErrorFilter::Fingerprint(fp(9)), |_| true, 12),
        (
            ErrorFilter::Task("t".to_owned()),
            |one| one.place.task.as_deref() == Some("t"),
            3,
        ),
        (
            domain(None),
            |one| one.place.domain.is_some() && one.place.tool.is_none(),
            3,
        ),
        (domain(Some("x")), |one| one.place.tool.is_some(), 3),
    ];
    for (filter, holds, count) in filters {
        let expected: Vec<_> = errors.iter().filter(|one| holds(one)).cloned().collect();
        assert_eq!(expected.len(), count);
        let mut seen: Vec<hindlore_domain::lesson::event::ErrorEvent> = Vec::new();
        for _ in 0..7 {
            let page = ErrorPage {
                filter: filter.clone(),
                after: seen.last().map(|one| (one.at, one.id)),
                limit: 2,
            };
            seen.extend(subject.store.errors(&owner, page).await.unwrap());
        }
        assert_eq!(seen, expected, "{filter:?}");
    }
}

pub(crate) async fn activations_of_a_lesson_come_in_pages(subject: &Subject) {
    let owner = subject.owner("l");
    let (own, other) = (lesson(&owner, 1, &[1], &[]), lesson(&owner, 2, &[1], &[]));
    let mut rows: Vec<_> = (0..7)
        .map(|n| activation("r1", &own, n, i64::from(n / 3)))
        .collect();
    rows[2].activation.withheld = true;
    let mut commit = raising(&[run("r1", 1)], Vec::new());
    commit.lessons = vec![own.clone(), other.clone()];
    commit.activations = rows.clone();
    commit.activations.push(activation("r1", &other, 1, 1));
    subject.write(&owner, commit).await.unwrap();
    rows.sort_by_key(|row| (std::cmp::Reverse(row.activation.at), row.activation.id));
    let mut seen: Vec<hindlore_store::lessons::rows::ActivationRow> = Vec::new();
    for _ in 0..4 {
        let page = ActivationPage {
            lesson: own.id,
            after: seen
                .last()
                .map(|row| (row.activation.at, row.activation.id)),
            limit: 2,
        };
        seen.extend(subject.store.activations(&owner, page).await.unwrap());
    }
    assert_eq!(seen, rows);
}

pub(crate) async fn conflicts_come_in_pages(subject: &Subject) {
    let owner = subject.owner("l");
    let lessons: Vec<_> = (0..5).map(|n| lesson(&owner, n, &[1], &[])).collect();
    let mut conflicts = Vec::new();
    for (at, a) in lessons.iter().enumerate() {
        for b in &lessons[..at] {
            conflicts.push(Conflict::between(a.id, b.id, "why".to_owned(), moment(1)));
        }
    }
    let mut commit = teaching(&lessons);
    commit.conflicts = conflicts.clone();
    subject.write(&owner, commit).await.unwrap();
    conflicts.sort_by_key(|row| (row.first, row.second));
    for of in [None, Some(lessons[2].id)] {
        let mut seen: Vec<Conflict> = Vec::new();
        for _ in 0..5 {
            let page = ConflictPage {
                lesson: of,
                after: seen.last().map(|row| (row.first, row.second)),
                limit: 3,
            };
            seen.extend(subject.store.conflicts(&owner, page).await.unwrap());
        }
        let has = |row: &&Conflict| of.is_none_or(|id| row.first == id || row.second == id);
        assert_eq!(
            seen,
            conflicts.iter().filter(has).cloned().collect::<Vec<_>>()
        );
    }
}

pub(crate) async fn totals_count_what_there_is(subject: &Subject) {
    let owner = subject.owner("l");
    let lessons = [
        lesson(&owner, 1, &[1], &[]),
        lesson(&owner, 2, &[1], &[]),
        with_status(lesson(&owner, 3, &[2], &[]), Status::Promoted),
        with_status(lesson(&owner, 4, &[3], &[]), Status::Suppressed),
        with_status(lesson(&owner, 5, &[3], &[]), Status::Archived),
        with_status(lesson(&owner, 6, &[3], &[]), Status::Observed),
        with_status(lesson(&owner, 7, &[3], &[]), Status::Refuted),
    ];
    let mut control = ended(run("r3", 1), 9);
    control.control = true;
    let runs = [run("r1", 1), ended(run("r2", 1), 9), control];
    let mut rows: Vec<_> = (0..5)
        .map(|n| activation("r1", &lessons[0], n, 1))
        .collect();
    for (row, utility) in rows.iter_mut().zip([0.5, -0.5, 0.0]) {
        row.activation.outcome = Some(outcome(utility, moment(2)));
    }
    rows[4].activation.withheld = true;
    let commit = LessonCommit {
        lessons: lessons.to_vec(),
        conflicts: vec![Conflict::between(
            lessons[0].id,
            lessons[1].id,
            String::new(),
            moment(1),
        )],
        activations: rows,
        ..raising(
            &runs,
            vec![
                error(&owner, "r1", 1, (1, 7)),
                error(&owner, "r2", 1, (1, 7)),
            ],
        )
    };
    subject.write(&owner, commit).await.unwrap();
    let expected = LessonTotals {
        observed: 1,
        candidates: 2,
        promoted: 1,
        refuted: 1,
        suppressed: 1,
        archived: 1,
        conflicts: 1,
        fingerprints: 4,
        errors: 2,
        open_runs: 1,
        ended_runs: 2,
        control_runs: 1,
        withheld: 1,
        activations: 4,
        helped: 1,
        neutral: 1,
        harmed: 1,
        step_bodies: 0,
    };
    assert_eq!(subject.store.lesson_totals(&owner).await.unwrap(), expected);
    assert_eq!(ids(&lessons).len(), 7);
}

pub(crate) async fn decisions_come_newest_first(subject: &Subject) {
    let (owner, other) = (subject.owner("l"), subject.owner("m"));
    let decided = |owner: &LearnerId, number: u8| {
        let lesson = lesson(owner, 1, &[1], &[]);
        let decision = |n: u8| {
            let mut one = promotion(&lesson);
            one.id = DecisionId([n; 10]);
            one.at = moment(i64::from(n / 2));
            one
        };
        let decisions: Vec<Decision> = (0..number).map(decision).collect();
        LessonCommit {
            decisions,
            ..teaching(std::slice::from_ref(&lesson))
        }
    };
    let commit = decided(&owner, 7);
    let mut expected = commit.decisions.clone();
    expected.sort_by_key(|one| (std::cmp::Reverse(one.at), one.id));
    subject.write(&owner, commit).await.unwrap();
    subject.write(&other, decided(&other, 9)).await.unwrap();
    for most in [0, 3, 7, 50] {
        let found = subject.store.decisions(&owner, most).await.unwrap();
        assert_eq!(found, expected[..most.min(7)], "{most}");
    }
}
