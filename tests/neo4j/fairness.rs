//! No caller starves: a learner, or many memories, locked by another program do not slow down the others.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hindlore::lessons::StartRun;
use hindlore::{Engine, RetrieveRequest};
use hindlore_contract::subject::{fresh, order};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_store::MemoryStoreExt;
use serde_json::json;
use tokio::task::JoinSet;

use crate::children::engine;
use crate::erasing::{delta, delta_of};
use crate::http::Open;
use crate::outage::note;
use crate::proxy::{Fate, Kind, Message, Proxy};
use crate::server::Server;
use crate::together::text;

/// Writers that wait for one learner.
const WRITERS: usize = 40;
/// Memories that are locked at once.
const LOCKED: usize = 20;
/// Retrievals in a measurement.
const CALLS: usize = 200;

/// Seconds for which the lock is held.
fn held_for() -> Duration {
    let seconds = std::env::var("HINDLORE_TEST_LOCK_SECONDS");
    Duration::from_secs(seconds.map_or(5, |text| text.parse().unwrap()))
}

/// Retrieves at least `CALLS` times, and until `until`. No retrieval may wait as long as a lock is held; returns the 99th
/// percentile of their times.
async fn answered(engine: &Engine, key: &MemoryKey, until: Instant) -> Duration {
    let mut took = Vec::new();
    while took.len() < CALLS || Instant::now() < until {
        let asked = RetrieveRequest::new(Query::new("how do I retry a 429?"));
        let began = Instant::now();
        let answer = tokio::time::timeout(held_for(), engine.retrieve(key, asked)).await;
        answer.expect("a retrieval waits for a lock").unwrap();
        took.push(began.elapsed());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    took.sort_unstable();
    took[took.len() * 99 / 100]
}

pub(crate) async fn a_locked_learner(server: Server) {
    let tenant = fresh("tenant");
    let writer = engine(&server, "writer").await;
    let free = MemoryKey::new(&tenant, "ann", "scope").unwrap();
    let busy = LearnerId::new(&tenant, "busy").unwrap();
    writer
        .apply_delta(&free, note("d_1", "Retry a 429 with backoff and jitter."))
        .await
        .unwrap();
    let start = |number: usize| StartRun {
        id: Some(format!("r{number}")),
        ..StartRun::default()
    };
    writer.start_run(&busy, start(0)).await.unwrap();
    let quiet = answered(&writer, &free, Instant::now()).await;
    let hold = "MATCH (l:Learner {tenant: $tenant, id: 'busy'}) SET l.note = 1";
    let held = Open::begin(&server, hold, json!({"tenant": tenant}));
    let mut all = JoinSet::new();
    for number in 1..=WRITERS {
        let (writer, busy, run) = (writer.clone(), busy.clone(), start(number));
        all.spawn(async move { writer.start_run(&busy, run).await });
    }
    let under_lock = answered(&writer, &free, Instant::now() + held_for()).await;
    held.commit();
    while let Some(done) = all.join_next().await {
        done.unwrap().unwrap();
    }
    println!("p99 of retrievals: {under_lock:?} with locks, {quiet:?} without");
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
    let quiet = answered(&writer, &free, Instant::now()).await;
    let hold = "MATCH (s:ContextScope {tenant: $tenant}) WHERE s.learner <> $free SET s.note = 1";
    let asked = json!({"tenant": tenant, "free": free.learner()});
    let held = Open::begin(&server, hold, asked);
    let mut all = JoinSet::new();
    for number in 0..LOCKED {
        let (writer, key) = (writer.clone(), key(number));
        let asked = RetrieveRequest::new(Query::new("how do I retry a 429?"));
        all.spawn(async move { writer.retrieve(&key, asked).await.map(|_| ()) });
    }
    // For a moment the locked ones have the places; then they yield them.
    tokio::time::sleep(Duration::from_millis(600)).await;
    let under_lock = answered(&writer, &free, Instant::now() + held_for()).await;
    held.commit();
    while let Some(done) = all.join_next().await {
        done.unwrap().unwrap();
    }
    println!("p99 of retrievals: {under_lock:?} with locks, {quiet:?} without");
}

/// Bullets of the large memory.
const LARGE: u64 = 12_300;
/// Writes before each cold open; more follow during it.
const WRITES: usize = 100;
/// Cold opens while others write.
const OPENS: usize = 4;

/// Bullets of the large memory.
fn large() -> u64 {
    let bullets = std::env::var("HINDLORE_TEST_LARGE_BULLETS");
    bullets.map_or(LARGE, |text| text.parse().unwrap())
}

/// Bytes that a reader got while it held the lock of a memory, and in all.
#[derive(Default)]
struct UnderLock {
    locked_at: Option<u64>,
    most: u64,
    all: u64,
}

impl UnderLock {
    fn look(&mut self, message: &Message<'_>) {
        match message.kind {
            Kind::Run { .. } if message.has("SET s.lock = $memory") => {
                self.locked_at = Some(message.answered);
            }
            Kind::Commit | Kind::Rollback | Kind::Begin => {
                let locked_at = self.locked_at.take();
                let got = locked_at.map_or(0, |at| message.answered - at);
                self.most = self.most.max(got);
            }
            _ => {}
        }
        self.all = message.answered;
    }
}

/// An export by an engine that has just started blocks no writer, and is still exact: under the lock it reads only the
/// changes made meanwhile, never the whole memory.
pub(crate) async fn large_reads(server: Server) {
    let key = MemoryKey::new(&fresh("tenant"), "large", "scope").unwrap();
    let writer = engine(&server, "writer").await;
    let first = delta_of("d_0", 0..large());
    writer.apply_delta(&key, first).await.unwrap();
    let is_over = Arc::new(AtomicBool::new(false));
    let written = Arc::new(AtomicUsize::new(0));
    let mut writers = JoinSet::new();
    for number in 0..8 {
        let (writer, key, is_over) = (writer.clone(), key.clone(), is_over.clone());
        let written = written.clone();
        writers.spawn(async move {
            let mut own = 0_u64;
            while !is_over.load(Ordering::SeqCst) {
                own += 1;
                let text = format!("the note {own} of writer {number}");
                let one = note(&format!("w_{number}_{own}"), &text);
                writer.apply_delta(&key, one).await.unwrap();
                written.fetch_add(1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
    }
    let mut readers = Vec::new();
    for number in 0..OPENS {
        let before = written.load(Ordering::SeqCst);
        while written.load(Ordering::SeqCst) < before + WRITES {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let seen = Arc::new(Mutex::new(UnderLock::default()));
        let looking = seen.clone();
        let proxy = Proxy::start(&server, move |message: &Message<'_>| {
            looking.lock().unwrap().look(message);
            Fate::Pass
        });
        let proxy = proxy.await;
        let reader = engine(&proxy.seen(&server), &format!("reader {number}")).await;
        let view = reader.export(&key, true).await.unwrap().view.unwrap();
        assert!(view.bullets.len() as u64 >= large());
        let (most, all) = {
            let seen = seen.lock().unwrap();
            (seen.most, seen.all)
        };
        assert!(
            most > 0 && most * 10 < all,
            "{most} bytes of {all} were read under the lock"
        );
        readers.push(reader);
    }
    is_over.store(true, Ordering::SeqCst);
    while let Some(done) = writers.join_next().await {
        done.unwrap();
    }
    // The data read without the lock agree with the events.
    for reader in readers {
        let verified = Box::pin(reader.verify(&key)).await.unwrap();
        assert!(verified.is_sound, "{verified:?}");
    }
    let erased = order(key.tenant(), key.learner(), None);
    writer.store().erase(erased).await.unwrap();
}

/// Cold opens concurrent with writers: each sees one moment, whole, and no older than its start.
pub(crate) async fn exact_reads(server: Server) {
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let engines = [
        engine(&server, "one").await,
        engine(&server, "two").await,
        engine(&server, "three").await,
    ];
    engines[0]
        .apply_delta(&key, delta("d_0", 4_000))
        .await
        .unwrap();
    let enough = Arc::new(AtomicBool::new(false));
    let mut writers = JoinSet::new();
    for (number, engine) in engines.into_iter().enumerate() {
        for caller in 0..4 {
            let (engine, key, enough) = (engine.clone(), key.clone(), enough.clone());
            writers.spawn(async move {
                let mut written = Vec::new();
                while !enough.load(Ordering::Relaxed) {
                    let id = format!("d_{number}_{caller}_{}", written.len());
                    let delta = note(&id, &format!("the note {id} of {number} and {caller}"));
                    let receipt = engine.apply_delta(&key, delta).await.unwrap().receipt;
                    written.push((receipt.revision, receipt.content_digest));
                    // A touch moves bullets in the index that a read passes over.
                    let asked = RetrieveRequest::new(Query::new(text(written.len() as u64)));
                    engine.retrieve(&key, asked).await.unwrap();
                }
                written
            });
        }
    }
    let started = Instant::now();
    let mut seen = Vec::new();
    let mut least = 0;
    // A server that just started is slow: the trial continues until it has looked often, at many writes.
    while started.elapsed().as_secs() < 10 || seen.len() <= 5 || least <= 201 {
        let looks = seen.len();
        assert!(started.elapsed().as_secs() < 600, "{looks}, at {least}");
        let reader = engine(&server, "reader").await;
        let loaded = reader.store().load(&key).await.unwrap().unwrap();
        let ids: HashSet<_> = loaded.bullets.iter().map(|one| one.id).collect();
        assert_eq!(ids.len(), loaded.bullets.len(), "a bullet is there twice");
        let view = reader.view(&key).await.unwrap().unwrap();
        assert!(view.revision >= least, "{} after {least}", view.revision);
        least = view.revision;
        seen.push((view.revision, view.content_digest));
    }
    enough.store(true, Ordering::Relaxed);
    let mut written = HashMap::new();
    while let Some(some) = writers.join_next().await {
        written.extend(some.unwrap());
    }
    assert!(
        seen.len() > 5 && written.len() > 200,
        "{} of {}",
        seen.len(),
        written.len()
    );
    for (revision, digest) in seen {
        let expected = written.get(&revision);
        assert!(
            expected.is_none_or(|expected| *expected == digest),
            "revision {revision}"
        );
    }
}
