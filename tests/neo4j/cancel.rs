//! Requests cancelled at any point: no other request is affected, and a cancelled delta is applied once when it is sent
//! again.
//!
//! A connection released in the middle of an exchange could give its next user the answer to another's question. Two
//! ways lead there, and both are tested: the caller goes away, and the engine's own time limit for a statement passes
//! while the answer is on its way. `HINDLORE_CANCEL_TRIALS` sets the number of trials; the default is 10,000.

use std::env;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fastrand::Rng;
use hindlore::clock::SystemClock;
use hindlore::{Engine, EngineOptions, RetrieveRequest};
use hindlore_contract::subject::fresh;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation, TagCounts};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_neo4j::{Neo4jOptions, Neo4jStore};
use hindlore_store::{ErrorKind, MemoryStoreExt};
use tokio::task::JoinSet;

use crate::children::engine;
use crate::proxy::{Fate, Proxy};
use crate::server::Server;

const TRIALS: usize = 10_000;
const MEMORIES: usize = 16;
const WORKERS: usize = 16;
/// How long a statement may take where answers come late.
const STATEMENT_MS: u64 = 60;

/// How long each half of the trials may take when their number was not asked for.
const HALF: Duration = Duration::from_secs(50);
/// The least number of trials; a slow machine does not come to all of them in time.
const LEAST: usize = 2_000;

/// How many trials, and how long they may take.
fn trials() -> (usize, Duration) {
    match env::var("HINDLORE_CANCEL_TRIALS") {
        Ok(asked) => (asked.parse().unwrap(), Duration::MAX),
        Err(_) => (TRIALS, HALF),
    }
}

/// A memory of which every text has its number.
struct Numbered {
    key: MemoryKey,
    mark: String,
    bullet: BulletId,
}

async fn memories(engine: &Engine) -> Arc<Vec<Numbered>> {
    let tenant = fresh("tenant");
    let mut all = Vec::new();
    for number in 0..MEMORIES {
        let key = MemoryKey::new(&tenant, &format!("learner {number}"), "scope").unwrap();
        let mark = format!("mark{number}x");
        let add = |n: usize| {
            Operation::Add(Box::new(NewBullet {
                content: format!("{mark} case{n} says wait {} seconds", n * 7 + number),
                ..NewBullet::default()
            }))
        };
        let made = Delta::new(DeltaId::parse("d_made").unwrap(), (0..8).map(add).collect());
        let made = engine.apply_delta(&key, made).await.unwrap().receipt;
        let bullet = made.added[0];
        all.push(Numbered { key, mark, bullet });
    }
    Arc::new(all)
}

fn vote(trial: usize, memory: &Numbered) -> Delta {
    let counts = TagCounts {
        id: memory.bullet.into(),
        helpful: 1,
        harmful: 0,
        neutral: 0,
    };
    let id = DeltaId::parse(&format!("d_{trial}")).unwrap();
    Delta::new(id, vec![Operation::Tag(counts)])
}

fn question() -> Query {
    Query {
        top_k: 3,
        ..Query::new("how many seconds to wait")
    }
}

/// A request that will be given up.
async fn some_request(engine: Engine, all: Arc<Vec<Numbered>>, (at, trial): (usize, usize)) {
    let memory = &all[at];
    let key = &memory.key;
    // The answer is dropped.
    match trial % 5 {
        0 => drop(engine.apply_delta(key, vote(trial, memory)).await),
        1 => drop(engine.retrieve(key, RetrieveRequest::new(question())).await),
        2 => drop(engine.view(key).await),
        3 => drop(engine.store().load(key).await),
        _ => drop(engine.store().events(key, 0, 50).await),
    }
}

/// A request whose answer must be about its own memory. A failure is an answer, too: it names none.
async fn checked_request(engine: &Engine, memory: &Numbered, trial: usize) -> bool {
    let key = &memory.key;
    match trial % 4 {
        0 => {
            let Ok(answer) = engine.retrieve(key, RetrieveRequest::new(question())).await else {
                return false;
            };
            assert_eq!(answer.bullets.len(), 3);
            let is_own = |text: &str| text.starts_with(&memory.mark);
            assert!(
                answer
                    .bullets
                    .iter()
                    .all(|one| is_own(one.bullet.content.as_str()))
            );
        }
        1 => {
            let Ok(loaded) = engine.store().load(key).await else {
                return false;
            };
            let bullets = loaded.unwrap().bullets;
            let own = bullets
                .iter()
                .filter(|b| b.content.as_str().starts_with(&memory.mark));
            assert_eq!(own.count(), 8);
            assert!(!bullets.iter().any(|b| b.content.as_str().contains("mark")
                && !b.content.as_str().starts_with(&memory.mark)));
        }
        2 => {
            let Ok(delta) = engine
                .store()
                .delta(key, &DeltaId::parse("d_made").unwrap())
                .await
            else {
                return false;
            };
            assert!(delta.unwrap().body.contains(&memory.mark));
        }
        _ => {
            let Ok(Some(changed)) = engine.store().changes_since(key, 0).await else {
                return false;
            };
            assert!(
                changed
                    .bullets
                    .iter()
                    .any(|bullet| bullet.id == memory.bullet)
            );
        }
    }
    true
}

