//! Changes by hand in the file: `verify` names them, `adopt` makes them history.

use hindlore::RetrieveRequest;
use hindlore_domain::memory::bullet::{BulletId, Status};
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation, Removal};
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::query::Query;
use rusqlite::Connection;

use super::chance::{cases, pick};
use super::faulty_store::{Fault, FaultyStore};
use super::history;
use super::world::World;

/// A hand on the file.
struct Hand(Connection);

impl Hand {
    fn on(world: &World) -> Self {
        Self(Connection::open(world.place.path()).unwrap())
    }

    fn change(&self, id: BulletId, set: &str) {
        let sql = format!("UPDATE bullets SET {set} WHERE id = ?1");
        assert_eq!(self.0.execute(&sql, [id.0.as_slice()]).unwrap(), 1, "{set}");
    }

    fn delete(&self, id: BulletId) {
        let done = self
            .0
            .execute("DELETE FROM bullets WHERE id = ?1", [id.0.as_slice()]);
        assert_eq!(done.unwrap(), 1);
    }
}

/// Adopts and checks that the file, the history and this engine agree, also to another engine.
async fn adopt_and_check(world: &World, named: &[BulletId]) {
    let fresh = world.second();
    let found = fresh.verify(&world.key).await.unwrap();
    assert!(!found.is_sound);
    let ids: Vec<BulletId> = found.differences.iter().map(|one| one.bullet).collect();
    for id in named {
        assert!(ids.contains(id), "{id} is not named");
    }
    let before = fresh.view(&world.key).await.unwrap().unwrap();
    let adopted = fresh.adopt(&world.key, None).await.unwrap();
    assert!(adopted.applied.is_some());
    let after = fresh.verify(&world.key).await.unwrap();
    assert!(
        after.is_sound,
        "{:#?} {:?}",
        after.differences, after.policy
    );
    let view = fresh.view(&world.key).await.unwrap().unwrap();
    assert_eq!(view.revision, before.revision + 1);
    assert_eq!(
        world.view().await.unwrap(),
        view,
        "an engine that had it open follows"
    );
    let nothing = fresh.adopt(&world.key, None).await.unwrap();
    assert!(nothing.applied.is_none() && nothing.differences.is_empty());
}

fn adding(id: &str, texts: &[&str]) -> Delta {
    let add = |text: &&str| {
        Operation::Add(Box::new(NewBullet {
            content: (*text).to_owned(),
            ..NewBullet::default()
        }))
    };
    Delta::new(DeltaId::parse(id).unwrap(), texts.iter().map(add).collect())
}

async fn three() -> (World, Vec<BulletId>) {
    three_under(Policy::default()).await
}

async fn three_under(policy: Policy) -> (World, Vec<BulletId>) {
    let world = World::with(fastrand::Rng::with_seed(3), policy);
    let texts = [
        "read the question",
        "answer in one line",
        "name every source",
    ];
    let applied = world
        .engine
        .apply_delta(&world.key, adding("d1", &texts))
        .await
        .unwrap();
    (world, applied.receipt.added)
}

#[tokio::test]
async fn changed_texts_counts_and_states_are_adopted() {
    let (world, ids) = three().await;
    let hand = Hand::on(&world);
    hand.change(ids[0], "content = 'read it twice'");
    hand.change(ids[1], "helpful = 7, harmful = 1, topic = 'lines'");
    hand.change(ids[2], "status = 'archived'");
    adopt_and_check(&world, &ids).await;
    let bullets = world.bullets().await;
    let by_id = |id| bullets.iter().find(|bullet| bullet.id == id).unwrap();
    assert_eq!(by_id(ids[0]).content.as_str(), "read it twice");
    assert_eq!(by_id(ids[1]).counts.helpful, 7);
    assert_eq!(by_id(ids[2]).status, Status::Archived);
    let query = Query::new("read it twice");
    let found = world
        .engine
        .retrieve(&world.key, RetrieveRequest::new(query))
        .await
        .unwrap();
    assert_eq!(found.bullets[0].bullet.id, ids[0]);
    let again = world
        .engine
        .apply_delta(&world.key, adding("d2", &["Read it  twice"]))
        .await;
    assert_eq!(again.unwrap().receipt.merged[0].into, ids[0]);
}

#[tokio::test]
async fn deleted_bullets_are_archived_and_archived_ones_come_back_into_the_file() {
    let (world, ids) = three().await;
    let removal = Removal {
        id: ids[2].into(),
        reason: None,
    };
    let remove = Delta::new(
        DeltaId::parse("d2").unwrap(),
        vec![Operation::Remove(removal)],
    );
    world.engine.apply_delta(&world.key, remove).await.unwrap();
    let hand = Hand::on(&world);
    hand.delete(ids[1]);
    hand.delete(ids[2]);
    adopt_and_check(&world, &ids[1..]).await;
    let bullets = world.bullets().await;
    let archived = bullets
        .iter()
        .filter(|bullet| bullet.status == Status::Archived);
    assert_eq!(archived.count(), 2);
}

