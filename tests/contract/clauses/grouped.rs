//! Retrievals that are answered before they are recorded.

use std::sync::Arc;
use std::time::Duration;

use hindlore::clock::SystemClock;
use hindlore::{Durability, Engine, EngineOptions, Feedback, RetrieveRequest, Retrieved, Verdict};
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_store::{EventRecord, Store};

use crate::subject::{Subject, fresh};

/// Longer than any test: nothing is written because it is due.
const NEVER: Duration = Duration::from_secs(3_600);

pub(super) fn engine(store: Arc<dyn Store>, durability: Durability) -> Engine {
    let options = EngineOptions {
        durability,
        seeds: false,
        ..EngineOptions::default()
    };
    Engine::new(store, Arc::new(SystemClock), options)
}

pub(super) async fn note(engine: &Engine, key: &MemoryKey, content: &str) {
    note_as(engine, key, &fresh("d"), content).await;
}

async fn note_as(engine: &Engine, key: &MemoryKey, id: &str, content: &str) {
    let bullet = NewBullet {
        content: content.to_owned(),
        ..NewBullet::default()
    };
    let id = DeltaId::parse(id).unwrap();
    let delta = Delta::new(id, vec![Operation::Add(Box::new(bullet))]);
    engine.apply_delta(key, delta).await.unwrap();
}

/// A grouped engine on a memory of one delta.
async fn grouped(subject: &Subject, window: Duration) -> (Engine, MemoryKey) {
    let durability = Durability::Grouped { window };
    let engine = engine(subject.store.clone(), durability);
    let key = subject.key("learner", &fresh("scope"));
    note(&engine, &key, "retry a timed out call three times").await;
    (engine, key)
}

async fn ask(engine: &Engine, key: &MemoryKey) -> Retrieved {
    let request = RetrieveRequest::new(Query::new("retry a timed out call"));
    let answer = engine.retrieve(key, request).await.unwrap();
    assert_eq!(answer.bullets.len(), 1);
    answer
}

async fn kinds(engine: &Engine, key: &MemoryKey) -> String {
    let events = engine.store().events(key, 0, 1_000).await.unwrap();
    let kind = |(event, tick): (&EventRecord, u64)| {
        assert_eq!(event.tick(), tick, "a gap in the ticks");
        match event {
            EventRecord::Delta(_) => 'd',
            EventRecord::Retrieval(_) => 'r',
        }
    };
    events.iter().zip(1..).map(kind).collect()
}

async fn is_sound(engine: &Engine, key: &MemoryKey) {
    let verified = engine.verify(key).await.unwrap();
    assert!(
        verified.differences.is_empty(),
        "{:?}",
        verified.differences
    );
}

pub(crate) async fn a_grouped_answer_is_recorded_within_its_window(subject: &Subject) {
    let (engine, key) = grouped(subject, Duration::from_millis(5)).await;
    let mut ids = Vec::new();
    for _ in 0..150 {
        let answer = ask(&engine, &key).await;
        // Only the state on disk is shown.
        assert_eq!(answer.memories[0].tick, None);
        assert!(answer.ranking.clock <= subject.position(&key).await.clock);
        ids.push(answer.retrieval.unwrap());
    }
    tokio::time::timeout(Duration::from_secs(60), async {
        while subject.position(&key).await.clock < 151 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await
    .expect("the records are written though nobody asks for them");
    let records = subject.store.retrievals(&key, None, 1_000).await.unwrap();
    let recorded: Vec<String> = records.into_iter().rev().map(|one| one.id).collect();
    assert_eq!(recorded, ids);
    is_sound(&engine, &key).await;
}

pub(crate) async fn what_is_owed_is_written_before_a_later_delta(subject: &Subject) {
    let (engine, key) = grouped(subject, NEVER).await;
    ask(&engine, &key).await;
    ask(&engine, &key).await;
    assert_eq!(subject.position(&key).await.clock, 1);
    note(&engine, &key, "write the answer down").await;
    assert_eq!(kinds(&engine, &key).await, "drrd");
    is_sound(&engine, &key).await;
}

pub(crate) async fn feedback_finds_a_record_that_is_still_owed(subject: &Subject) {
    let (engine, key) = grouped(subject, NEVER).await;
    let answer = ask(&engine, &key).await;
    let feedback = Feedback {
        retrieval: answer.retrieval.unwrap(),
        verdicts: vec![(answer.bullets[0].bullet.id, Verdict::Helped)],
        author: None,
    };
    let given = engine.give_feedback(&key, feedback).await.unwrap();
    assert_eq!(given.marked, 1);
    assert_eq!(kinds(&engine, &key).await, "drd");
}

pub(crate) async fn a_lost_window_leaves_no_gap(subject: &Subject) {
    let (lost, key) = grouped(subject, NEVER).await;
    let mut shown = 0;
    for _ in 0..5 {
        shown = shown.max(ask(&lost, &key).await.ranking.clock);
    }
    assert_eq!(subject.position(&key).await.clock, shown);
    // Another instance continues as if they had not been asked.
    let other = engine(subject.reopen().await, Durability::Durable);
    assert_eq!(ask(&other, &key).await.memories[0].tick, Some(shown + 1));
    assert_eq!(kinds(&other, &key).await, "dr");
    is_sound(&other, &key).await;
    // The first one is still there after all: its records follow, on the memory as it is now.
    note(&other, &key, "write the answer down").await;
    lost.drain().await;
    assert_eq!(kinds(&other, &key).await, "drdrrrrr");
    is_sound(&other, &key).await;
}

pub(crate) async fn what_was_owed_before_an_erase_is_not_written_after_it(subject: &Subject) {
    let other = engine(subject.reopen().await, Durability::Durable);
    for by_another in [false, true] {
        let window = NEVER;
        let here = engine(subject.store.clone(), Durability::Grouped { window });
        let key = subject.key("learner", &fresh("scope"));
        let content = "retry a timed out call three times";
        note_as(&here, &key, "d_1", content).await;
        let before = ask(&here, &key).await;
        let hand = if by_another { &other } else { &here };
        let (tenant, learner) = (key.tenant(), key.learner());
        hand.erase(tenant, learner, Some(key.scope()))
            .await
            .unwrap();
        note_as(hand, &key, "d_1", content).await;
        let limit = Duration::from_secs(60);
        let settled = tokio::time::timeout(limit, here.drain()).await;
        settled.expect("the erased records are waited for");
        assert_eq!(kinds(&here, &key).await, "d", "{by_another}");
        let after = ask(&here, &key).await;
        assert_eq!(before.bullets[0].bullet.id, after.bullets[0].bullet.id);
    }
}
