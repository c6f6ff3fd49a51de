//! Requests larger than the driver's buffer: none waits for the receipt of its own beginning, which takes 40 ms
//! and more on a machine's loopback.

use std::time::Duration;

use hindlore_contract::subject::{Subject, batch, fresh, retrieval};
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::TouchOutcome;

use crate::OnServer;
use crate::children::engine;
use crate::proxy::Proxy;
use crate::server::Server;
use crate::together::text;

/// A message that waits in its middle takes 40 ms to arrive, on any machine; one that does not is written in one go.
/// Arrivals are timed by a proxy, so that a busy server does not count.
const AT_ONCE: Duration = Duration::from_millis(30);
const TRIES: u64 = 20;

pub(crate) async fn deltas(server: Server) {
    let (proxy, _) = Proxy::counting(&server).await;
    let engine = engine(&proxy.seen(&server), &fresh("wire")).await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let mut next = 0;
    for bullets in [8, 12, 20, 50] {
        let mut least = Duration::MAX;
        for _ in 0..TRIES {
            let adds = (next..next + bullets).map(|number| {
                let content = format!("{} in the middle of a plan", text(number));
                Operation::Add(Box::new(NewBullet {
                    content,
                    ..NewBullet::default()
                }))
            });
            let id = DeltaId::parse(&format!("d_{next}")).unwrap();
            let delta = Delta::new(id, adds.collect());
            next += bullets;
            proxy.longest_arrival();
            let applied = engine.apply_delta(&key, delta).await.unwrap();
            least = least.min(proxy.longest_arrival());
            assert_eq!(applied.receipt.added.len() as u64, bullets);
        }
        println!("the messages of {bullets} bullets arrive in {least:?} at least");
        assert!(least < AT_ONCE, "{bullets} bullets: {least:?}");
    }
    let view = engine.view(&key).await.unwrap().unwrap();
    assert_eq!(view.bullets.len() as u64, next);
}

pub(crate) async fn touches(server: Server) {
    let (proxy, _) = Proxy::counting(&server).await;
    let subject = Subject::of(OnServer(proxy.seen(&server))).await;
    let texts: Vec<String> = (0..300).map(text).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (key, seeded) = subject.seeded(&texts).await;
    let mut known = subject.position(&key).await;
    let mut number = 0;
    for retrievals in [8, 16, 40] {
        let mut least = Duration::MAX;
        for _ in 0..TRIES {
            let records = (0..retrievals).map(|_| {
                number += 1;
                let some = &seeded[number * 7 % 290..][..10];
                retrieval(&format!("r_{number}"), &known, some)
            });
            let together = batch(&known, records.collect());
            proxy.longest_arrival();
            let outcome = subject.store.touch(&key, together).await.unwrap();
            least = least.min(proxy.longest_arrival());
            let TouchOutcome::Recorded { first_tick, .. } = outcome else {
                panic!("{outcome:?}");
            };
            known.clock = first_tick + retrievals - 1;
        }
        println!("the messages of {retrievals} retrievals arrive in {least:?} at least");
        assert!(least < AT_ONCE, "{retrievals} retrievals: {least:?}");
    }
    assert_eq!(subject.position(&key).await.clock, known.clock);
}
