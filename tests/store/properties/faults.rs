//! Stores that fail: answers are errors, nothing is half applied in process, the next request works.

use std::sync::Arc;
use std::time::Duration;

use hindlore::{Durability, Engine, EngineError, EngineOptions, MemoryView, RetrieveRequest};
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::query::Query;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::HistoryStore;
use hindlore_testkit::{SetClock, TemporaryStore};

use super::chance::{cases, pick};
use super::faulty_store::{Fault, FaultyStore};
use super::history;
use super::world::{engine, key};

/// An engine over a store that can fail, and one that always sees the state on disk.
struct Scene {
    faulty: Arc<FaultyStore>,
    engine: Engine,
    witness: Engine,
    _place: TemporaryStore,
}

impl Scene {
    fn new() -> Self {
        Self::under(Policy::default())
    }

    /// A scene whose memory is made under a policy.
    fn under(policy: Policy) -> Self {
        Self::with(EngineOptions {
            policy,
            ..EngineOptions::default()
        })
    }

    fn with(options: EngineOptions) -> Self {
        let place = TemporaryStore::new().unwrap();
        let clock = Arc::new(SetClock::at(Timestamp::from_millis(0)));
        let faulty = FaultyStore::new(place.store().unwrap());
        let engine_over_it = Engine::new(faulty.clone(), clock.clone(), options);
        let witness = engine(place.store().unwrap(), clock, Policy::default());
        Self {
            faulty,
            engine: engine_over_it,
            witness,
            _place: place,
        }
    }

    async fn views(&self) -> (Option<MemoryView>, Option<MemoryView>) {
        let ours = self.engine.view(&key()).await.unwrap();
        (ours, self.witness.view(&key()).await.unwrap())
    }
}

