//! Lessons of one learner never meet those of another, many callers at once come one after the other,
//! and all of a learner can be moved and erased.

use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::lesson::lesson_policy::WalkLimits;
use hindlore_store::lessons::reading::NeighbourhoodAsk;
use hindlore_store::lessons::transaction::{Ask, Gathered, HistoryAsk, LessonCommit};
use hindlore_store::{ErrorKind, Store};

use crate::lesson_absence::reads_nothing;
use crate::lesson_world::{
    activation, at_place, error, everything, fp, lesson, raising, run, teaching, texts,
};
use crate::subject::{Subject, order};

/// Asserts that nothing is delivered under the lock, nor by any way to read.
async fn finds_nothing(store: &dyn Store, subject: &Subject, owner: &LearnerId, of: &LessonCommit) {
    let lessons: Vec<_> = of.lessons.iter().map(|lesson| lesson.id).collect();
    let ask = Ask {
        operation: Some("end:r1".to_owned()),
        runs: texts(&["r1", "r2"]),
        events: of.errors.iter().map(|error| error.id).collect(),
        steps: of
            .steps
            .iter()
            .map(|step| (step.run.clone(), step.step))
            .collect(),
        step_ids: of
            .steps
            .iter()
            .filter_map(|step| Some((step.run.clone(), step.id.clone()?)))
            .collect(),
        fingerprints: vec![fp(1), fp(2), fp(3)],
        lessons: lessons.clone(),
        triggered_by: vec![fp(1)],
        activations: of.activations.iter().map(|row| row.activation.id).collect(),
        activations_of: lessons.clone(),
        history: Some(HistoryAsk {
            place: at_place("report", "grid"),
        }),
    };
    assert_eq!(subject.gather(owner, ask).await, Gathered::default());
    assert_eq!(store.run(owner, "r1").await.unwrap(), None);
    reads_nothing(store, owner, of).await;
}

pub(crate) async fn learners_and_tenants_never_meet(subject: &Subject) {
    let owner = subject.owner("l");
    let written = everything(&owner);
    subject.write(&owner, written.clone()).await.unwrap();
    let tenant = &subject.tenant;
    let others = [
        subject.owner("m"),
        LearnerId::new(&format!("{tenant}x"), "l").unwrap(),
        // The same letters, cut elsewhere.
        LearnerId::new(
            &tenant[..tenant.len() - 1],
            &format!("{}l", &tenant[tenant.len() - 1..]),
        )
        .unwrap(),
    ];
    for other in &others {
        finds_nothing(&*subject.store, subject, other, &written).await;
    }
    // Equal ids under another learner are other rows.
    let other = subject.owner("m");
    let mut theirs = everything(&other);
    theirs.lessons[0].reliability = 0.9;
    subject.write(&other, theirs.clone()).await.unwrap();
    let mine = subject
        .store
        .copy_lessons_out(&owner)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(mine.lessons, written.lessons);
    let rows = subject.store.fingerprints(&owner, &[fp(1)]).await.unwrap();
    assert_eq!((rows[0].events, rows[0].runs), (2, 2));
    let copy = subject
        .store
        .copy_lessons_out(&other)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(copy.lessons, theirs.lessons);
}

pub(crate) async fn a_copy_of_lessons_is_equal_and_works_like_the_first(subject: &Subject) {
    let (owner, other) = (subject.owner("l"), subject.owner("m"));
    subject.write(&owner, everything(&owner)).await.unwrap();
    let out = subject
        .store
        .copy_lessons_out(&owner)
        .await
        .unwrap()
        .unwrap();
    // The copy goes to another learner here; rows that name their owner name the new one.
    let mut moved = out.clone();
    moved.owner = other.clone();
    moved
        .lessons
        .iter_mut()
        .for_each(|lesson| lesson.owner = other.clone());
    moved
        .errors
        .iter_mut()
        .for_each(|error| error.owner = other.clone());
    subject.store.copy_lessons_in(moved.clone()).await.unwrap();
    assert_eq!(
        subject.store.copy_lessons_out(&other).await.unwrap(),
        Some(moved.clone())
    );
    let totals =
        |owner: LearnerId| async move { subject.store.lesson_totals(&owner).await.unwrap() };
    assert_eq!(totals(owner.clone()).await, totals(other.clone()).await);
    let ask = NeighbourhoodAsk {
        starts: vec![fp(1)],
        tags: Vec::new(),
        without: Vec::new(),
        place: at_place("report", "grid"),
        limits: WalkLimits::default(),
    };
    let here = subject
        .store
        .neighbourhood(&owner, ask.clone())
        .await
        .unwrap();
    let there = subject.store.neighbourhood(&other, ask).await.unwrap();
    assert_eq!(here, there);
    assert!(!here.tags.is_empty() && !here.starts[0].lessons.is_empty());
    // Existing rows are replaced as a whole.
    moved.runs.retain(|run| run.id == "r1");
    moved.steps.retain(|step| step.run == "r1");
    moved.errors.retain(|error| error.run == "r1");
    for row in &mut moved.fingerprints {
        (row.events, row.runs) = (row.events.min(1), row.runs.min(1));
    }
    subject.store.copy_lessons_in(moved.clone()).await.unwrap();
    assert_eq!(
        subject.store.copy_lessons_out(&other).await.unwrap(),
        Some(moved)
    );
    assert_eq!(
        subject.store.copy_lessons_out(&owner).await.unwrap(),
        Some(out)
    );
}

