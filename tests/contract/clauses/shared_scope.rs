//! Retrievals in which the memory that a learner's scopes share takes part.

use hindlore::{Durability, Engine, Feedback, RetrieveRequest, Retrieved, Verdict};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_store::EventRecord;
use tokio::task::JoinSet;

use super::grouped::{engine, note};
use crate::subject::{Subject, fresh};

/// An engine with two bullets in a memory of its own and two in the shared one.
async fn scene(subject: &Subject) -> (Engine, MemoryKey) {
    let engine = engine(subject.store.clone(), Durability::Durable);
    let key = subject.key(&fresh("learner"), "scope");
    for word in ["blue", "red"] {
        note(&engine, &key, &format!("warm the {word} kettle")).await;
        note(&engine, &key.shared(), &format!("rinse the {word} kettle")).await;
    }
    (engine, key)
}

fn asking(top_k: usize, strict: bool) -> RetrieveRequest {
    let query = Query {
        top_k,
        ..Query::new("warm kettle")
    };
    RetrieveRequest {
        strict,
        include_shared: true,
        ..RetrieveRequest::new(query)
    }
}

/// The ids that an answer gives from the memory at a place.
fn given(answer: &Retrieved, at: usize) -> Vec<String> {
    let scope = &answer.memories[at].scope;
    let own = answer.bullets.iter().filter(|one| one.scope == *scope);
    own.map(|one| one.hit.id.to_string()).collect()
}

pub(crate) async fn each_memory_that_gives_something_takes_a_tick(subject: &Subject) {
    let (engine, key) = scene(subject).await;
    let answer = engine.retrieve(&key, asking(3, false)).await.unwrap();
    let (retrieval, shared) = (answer.retrieval.clone().unwrap(), key.shared());
    assert_eq!((given(&answer, 0).len(), given(&answer, 1).len()), (2, 1));
    for (at, memory) in [&key, &shared].into_iter().enumerate() {
        let standing = &answer.memories[at];
        assert_eq!((standing.clock, standing.revision), (2, 2));
        assert_eq!(standing.tick, Some(3));
        let record = subject.store.retrieval(memory, &retrieval).await.unwrap();
        let returned = record.unwrap().returned;
        let ids: Vec<String> = returned.iter().map(|one| one.bullet.to_string()).collect();
        assert_eq!(ids, given(&answer, at));
    }
    let helped = answer.bullets.last().unwrap();
    assert_eq!(helped.scope, shared.scope());
    let feedback = Feedback {
        retrieval,
        verdicts: vec![(helped.bullet.id, Verdict::Helped)],
        author: None,
    };
    let told = engine.give_feedback(&key, feedback).await.unwrap();
    assert_eq!((told.marked, told.applied.len()), (1, 1));
    assert_eq!(subject.position(&shared).await.revision, 3);
    assert_eq!(subject.position(&key).await.revision, 2);
    // One place: only the memory that fills it is touched.
    let answer = engine.retrieve(&key, asking(1, false)).await.unwrap();
    assert_eq!(answer.memories[0].tick, Some(4));
    assert_eq!(answer.memories[1].tick, None);
    // The default scope holds everywhere, too; a text of several memories is shown once, as that of the named one.
    let everywhere = subject.key(key.learner(), "default");
    for word in ["blue", "green"] {
        note(&engine, &everywhere, &format!("warm the {word} kettle")).await;
    }
    let answer = engine.retrieve(&key, asking(9, false)).await.unwrap();
    let counts: Vec<usize> = (0..3).map(|at| given(&answer, at).len()).collect();
    assert_eq!(counts, [2, 2, 1]);
    assert_eq!(answer.memories[2].tick, Some(3));
    let nothing = RetrieveRequest {
        include_shared: true,
        ..RetrieveRequest::new(Query::new("zebra"))
    };
    let answer = engine.retrieve(&key, nothing).await.unwrap();
    assert_eq!((answer.retrieval, answer.bullets.len()), (None, 0));
}

pub(crate) async fn two_memories_are_recorded_where_they_were_ranked(subject: &Subject) {
    let (here, key) = scene(subject).await;
    let shared = key.shared();
    let mut tasks = JoinSet::new();
    for memory in [key.clone(), shared.clone()] {
        let other = engine(subject.reopen().await, Durability::Durable);
        tasks.spawn(async move {
            for number in 0..12 {
                note(&other, &memory, &format!("warm kettle number {number}")).await;
            }
        });
    }
    let mut answers = Vec::new();
    for number in 0..24 {
        let strict = number % 2 == 0;
        let answer = here.retrieve(&key, asking(6, strict)).await.unwrap();
        answers.push((strict, answer));
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    for (strict, answer) in &answers {
        let id = answer.retrieval.as_deref().unwrap();
        assert!(answer.bullets.len() <= 6);
        for (at, memory) in [&key, &shared].into_iter().enumerate() {
            let standing = &answer.memories[at];
            let record = subject.store.retrieval(memory, id).await.unwrap();
            let returned = record.iter().flat_map(|record| &record.returned);
            let ids: Vec<String> = returned.map(|one| one.bullet.to_string()).collect();
            assert_eq!(ids, given(answer, at));
            let Some(tick) = standing.tick else {
                continue;
            };
            assert!(!strict || tick == standing.clock + 1, "{standing:?}");
            // The revision at a tick is the number of deltas before it.
            let events = subject.store.events(memory, 0, 1_000).await.unwrap();
            let deltas = events
                .iter()
                .filter(|event| matches!(event, EventRecord::Delta(_)) && event.tick() < tick);
            assert_eq!(deltas.count() as u64, standing.revision, "{standing:?}");
        }
    }
}