/// Cancels the given number of requests, each concurrently with one that is checked, until the time limit. Gives the
/// number of trials, of answers, and of requests that were really cancelled.
async fn give_up(
    engine: &Engine,
    all: &Arc<Vec<Numbered>>,
    (trials, limit): (Range<usize>, Duration),
) -> [usize; 3] {
    let started = Instant::now();
    let mut workers = JoinSet::new();
    for worker in 0..WORKERS {
        let (engine, all, trials) = (engine.clone(), all.clone(), trials.clone());
        workers.spawn(async move {
            let mut rng = Rng::with_seed(worker as u64);
            let [mut tried, mut answered, mut cut] = [0; 3];
            for trial in trials.filter(|trial| trial % WORKERS == worker) {
                if started.elapsed() > limit {
                    break;
                }
                tried += 1;
                let request = some_request(engine.clone(), all.clone(), (trial % MEMORIES, trial));
                let given_up =
                    tokio::time::timeout(Duration::from_micros(rng.u64(0..6_000)), request);
                let other = (trial + rng.usize(0..3)) % MEMORIES;
                let checked = checked_request(&engine, &all[other], trial / MEMORIES);
                let (ended, is_answered) = tokio::join!(given_up, checked);
                answered += usize::from(is_answered);
                cut += usize::from(ended.is_err());
            }
            [tried, answered, cut]
        });
    }
    let did = workers.join_all().await;
    [0, 1, 2].map(|at| did.iter().map(|one| one[at]).sum())
}

pub(crate) async fn nobody_else_hears(server: Server) {
    let direct = engine(&server, "direct").await;
    let all = memories(&direct).await;
    let (count, limit) = trials();
    let started = Instant::now();
    let [left, answered, cut] = give_up(&direct, &all, (0..count / 2, limit)).await;
    assert_eq!(
        answered, left,
        "a request failed because another was given up"
    );
    // Some answers come late, about when their time is over.
    let proxy = Proxy::start(&server, |_| match fastrand::u64(0..50) {
        0 => Fate::Delay(Duration::from_millis(fastrand::u64(
            STATEMENT_MS / 2..STATEMENT_MS * 2,
        ))),
        _ => Fate::Pass,
    })
    .await;
    let mut options = proxy.seen(&server).options();
    options.statement_timeout_ms = STATEMENT_MS;
    let late = Engine::new(
        connected(options).await,
        Arc::new(SystemClock),
        EngineOptions::default(),
    );
    let begun = proxy.connections();
    let [late_left, answered, late_cut] = give_up(&late, &all, (count / 2..count, limit)).await;
    let dropped = proxy.connections() - begun;
    assert!(dropped > 0, "no time limit has passed");
    let took = started.elapsed();
    let (tried, cut) = (left + late_left, cut + late_cut);
    assert!(
        tried >= LEAST.min(count) && cut * 4 >= tried,
        "{cut} of {tried} requests were cut off"
    );
    every_vote_once(&direct, &all, count).await;
    println!(
        "{tried} trials in {took:?}, {cut} requests cut off. In {late_left} trials time limits passed: there \
         {answered} others were answered and {dropped} connections were given up",
    );
}

/// Connects where answers may come late, that of the greeting as well: then once more.
async fn connected(options: Neo4jOptions) -> Arc<Neo4jStore> {
    for _ in 0..20 {
        match Neo4jStore::connect(options.clone()).await {
            Ok(store) => return Arc::new(store),
            Err(error) => assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}"),
        }
    }
    panic!("twenty greetings came late");
}

/// Sends every vote again: it counts once, even if it was cancelled before.
async fn every_vote_once(engine: &Engine, all: &Arc<Vec<Numbered>>, count: usize) {
    let mut again = JoinSet::new();
    for at in 0..MEMORIES {
        let (engine, all) = (engine.clone(), all.clone());
        again.spawn(async move {
            let memory = &all[at];
            let mine = (0..count).filter(|trial| trial % 5 == 0 && trial % MEMORIES == at);
            let mut votes = 0;
            let mut sent = JoinSet::new();
            for trial in mine {
                let (engine, key, vote) = (engine.clone(), memory.key.clone(), vote(trial, memory));
                sent.spawn(async move { drop(engine.apply_delta(&key, vote).await.unwrap()) });
                votes += 1;
            }
            sent.join_all().await;
            let view = engine.view(&memory.key).await.unwrap().unwrap();
            let voted = view
                .bullets
                .iter()
                .find(|one| one.id == memory.bullet)
                .unwrap();
            assert_eq!((voted.counts.helpful, view.revision), (votes, votes + 1));
            let differences = engine.verify(&memory.key).await.unwrap().differences;
            assert!(differences.is_empty(), "{differences:?}");
        });
    }
    again.join_all().await;
}
