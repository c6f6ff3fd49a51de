//! The progress counts of the engine during one long request.

use std::sync::Arc;

use hindlore::clock::SystemClock;
use hindlore::{Engine, EngineOptions};
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_testkit::TemporaryStore;

fn adds(name: &str, count: usize) -> Delta {
    let add = |number| {
        Operation::Add(Box::new(NewBullet {
            content: format!("{name}: rule {number} has the number {number}."),
            ..NewBullet::default()
        }))
    };
    Delta::new(DeltaId::parse(name).unwrap(), (0..count).map(add).collect())
}

#[tokio::test]
async fn a_long_delta_counts_its_operations_and_a_short_one_does_not_hide_them() {
    let place = TemporaryStore::new().unwrap();
    let clock = Arc::new(SystemClock);
    let engine = Engine::new(place.store().unwrap(), clock, EngineOptions::default());
    let key = MemoryKey::new("t", "learner", "s").unwrap();
    assert_eq!(engine.progress(), (0, 0));
    engine.apply_delta(&key, adds("short", 3)).await.unwrap();
    assert_eq!(engine.progress(), (0, 0));
    engine.apply_delta(&key, adds("long", 1_200)).await.unwrap();
    assert_eq!(engine.progress(), (1_200, 1_200));
    engine.apply_delta(&key, adds("after", 3)).await.unwrap();
    assert_eq!(engine.progress(), (1_200, 1_200));
}
