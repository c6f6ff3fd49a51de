//! A copy of lessons that is too large for one transaction is written in pieces, and nothing of it is found until
//! it is whole.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use hindlore_contract::lesson_absence::reads_nothing;
use hindlore_contract::lesson_world::{
    activation, error, everything, fp, lesson, raising, run, step, write,
};
use hindlore_contract::subject::{fresh, order};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_neo4j::Neo4jStore;
use hindlore_store::lessons::reading::{ErrorPage, LessonsCopy, RunPage};
use hindlore_store::lessons::transaction::LessonCommit;
use hindlore_store::{EraseStore, ErrorKind, LessonStore, MaintenanceStore, StoreError};
use hindlore_testkit::TemporaryStore;

use crate::erasing::by_hand;
use crate::proxy::Proxy;
use crate::server::Server;

const RUNS: u16 = 60;
const EACH: u16 = 100;
const ERRORS: u64 = RUNS as u64 * EACH as u64;

fn learner() -> LearnerId {
    LearnerId::new(&fresh("tenant"), "learner").unwrap()
}

/// A commit with many errors, as many steps, and two lessons.
fn many(owner: &LearnerId) -> LessonCommit {
    let lessons = vec![
        lesson(owner, 1, &[100, 101], &["auth"]),
        lesson(owner, 2, &[1], &["timeout"]),
    ];
    let mut commit = LessonCommit::default();
    for number in 0..RUNS {
        let id = format!("r{number:03}");
        commit.runs.push(run(&id, i64::from(number)));
        for at in 0..EACH {
            // A tenth of the fine fingerprints as coarse ones.
            let fine = (number * EACH + at) % 1_000;
            let prints = (100 + fine, 1 + fine % 100);
            commit.errors.push(error(owner, &id, at.into(), prints));
            commit.steps.push(step(&id, at.into(), true));
        }
        let used = activation(&id, &lessons[0], number.into(), 7);
        commit.activations.push(used);
    }
    commit.lessons = lessons;
    commit
}

/// The lessons of a learner as a file holds them, counts and all.
async fn of_a_file(owner: &LearnerId, commit: LessonCommit) -> LessonsCopy {
    let folder = TemporaryStore::new().unwrap();
    let store = folder.store().unwrap();
    write(&*store, owner, commit).await.unwrap();
    store.copy_lessons_out(owner).await.unwrap().unwrap()
}

/// Counts that distinguish an empty view from a full one.
async fn seen(store: &Neo4jStore, owner: &LearnerId) -> [u64; 5] {
    let limit = 1_000;
    let errors = ErrorPage {
        limit,
        ..ErrorPage::default()
    };
    let totals = store.lesson_totals(owner).await.unwrap();
    let errors = store.errors(owner, errors).await.unwrap().len();
    let runs = RunPage {
        limit,
        ..RunPage::default()
    };
    let runs = store.runs(owner, runs).await.unwrap().len();
    let known = store.fingerprints(owner, &[fp(1)]).await.unwrap();
    let raised = known.first().map_or(0, |row| row.events);
    let listed = store.lesson_learners(owner.tenant(), None).await.unwrap();
    [
        totals.errors,
        errors as u64,
        runs as u64,
        raised,
        listed.len() as u64,
    ]
}