fn adding(id: &str, text: &str) -> Delta {
    let new = NewBullet {
        content: text.to_owned(),
        ..NewBullet::default()
    };
    Delta::new(
        DeltaId::parse(id).unwrap(),
        vec![Operation::Add(Box::new(new))],
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_failed_group_the_process_has_what_the_disk_has() {
    for (_case, mut rng) in cases(18, 12) {
        let scene = Scene::new();
        scene
            .engine
            .apply_delta(&key(), adding("d0", "begin"))
            .await
            .unwrap();
        for round in 0..12 {
            let faults = [Fault::Before, Fault::After, Fault::Twice, Fault::None];
            let fault = *pick(&mut rng, &faults);
            scene.faulty.set(fault);
            let tasks: Vec<_> = (0..rng.usize(1..6))
                .map(|at| {
                    let (engine, mut rng) = (scene.engine.clone(), rng.fork());
                    tokio::spawn(async move {
                        if rng.u8(..3) == 0 {
                            let request = RetrieveRequest::new(history::query(&mut rng));
                            return engine.retrieve(&key(), request).await.map(|_| true);
                        }
                        let delta = adding(&format!("d{round}_{at}"), &history::text(&mut rng));
                        engine
                            .apply_delta(&key(), delta)
                            .await
                            .map(|applied| applied.repeated)
                    })
                })
                .collect();
            for task in tasks {
                let answer = task.await.unwrap();
                match fault {
                    // A retrieval that found nothing has nothing to write.
                    Fault::Before | Fault::After => assert!(
                        matches!(answer, Err(EngineError::Store(_)) | Ok(true)),
                        "{answer:?}"
                    ),
                    _ => drop(answer.unwrap()),
                }
            }
            scene.faulty.set(Fault::None);
            let (ours, theirs) = scene.views().await;
            assert_eq!(ours, theirs, "after {fault:?}");
        }
        let next = scene
            .engine
            .apply_delta(&key(), adding("next", "go on"))
            .await
            .unwrap();
        assert!(!next.repeated);
        let (ours, theirs) = scene.views().await;
        assert_eq!(ours, theirs);
        assert!(scene.engine.verify(&key()).await.unwrap().is_sound);
    }
}

#[tokio::test]
async fn a_first_delta_that_somebody_overtakes_is_decided_again() {
    for (overtaken, fault) in [
        (true, Fault::None),
        (true, Fault::Twice),
        (false, Fault::Twice),
    ] {
        let scene = Scene::new();
        scene.faulty.set(Fault::Made);
        let engine = scene.engine.clone();
        let first = adding("d1", "look before you leap");
        let task = tokio::spawn(async move { engine.apply_delta(&key(), first).await });
        scene.faulty.reached.notified().await;
        if overtaken {
            let same = adding("d0", "look before you leap");
            scene.witness.apply_delta(&key(), same).await.unwrap();
        }
        scene.faulty.set(fault);
        scene.faulty.go_on.notify_one();
        let receipt = task.await.unwrap().unwrap().receipt;
        assert_eq!(receipt.revision, 1 + u64::from(overtaken));
        assert_eq!(
            receipt.added.is_empty(),
            overtaken,
            "the text is known then"
        );
        let (ours, theirs) = scene.views().await;
        assert_eq!(ours, theirs, "{overtaken}, {fault:?}");
        assert!(scene.engine.verify(&key()).await.unwrap().is_sound);
    }
}

#[tokio::test]
async fn a_replay_that_a_fold_overtakes_begins_again_behind_it() {
    for later in [0, 10] {
        let scene = Scene::under(Policy {
            retrieval_records: 4,
            ..Policy::default()
        });
        let query = Query::new("read the question");
        let delta = adding("d0", "read the question");
        scene.engine.apply_delta(&key(), delta).await.unwrap();
        for _ in 0..10 {
            let request = RetrieveRequest::new(query.clone());
            scene.engine.retrieve(&key(), request).await.unwrap();
        }
        scene.faulty.set(Fault::Read);
        let engine = scene.engine.clone();
        let verifying = tokio::spawn(async move { engine.verify(&key()).await });
        scene.faulty.reached.notified().await;
        scene.faulty.set(Fault::None);
        for _ in 0..later {
            let request = RetrieveRequest::new(query.clone());
            scene.witness.retrieve(&key(), request).await.unwrap();
        }
        assert!(scene.witness.compact(&key()).await.unwrap() > 0);
        scene.faulty.go_on.notify_one();
        let verified = verifying.await.unwrap().unwrap();
        assert!(verified.is_sound, "{later} later: {verified:#?}");
    }
}

#[tokio::test]
async fn a_write_whose_answer_was_lost_gives_its_receipt_when_it_is_sent_again() {
    let scene = Scene::new();
    scene
        .engine
        .apply_delta(&key(), adding("d0", "begin"))
        .await
        .unwrap();
    scene.faulty.set(Fault::After);
    let lost = scene.engine.apply_delta(&key(), adding("d1", "lost")).await;
    assert_eq!(lost.unwrap_err().code(), "store_unknown_outcome");
    scene.faulty.set(Fault::None);
    let again = scene
        .engine
        .apply_delta(&key(), adding("d1", "lost"))
        .await
        .unwrap();
    assert!(again.repeated);
    assert_eq!((again.receipt.revision, again.receipt.added.len()), (2, 1));
}

#[tokio::test]
async fn nobody_sees_what_was_decided_and_is_not_on_disk() {
    let scene = Scene::new();
    scene
        .engine
        .apply_delta(&key(), adding("d0", "read the question"))
        .await
        .unwrap();
    let (before, _) = scene.views().await;
    scene.faulty.set(Fault::Decided);
    let writer = scene.engine.clone();
    let write = tokio::spawn(async move {
        writer
            .apply_delta(&key(), adding("d1", "answer the question"))
            .await
    });
    scene.faulty.reached.notified().await;
    let reader = scene.engine.clone();
    let read = tokio::spawn(async move {
        let query = Query::new("answer the question");
        let found = reader
            .retrieve(&key(), RetrieveRequest::peek(query))
            .await
            .unwrap();
        (reader.view(&key()).await.unwrap(), found.bullets.len())
    });
    tokio::task::yield_now().await;
    scene.faulty.go_on.notify_one();
    assert!(write.await.unwrap().is_err());
    let (seen, hits) = read.await.unwrap();
    assert_eq!((seen, hits), (before.clone(), 1));
    scene.faulty.set(Fault::None);
    assert_eq!(scene.views().await, (before.clone(), before));
}

#[tokio::test]
async fn a_backend_that_panics_takes_one_group_with_it_and_not_the_memory() {
    let scene = Scene::new();
    scene
        .engine
        .apply_delta(&key(), adding("d0", "read the question"))
        .await
        .unwrap();
    let query = Query::new("read the question");
    for _ in 0..3 {
        scene.faulty.set(Fault::Panic);
        let dead = scene
            .engine
            .apply_delta(&key(), adding("d1", "answer"))
            .await;
        assert!(matches!(dead, Err(EngineError::Stopped)));
        let request = RetrieveRequest::new(query.clone());
        assert!(
            scene
                .engine
                .retrieve(&key(), request.clone())
                .await
                .is_err()
        );
        scene.faulty.set(Fault::None);
        let limit = Duration::from_secs(20);
        let found = tokio::time::timeout(limit, scene.engine.retrieve(&key(), request)).await;
        assert_eq!(found.expect("the lane is stuck").unwrap().bullets.len(), 1);
    }
    let applied = scene
        .engine
        .apply_delta(&key(), adding("d1", "answer"))
        .await
        .unwrap();
    assert_eq!(applied.receipt.revision, 2);
    let (ours, theirs) = scene.views().await;
    assert_eq!(ours, theirs);
}

/// A scene that answers before it records, with one bullet.
async fn owing(window: Duration) -> Scene {
    let scene = Scene::with(EngineOptions {
        durability: Durability::Grouped { window },
        ..EngineOptions::default()
    });
    let delta = adding("d0", "read the question");
    scene.engine.apply_delta(&key(), delta).await.unwrap();
    scene
}

async fn ask(scene: &Scene) {
    let request = RetrieveRequest::new(Query::new("read the question"));
    let found = scene.engine.retrieve(&key(), request).await.unwrap();
    assert!(found.retrieval.is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_owed_to_a_store_that_is_away_is_written_when_it_is_back() {
    let scene = owing(Duration::from_secs(3_600)).await;
    for _ in 0..70 {
        ask(&scene).await;
    }
    scene.faulty.set(Fault::Before);
    ask(&scene).await;
    let failed = scene.engine.flush(&key()).await;
    assert!(matches!(failed, Err(EngineError::Store(_))), "{failed:?}");
    let limit = Duration::from_secs(20);
    let settled = tokio::time::timeout(limit, scene.engine.drain()).await;
    settled.expect("a store that is away keeps the process from ending");
    scene.faulty.set(Fault::None);
    ask(&scene).await;
    let written = async {
        // The last one waits for its window, or goes with the others.
        while scene
            .faulty
            .retrievals(&key(), None, 100)
            .await
            .unwrap()
            .len()
            < 71
        {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let written = tokio::time::timeout(limit, written).await;
    written.expect("nothing is tried again");
    scene.engine.flush(&key()).await.unwrap();
    let records = scene.faulty.retrievals(&key(), None, 100).await.unwrap();
    assert_eq!(records.len(), 72);
    assert!(scene.engine.verify(&key()).await.unwrap().is_sound);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_memory_that_is_owed_records_stays_open_however_many_others_are_looked_at() {
    let scene = owing(Duration::from_secs(3_600)).await;
    ask(&scene).await;
    for other in 0..300 {
        let key = MemoryKey::new("t", "learner", &format!("other_{other}")).unwrap();
        assert!(scene.engine.view(&key).await.unwrap().is_none());
    }
    let settled = tokio::time::timeout(Duration::from_secs(60), scene.engine.drain()).await;
    settled.expect("the records are out of sight");
    let records = scene.faulty.retrievals(&key(), None, 10).await.unwrap();
    assert_eq!(records.len(), 1);
}