pub(crate) async fn erasing_a_learner_takes_its_lessons(subject: &Subject) {
    let (owner, other) = (subject.owner("l"), subject.owner("m"));
    let written = everything(&owner);
    subject.write(&owner, written.clone()).await.unwrap();
    subject.write(&other, everything(&other)).await.unwrap();
    let kept = subject.store.copy_lessons_out(&other).await.unwrap();
    let erase =
        |scope: Option<&'static str>| subject.store.erase(order(&subject.tenant, "l", scope));
    let of_scope = erase(Some("default")).await.unwrap().erased;
    assert_eq!(
        (of_scope.lessons, of_scope.runs, of_scope.errors),
        (0, 0, 0)
    );
    let erased = erase(None).await.unwrap().erased;
    assert_eq!((erased.lessons, erased.runs, erased.errors), (2, 2, 2));
    finds_nothing(&*subject.store, subject, &owner, &written).await;
    assert_eq!(subject.store.copy_lessons_out(&other).await.unwrap(), kept);
    let again = erase(None).await.unwrap().erased;
    assert_eq!((again.lessons, again.runs, again.errors), (0, 0, 0));
}

pub(crate) async fn learners_with_lessons_are_listed(subject: &Subject) {
    for learner in ["c", "a", "b"] {
        let owner = subject.owner(learner);
        subject
            .write(&owner, raising(&[run("r1", 1)], Vec::new()))
            .await
            .unwrap();
    }
    let list = |after: Option<&'static str>| subject.store.lesson_learners(&subject.tenant, after);
    assert_eq!(list(None).await.unwrap(), ["a", "b", "c"]);
    assert_eq!(list(Some("a")).await.unwrap(), ["b", "c"]);
    let other = format!("{}x", subject.tenant);
    assert!(
        subject
            .store
            .lesson_learners(&other, None)
            .await
            .unwrap()
            .is_empty()
    );
}

pub(crate) async fn decisions_about_lessons_come_one_after_the_other(subject: &Subject) {
    let owner = subject.owner("l");
    let first = lesson(&owner, 1, &[1], &["auth"]);
    subject
        .write(&owner, teaching(std::slice::from_ref(&first)))
        .await
        .unwrap();
    let handles = [subject.store.clone(), subject.reopen().await];
    let tasks = (0..40_u32).map(|number| {
        let (store, owner) = (handles[number as usize % 2].clone(), owner.clone());
        let ask = Ask {
            lessons: vec![first.id],
            ..Ask::default()
        };
        let told = owner.clone();
        let decide = Box::new(move |mut gathered: Gathered| {
            let mut lesson = gathered.lessons.pop().unwrap();
            lesson.counts.retrieved += 1;
            lesson.impact += 1.0;
            // Half of the events are sent by two callers.
            let event = error(&told, "r1", number / 2, (1, 2));
            let mut commit = raising(&[run("r1", 1)], vec![event]);
            commit.activations = vec![activation("r1", &lesson, number, 1)];
            commit.lessons = vec![lesson];
            commit
        });
        tokio::spawn(async move { store.transact_lessons(&owner, ask, decide).await })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap().unwrap();
    }
    let found = subject
        .store
        .lessons_by_id(&owner, &[first.id])
        .await
        .unwrap();
    assert_eq!(found.lessons[0].counts.retrieved, 40);
    assert_eq!(found.lessons[0].impact.to_bits(), 40.0_f64.to_bits());
    let rows = subject
        .store
        .fingerprints(&owner, &[fp(1), fp(2)])
        .await
        .unwrap();
    assert!(
        rows.iter().all(|row| (row.events, row.runs) == (20, 1)),
        "{rows:?}"
    );
    let totals = subject.store.lesson_totals(&owner).await.unwrap();
    assert_eq!((totals.activations, totals.errors), (40, 20));
}

pub(crate) async fn a_panicking_decision_about_lessons_writes_nothing(subject: &Subject) {
    let owner = subject.owner("l");
    let decide = Box::new(|_| panic!("the decision fails"));
    let failed = subject
        .store
        .transact_lessons(&owner, Ask::default(), decide)
        .await;
    assert_eq!(failed.unwrap_err().kind(), ErrorKind::Unexpected);
    assert_eq!(subject.store.copy_lessons_out(&owner).await.unwrap(), None);
    subject
        .write(&owner, raising(&[run("r1", 1)], Vec::new()))
        .await
        .unwrap();
}
