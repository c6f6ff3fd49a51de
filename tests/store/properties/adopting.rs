//! An adoption with a concurrent writer of the same process: in every order, the manual edit stays.
//!
//! `HINDLORE_ADOPT_TRIALS` sets the number of trials.

use std::time::Duration;

use hindlore::EngineError;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation, TagCounts};
use hindlore_domain::memory::policy::Policy;
use rusqlite::Connection;

use super::world::World;

/// Default number of trials; of that many the old order lost four.
const TRIALS: u64 = 150;
/// Deltas of the writer during each adoption.
const BESIDE: u64 = 6;

fn trials() -> u64 {
    let said = std::env::var("HINDLORE_ADOPT_TRIALS").ok();
    said.and_then(|text| text.parse().ok()).unwrap_or(TRIALS)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_adoption_loses_no_change_of_a_hand_beside_a_writer() {
    let (mut adopted, mut left) = (0, 0);
    for trial in 0..trials() {
        let world = World::with(fastrand::Rng::with_seed(trial), Policy::default());
        let add = |n: u64| {
            Operation::Add(Box::new(NewBullet {
                content: format!("original text number{n} about topic{}", n * 7),
                ..NewBullet::default()
            }))
        };
        let delta = Delta::new(DeltaId::parse("d1").unwrap(), (0..40).map(add).collect());
        let made = world.engine.apply_delta(&world.key, delta).await.unwrap();
        let id = made.receipt.added[0];
        let hand = Connection::open(world.place.path()).unwrap();
        let sql = "UPDATE bullets SET content = 'HAND CHANGED text' WHERE id = ?1";
        assert_eq!(hand.execute(sql, [id.0.as_slice()]).unwrap(), 1);
        let engine = world.second();
        engine.view(&world.key).await.unwrap();
        let (beside, key) = (engine.clone(), world.key.clone());
        let writer = tokio::spawn(async move {
            tokio::time::sleep(Duration::from_micros(trial % 150 * 40)).await;
            for n in 0..BESIDE {
                let tag = TagCounts {
                    id: id.into(),
                    helpful: 1,
                    harmful: 0,
                    neutral: 0,
                };
                let name = DeltaId::parse(&format!("t{n}")).unwrap();
                let delta = Delta::new(name, vec![Operation::Tag(tag)]);
                beside.apply_delta(&key, delta).await.unwrap();
            }
        });
        let result = engine.adopt(&world.key, None).await;
        writer.await.unwrap();
        match result {
            Ok(done) => adopted += u64::from(done.applied.is_some()),
            Err(EngineError::Contended(_)) => left += 1,
            Err(error) => panic!("trial {trial}: {error}"),
        }
        for engine in [engine, world.second()] {
            let view = engine.view(&world.key).await.unwrap().unwrap();
            let bullet = view.find(&id.to_string()).unwrap();
            assert_eq!(
                bullet.content.as_str(),
                "HAND CHANGED text",
                "trial {trial}"
            );
            assert_eq!(bullet.counts.helpful, BESIDE, "trial {trial}");
        }
        let rest = world.second().adopt(&world.key, None).await;
        assert!(rest.is_ok(), "trial {trial}: {rest:?}");
        assert!(world.second().verify(&world.key).await.unwrap().is_sound);
    }
    eprintln!("adopted {adopted}, left for later {left}");
    assert!(adopted > 0);
}

#[tokio::test]
async fn an_adoption_whose_caller_goes_away_leaves_the_right_snapshot() {
    for wait in 0..60 {
        let world = World::with(fastrand::Rng::with_seed(1), Policy::default());
        let add = |n: u64| {
            Operation::Add(Box::new(NewBullet {
                content: format!("text number{n} about topic{}", n * 7),
                ..NewBullet::default()
            }))
        };
        let delta = Delta::new(DeltaId::parse("d1").unwrap(), (0..40).map(add).collect());
        let made = world.engine.apply_delta(&world.key, delta).await.unwrap();
        let id = made.receipt.added[0];
        let hand = Connection::open(world.place.path()).unwrap();
        let sql = "UPDATE bullets SET content = 'HAND CHANGED text' WHERE id = ?1";
        hand.execute(sql, [id.0.as_slice()]).unwrap();
        let engine = world.second();
        engine.view(&world.key).await.unwrap();
        let limit = Duration::from_micros(wait * 100);
        let _ = tokio::time::timeout(limit, engine.adopt(&world.key, None)).await;
        let view = engine.view(&world.key).await.unwrap().unwrap();
        let bullet = view.find(&id.to_string()).unwrap();
        assert_eq!(
            bullet.content.as_str(),
            "HAND CHANGED text",
            "after {limit:?}"
        );
        engine.drain().await;
    }
}

#[tokio::test]
async fn a_revision_that_a_hand_changed_is_told_and_adopted() {
    let world = World::with(fastrand::Rng::with_seed(1), Policy::default());
    let new = NewBullet {
        content: "read the question".to_owned(),
        ..NewBullet::default()
    };
    let add = Operation::Add(Box::new(new));
    let delta = Delta::new(DeltaId::parse("d1").unwrap(), vec![add]);
    world.engine.apply_delta(&world.key, delta).await.unwrap();
    let hand = Connection::open(world.place.path()).unwrap();
    let sql = "UPDATE memories SET revision = revision + 1";
    assert_eq!(hand.execute(sql, []).unwrap(), 1);
    let fresh = world.second();
    assert!(!fresh.verify(&world.key).await.unwrap().is_sound);
    let adopted = fresh.adopt(&world.key, None).await.unwrap();
    assert!(adopted.rebased && adopted.applied.is_none());
    assert!(fresh.verify(&world.key).await.unwrap().is_sound);
    assert!(!fresh.adopt(&world.key, None).await.unwrap().rebased);
}