#[tokio::test]
async fn bullets_and_policies_that_a_hand_wrote_are_adopted() {
    let (world, ids) = three().await;
    let hand = Hand::on(&world);
    let copy = |id: u8, content: &str, position: i64| {
        let sql = "INSERT INTO bullets SELECT NULL, memory, ?1, ?2, randomblob(32), 1, legacy_id,
                memory_type, kind, status, pinned, helpful, harmful, neutral, strength,
                access_index, last_access, last_used, created_at, created_tick, changed_tick, ?3,
                tags, section, topic, concept, ttl_days, importance, source, merged_into, embedding
            FROM bullets WHERE id = ?4";
        let new = [id; 10];
        let values = rusqlite::params![new.as_slice(), content, position, ids[0].0.as_slice()];
        hand.0.execute(sql, values).unwrap();
        BulletId(new)
    };
    let named = [
        copy(9, "written by hand", 90),
        copy(8, "written after it", 91),
        copy(7, "Answer in one LINE", 92),
    ];
    let policy = "UPDATE memories SET policy = json_set(policy, '$.floor', 0.25)";
    assert_eq!(hand.0.execute(policy, []).unwrap(), 1);
    adopt_and_check(&world, &named).await;
    let view = world.view().await.unwrap();
    assert!((view.policy.floor - 0.25).abs() < f64::EPSILON);
    let texts: Vec<&str> = view
        .bullets
        .iter()
        .filter(|b| b.is_active())
        .map(|b| b.content.as_str())
        .collect();
    assert_eq!(
        texts[3..],
        [
            "read the question",
            "answer in one line",
            "name every source",
            "written by hand",
            "written after it",
        ]
    );
}

#[tokio::test]
async fn an_adoption_that_a_retrieval_overtakes_begins_again() {
    let (world, ids) = three().await;
    Hand::on(&world).change(ids[1], "helpful = 7");
    let faulty = FaultyStore::new(world.place.store().unwrap());
    let (engine, key) = (world.over(faulty.clone()), world.key.clone());
    faulty.set(Fault::Begin);
    let adopting = tokio::spawn(async move { engine.adopt(&key, None).await });
    faulty.reached.notified().await;
    faulty.set(Fault::None);
    let other = world.second();
    let request = RetrieveRequest::new(Query::new("answer in one line"));
    let found = other.retrieve(&world.key, request).await.unwrap();
    assert!(found.bullets.iter().any(|one| one.bullet.id == ids[1]));
    faulty.go_on.notify_one();
    assert!(adopting.await.unwrap().unwrap().applied.is_some());
    let view = world.second().view(&world.key).await.unwrap().unwrap();
    let edited = view.bullets.iter().find(|bullet| bullet.id == ids[1]);
    assert_eq!(edited.unwrap().counts.helpful, 7);
    let verified = world.second().verify(&world.key).await.unwrap();
    assert!(verified.is_sound, "{verified:#?}");
}

#[tokio::test]
async fn a_change_that_deltas_were_written_on_top_of_is_adopted() {
    let (world, ids) = three_under(Policy {
        retrieval_records: 0,
        ..Policy::default()
    })
    .await;
    let set = "content = 'answer in two short lines', helpful = 7";
    Hand::on(&world).change(ids[1], set);
    let other = world.second();
    let later = adding("d2", &["cite the page"]);
    other.apply_delta(&world.key, later).await.unwrap();
    let request = RetrieveRequest::new(Query::new("read the question"));
    other.retrieve(&world.key, request.clone()).await.unwrap();
    let found = other.verify(&world.key).await.unwrap();
    assert!(!found.mismatches.is_empty());
    assert!(other.compact(&world.key).await.is_err());
    adopt_and_check(&world, &ids[1..2]).await;
    let again = adding("d3", &["write the answer down"]);
    other.apply_delta(&world.key, again).await.unwrap();
    other.retrieve(&world.key, request).await.unwrap();
    assert_eq!(other.compact(&world.key).await.unwrap(), 1);
    assert!(other.verify(&world.key).await.unwrap().is_sound);
}

#[tokio::test]
async fn random_changes_of_random_memories_are_adopted() {
    let columns = [
        "helpful = helpful + 3",
        "harmful = 2",
        "pinned = 1 - pinned",
        "tags = '[\"by hand\"]'",
        "section = 'hands'",
        "strength = 55.5",
        "access_index = 0",
        "kind = 'fact'",
        "source = 'person'",
        "ttl_days = 900",
        "importance = 0.9",
        "legacy_id = 'x-1'",
        "last_used = 5",
        "created_tick = 1",
        "topic = 'hands'",
        "memory_type = 'episodic'",
        "content = content || ' by hand'",
        "last_access = 7",
        "changed_tick = changed_tick - 1",
    ];
    for (_case, mut rng) in cases(19, 25) {
        let policy = history::policy(&mut rng);
        let mut world = World::with(rng, policy);
        for _ in 0..15 {
            world.live().await;
        }
        let Some(view) = world.view().await else {
            continue;
        };
        let hand = Hand::on(&world);
        let mut named = Vec::new();
        let active: Vec<_> = view
            .bullets
            .iter()
            .filter(|bullet| bullet.is_active())
            .collect();
        for _ in 0..world.rng.usize(1..4) {
            let Some(id) = active
                .get(world.rng.usize(..active.len().max(1)))
                .map(|b| b.id)
            else {
                continue;
            };
            hand.change(id, pick::<&str>(&mut world.rng, &columns));
            hand.change(id, "neutral = neutral + 1");
            named.push(id);
        }
        if !named.is_empty() {
            adopt_and_check(&world, &named).await;
        }
        for _ in 0..5 {
            world.live().await;
        }
        let verified = world.engine.verify(&world.key).await.unwrap();
        assert!(verified.is_sound, "{:#?}", verified.differences);
    }
}
