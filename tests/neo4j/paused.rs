//! A server that is frozen for five seconds: no caller gets a wrong answer, and work continues as soon as the server
//! does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hindlore::{Engine, RetrieveRequest};
use hindlore_contract::subject::fresh;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation, TagCounts};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_neo4j::Neo4jStore;
use hindlore_store::ErrorKind;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use crate::children::engine;
use crate::http::run;
use crate::load::gap_free;
use crate::own::{OwnServer, Turn};
use crate::server::Server;

const PAUSE: Duration = Duration::from_secs(5);
const CALLERS: usize = 8;
const MEMORIES: usize = 2;
/// Answers that each caller has had before the server is stopped. A server that has just started compiles the
/// statements before its first answers, and would continue with that instead of with work.
const WARM: u64 = 20;
const WARM_LIMIT: Duration = Duration::from_secs(60);
/// How soon the first answer must come once the server continues, or how many times later than the first answer to a
/// bare statement: on a busy machine the server itself takes long.
const SOON: Duration = Duration::from_millis(500);
const BARE_MAX: u32 = 4;

/// The answers of one caller.
#[derive(Default)]
struct Seen {
    deltas: u64,
    retrievals: u64,
    answers: Vec<Instant>,
}

/// State shared by the callers and the test.
#[derive(Clone)]
struct Shared {
    /// Passed by everybody once every caller is warm.
    warm: Arc<Barrier>,
    stop: Arc<AtomicBool>,
}

async fn call(engine: Engine, key: MemoryKey, (place, shared): (usize, Shared)) -> Seen {
    let mut seen = Seen::default();
    let bullet = engine.view(&key).await.unwrap().unwrap().bullets[0].id;
    for number in 0.. {
        if shared.stop.load(Ordering::SeqCst) {
            break;
        }
        if number == WARM {
            shared.warm.wait().await;
        }
        if place % 2 == 0 {
            let counts = TagCounts {
                id: bullet.into(),
                helpful: 1,
                harmful: 0,
                neutral: 0,
            };
            let id = DeltaId::parse(&format!("d_{place}_{number}")).unwrap();
            let vote = Delta::new(id.clone(), vec![Operation::Tag(counts)]);
            let receipt = engine.apply_delta(&key, vote).await.unwrap().receipt;
            assert_eq!(receipt.delta, id);
            seen.deltas += 1;
        } else {
            let asked = RetrieveRequest::new(Query::new("who waits for the server"));
            let answer = engine.retrieve(&key, asked).await.unwrap();
            assert!(
                answer.bullets[0]
                    .bullet
                    .content
                    .as_str()
                    .contains(key.learner())
            );
            seen.retrievals += 1;
        }
        seen.answers.push(Instant::now());
    }
    seen
}

/// A memory of one bullet, and the instance that works on it.
async fn made(own: &OwnServer, (tenant, memory): (&str, usize)) -> (Engine, MemoryKey) {
    let engine = engine(&own.server, &format!("instance-{memory}")).await;
    let key = MemoryKey::new(tenant, &format!("learner{memory}"), "scope").unwrap();
    let new = NewBullet {
        content: format!("{} waits for the server", key.learner()),
        ..NewBullet::default()
    };
    let id = DeltaId::parse("d_made").unwrap();
    let delta = Delta::new(id, vec![Operation::Add(Box::new(new))]);
    engine.apply_delta(&key, delta).await.unwrap();
    (engine, key)
}

/// Callers of some memories, each with the number of its memory.
async fn called(
    own: &OwnServer,
    shared: &Shared,
) -> (Vec<(Engine, MemoryKey)>, JoinSet<(usize, Seen)>) {
    let tenant = fresh("tenant");
    let mut callers = JoinSet::new();
    let mut memories = Vec::new();
    for memory in 0..MEMORIES {
        let (engine, key) = made(own, (&tenant, memory)).await;
        for place in 0..CALLERS {
            let called = call(engine.clone(), key.clone(), (place, shared.clone()));
            callers.spawn(async move { (memory, called.await) });
        }
        memories.push((engine, key));
    }
    (memories, callers)
}

pub(crate) async fn five_seconds() {
    let turn = Turn::take().await;
    let own = turn.own();
    let shared = Shared {
        warm: Arc::new(Barrier::new(MEMORIES * CALLERS + 1)),
        stop: Arc::new(AtomicBool::new(false)),
    };
    let (memories, callers) = called(own, &shared).await;
    let warm = tokio::time::timeout(WARM_LIMIT, shared.warm.wait()).await;
    warm.expect("every caller gets its first answers");
    let bare = tokio::task::spawn_blocking({
        let (server, stop) = (own.server.clone(), shared.stop.clone());
        move || bare_answers(&server, &stop)
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    own.freeze();
    let frozen = Instant::now();
    newcomer(own).await;
    let (engine, key) = &memories[0];
    let asked = engine.retrieve(key, RetrieveRequest::new(Query::new("who is given up")));
    let given_up = tokio::time::timeout(Duration::from_secs(1), asked).await;
    assert!(given_up.is_err(), "a frozen server has answered");
    tokio::time::sleep(PAUSE.saturating_sub(frozen.elapsed())).await;
    let thawing = Instant::now();
    own.thaw();
    // Somewhere in between the server went on; starting and ending a program is no part of it.
    let thawed = Instant::now();
    tokio::time::sleep(Duration::from_secs(1)).await;
    shared.stop.store(true, Ordering::SeqCst);
    let mut sums = [(0, 0); MEMORIES];
    let mut first = Duration::MAX;
    let first_of = |answers: &[Instant]| {
        let after = answers.iter().find(|at| **at >= thawing);
        after.map_or(Duration::MAX, |at| at.saturating_duration_since(thawed))
    };
    for (memory, seen) in callers.join_all().await {
        sums[memory].0 += seen.deltas;
        sums[memory].1 += seen.retrievals;
        first = first.min(first_of(&seen.answers));
    }
    let bare = first_of(&bare.await.unwrap());
    assert!(
        first <= SOON.max(bare.saturating_mul(BARE_MAX)),
        "the first answer came {first:?} after the server went on, that to a bare statement {bare:?}"
    );
    for (place, (engine, key)) in memories.iter().enumerate() {
        let view = engine.view(key).await.unwrap().unwrap();
        let (deltas, retrievals) = (sums[place].0 + 1, view.clock - view.revision);
        // The one that was given up may have been carried out, and then once.
        let given_up = retrievals - sums[place].1;
        assert!(
            given_up <= u64::from(place == 0),
            "{given_up} retrievals too many"
        );
        assert_eq!(
            view.bullets.iter().map(|b| b.counts.helpful).sum::<u64>(),
            sums[place].0
        );
        gap_free(engine, key, (deltas, retrievals)).await;
    }
    println!(
        "the server stood still for {PAUSE:?}; the first answer came {first:?} after it went on"
    );
}

/// The times of the answers to a bare statement, asked again and again.
fn bare_answers(server: &Server, stop: &AtomicBool) -> Vec<Instant> {
    let mut answers = Vec::new();
    while !stop.load(Ordering::SeqCst) {
        run(server, "RETURN 1");
        answers.push(Instant::now());
    }
    answers
}

/// A client that connects to a frozen server gets an error in time.
async fn newcomer(own: &OwnServer) {
    let mut options = own.server.options();
    options.connect_timeout_ms = 1_000;
    let started = Instant::now();
    let error = Neo4jStore::connect(options).await.map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    assert!(started.elapsed() < PAUSE);
}
