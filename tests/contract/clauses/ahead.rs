//! Deciding on a head that the caller knows: as good as deciding under the lock, whenever that happens.

use std::sync::{Arc, Mutex};

use hindlore_domain::memory::bullet::{Bullet, Counts};
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{CatchUp, Commit, DeltaRecord, Head, Known, Loaded, MemoryCopy, Outcome};

use crate::subject::{Subject, born, commit_of, creation, delta_on, full_bullet, order};

/// Decides by `decide` on a head; returns its inputs, last call last.
async fn decide_on(
    subject: &Subject,
    (key, head): (&MemoryKey, &Head),
    deltas: &[&str],
    decide: impl Fn(&CatchUp) -> Commit + Send + 'static,
) -> Vec<CatchUp> {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let shown = seen.clone();
    let deciding = Box::new(move |catch_up: CatchUp| {
        let commit = decide(&catch_up);
        shown.lock().unwrap().push(catch_up);
        commit
    });
    let ids = deltas.iter().map(|id| DeltaId::parse(id).unwrap());
    let known = Known::Head(Box::new(head.clone()));
    let outcome = subject.store.transact(key, known, ids.collect(), deciding);
    assert_eq!(outcome.await.unwrap(), Outcome::Committed);
    let seen = seen.lock().unwrap();
    seen.clone()
}

/// All of a memory.
async fn copy(subject: &Subject, key: &MemoryKey) -> MemoryCopy {
    subject.store.copy_out(key).await.unwrap().unwrap()
}

/// A memory that a delta has moved on, and the head that it had before.
async fn moved_on(subject: &Subject) -> (MemoryKey, Head) {
    let (key, _) = subject.seeded(&["zero"]).await;
    let old = subject.loaded(&key).await.head;
    let one = born(&key, 1, 1, &["one"]);
    subject.apply(&key, "d_1", &one).await;
    (key, old)
}

/// Adds a bullet to the present state.
fn adds(key: &MemoryKey, ordinal: u64, text: &str) -> impl Fn(&CatchUp) -> Commit + Send + 'static {
    let (key, text) = (key.clone(), text.to_owned());
    move |there| {
        let tick = there.head.position.clock + 1;
        let new = born(&key, ordinal, tick, &[&text]);
        commit_of(&next(there, &format!("d_{ordinal}"), &new), &new)
    }
}

/// The next delta on the shown state.
fn next(there: &CatchUp, id: &str, new: &[Bullet]) -> DeltaRecord {
    let before = Loaded {
        head: there.head.clone(),
        bullets: there.bullets.clone(),
        links: Vec::new(),
    };
    delta_on(&before, id, new)
}

pub(crate) async fn who_knows_the_head_decides_on_it(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["zero"]).await;
    let before = subject.loaded(&key).await;
    let new = Bullet {
        created_tick: 1,
        changed_tick: 1,
        merged_into: None,
        ..full_bullet(&key, 1, "one")
    };
    let voted = Bullet {
        changed_tick: 1,
        counts: Counts {
            helpful: 5,
            ..seeded[0].counts
        },
        ..seeded[0].clone()
    };
    let both = [voted, new];
    let delta = delta_on(&before, "d_1", &both);
    let commit = commit_of(&delta, &both);
    let seen = decide_on(subject, (&key, &before.head), &["d_1"], move |_| {
        commit.clone()
    })
    .await;
    let unchanged = CatchUp {
        head: before.head.clone(),
        bullets: Vec::new(),
        links: Vec::new(),
        receipts: Vec::new(),
    };
    assert_eq!(seen, [unchanged]);
    let after = subject.loaded(&key).await;
    assert_eq!(after.bullets, both);
    assert_eq!(
        (after.head.position.clock, after.head.position.revision),
        (1, 1)
    );
    let read = subject.store.delta(&key, &delta.id).await.unwrap();
    assert_eq!(read, Some(delta));
}

pub(crate) async fn a_decision_on_an_old_head_is_made_again(subject: &Subject) {
    let (key, old) = moved_on(subject).await;
    let seen = decide_on(subject, (&key, &old), &["d_2"], adds(&key, 2, "two")).await;
    let last = seen.last().unwrap();
    assert_eq!(last.bullets, born(&key, 1, 1, &["one"]));
    assert_eq!(last.head.position.revision, 1);
    let texts = subject.loaded(&key).await.bullets;
    let texts: Vec<&str> = texts.iter().map(|one| one.content.as_str()).collect();
    assert_eq!(texts, ["zero", "one", "two"]);
}

pub(crate) async fn a_retrieval_makes_a_head_old(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["zero"]).await;
    let old = subject.loaded(&key).await.head;
    subject.retrieve(&key, "r_1", &seeded).await;
    let seen = decide_on(subject, (&key, &old), &["d_1"], adds(&key, 1, "one")).await;
    let last = seen.last().unwrap();
    assert_eq!(last.head.position.clock, 1);
    assert_eq!(last.bullets[0].access_index, Some(1));
    let after = subject.loaded(&key).await;
    assert_eq!(
        (after.head.position.clock, after.head.position.revision),
        (2, 1)
    );
    assert_eq!(after.bullets[0].access_index, Some(1));
}

pub(crate) async fn a_delta_that_is_there_is_shown_to_who_knows_the_head(subject: &Subject) {
    let (key, _) = subject.seeded(&["zero"]).await;
    let one = born(&key, 1, 1, &["one"]);
    let written = subject.apply(&key, "d_1", &one).await;
    let before = copy(subject, &key).await;
    let again = adds(&key, 1, "again");
    let decide = move |there: &CatchUp| {
        if there.receipts.is_empty() {
            again(there)
        } else {
            Commit::default()
        }
    };
    let place = (&key, &before.state.head);
    let seen = decide_on(subject, place, &["d_1"], decide).await;
    let receipts = &seen.last().unwrap().receipts;
    assert_eq!(receipts.len(), 1);
    assert_eq!(receipts[0].receipt, Some(written.receipt));
    assert_eq!(copy(subject, &key).await, before);
}

pub(crate) async fn the_head_of_another_incarnation_is_an_old_one(subject: &Subject) {
    let (key, _) = subject.seeded(&["zero"]).await;
    let old = subject.loaded(&key).await.head;
    let (tenant, learner) = (key.tenant(), key.learner());
    let erased = subject
        .store
        .erase(order(tenant, learner, Some(key.scope())));
    erased.await.unwrap();
    let made = creation(&key, &["another"]);
    subject.store.create(made.clone()).await.unwrap();
    let seen = decide_on(subject, (&key, &old), &["d_1"], adds(&key, 1, "one")).await;
    assert_eq!(seen.last().unwrap().head, made.head);
    assert_eq!(subject.position(&key).await.revision, 1);
}

pub(crate) async fn an_empty_decision_on_an_old_head_is_made_again(subject: &Subject) {
    let (key, old) = moved_on(subject).await;
    let two = adds(&key, 2, "two");
    // There is something to do only where the first delta is there.
    let decide = move |there: &CatchUp| match there.head.position.revision {
        0 => Commit::default(),
        _ => two(there),
    };
    decide_on(subject, (&key, &old), &["d_2"], decide).await;
    assert_eq!(subject.loaded(&key).await.bullets.len(), 3);
}