pub(crate) async fn in_pieces(server: Server) {
    let (proxy, commits) = Proxy::counting(&server).await;
    let store = Arc::new(
        Neo4jStore::connect(proxy.seen(&server).options())
            .await
            .unwrap(),
    );
    let reader = Neo4jStore::connect(server.options()).await.unwrap();
    let owner = learner();
    let copy = of_a_file(&owner, many(&owner)).await;
    let before = commits.load(Ordering::SeqCst);
    let copying = {
        let (store, copy) = (store.clone(), copy.clone());
        tokio::spawn(async move { store.copy_lessons_in(copy).await })
    };
    // Steps and errors go in twelve pieces each.
    let begun = || commits.load(Ordering::SeqCst) - before;
    let mut hidden = 0;
    while !copying.is_finished() {
        let is_writing = begun() >= 14;
        let found = seen(&reader, &owner).await;
        let is_done = begun() >= 24 && found != [0; 5];
        if is_done {
            break;
        } else {
            assert_eq!(found, [0; 5], "after {} pieces", begun())
        }
        hidden += u64::from(is_writing);
    }
    copying.await.unwrap().unwrap();
    assert!(begun() >= 24, "{} transactions", begun());
    assert!(hidden > 0, "nobody looked in between");
    let whole = [ERRORS, 1_000, RUNS.into(), 60, 1];
    assert_eq!(seen(&reader, &owner).await, whole);
    assert!(reader.copy_lessons_out(&owner).await.unwrap() == Some(copy.clone()));
    let found = reader.check().await.unwrap();
    assert!(!found.iter().any(|one| one.subject.contains(owner.tenant())));
    // Once more, over the existing copy.
    store.copy_lessons_in(copy.clone()).await.unwrap();
    assert!(reader.copy_lessons_out(&owner).await.unwrap() == Some(copy));
    // A small one in place of a large one: that goes in pieces.
    let small = of_a_file(&owner, raising(&[run("r1", 1)], Vec::new())).await;
    let before = commits.load(Ordering::SeqCst);
    store.copy_lessons_in(small.clone()).await.unwrap();
    assert!(commits.load(Ordering::SeqCst) - before >= 4);
    assert!(reader.copy_lessons_out(&owner).await.unwrap() == Some(small));
}

pub(crate) async fn taken_over(server: Server) {
    let (proxy, commits) = Proxy::counting(&server).await;
    let store = Neo4jStore::connect(proxy.seen(&server).options())
        .await
        .unwrap();
    let other = Neo4jStore::connect(server.options()).await.unwrap();
    let owner = learner();
    let copy = of_a_file(&owner, many(&owner)).await;
    let before = commits.load(Ordering::SeqCst);
    let first = {
        let copy = copy.clone();
        tokio::spawn(async move { store.copy_lessons_in(copy).await })
    };
    while commits.load(Ordering::SeqCst) - before < 5 {
        tokio::task::yield_now().await;
    }
    other.copy_lessons_in(copy.clone()).await.unwrap();
    let refused = first.await.unwrap().unwrap_err();
    assert!(refused.to_string().contains("begun anew"), "{refused}");
    assert!(other.copy_lessons_out(&owner).await.unwrap() == Some(copy));
}

pub(crate) async fn cut_off(server: Server) {
    let store = Neo4jStore::connect(server.options()).await.unwrap();
    let owner = learner();
    let written = everything(&owner);
    write(&store, &owner, written.clone()).await.unwrap();
    let copy = store.copy_lessons_out(&owner).await.unwrap();
    let copy = copy.unwrap();
    // The marks of an interrupted copy.
    let key = MemoryKey::new(owner.tenant(), "learner", "scope").unwrap();
    let mark = "MATCH (l:Learner {tenant: $tenant}) SET l.copying = 'gone'";
    let leave = || by_hand(&server, &key, mark);
    let busy = |error: StoreError| {
        assert_eq!(error.kind(), ErrorKind::HalfCopied, "{error}");
        assert!(error.to_string().contains("has not ended"), "{error}");
    };
    leave();
    reads_nothing(&store, &owner, &written).await;
    busy(store.run(&owner, "r1").await.unwrap_err());
    busy(
        write(&store, &owner, LessonCommit::default())
            .await
            .unwrap_err(),
    );
    let found = store.check().await.unwrap();
    let subject = format!("the lessons of {}/learner", owner.tenant());
    let found = found.iter().find(|one| one.subject == subject);
    assert!(found.unwrap().message.contains("begin it again"));
    store.copy_lessons_in(copy.clone()).await.unwrap();
    assert_eq!(store.copy_lessons_out(&owner).await.unwrap(), Some(copy));
    write(&store, &owner, LessonCommit::default())
        .await
        .unwrap();
    // After an erase the learner may begin again.
    leave();
    let gone = order(owner.tenant(), "learner", None);
    let erased = store.erase(gone).await.unwrap().erased;
    assert_eq!((erased.lessons, erased.runs, erased.errors), (2, 2, 2));
    let first = raising(&[run("r1", 1)], Vec::new());
    write(&store, &owner, first).await.unwrap();
    assert!(store.run(&owner, "r1").await.unwrap().is_some());
}
