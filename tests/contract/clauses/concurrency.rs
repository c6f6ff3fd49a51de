//! Many callers at once, callers that leave, and decisions that panic.

use std::sync::Arc;
use std::time::Duration;

use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{CatchUp, Commit, ErrorKind, Known, Loaded, Outcome, Store, TouchOutcome};

use crate::subject::{Subject, batch, born, commit_of, delta_on, retrieval};

/// A decision that adds one helpful vote to every bullet, by a delta with this id.
fn vote(id: String) -> Box<dyn FnMut(CatchUp) -> Commit + Send> {
    Box::new(move |now: CatchUp| {
        let before = Loaded {
            head: now.head,
            bullets: now.bullets,
            links: now.links,
        };
        let tick = before.head.position.clock + 1;
        let voted = before.bullets.iter().cloned().map(|mut bullet| {
            bullet.counts.helpful += 1;
            bullet.changed_tick = tick;
            bullet
        });
        let voted: Vec<Bullet> = voted.collect();
        commit_of(&delta_on(&before, &id, &voted), &voted)
    })
}

/// A memory whose first delta touched all bullets, so that a decision from clock 0 sees them.
async fn voted_memory(subject: &Subject, texts: &[&str]) -> MemoryKey {
    let (key, _) = subject.seeded(&[]).await;
    subject.apply(&key, "d_0", &born(&key, 0, 1, texts)).await;
    key
}

