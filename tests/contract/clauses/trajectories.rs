//! Runs as trajectories: their descriptions, their lists, and the retention of their steps.

use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::trajectory::{Status, StepKind, TraceState};
use hindlore_store::lessons::reading::RunPage;
use hindlore_store::lessons::rows::{RunRow, StepRow};
use hindlore_store::lessons::trajectory::{RunFilter, TrajectoryFields};
use hindlore_store::lessons::transaction::{Ask, LessonCommit};

use crate::lesson_world::{ended, error, full_fields, raising, run, step};
use crate::subject::{Subject, moment};

/// A run with a place in every list.
fn full_run(id: &str, at: i64, parent: Option<&str>) -> RunRow {
    let mut row = ended(run(id, at), at + 9);
    row.end.as_mut().unwrap().passed = None;
    row.trajectory = full_fields(parent);
    row
}

/// A step with something in every field.
fn full_step(run: &str, number: u32) -> StepRow {
    StepRow {
        id: Some(format!("schritt {number} 文")),
        kind: StepKind::Observation,
        description: "what was seen:\n\"ü\"".to_owned(),
        metadata: Some(r#"{"n":1}"#.to_owned()),
        ..step(run, number, false)
    }
}

async fn ids(subject: &Subject, owner: &LearnerId, filter: RunFilter) -> Vec<String> {
    let page = RunPage {
        filter,
        limit: 99,
        ..RunPage::default()
    };
    let rows = subject.store.runs(owner, page).await.unwrap();
    rows.into_iter().map(|row| row.id).collect()
}

pub(crate) async fn what_a_run_is_as_a_trajectory_comes_back_bit_for_bit(subject: &Subject) {
    let owner = subject.owner("l");
    let runs = vec![full_run("r1", 1, Some("r2")), full_run("r2", 2, None)];
    let steps = vec![full_step("r1", 1), step("r1", 2, false)];
    let commit = LessonCommit {
        steps: steps.clone(),
        ..raising(&runs, Vec::new())
    };
    subject.write(&owner, commit).await.unwrap();
    for row in &runs {
        let held = subject.store.run(&owner, &row.id).await.unwrap().unwrap();
        assert_eq!(held.row, *row);
        assert_eq!(held.row.status(), Some(Status::Partial));
    }
    let held = subject.store.run(&owner, "r1").await.unwrap().unwrap();
    assert_eq!(held.steps, steps);
    let asked = Ask {
        runs: vec!["r1".to_owned()],
        steps: vec![("r1".to_owned(), 1), ("r1".to_owned(), 2)],
        ..Ask::default()
    };
    let gathered = subject.gather(&owner, asked).await;
    assert_eq!(gathered.runs, runs[..1]);
    assert_eq!(gathered.steps, steps);
}

pub(crate) async fn runs_are_listed_by_what_they_are_about(subject: &Subject) {
    let owner = subject.owner("l");
    let mut runs = Vec::new();
    for n in 0..12_i64 {
        let mut row = ended(run(&format!("r{n:02}"), n / 4), 90);
        row.end.as_mut().unwrap().passed = [Some(true), Some(false), None][n as usize % 3];
        let even = n % 2 == 0;
        row.trajectory = TrajectoryFields {
            agent: even.then(|| "a".to_owned()),
            user: Some(if even { "u" } else { "ub" }.to_owned()),
            task_type: (n > 5).then(|| "api".to_owned()),
            parent: (n > 8).then(|| "r00".to_owned()),
            is_partial: n % 3 == 2,
            ..TrajectoryFields::default()
        };
        runs.push(row);
    }
    subject
        .write(&owner, raising(&runs, Vec::new()))
        .await
        .unwrap();
    runs.sort_by_key(|row| (std::cmp::Reverse(row.started_at), row.id.clone()));
    type Holds = fn(&RunRow) -> bool;
    let lists: [(RunFilter, Holds); 8] = [
        (RunFilter::All, |_| true),
        (RunFilter::Agent("a".to_owned()), |row| {
            row.trajectory.agent.is_some()
        }),
        (RunFilter::Agent("b".to_owned()), |_| false),
        (RunFilter::User("u".to_owned()), |row| {
            row.trajectory.agent.is_some()
        }),
        (RunFilter::TaskType("api".to_owned()), |row| {
            row.trajectory.task_type.is_some()
        }),
        (RunFilter::PartsOf("r00".to_owned()), |row| {
            row.trajectory.parent.is_some()
        }),
        (RunFilter::Status(Status::Partial), |row| {
            row.trajectory.is_partial
        }),
        (RunFilter::Status(Status::Failure), |row| {
            row.end.as_ref().unwrap().passed == Some(false)
        }),
    ];
    for (filter, holds) in lists {
        let mut seen: Vec<RunRow> = Vec::new();
        loop {
            let page = RunPage {
                filter: filter.clone(),
                after: seen.last().map(|row| (row.started_at, row.id.clone())),
                limit: 2,
            };
            let rows = subject.store.runs(&owner, page).await.unwrap();
            assert!(rows.len() <= 2);
            if rows.is_empty() {
                break;
            }
            seen.extend(rows);
        }
        let expected = runs.iter().filter(|row| holds(row)).cloned();
        assert_eq!(seen, expected.collect::<Vec<_>>(), "{filter:?}");
    }
    let stranger = subject.owner("m");
    assert!(
        ids(subject, &stranger, RunFilter::Agent("a".to_owned()))
            .await
            .is_empty()
    );
}

pub(crate) async fn a_run_leaves_the_lists_it_no_longer_belongs_to(subject: &Subject) {
    let owner = subject.owner("l");
    let first = full_run("r1", 1, None);
    subject
        .write(&owner, raising(std::slice::from_ref(&first), Vec::new()))
        .await
        .unwrap();
    let mut second = first;
    second.trajectory = TrajectoryFields::default();
    second.end.as_mut().unwrap().passed = Some(true);
    subject
        .write(&owner, raising(&[second], Vec::new()))
        .await
        .unwrap();
    let agent = RunFilter::Agent("agent 文件".to_owned());
    assert!(ids(subject, &owner, agent).await.is_empty());
    assert!(
        ids(subject, &owner, RunFilter::Status(Status::Partial))
            .await
            .is_empty()
    );
    assert_eq!(
        ids(subject, &owner, RunFilter::Status(Status::Success)).await,
        ["r1"]
    );
    assert!(
        subject
            .store
            .relearning_queue(&owner, 9)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        subject
            .store
            .due_runs(&owner, moment(99), 9)
            .await
            .unwrap()
            .is_empty()
    );
}

pub(crate) async fn the_relearning_queue_has_the_most_urgent_first(subject: &Subject) {
    let owner = subject.owner("l");
    let queued = [
        ("a", 5, Some(3)),
        ("b", 2, Some(10)),
        ("c", 1, Some(3)),
        ("d", 0, None),
        ("e", 1, Some(3)),
        ("f", 9, Some(0)),
    ];
    let runs = queued.map(|(id, at, priority)| {
        let mut row = run(id, at);
        row.trajectory.relearning = priority;
        row
    });
    subject
        .write(&owner, raising(&runs, Vec::new()))
        .await
        .unwrap();
    let queue = |limit| subject.store.relearning_queue(&owner, limit);
    let names = |rows: Vec<RunRow>| rows.into_iter().map(|row| row.id).collect::<Vec<_>>();
    assert_eq!(names(queue(9).await.unwrap()), ["b", "c", "e", "a", "f"]);
    assert_eq!(names(queue(2).await.unwrap()), ["b", "c"]);
}

pub(crate) async fn runs_come_when_their_steps_are_due(subject: &Subject) {
    let owner = subject.owner("l");
    let due = [
        ("a", Some(5)),
        ("b", Some(2)),
        ("c", None),
        ("d", Some(5)),
        ("e", Some(8)),
    ];
    let runs = due.map(|(id, at)| {
        let mut row = run(id, 0);
        row.trajectory.due_at = at.map(moment);
        row
    });
    subject
        .write(&owner, raising(&runs, Vec::new()))
        .await
        .unwrap();
    let due = |before, limit| subject.store.due_runs(&owner, moment(before), limit);
    assert_eq!(due(8, 9).await.unwrap(), ["b", "a", "d"]);
    assert_eq!(due(9, 2).await.unwrap(), ["b", "a"]);
    assert!(due(2, 9).await.unwrap().is_empty());
}

pub(crate) async fn a_step_is_found_by_its_id(subject: &Subject) {
    let owner = subject.owner("l");
    let named = |run: &str, number: u32, id: &str| StepRow {
        id: Some(id.to_owned()),
        ..step(run, number, false)
    };
    let steps = vec![
        named("r1", 1, "x"),
        named("r1", 2, "y"),
        named("r2", 1, "x"),
    ];
    let commit = LessonCommit {
        steps: steps.clone(),
        ..raising(&[run("r1", 1), run("r2", 2)], Vec::new())
    };
    subject.write(&owner, commit).await.unwrap();
    let of = |run: &str, id: &str| (run.to_owned(), id.to_owned());
    let asked = Ask {
        step_ids: vec![of("r2", "x"), of("r1", "y"), of("r1", "z"), of("r3", "x")],
        steps: vec![("r1".to_owned(), 2)],
        ..Ask::default()
    };
    let found = subject.gather(&owner, asked).await.steps;
    assert_eq!(found, [steps[1].clone(), steps[2].clone()]);
}

async fn bodies(subject: &Subject, owner: &LearnerId) -> u64 {
    let totals = subject.store.lesson_totals(owner).await.unwrap();
    totals.step_bodies
}

/// A step with the text of others, too.
fn same(run: &str, number: u32) -> StepRow {
    StepRow {
        action: "\"cargo test\"".to_owned(),
        ..step(run, number, number.is_multiple_of(2))
    }
}

pub(crate) async fn equal_bodies_of_steps_are_kept_once(subject: &Subject) {
    let owner = subject.owner("l");
    let steps: Vec<StepRow> = (1..=40)
        .map(|n| same(if n > 20 { "r1" } else { "r2" }, n))
        .collect();
    let commit = LessonCommit {
        steps: steps.clone(),
        ..raising(&[run("r1", 1), run("r2", 2)], Vec::new())
    };
    subject.write(&owner, commit.clone()).await.unwrap();
    subject.write(&owner, commit).await.unwrap();
    assert_eq!(bodies(subject, &owner).await, 1);
    let held = subject.store.run(&owner, "r1").await.unwrap().unwrap();
    assert_eq!(held.steps, steps[20..]);
    // A step that is there stays as it is, and brings no body along.
    let other = LessonCommit {
        steps: vec![full_step("r1", 21)],
        ..raising(&[run("r1", 1)], Vec::new())
    };
    subject.write(&owner, other).await.unwrap();
    assert_eq!(bodies(subject, &owner).await, 1);
    let differs = LessonCommit {
        steps: vec![full_step("r1", 41)],
        ..raising(&[run("r1", 1)], Vec::new())
    };
    subject.write(&owner, differs).await.unwrap();
    assert_eq!(bodies(subject, &owner).await, 2);
}

pub(crate) async fn stripped_runs_keep_everything_but_their_steps(subject: &Subject) {
    let owner = subject.owner("l");
    let runs = [full_run("r1", 1, None), full_run("r2", 2, None)];
    let commit = LessonCommit {
        steps: vec![same("r1", 1), full_step("r1", 2), same("r2", 1)],
        ..raising(&runs, Vec::new())
    };
    subject.write(&owner, commit).await.unwrap();
    assert_eq!(bodies(subject, &owner).await, 2);
    let mut row = runs[0].clone();
    row.trajectory.trace = TraceState::Purged;
    let strip = LessonCommit {
        stripped: vec!["r1".to_owned()],
        ..raising(std::slice::from_ref(&row), Vec::new())
    };
    subject.write(&owner, strip).await.unwrap();
    let held = subject.store.run(&owner, "r1").await.unwrap().unwrap();
    assert_eq!((held.row, held.steps), (row, Vec::new()));
    let other = subject.store.run(&owner, "r2").await.unwrap().unwrap();
    assert_eq!(other.steps, [same("r2", 1)]);
    // The body that the other run has, too, is still there.
    assert_eq!(bodies(subject, &owner).await, 1);
}

pub(crate) async fn emptied_errors_keep_everything_but_their_texts(subject: &Subject) {
    let owner = subject.owner("l");
    let full = |run: &str| ErrorEvent {
        state: "before".to_owned(),
        state_after: "after".to_owned(),
        reason: "why".to_owned(),
        ..error(&owner, run, 1, (1, 3))
    };
    let runs = [full_run("r1", 1, None), full_run("r2", 2, None)];
    let commit = raising(&runs, vec![full("r1"), full("r2")]);
    subject.write(&owner, commit).await.unwrap();
    let emptied = LessonCommit {
        emptied: vec!["r1".to_owned()],
        ..LessonCommit::default()
    };
    subject.write(&owner, emptied).await.unwrap();
    let without_texts = ErrorEvent {
        error: String::new(),
        state: String::new(),
        action: String::new(),
        state_after: String::new(),
        reason: String::new(),
        ..full("r1")
    };
    for (run, expected) in [("r1", without_texts), ("r2", full("r2"))] {
        let held = subject.store.run(&owner, run).await.unwrap().unwrap();
        assert_eq!(held.errors, [expected], "{run}");
    }
}

pub(crate) async fn a_copy_keeps_trajectories_as_they_are(subject: &Subject) {
    let owner = subject.owner("l");
    let runs = [full_run("r1", 1, Some("r2")), full_run("r2", 2, None)];
    let commit = LessonCommit {
        steps: vec![full_step("r1", 1), same("r1", 2), same("r1", 3)],
        ..raising(&runs, Vec::new())
    };
    subject.write(&owner, commit).await.unwrap();
    let copy = subject
        .store
        .copy_lessons_out(&owner)
        .await
        .unwrap()
        .unwrap();
    let mut moved = copy.clone();
    moved.owner = subject.owner("m");
    subject.store.copy_lessons_in(moved.clone()).await.unwrap();
    let again = subject.store.copy_lessons_out(&moved.owner).await.unwrap();
    assert_eq!(again.unwrap(), moved);
    assert_eq!(bodies(subject, &moved.owner).await, 2);
    let parts = ids(subject, &moved.owner, RunFilter::PartsOf("r2".to_owned())).await;
    assert_eq!(parts, ["r1"]);
}
