//! Lost records: nothing is compacted or adopted over the gap, the doctor names the remedy, and after a rebase
//! everything continues.

use hindlore::{EngineError, RetrieveRequest};
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::query::Query;
use rusqlite::Connection;

use super::chance::cases;
use super::world::World;

/// Retrieval records that the memory keeps.
const KEPT: u64 = 20;

async fn retrieve(world: &World, times: usize) {
    for _ in 0..times {
        let asked = RetrieveRequest::new(Query::new("close the valve"));
        world.engine.retrieve(&world.key, asked).await.unwrap();
    }
}

/// A memory with some deltas and more retrievals than it keeps.
async fn world(case: u64) -> World {
    let (_, rng) = cases(case, 1).next().unwrap();
    let policy = Policy {
        retrieval_records: KEPT,
        ..Policy::default()
    };
    let world = World::with(rng, policy);
    for number in 1..=5 {
        let add = NewBullet {
            content: format!("close the valve of pump {number} after use"),
            ..NewBullet::default()
        };
        let id = DeltaId::parse(&format!("d_{number}")).unwrap();
        let delta = Delta::new(id, vec![Operation::Add(Box::new(add))]);
        world.engine.apply_delta(&world.key, delta).await.unwrap();
    }
    retrieve(&world, 40).await;
    world
}

fn by_hand(world: &World, sql: &str) {
    let connection = Connection::open(world.place.path()).unwrap();
    connection
        .pragma_update(None, "foreign_keys", false)
        .unwrap();
    assert!(connection.execute(sql, []).unwrap() > 0, "{sql}");
}

/// Nothing can continue over the fault, and each refusal names the way out; then it continues.
async fn rebase_and_go_on(world: &World) {
    let engine = world.second();
    let verified = engine.verify(&world.key).await.unwrap();
    assert!(!verified.is_sound && verified.unreplayable().is_some());
    if verified.mismatches.iter().any(|one| !one.is_digest_only) {
        let refused = engine.adopt(&world.key, None).await.unwrap_err();
        let refused = refused.to_string();
        assert!(refused.contains("doctor adopt --rebase"), "{refused}");
    }
    let before = engine.view(&world.key).await.unwrap().unwrap();
    let why = (Some("ann".to_owned()), "the backup has the same bullets");
    let rebased = engine
        .rebase(&world.key, why.0.clone(), why.1)
        .await
        .unwrap()
        .unwrap();
    let after = engine.view(&world.key).await.unwrap().unwrap();
    assert_eq!(before.content_digest, after.content_digest);
    assert_eq!(after.revision, before.revision + 1);
    let verified = world.second().verify(&world.key).await.unwrap();
    assert!(verified.is_sound, "{:?}", verified.mismatches);
    // The history has the author, the reason, and the fault.
    let store = world.place.store().unwrap();
    let id = &rebased.applied.receipt.delta;
    let delta = store.delta(&world.key, id).await.unwrap().unwrap();
    let reasoning = delta.reasoning.unwrap();
    assert_eq!(delta.origin.author.as_deref(), Some("ann"));
    assert!(
        reasoning.contains(why.1) && reasoning.contains(&rebased.found),
        "{reasoning}"
    );
    assert!(
        engine
            .rebase(&world.key, None, "again")
            .await
            .unwrap()
            .is_none()
    );
    // Compaction continues.
    retrieve(world, 40).await;
    assert!(world.second().compact(&world.key).await.unwrap() > 0);
    let verified = world.second().verify(&world.key).await.unwrap();
    assert!(verified.is_sound, "{:?}", verified.mismatches);
}

#[tokio::test]
async fn a_retrieval_that_is_gone_stops_nothing_for_ever() {
    let world = world(71).await;
    by_hand(
        &world,
        "DELETE FROM retrievals WHERE tick = (SELECT max(tick) - 25 FROM retrievals)",
    );
    let refused = world
        .second()
        .compact(&world.key)
        .await
        .unwrap_err()
        .to_string();
    assert!(refused.contains("doctor adopt --rebase"), "{refused}");
    rebase_and_go_on(&world).await;
    let found = world.place.store().unwrap().check().await.unwrap();
    assert!(found.is_empty(), "{found:?}");
}

#[tokio::test]
async fn a_delta_that_is_gone_stops_nothing_for_ever() {
    let world = world(72).await;
    by_hand(&world, "DELETE FROM deltas WHERE revision = 3");
    rebase_and_go_on(&world).await;
    let found = world.place.store().unwrap().check().await.unwrap();
    let about_numbers = found
        .iter()
        .filter(|one| one.message.contains("revision is"));
    assert_eq!(about_numbers.count(), 0, "{found:?}");
}

#[tokio::test]
async fn a_clock_or_a_revision_that_was_set_stops_nothing_for_ever() {
    for (case, set) in [(73, "clock = clock + 5"), (74, "revision = revision + 1")] {
        let world = world(case).await;
        by_hand(&world, &format!("UPDATE memories SET {set}"));
        rebase_and_go_on(&world).await;
    }
}

#[tokio::test]
async fn a_clock_or_a_revision_that_was_set_is_adopted_too() {
    for (case, set) in [(77, "clock = clock + 5"), (78, "revision = revision + 1")] {
        let world = world(case).await;
        by_hand(&world, &format!("UPDATE memories SET {set}"));
        let adopted = world.second().adopt(&world.key, None).await.unwrap();
        assert!(adopted.rebased && adopted.applied.is_none());
        assert!(world.second().verify(&world.key).await.unwrap().is_sound);
    }
}

#[tokio::test]
async fn a_creation_that_is_gone_stops_nothing_for_ever() {
    let world = world(75).await;
    by_hand(&world, "DELETE FROM deltas WHERE tick = 0");
    let engine = world.second();
    let why = (None, "it was there yesterday");
    assert!(
        engine
            .rebase(&world.key, why.0, why.1)
            .await
            .unwrap()
            .is_some()
    );
    assert!(world.second().verify(&world.key).await.unwrap().is_sound);
}

#[tokio::test]
async fn what_a_delta_can_adopt_is_not_rebased() {
    let world = world(76).await;
    let engine = world.second();
    assert!(
        engine
            .rebase(&world.key, None, "nothing")
            .await
            .unwrap()
            .is_none()
    );
    by_hand(
        &world,
        "UPDATE bullets SET helpful = helpful + 1 WHERE position = 0",
    );
    assert!(
        engine
            .rebase(&world.key, None, "nothing")
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        world
            .second()
            .adopt(&world.key, None)
            .await
            .unwrap()
            .applied
            .is_some()
    );
    // A memory at an earlier position than its own last event is not guessed at.
    by_hand(&world, "UPDATE memories SET clock = clock - 1");
    let refused = world
        .second()
        .rebase(&world.key, None, "why")
        .await
        .unwrap_err();
    assert!(matches!(refused, EngineError::Invalid(_)), "{refused}");
}
