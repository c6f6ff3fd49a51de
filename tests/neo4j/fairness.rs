//! Nobody starves: a learner, or many memories, that another program has locked take nothing from the others.

use std::time::{Duration, Instant};

use mnemograph::domain::lesson::lesson::Owner;
use mnemograph::domain::memory::key::MemoryKey;
use mnemograph::domain::memory::query::Query;
use mnemograph::engine::lessons::StartRun;
use mnemograph::engine::{Engine, RetrieveRequest};
use mnemograph_contract::subject::fresh;
use serde_json::json;
use tokio::task::JoinSet;

use crate::children::engine;
use crate::http::Open;
use crate::outage::note;
use crate::server::Server;

/// Writers that wait for one learner.
const WRITERS: usize = 40;
/// Memories that are locked at once.
const LOCKED: usize = 20;
/// Retrievals in a measurement.
const CALLS: usize = 200;
/// A p99 of few retrievals on a busy machine: below this it is noise.
const NOISE: Duration = Duration::from_millis(60);

/// Seconds for which the lock is held.
fn held_for() -> Duration {
    let seconds = std::env::var("MNEMOGRAPH_TEST_LOCK_SECONDS").ok();
    let seconds = seconds.and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or(5))
}

/// The 99th percentile of retrievals; at least as many as `CALLS`, and until `until`.
async fn p99(engine: &Engine, key: &MemoryKey, until: Instant) -> Duration {
    let mut took = Vec::new();
    while took.len() < CALLS || Instant::now() < until {
        let asked = RetrieveRequest::new(Query::new("how do I retry a 429?"));
        let began = Instant::now();
        engine.retrieve(key, asked).await.unwrap();
        took.push(began.elapsed());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    took.sort_unstable();
    took[took.len() * 99 / 100]
}

fn within(busy: Duration, quiet: Duration) {
    let limit = (quiet * 2).max(NOISE);
    assert!(busy <= limit, "p99 {busy:?}, quiet {quiet:?}");
}

pub(crate) async fn a_locked_learner(server: Server) {
    let tenant = fresh("tenant");
    let writer = engine(&server, "writer").await;
    let free = MemoryKey::new(&tenant, "ann", "scope").unwrap();
    let busy = Owner::new(&tenant, "busy").unwrap();
    writer
        .apply_delta(&free, note("d_1", "Retry a 429 with backoff and jitter."))
        .await
        .unwrap();
    let start = |number: usize| StartRun {
        id: Some(format!("r{number}")),
        ..StartRun::default()
    };
    writer.start_run(&busy, start(0)).await.unwrap();
    let quiet = p99(&writer, &free, Instant::now()).await;
    let hold = "MATCH (l:Learner {tenant: $tenant, id: 'busy'}) SET l.note = 1";
    let held = Open::begin(&server, hold, json!({"tenant": tenant}));
    let mut all = JoinSet::new();
    for number in 1..=WRITERS {
        let (writer, busy, run) = (writer.clone(), busy.clone(), start(number));
        all.spawn(async move { writer.start_run(&busy, run).await });
    }
    let under_lock = p99(&writer, &free, Instant::now() + held_for()).await;
    held.commit();
    while let Some(done) = all.join_next().await {
        done.unwrap().unwrap();
    }
    within(under_lock, quiet);
}

pub(crate) async fn locked_memories(server: Server) {
    let tenant = fresh("tenant");
    let writer = engine(&server, "writer").await;
    let key = |number: usize| MemoryKey::new(&tenant, &format!("l{number}"), "scope").unwrap();
    for number in 0..=LOCKED {
        let first = note("d_1", "Retry a 429 with backoff and jitter.");
        writer.apply_delta(&key(number), first).await.unwrap();
    }
    let free = key(LOCKED);
    let quiet = p99(&writer, &free, Instant::now()).await;
    let hold = "MATCH (s:ContextScope {tenant: $tenant}) WHERE s.learner <> $free SET s.note = 1";
    let asked = json!({"tenant": tenant, "free": free.learner()});
    let held = Open::begin(&server, hold, asked);
    let mut all = JoinSet::new();
    for number in 0..LOCKED {
        let (writer, key) = (writer.clone(), key(number));
        let asked = RetrieveRequest::new(Query::new("how do I retry a 429?"));
        all.spawn(async move { writer.retrieve(&key, asked).await.map(|_| ()) });
    }
    // For a moment the locked ones have the places; then they stand aside.
    tokio::time::sleep(Duration::from_millis(600)).await;
    let under_lock = p99(&writer, &free, Instant::now() + held_for()).await;
    held.commit();
    while let Some(done) = all.join_next().await {
        done.unwrap().unwrap();
    }
    within(under_lock, quiet);
}
