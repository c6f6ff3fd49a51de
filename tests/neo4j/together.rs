//! Eight processes that insert the same bullets at once: each text is there once, and every vote counts.

use hindlore::Engine;
use hindlore_contract::subject::fresh;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;

use crate::children::{Process, engine, together};
use crate::load::gap_free;
use crate::server::Server;

const PROCESSES: u64 = 8;
const TEXTS: u64 = 1_000;
/// Bullets of one delta.
const SOME: u64 = 50;

/// Texts that no rule takes for one another.
pub(crate) fn text(number: u64) -> String {
    let word = |salt: u64| {
        let mut rng = fastrand::Rng::with_seed(number * 100 + salt);
        (0..7).map(|_| rng.lowercase()).collect::<String>()
    };
    (1..9).map(word).collect::<Vec<_>>().join(" ")
}

/// In its own process: adds all texts, beginning at the place that its name gives. Gives the votes that it cast.
pub(crate) async fn insert(engine: &Engine, key: &MemoryKey, name: &str) -> Vec<u64> {
    let mine: u64 = name[1..].parse().unwrap();
    let steps = TEXTS / SOME;
    for step in 0..steps {
        let first = (step + mine * steps / PROCESSES) % steps * SOME;
        let add = |number: u64| {
            Operation::Add(Box::new(NewBullet {
                content: text(number),
                helpful: 1 + (number + mine) % 2,
                harmful: u64::from(number % 5 == mine % 5),
                ..NewBullet::default()
            }))
        };
        let id = DeltaId::parse(&format!("d_{name}_{step}")).unwrap();
        let delta = Delta::new(id, (first..first + SOME).map(add).collect());
        let applied = engine.apply_delta(key, delta).await.unwrap();
        assert!(!applied.repeated && applied.receipt.refused.is_empty());
    }
    let votes = |of: &dyn Fn(u64) -> u64| (0..TEXTS).map(of).sum();
    vec![
        votes(&|n| 1 + (n + mine) % 2),
        votes(&|n| u64::from(n % 5 == mine % 5)),
    ]
}

pub(crate) async fn the_same_bullets(server: Server) {
    let checker = engine(&server, "checker").await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "shared").unwrap();
    let names: Vec<String> = (0..PROCESSES).map(|n| format!("p{n}")).collect();
    // The first process makes the memory.
    let mut processes = Process::several(&server, &names, &key);
    let started = std::time::Instant::now();
    let votes = together(&mut processes, "insert");
    let took = started.elapsed();
    let view = checker.view(&key).await.unwrap().unwrap();
    let texts: std::collections::HashSet<String> = (0..TEXTS).map(text).collect();
    let ours = || {
        view.bullets
            .iter()
            .filter(|b| texts.contains(b.content.as_str()))
    };
    assert_eq!((texts.len(), ours().count()), (1_000, 1_000));
    assert_eq!(ours().filter(|bullet| bullet.is_active()).count(), 1_000);
    for number in 0..TEXTS {
        let one = ours().find(|b| b.content.as_str() == text(number)).unwrap();
        let helpful: u64 = (0..PROCESSES).map(|mine| 1 + (number + mine) % 2).sum();
        let harmful = (0..PROCESSES).filter(|mine| number % 5 == mine % 5).count() as u64;
        assert_eq!((one.counts.helpful, one.counts.harmful), (helpful, harmful));
    }
    let sum = |at: usize| votes.iter().map(|one| one[at]).sum::<u64>();
    assert_eq!(ours().map(|b| b.counts.helpful).sum::<u64>(), sum(0));
    assert_eq!(ours().map(|b| b.counts.harmful).sum::<u64>(), sum(1));
    let deltas = PROCESSES * TEXTS / SOME;
    assert_eq!((view.revision, view.clock), (deltas, deltas));
    gap_free(&checker, &key, (deltas, 0)).await;
    println!("8 processes inserted the same 1,000 bullets in {took:?}");
}
