//! The rows of a decision are delivered: by name, in order, bounded, and nothing else.

use hindlore_domain::lesson::evidence::evidence_rows::ROWS_MAX;
use hindlore_domain::lesson::lesson::{Place, Status};
use hindlore_primitives::ids::{ActivationId, EventId};
use hindlore_store::ErrorKind;
use hindlore_store::lessons::transaction::{Ask, Gathered, HistoryAsk, LessonCommit, Raised};
use hindlore_store::lessons::{HISTORY_MAX, NAMES_MAX};

use crate::lesson_world::{
    activation, at_place, dated, ended, error, fp, gather, ids, lesson, raising, run, step,
    teaching, with_status,
};
use crate::subject::{Subject, moment};

pub(crate) async fn unknown_names_are_left_out(subject: &Subject) {
    let owner = subject.owner("l");
    let ask = Ask {
        operation: Some("x".to_owned()),
        runs: vec!["r9".to_owned()],
        events: vec![EventId([9; 10])],
        steps: vec![("r9".to_owned(), 1), ("r1".to_owned(), 9)],
        step_ids: vec![
            ("r9".to_owned(), "a".to_owned()),
            ("r1".to_owned(), "a".to_owned()),
        ],
        fingerprints: vec![fp(9)],
        lessons: vec![lesson(&owner, 9, &[9], &[]).id],
        triggered_by: vec![fp(9)],
        activations: vec![ActivationId([9; 10])],
        activations_of: vec![lesson(&owner, 9, &[9], &[]).id],
        history: Some(HistoryAsk {
            place: at_place("none", "none"),
        }),
    };
    assert_eq!(
        subject.gather(&owner, ask.clone()).await,
        Gathered::default()
    );
    subject
        .write(&owner, raising(&[run("r1", 1)], Vec::new()))
        .await
        .unwrap();
    assert_eq!(subject.gather(&owner, ask).await, Gathered::default());
}

pub(crate) async fn runs_and_what_they_raised_come_by_name(subject: &Subject) {
    let owner = subject.owner("l");
    let errors = vec![
        error(&owner, "r2", 5, (1, 2)),
        error(&owner, "r2", 3, (1, 2)),
        error(&owner, "r1", 4, (3, 3)),
    ];
    let runs = [run("r2", 1), run("r1", 2), run("r3", 3)];
    subject
        .write(&owner, raising(&runs, errors.clone()))
        .await
        .unwrap();
    let ask = Ask {
        runs: vec!["r2".to_owned(), "r1".to_owned(), "r1".to_owned()],
        events: vec![errors[0].id, EventId([1; 10])],
        fingerprints: vec![fp(3), fp(1), fp(1)],
        ..Ask::default()
    };
    let found = subject.gather(&owner, ask).await;
    assert_eq!(found.runs, [run("r1", 2), run("r2", 1)]);
    assert_eq!(found.events, [errors[0].id]);
    let prints: Vec<_> = found
        .fingerprints
        .iter()
        .map(|row| row.fingerprint.id)
        .collect();
    assert_eq!(prints, [fp(1), fp(3)]);
    let raised = |run: &str, n: u16, first_step: u32| Raised {
        run: run.to_owned(),
        fingerprint: fp(n),
        first_step,
    };
    assert_eq!(found.raised, [raised("r1", 3, 4), raised("r2", 1, 3)]);
}

pub(crate) async fn steps_come_by_run_and_number(subject: &Subject) {
    let owner = subject.owner("l");
    let mut commit = raising(&[run("r1", 1), run("r2", 2)], Vec::new());
    let steps = [("r2", 1), ("r1", 10), ("r1", 2), ("r1", 3)];
    commit.steps = steps.map(|(run, number)| step(run, number, false)).into();
    subject.write(&owner, commit).await.unwrap();
    let named = |run: &str, number: u32| (run.to_owned(), number);
    let ask = Ask {
        steps: vec![
            named("r2", 1),
            named("r1", 10),
            named("r1", 2),
            named("r1", 2),
            named("r2", 2),
        ],
        ..Ask::default()
    };
    let found = subject.gather(&owner, ask.clone()).await;
    let ascending = [
        step("r1", 2, false),
        step("r1", 10, false),
        step("r2", 1, false),
    ];
    assert_eq!(found.steps, ascending);
    assert_eq!(
        subject.gather(&subject.owner("other"), ask).await,
        Gathered::default()
    );
}

pub(crate) async fn lessons_come_by_name_and_by_any_trigger_in_any_status(subject: &Subject) {
    let owner = subject.owner("l");
    let lessons = [
        lesson(&owner, 1, &[1, 2], &[]),
        with_status(lesson(&owner, 2, &[2], &[]), Status::Suppressed),
        with_status(dated(lesson(&owner, 3, &[2, 3], &[]), 9), Status::Archived),
        dated(lesson(&owner, 4, &[2], &[]), 5),
        lesson(&owner, 5, &[5], &[]),
    ];
    subject.write(&owner, teaching(&lessons)).await.unwrap();
    let ask = Ask {
        lessons: vec![lessons[4].id, lessons[0].id],
        triggered_by: vec![fp(3), fp(2)],
        ..Ask::default()
    };
    assert_eq!(subject.gather(&owner, ask).await.lessons, lessons);
    // Out of use first, then by newest evidence, then by id.
    let ever = subject
        .store
        .lessons_ever_triggered_by(&owner, &[fp(2), fp(3)])
        .await
        .unwrap();
    let order = [2, 1, 3, 0].map(|n: usize| lessons[n].id);
    assert_eq!(ids(&ever), order);
}

