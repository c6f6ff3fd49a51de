//! Two instances with different local configurations on one memory decide alike: the policy stored with the memory
//! counts.

use std::sync::Arc;

use hindlore::clock::SetClock;
use hindlore::{Engine, EngineOptions, RetrieveRequest};
use hindlore_contract::subject::fresh;
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::query::Query;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use hindlore_neo4j::Neo4jStore;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::Store;

use crate::server::Server;

/// Events of one run.
const EVENTS: u64 = 60;

fn clock() -> Arc<SetClock> {
    Arc::new(SetClock::at(Timestamp::from_millis(1_790_000_000_000)))
}

fn configured(store: Arc<dyn Store>, clock: &Arc<SetClock>, policy: &Policy) -> Engine {
    let options = EngineOptions {
        policy: policy.clone(),
        seeds: false,
        ..EngineOptions::default()
    };
    Engine::new(store, clock.clone(), options)
}

/// Texts of which many are almost the same, so that merging and forgetting matter.
fn note(number: u64) -> Delta {
    let content = format!(
        "always check the cache of module {} before reading file number {}",
        number % 9,
        number % 4
    );
    let add = NewBullet {
        content,
        helpful: number % 3,
        harmful: number % 2,
        ..NewBullet::default()
    };
    let id = DeltaId::parse(&format!("d_{number}")).unwrap();
    Delta::new(id, vec![Operation::Add(Box::new(add))])
}

/// Carries the events out, each by the next of the engines; gives the digests after each of them.
async fn run(engines: &[Engine], clock: &SetClock, key: &MemoryKey) -> Vec<String> {
    let mut digests = Vec::new();
    for number in 0..EVENTS {
        let engine = &engines[number as usize % engines.len()];
        clock.set(Timestamp::from_millis(
            1_790_000_000_000 + i64::try_from(number).unwrap() * 1_000,
        ));
        if number % 4 == 3 {
            let asked = RetrieveRequest::new(Query::new("check the cache before reading"));
            engine.retrieve(key, asked).await.unwrap();
        } else {
            engine.apply_delta(key, note(number)).await.unwrap();
        }
        digests.push(engine.view(key).await.unwrap().unwrap().digest);
    }
    digests
}

pub(crate) async fn stored_policy_decides(server: Server) {
    let usual = Policy::default();
    let mut other = Policy {
        merge_threshold: 0.5,
        guard: false,
        max_bullets: Some(6),
        base_strength: usual.base_strength / 2.0,
        ..usual.clone()
    };
    other.rates.procedural = 0.3;
    let mut runs = Vec::new();
    for (first, second) in [(&usual, &other), (&other, &usual)] {
        let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
        let (here, there) = (clock(), clock());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory.db");
        let embedded = EmbeddedStore::open(path, EmbeddedOptions::default()).unwrap();
        let alone = [configured(Arc::new(embedded), &here, first)];
        let mut both = Vec::new();
        for policy in [first, second] {
            let store = Neo4jStore::connect(server.options()).await.unwrap();
            both.push(configured(Arc::new(store), &there, policy));
        }
        let expected = run(&alone, &here, &key).await;
        assert_eq!(run(&both, &there, &key).await, expected);
        let stored = both[1].view(&key).await.unwrap().unwrap();
        assert_eq!(&stored.policy, first);
        let shape = |b: &Bullet| {
            (
                b.content.as_str().to_owned(),
                b.status,
                b.counts,
                b.strength.to_bits(),
            )
        };
        runs.push(stored.bullets.iter().map(shape).collect::<Vec<_>>());
    }
    // The two policies must decide differently, or the check above would prove nothing.
    assert_ne!(runs[0], runs[1]);
}
