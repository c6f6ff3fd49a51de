//! Requests that are sent again, out of order and at the same time: each is carried out once.

use std::collections::HashMap;

use hindlore::EngineError;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::receipt::Receipt;

use super::chance::cases;
use super::history;
use super::world::World;

fn adding(id: &str, text: &str) -> Delta {
    let new = NewBullet {
        content: text.to_owned(),
        helpful: 1,
        ..NewBullet::default()
    };
    Delta::new(
        DeltaId::parse(id).unwrap(),
        vec![Operation::Add(Box::new(new))],
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_delta_that_is_sent_many_times_is_applied_once_with_one_receipt() {
    for (_case, rng) in cases(9, 8) {
        let mut world = World::with(rng, Policy::default());
        let engines = [world.engine.clone(), world.second()];
        let distinct: Vec<Delta> = (0..20)
            .map(|at| adding(&format!("d{at}"), &history::text(&mut world.rng)))
            .collect();
        let mut sent: Vec<Delta> = Vec::new();
        for delta in &distinct {
            sent.extend((0..world.rng.usize(1..=5)).map(|_| delta.clone()));
        }
        world.rng.shuffle(&mut sent);
        let tasks: Vec<_> = sent
            .into_iter()
            .map(|delta| {
                let engine = engines[world.rng.usize(..2)].clone();
                let key = world.key.clone();
                tokio::spawn(async move { engine.apply_delta(&key, delta).await.unwrap() })
            })
            .collect();
        let mut receipts: HashMap<DeltaId, Receipt> = HashMap::new();
        let mut fresh = 0;
        for task in tasks {
            let applied = task.await.unwrap();
            fresh += usize::from(!applied.repeated);
            let receipt = applied.receipt;
            let first = receipts
                .entry(receipt.delta.clone())
                .or_insert(receipt.clone());
            assert_eq!(*first, receipt);
        }
        assert_eq!((fresh, receipts.len()), (20, 20));
        let view = world.view().await.unwrap();
        assert_eq!((view.revision, view.clock), (20, 20));
        let helpful: u64 = view
            .bullets
            .iter()
            .filter(|b| b.is_active())
            .map(|b| b.counts.helpful)
            .sum();
        assert_eq!(
            helpful,
            20 + 3 * 5,
            "every vote counts once, planted ones too"
        );
        assert!(world.engine.verify(&world.key).await.unwrap().is_sound);
    }
}

#[tokio::test]
async fn the_same_id_with_another_body_is_refused_and_changes_nothing() {
    for (_case, rng) in cases(10, 20) {
        let mut world = World::new(rng);
        let Some(applied) = world.apply().await else {
            continue;
        };
        let before = world.view().await;
        let id = applied.receipt.delta.as_str().to_owned();
        let other = adding(&id, "quite another text");
        for engine in [world.engine.clone(), world.second()] {
            let refused = engine.apply_delta(&world.key, other.clone()).await;
            assert!(
                matches!(refused, Err(EngineError::DeltaReused(_))),
                "{refused:?}"
            );
        }
        assert_eq!(world.view().await, before);
        let mut creation = adding("creation", "quite another text");
        creation.id = DeltaId::creation();
        let refused = world.engine.apply_delta(&world.key, creation).await;
        assert!(matches!(refused, Err(EngineError::DeltaReused(_))));
        assert_eq!(world.view().await, before);
    }
}
