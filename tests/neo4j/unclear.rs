//! Answers that do not come: what may have been written is told as that and nothing else, a question is told as a
//! question, and a transaction that nobody can end any more keeps nobody else out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use mnemograph::backend::neo4j::Neo4jStore;
use mnemograph::domain::memory::key::MemoryKey;
use mnemograph::engine::clock::SystemClock;
use mnemograph::engine::{Engine, EngineOptions};
use mnemograph::store::ErrorKind;
use serde_json::json;

use crate::children::engine as engine_on;
use crate::http::Open;
use crate::outage::{note, store_error};
use crate::proxy::{Fate, Kind, Proxy};
use crate::server::Server;
use crate::subject::fresh;

async fn hasty(server: &Server, (statement_ms, work_ms): (u64, u64)) -> Engine {
    let mut options = server.options();
    options.statement_timeout_ms = statement_ms;
    options.work_timeout_ms = work_ms;
    let store = Arc::new(Neo4jStore::connect(options).await.unwrap());
    Engine::new(store, Arc::new(SystemClock), EngineOptions::default())
}

/// A delta is carried out, its answer is lost, and from then on the server refuses whatever comes.
pub(crate) async fn refused_after_a_lost_answer(server: Server) {
    for code in [
        "Neo.TransientError.General.DatabaseUnavailable",
        "Neo.TransientError.Transaction.LockAcquisitionTimeout",
        "Neo.TransientError.General.OutOfMemoryError",
    ] {
        let armed = Arc::new(AtomicBool::new(false));
        let cuts = Arc::new(AtomicUsize::new(0));
        let (now, cut) = (armed.clone(), cuts.clone());
        let proxy = Proxy::start(&server, move |message| {
            let is_armed = now.load(Ordering::SeqCst);
            let has_cut = cut.load(Ordering::SeqCst) > 0;
            match message.kind {
                _ if !is_armed => Fate::Pass,
                _ if !has_cut && message.ends_a_write() => {
                    cut.fetch_add(1, Ordering::SeqCst);
                    Fate::CutAfter
                }
                Kind::Begin | Kind::Run { .. } if has_cut => Fate::Refuse(code),
                _ => Fate::Pass,
            }
        })
        .await;
        let engine = hasty(&proxy.seen(&server), (2_000, 2_000)).await;
        let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
        let first = note("d_1", "before the answer was lost");
        engine.apply_delta(&key, first).await.unwrap();
        armed.store(true, Ordering::SeqCst);
        let delta = note("d_2", "this was written and never confirmed");
        let error = store_error(engine.apply_delta(&key, delta.clone()).await.unwrap_err());
        assert_eq!(error.kind(), ErrorKind::UnknownOutcome, "{error}");
        assert!(error.to_string().contains(code), "{error}");
        assert_eq!(cuts.load(Ordering::SeqCst), 1);
        armed.store(false, Ordering::SeqCst);
        let applied = engine.apply_delta(&key, delta).await.unwrap();
        assert!(applied.repeated, "it was there after `{code}`");
        assert_eq!(engine.view(&key).await.unwrap().unwrap().revision, 2);
    }
}

/// The server takes questions and never answers them.
pub(crate) async fn an_unanswered_question(server: Server) {
    let armed = Arc::new(AtomicBool::new(false));
    let now = armed.clone();
    let proxy = Proxy::start(&server, move |message| {
        let is_question = matches!(message.kind, Kind::Run { alone: true });
        match now.load(Ordering::SeqCst) && is_question {
            true => Fate::CutAfter,
            false => Fate::Pass,
        }
    })
    .await;
    let engine = hasty(&proxy.seen(&server), (1_000, 1_000)).await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    engine
        .apply_delta(&key, note("d_1", "a question may be lost"))
        .await
        .unwrap();
    armed.store(true, Ordering::SeqCst);
    let error = store_error(engine.view(&key).await.unwrap_err());
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    assert!(!error.to_string().contains("write"), "{error}");
    let error = store_error(engine.memories(key.tenant(), None).await.unwrap_err());
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    armed.store(false, Ordering::SeqCst);
    assert!(engine.view(&key).await.unwrap().is_some());
}

/// An instance gives up while somebody else holds the memory. Its statements still stand in the server's queue and
/// get the lock later, when nobody waits for them any more.
pub(crate) async fn a_late_lock_is_let_go(server: Server) {
    let writer = engine_on(&server, "writer").await;
    let impatient = hasty(&server, (700, 2_500)).await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    impatient
        .apply_delta(&key, note("d_1", "a lock may come too late"))
        .await
        .unwrap();
    writer.view(&key).await.unwrap();
    let hold = "MATCH (s:ContextScope {tenant: $tenant}) SET s.lock = s.key";
    let held = Open::begin(&server, hold, json!({"tenant": key.tenant()}));
    let late = impatient
        .apply_delta(&key, note("d_2", "this one comes too late"))
        .await;
    store_error(late.unwrap_err());
    held.commit();
    // The instance asks nothing more by itself; everybody else goes on at once.
    let started = Instant::now();
    writer
        .apply_delta(&key, note("d_3", "somebody else goes on"))
        .await
        .unwrap();
    let took = started.elapsed();
    assert!(took < Duration::from_secs(5), "locked out for {took:?}");
}