pub(crate) async fn the_last_activations_of_a_lesson_come_oldest_first(subject: &Subject) {
    let owner = subject.owner("l");
    let (own, other) = (lesson(&owner, 1, &[1], &[]), lesson(&owner, 2, &[1], &[]));
    let many = (0_u32..).zip(0..ROWS_MAX as i64 + 5);
    let mut rows: Vec<_> = many.map(|(n, at)| activation("r1", &own, n, at)).collect();
    let mut withheld = activation("r2", &own, 1, 10_000);
    withheld.activation.withheld = true;
    let named = activation("r1", &other, 1, 20_000);
    rows.extend([withheld, named.clone()]);
    let commit = LessonCommit {
        runs: vec![run("r1", 1), run("r2", 1)],
        lessons: vec![own.clone(), other],
        activations: rows.clone(),
        ..LessonCommit::default()
    };
    subject.write(&owner, commit).await.unwrap();
    let ask = Ask {
        activations: vec![named.activation.id, rows[7].activation.id],
        activations_of: vec![own.id],
        ..Ask::default()
    };
    let found = subject.gather(&owner, ask).await.activations;
    let mut expected = rows[5..ROWS_MAX + 5].to_vec();
    expected.push(named);
    assert_eq!(found, expected);
}

/// The names of the gathered history, in its order.
async fn history(subject: &Subject, ask: HistoryAsk) -> Vec<String> {
    let ask = Ask {
        history: Some(ask),
        ..Ask::default()
    };
    let found = subject.gather(&subject.owner("l"), ask).await.history;
    assert!(found.is_sorted_by_key(|run| (run.ended_at, run.id.clone())));
    found.into_iter().map(|run| run.id).collect()
}

pub(crate) async fn history_is_the_union_of_its_lists(subject: &Subject) {
    let owner = subject.owner("l");
    let placed = |id: &str, at: i64, place: Place| {
        let mut run = ended(run(id, 0), at);
        run.place = place;
        run
    };
    let with_tool = |tool: Option<&str>| Place {
        task: Some("other".to_owned()),
        domain: Some("grid".to_owned()),
        tool: tool.map(str::to_owned),
    };
    let runs = [
        placed("task", 3, at_place("report", "else")),
        placed("domain", 2, with_tool(None)),
        placed("tool", 4, with_tool(Some("hammer"))),
        placed("raised", 1, at_place("x", "y")),
        placed("active", 5, Place::default()),
        run("open", 1),
        placed("nothing", 6, at_place("x", "y")),
    ];
    let own = lesson(&owner, 1, &[1], &[]);
    let commit = LessonCommit {
        errors: vec![
            error(&owner, "raised", 1, (4, 1)),
            error(&owner, "open", 1, (4, 1)),
        ],
        lessons: vec![own.clone()],
        activations: vec![
            activation("active", &own, 1, 1),
            activation("open", &own, 1, 1),
        ],
        ..raising(&runs, Vec::new())
    };
    subject.write(&owner, commit).await.unwrap();
    let ask = HistoryAsk {
        place: at_place("report", "grid"),
    };
    // Runs elsewhere are no comparison, whichever errors and learners they had.
    assert_eq!(history(subject, ask).await, ["domain", "task"]);
    let place = Place {
        task: None,
        ..with_tool(Some("hammer"))
    };
    let of_tool = HistoryAsk { place };
    assert_eq!(history(subject, of_tool).await, ["tool"]);
    assert!(history(subject, HistoryAsk::default()).await.is_empty());
}

pub(crate) async fn history_is_cut_to_the_newest(subject: &Subject) {
    let owner = subject.owner("l");
    let many = HISTORY_MAX + 7;
    let name = |n: usize| format!("r{n:04}");
    let runs: Vec<_> = (0..many)
        .map(|n| ended(run(&name(n), 0), n as i64))
        .collect();
    let errors = (0..many).map(|n| error(&owner, &name(n), 1, (1, 1)));
    subject
        .write(&owner, raising(&runs, errors.collect()))
        .await
        .unwrap();
    let by_place = HistoryAsk {
        place: at_place("report", "none"),
    };
    let found = history(subject, by_place).await;
    assert_eq!((found.len(), &found[0]), (HISTORY_MAX, &name(7)));
}

pub(crate) async fn a_history_shows_runs_as_they_ended(subject: &Subject) {
    let owner = subject.owner("l");
    let mut row = ended(run("r1", 1), 50);
    row.end.as_mut().unwrap().score = Some(0.1 + 0.2);
    subject
        .write(&owner, raising(&[row.clone()], Vec::new()))
        .await
        .unwrap();
    let ask = Ask {
        history: Some(HistoryAsk {
            place: at_place("report", "grid"),
        }),
        ..Ask::default()
    };
    let found = subject.gather(&owner, ask).await.history;
    assert_eq!(found, [row.record().unwrap()]);
    assert_eq!(found[0].ended_at, moment(50));
}

pub(crate) async fn too_many_names_are_refused(subject: &Subject) {
    let owner = subject.owner("l");
    subject
        .write(&owner, raising(&[run("r1", 1)], Vec::new()))
        .await
        .unwrap();
    let many: Vec<_> = (0..=NAMES_MAX).map(|n| fp(n as u16)).collect();
    let ask = Ask {
        fingerprints: many.clone(),
        ..Ask::default()
    };
    let refused = gather(&*subject.store, &owner, ask).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Invalid, "{refused}");
    let refused = subject.store.fingerprints(&owner, &many).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Invalid, "{refused}");
}