pub(crate) async fn concurrent_transactions_are_serialised(subject: &Subject) {
    let key = voted_memory(subject, &["one", "two"]).await;
    let handles = [subject.store.clone(), subject.reopen().await];
    let tasks = (0..40).map(|number| {
        let (store, key) = (handles[number % 2].clone(), key.clone());
        let decide = vote(format!("d_vote_{number}"));
        tokio::spawn(async move {
            store
                .transact(&key, Known::Clock(0), Vec::new(), decide)
                .await
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        assert_eq!(task.await.unwrap().unwrap(), Outcome::Committed);
    }
    let loaded = subject.loaded(&key).await;
    assert!(
        loaded
            .bullets
            .iter()
            .all(|bullet| bullet.counts.helpful == 40)
    );
    let position = loaded.head.position;
    assert_eq!((position.clock, position.revision), (41, 41));
}

pub(crate) async fn ticks_of_concurrent_touches_have_no_gap(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one", "two"]).await;
    let known = subject.position(&key).await;
    let handles = [subject.store.clone(), subject.reopen().await];
    let tasks = (0..60).map(|number| {
        let (store, key) = (handles[number % 2].clone(), key.clone());
        let retrieval = retrieval(&format!("r_{number}"), &known, &seeded);
        let batch = batch(&known, vec![retrieval]);
        tokio::spawn(async move { store.touch(&key, batch).await })
    });
    let mut ticks = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        match task.await.unwrap().unwrap() {
            TouchOutcome::Recorded { first_tick, .. } => ticks.push(first_tick),
            other => panic!("not recorded: {other:?}"),
        }
    }
    ticks.sort_unstable();
    assert!(ticks.iter().copied().eq(1..=60));
    let events = subject.store.events(&key, 0, 100).await.unwrap();
    assert!(events.iter().map(|event| event.tick()).eq(1..=60));
    let loaded = subject.loaded(&key).await;
    assert!(loaded.bullets.iter().all(|b| b.access_index == Some(60)));
}

pub(crate) async fn a_panicking_decision_writes_nothing(subject: &Subject) {
    let (key, _) = subject.seeded(&["one"]).await;
    let before = subject.store.copy_out(&key).await.unwrap();
    let decide = Box::new(|_| panic!("this panic is part of a test"));
    let ended = subject
        .store
        .transact(&key, Known::Clock(0), Vec::new(), decide)
        .await;
    assert_eq!(ended.unwrap_err().kind(), ErrorKind::Unexpected);
    assert_eq!(subject.store.copy_out(&key).await.unwrap(), before);
    subject
        .apply(&key, "d_1", &born(&key, 1, 1, &["two"]))
        .await;
    assert_eq!(subject.position(&key).await.clock, 1);
}

pub(crate) async fn a_cancelled_call_leaves_nothing_half_done(subject: &Subject) {
    let key = voted_memory(subject, &["one", "two"]).await;
    for number in 0..30 {
        let decide = vote(format!("d_vote_{number}"));
        let call = subject
            .store
            .transact(&key, Known::Clock(0), Vec::new(), decide);
        let patience = Duration::from_micros(number * 40);
        // Whether it came in time does not matter: the state afterwards counts.
        let _ = tokio::time::timeout(patience, call).await;
    }
    // Work that was left alone may still be going on, so this one decides under the lock, too, and
    // the compared states were read at one moment.
    let last = vote("d_last".to_owned());
    subject
        .store
        .transact(&key, Known::Clock(0), Vec::new(), last)
        .await
        .unwrap();
    let loaded = subject.loaded(&key).await;
    let position = &loaded.head.position;
    assert_eq!(position.clock, position.revision);
    // Each delta that got through voted once for each bullet; only the first did not vote.
    let votes = position.revision - 1;
    assert!(loaded.bullets.iter().all(|b| b.counts.helpful == votes));
    let events = subject.store.events(&key, 0, 100).await.unwrap();
    let ticks = events.iter().map(|event| event.tick());
    assert!(
        ticks
            .take_while(|tick| *tick <= position.clock)
            .eq(1..=position.clock)
    );
}

pub(crate) async fn two_handles_see_each_others_writes(subject: &Subject) {
    let (key, seeded) = subject.seeded(&["one"]).await;
    let other: Arc<dyn Store> = subject.reopen().await;
    for round in 0..10 {
        let tick = round * 2 + 1;
        subject.retrieve(&key, &format!("r_{round}"), &seeded).await;
        let seen = other.changes_since(&key, tick - 1).await.unwrap().unwrap();
        assert_eq!(seen.bullets[0].access_index, Some(tick));
        let decide = vote(format!("d_{round}"));
        other
            .transact(&key, Known::Clock(0), Vec::new(), decide)
            .await
            .unwrap();
        let loaded = subject.loaded(&key).await;
        assert_eq!(loaded.bullets[0].counts.helpful, round + 1);
        assert_eq!(loaded.head.position.clock, tick + 1);
    }
}

pub(crate) async fn a_load_sees_one_moment(subject: &Subject) {
    let texts: Vec<String> = (0..50).map(|number| format!("text {number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let key = voted_memory(subject, &texts).await;
    let (store, writer_key) = (subject.reopen().await, key.clone());
    let writer = tokio::spawn(async move {
        for number in 0..30 {
            let decide = vote(format!("d_vote_{number}"));
            store
                .transact(&writer_key, Known::Clock(0), Vec::new(), decide)
                .await
                .unwrap();
        }
    });
    while !writer.is_finished() {
        let loaded = subject.loaded(&key).await;
        let votes = loaded.head.position.revision - 1;
        assert!(loaded.bullets.iter().all(|b| b.counts.helpful == votes));
    }
    writer.await.unwrap();
}

pub(crate) async fn a_decision_sees_all_that_came_before(subject: &Subject) {
    let key = voted_memory(subject, &["one"]).await;
    let slow = Box::new({
        let mut decide = vote("d_slow".to_owned());
        move |now| {
            std::thread::sleep(Duration::from_millis(50));
            decide(now)
        }
    });
    let store = subject.reopen().await;
    let slow_key = key.clone();
    let slow = tokio::spawn(async move {
        store
            .transact(&slow_key, Known::Clock(0), Vec::new(), slow)
            .await
    });
    tokio::time::sleep(Duration::from_millis(15)).await;
    let quick = vote("d_quick".to_owned());
    subject
        .store
        .transact(&key, Known::Clock(0), Vec::new(), quick)
        .await
        .unwrap();
    slow.await.unwrap().unwrap();
    assert_eq!(subject.loaded(&key).await.bullets[0].counts.helpful, 2);
}
