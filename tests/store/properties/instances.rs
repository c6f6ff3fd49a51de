//! Several engines on one file: one story on all of them.

use std::sync::Arc;

use hindlore::{Engine, EngineError, RetrieveRequest};
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::policy::Policy;
use hindlore_store::EventRecord;

use super::chance::{cases, percent};
use super::history;
use super::world::{World, key};

/// Checks that both engines and the history agree, without gaps.
async fn check_one_story(world: &World, other: &Engine) {
    let (Some(ours), Some(theirs)) = (world.view().await, other.view(&world.key).await.unwrap())
    else {
        return;
    };
    assert_eq!(ours, theirs);
    let events = world.engine.events(&world.key, 0, 100_000).await.unwrap();
    let ticks: Vec<u64> = events.iter().map(EventRecord::tick).collect();
    assert_eq!(ticks, (1..=ours.clock).collect::<Vec<_>>());
    let revisions = events.iter().filter_map(|event| match event {
        EventRecord::Delta(delta) => Some(delta.revision),
        EventRecord::Retrieval(_) => None,
    });
    assert_eq!(
        revisions.collect::<Vec<_>>(),
        (1..=ours.revision).collect::<Vec<_>>()
    );
    let verified = other.verify(&world.key).await.unwrap();
    assert!(verified.is_sound, "{:?}", verified.differences);
}

#[tokio::test]
async fn two_engines_that_take_turns_tell_one_story_and_see_each_other_at_once() {
    for (_case, rng) in cases(11, 15) {
        let mut world = World::new(rng);
        let mut other = world.second();
        for _ in 0..30 {
            world.live().await;
            let query = history::query(&mut world.rng);
            let here = world
                .engine
                .retrieve(&world.key, RetrieveRequest::peek(query.clone()))
                .await;
            let there = other
                .retrieve(&world.key, RetrieveRequest::peek(query))
                .await;
            if world.view().await.is_some() {
                assert_eq!(here.unwrap(), there.unwrap());
            }
            assert_eq!(world.view().await, other.view(&world.key).await.unwrap());
            if percent(&mut world.rng, 50) {
                std::mem::swap(&mut world.engine, &mut other);
            }
        }
        check_one_story(&world, &other).await;
    }
}

/// A lone caller is answered before the explanation and the touches are carried out: the delay must not be visible.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recorded_answer_says_what_a_look_said_and_the_next_look_shows_what_it_did() {
    let mut recorded = 0;
    for (_case, rng) in cases(20, 15) {
        let mut world = World::new(rng);
        let other = world.second();
        for _ in 0..20 {
            world.live().await;
            let query = history::query(&mut world.rng);
            let look = RetrieveRequest::peek(query.clone());
            let seen = world.engine.retrieve(&world.key, look.clone()).await;
            let answer = world
                .engine
                .retrieve(&world.key, RetrieveRequest::new(query))
                .await;
            let (Ok(seen), Ok(answer)) = (seen, answer) else {
                continue;
            };
            assert_eq!(answer.ranking, seen.ranking);
            assert_eq!(answer.bullets, seen.bullets);
            assert_eq!(answer.near_misses, seen.near_misses);
            assert_eq!(answer.meta_strategies, seen.meta_strategies);
            let here = world.engine.retrieve(&world.key, look.clone()).await;
            let tick = answer.memories[0].tick;
            recorded += u32::from(tick.is_some());
            assert_eq!(
                here.as_ref().unwrap().ranking.clock,
                tick.unwrap_or(seen.ranking.clock)
            );
            let there = other.retrieve(&world.key, look).await;
            if world.view().await.is_some() {
                assert_eq!(here.unwrap(), there.unwrap());
            }
        }
        check_one_story(&world, &other).await;
    }
    assert!(recorded > 50, "{recorded} answers were recorded");
}

