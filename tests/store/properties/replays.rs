//! Replay: the events of a memory make it again, and `as_of` shows it at each of its revisions.

use std::sync::Arc;

use hindlore::clock::WallClock;
use hindlore::{Engine, EngineError, EngineOptions, PastMemory};
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::policy::Policy;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::DeltaPage;
use hindlore_testkit::TemporaryStore;

use super::chance::cases;
use super::history;
use super::world::{World, key};

/// A memory right after one of its deltas.
struct Moment {
    revision: u64,
    digest: String,
    content_digest: String,
    bullets: Vec<Bullet>,
}

/// Lives a while and notes every moment that has a revision of its own.
async fn moments(world: &mut World, steps: usize) -> Vec<Moment> {
    let mut moments: Vec<Moment> = Vec::new();
    for _ in 0..steps {
        let applied = world.live().await;
        let (Some(applied), Some(view)) = (applied, world.view().await) else {
            continue;
        };
        let receipt = applied.receipt;
        if moments
            .last()
            .is_some_and(|last| last.revision >= receipt.revision)
        {
            continue;
        }
        assert_eq!((&view.digest, view.clock), (&receipt.digest, receipt.clock));
        assert_eq!(view.content_digest, receipt.content_digest);
        moments.push(Moment {
            revision: receipt.revision,
            digest: view.digest,
            content_digest: view.content_digest,
            bullets: view.bullets,
        });
    }
    moments
}

async fn check_replay(world: &World) {
    let Some(view) = world.view().await else {
        return;
    };
    let mut replayed = world.engine.replay(&world.key).await.unwrap();
    assert_eq!(replayed.mismatches, []);
    assert_eq!(replayed.memory.digest(), view.digest);
    assert_eq!(replayed.memory.content_digest(), view.content_digest);
    assert_eq!(replayed.memory.bullets(), view.bullets);
    assert_eq!(
        replayed.memory.links().cloned().collect::<Vec<_>>(),
        view.links
    );
    let verified = world.engine.verify(&world.key).await.unwrap();
    assert!(verified.is_sound, "{:?}", verified.differences);
}

/// Deltas that were folded.
async fn folded_deltas(world: &World) -> u64 {
    let page = DeltaPage {
        below_revision: None,
        limit: usize::MAX >> 1,
    };
    let deltas = world.engine.deltas(&world.key, page).await.unwrap();
    let revision = deltas.first().map_or(0, |newest| newest.revision);
    (revision + 1).saturating_sub(deltas.len() as u64)
}

fn contents(bullets: &[Bullet]) -> Vec<impl PartialEq + std::fmt::Debug + '_> {
    let facts = bullets
        .iter()
        .map(|b| (b.id, b.content.as_str(), b.counts, b.status));
    facts.collect()
}

fn check_past(past: &PastMemory, moment: &Moment) {
    assert_eq!(past.revision, moment.revision);
    assert_eq!(past.content_digest, moment.content_digest);
    assert_eq!(contents(&past.bullets), contents(&moment.bullets));
    if past.exact {
        assert_eq!(past.digest.as_ref(), Some(&moment.digest));
        assert_eq!(past.bullets, moment.bullets);
    }
}

#[tokio::test]
async fn a_history_is_replayed_and_every_revision_is_as_it_was() {
    for (_case, rng) in cases(1, 15) {
        let mut world = World::new(rng);
        let moments = moments(&mut world, 40).await;
        check_replay(&world).await;
        for moment in &moments {
            let past = world
                .engine
                .as_of(&world.key, moment.revision)
                .await
                .unwrap();
            assert!(past.exact, "revision {}", moment.revision);
            check_past(&past, moment);
        }
    }
}

#[tokio::test]
async fn after_a_fold_the_replay_is_the_same_and_contents_are_as_they_were() {
    let (mut compacted, mut folded, mut refused) = (0, 0, 0);
    for (_case, mut rng) in cases(2, 8) {
        let policy = Policy {
            retrieval_records: rng.u64(..4),
            retrieval_days: rng.u32(1..40),
            delta_days: rng.u32(0..3),
            delta_records: rng.u64(..10),
            ..history::policy(&mut rng)
        };
        let mut world = World::with(rng, policy);
        let mut all = Vec::new();
        for _ in 0..3 {
            all.extend(moments(&mut world, 15).await);
            compacted += world.engine.compact(&world.key).await.unwrap();
            let gone = folded_deltas(&world).await;
            folded += gone;
            check_replay(&world).await;
            for moment in &all {
                let past = world.engine.as_of(&world.key, moment.revision).await;
                match past {
                    Ok(past) => check_past(&past, moment),
                    Err(EngineError::Invalid(why)) => {
                        assert!(why.contains("delta_days"), "{why}");
                        assert!(moment.revision <= gone, "{}", moment.revision);
                        refused += 1;
                    }
                    Err(error) => panic!("revision {}: {error}", moment.revision),
                }
            }
        }
    }
    assert!(compacted > 0, "no case compacted anything");
    assert!(folded > 0, "no case folded a delta");
    assert!(refused > 0, "no case asked for a folded one");
}

#[tokio::test]
async fn a_revision_that_is_not_there_yet_is_refused() {
    let (_case, rng) = cases(3, 1).next().unwrap();
    let mut world = World::with(rng, Policy::default());
    assert!(matches!(
        world.engine.as_of(&world.key, 0).await,
        Err(EngineError::NoMemory(_))
    ));
    while world.apply().await.is_none() {}
    assert_eq!(
        world
            .engine
            .as_of(&world.key, 0)
            .await
            .unwrap()
            .bullets
            .len(),
        3
    );
    let error = world.engine.as_of(&world.key, 9).await.unwrap_err();
    assert!(matches!(error, EngineError::NoRevision { asked: 9, .. }));
}

/// A clock that never shows the same moment twice.
#[derive(Debug, Default)]
struct Hurry(std::sync::atomic::AtomicI64);

impl WallClock for Hurry {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst))
    }
}

#[tokio::test]
async fn a_memory_is_sound_however_fast_time_goes_by() {
    let place = TemporaryStore::new().unwrap();
    let engine = Engine::new(
        place.store().unwrap(),
        Arc::new(Hurry::default()),
        EngineOptions::default(),
    );
    let add = NewBullet {
        content: "read the question".to_owned(),
        ..NewBullet::default()
    };
    let delta = Delta::new(
        DeltaId::parse("d").unwrap(),
        vec![Operation::Add(Box::new(add))],
    );
    engine.apply_delta(&key(), delta).await.unwrap();
    let verified = engine.verify(&key()).await.unwrap();
    assert!(verified.is_sound, "{:?}", verified.differences);
}