/// Writes and retrieves as fast as it can.
async fn work(engine: Engine, name: u64, mut rng: fastrand::Rng) {
    for at in 0..25 {
        if rng.bool() {
            let request = RetrieveRequest {
                strict: rng.bool(),
                ..RetrieveRequest::new(history::query(&mut rng))
            };
            engine.retrieve(&key(), request).await.unwrap();
            continue;
        }
        let new = NewBullet {
            content: history::text(&mut rng),
            ..NewBullet::default()
        };
        let id = DeltaId::parse(&format!("d{name}_{at}")).unwrap();
        let delta = Delta::new(id, vec![Operation::Add(Box::new(new))]);
        let applied = engine.apply_delta(&key(), delta).await.unwrap();
        let seen = engine.view(&key()).await.unwrap().unwrap();
        assert!(
            seen.revision >= applied.receipt.revision,
            "an own write is seen at once"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_engines_at_the_same_time_tell_one_story() {
    for (_case, mut rng) in cases(12, 6) {
        let world = World::with(rng.fork(), Policy::default());
        let other = world.second();
        let tasks: Vec<_> = (0..6)
            .map(|name| {
                let engine = if name % 2 == 0 { &world.engine } else { &other };
                tokio::spawn(work(engine.clone(), name, rng.fork()))
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        check_one_story(&world, &other).await;
    }
}

#[tokio::test]
async fn a_memory_that_another_engine_erased_or_put_back_is_not_remembered() {
    for (_case, rng) in cases(13, 10) {
        let mut world = World::with(rng, Policy::default());
        let other = world.second();
        while world.apply().await.is_none() {}
        let earlier = world
            .engine
            .store()
            .copy_out(&world.key)
            .await
            .unwrap()
            .unwrap();
        let early = other.view(&world.key).await.unwrap();
        for _ in 0..5 {
            world.live().await;
        }
        let store = world.engine.store();
        let later = store.head(&world.key).await.unwrap();
        let over = later.map(|head| head.position);
        store.copy_in(earlier, over).await.unwrap();
        assert_eq!(world.view().await, early, "put back to an earlier day");
        let again = other.view(&world.key).await.unwrap();
        assert_eq!(again, early);
        let added = world
            .engine
            .apply_delta(&world.key, adding("after", "a text of its own"))
            .await;
        assert_eq!(added.unwrap().receipt.revision, 2);
        assert_eq!(world.view().await, other.view(&world.key).await.unwrap());

        other.erase("t", "learner", None).await.unwrap();
        let request = RetrieveRequest::new(history::query(&mut world.rng));
        let found = world.engine.retrieve(&world.key, request).await.unwrap();
        assert_eq!(found.retrieval, None);
        assert_eq!(world.view().await, None);
        let applied = world
            .engine
            .apply_delta(&world.key, adding("anew", "begin again"))
            .await
            .unwrap();
        assert_eq!((applied.receipt.revision, applied.receipt.clock), (1, 1));
        assert_eq!(world.view().await, other.view(&world.key).await.unwrap());
        assert!(other.verify(&world.key).await.unwrap().is_sound);
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

#[test]
fn a_request_whose_runtime_ends_does_not_block_the_memory() {
    let (_case, rng) = cases(14, 1).next().unwrap();
    let world = Arc::new(World::with(rng, Policy::default()));
    for round in 0..20 {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let engine = world.engine.clone();
        runtime.spawn(async move {
            let delta = adding(&format!("lost{round}"), &format!("text {round}"));
            let _ = engine.apply_delta(&key(), delta).await;
        });
        drop(runtime);
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let delta = adding(&format!("next{round}"), "begin again");
        let again = |delta: Delta| async {
            let limit = std::time::Duration::from_secs(20);
            let answer = world.engine.apply_delta(&world.key, delta);
            tokio::time::timeout(limit, answer)
                .await
                .expect("the lane is stuck")
        };
        runtime.block_on(async {
            // It may have waited after the request that died.
            match again(delta.clone()).await {
                Err(EngineError::Stopped) => again(delta).await.unwrap(),
                other => other.unwrap(),
            }
        });
    }
}
