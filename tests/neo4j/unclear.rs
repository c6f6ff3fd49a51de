//! Missing answers, and failures reported for writes: a possible write is reported as such and nothing else, a question
//! as a question, and an abandoned transaction locks no other caller out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use hindlore::clock::SystemClock;
use hindlore::{Engine, EngineOptions, RetrieveRequest};
use hindlore_contract::subject::fresh;
use hindlore_domain::memory::bullet::Source;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_neo4j::Neo4jStore;
use hindlore_store::ErrorKind;
use serde_json::json;

use crate::children::engine as engine_on;
use crate::http::Open;
use crate::outage::{note, store_error};
use crate::proxy::{Fate, Kind, Proxy};
use crate::server::Server;

async fn hasty(server: &Server, (statement_ms, work_ms): (u64, u64)) -> Engine {
    let mut options = server.options();
    options.statement_timeout_ms = statement_ms;
    options.work_timeout_ms = work_ms;
    let store = Arc::new(Neo4jStore::connect(options).await.unwrap());
    Engine::new(store, Arc::new(SystemClock), EngineOptions::default())
}

/// A delta is carried out, its answer is lost, and from then on the server refuses every request.
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
        // Long enough for a busy machine to answer the requests that are not refused.
        let engine = hasty(&proxy.seen(&server), (5_000, 5_000)).await;
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
        if now.load(Ordering::SeqCst) && is_question {
            Fate::CutAfter
        } else {
            Fate::Pass
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

/// An instance gives up while another holds the memory. Its statements are still in the server's queue and get the lock
/// later, when no caller waits for them any more.
pub(crate) async fn a_late_lock_is_let_go(server: Server) {
    let writer = engine_on(&server, "writer").await;
    let impatient = hasty(&server, (700, 2_500)).await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    impatient
        .apply_delta(&key, note("d_1", "a lock may come too late"))
        .await
        .unwrap();
    writer.view(&key).await.unwrap();
    let hold = "MATCH (s:ContextScope {tenant: $tenant}) SET s.lock = s.hindlore_key";
    let held = Open::begin(&server, hold, json!({"tenant": key.tenant()}));
    let late = impatient
        .apply_delta(&key, note("d_2", "this one comes too late"))
        .await;
    store_error(late.unwrap_err());
    held.commit();
    // The instance sends nothing more by itself; all others continue at once.
    let started = Instant::now();
    writer
        .apply_delta(&key, note("d_3", "somebody else goes on"))
        .await
        .unwrap();
    let took = started.elapsed();
    assert!(took < Duration::from_secs(5), "locked out for {took:?}");
}

/// Failures that a server may report for a transaction that it has written.
const DENIALS: [&str; 6] = [
    "Neo.DatabaseError.Transaction.TransactionCommitFailed",
    "Neo.TransientError.Cluster.ReplicationFailure",
    "Neo.DatabaseError.General.UnknownError",
    "Neo.ClientError.Cluster.NotALeader",
    "Neo.ClientError.Transaction.TransactionTimedOut",
    "Neo.TransientError.General.OutOfMemoryError",
];

/// An engine whose proxy denies the end of a write with `code`: in an explicit transaction, or in an auto-commit
/// statement; the first `times`, once it is armed. Afterwards everything is refused if `and_away` is set.
async fn denied(
    server: &Server,
    (code, is_explicit): (&'static str, bool),
    (times, and_away): (usize, bool),
) -> (Engine, Arc<AtomicBool>, Arc<AtomicUsize>) {
    let armed = Arc::new(AtomicBool::new(false));
    let denials = Arc::new(AtomicUsize::new(0));
    let (now, count) = (armed.clone(), denials.clone());
    let proxy = Proxy::start(server, move |message| {
        let is_end = if is_explicit {
            message.kind == Kind::Commit
        } else {
            message.kind != Kind::Commit && message.ends_a_write()
        };
        let had = count.load(Ordering::SeqCst);
        match message.kind {
            _ if !now.load(Ordering::SeqCst) => Fate::Pass,
            Kind::Begin | Kind::Run { .. } if and_away && had >= times => {
                Fate::Refuse("Neo.TransientError.General.DatabaseUnavailable")
            }
            // The attempt ahead of the lock is lost on its way, so that the lock is taken.
            Kind::Run { alone: true } if is_explicit && message.ends_a_write() => Fate::CutBefore,
            _ if is_end && had < times => {
                count.fetch_add(1, Ordering::SeqCst);
                Fate::Deny(code)
            }
            _ => Fate::Pass,
        }
    })
    .await;
    let engine = hasty(&proxy.seen(server), (4_000, 6_000)).await;
    (engine, armed, denials)
}

/// The server writes a delta but reports a failure: the delta is there once, and its receipt is the answer.
pub(crate) async fn a_denied_commit_is_looked_for(server: Server) {
    for (code, is_explicit) in DENIALS
        .into_iter()
        .flat_map(|code| [(code, true), (code, false)])
    {
        let (engine, armed, denials) = denied(&server, (code, is_explicit), (1, false)).await;
        let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
        let first = note("d_1", "before the server said no");
        engine.apply_delta(&key, first).await.unwrap();
        armed.store(true, Ordering::SeqCst);
        let delta = note("d_2", "this was written, and the server said no");
        let applied = engine.apply_delta(&key, delta).await;
        let applied = applied.unwrap_or_else(|error| panic!("`{code}` {is_explicit}: {error}"));
        armed.store(false, Ordering::SeqCst);
        assert_eq!(denials.load(Ordering::SeqCst), 1, "`{code}` {is_explicit}");
        assert_eq!(applied.receipt.revision, 2);
        let another = engine_on(&server, "another").await;
        let seen = another.view(&key).await.unwrap().unwrap();
        let own = seen.bullets.iter().filter(|one| one.source != Source::Seed);
        assert_eq!(
            (seen.revision, own.count()),
            (2, 2),
            "`{code}` {is_explicit}"
        );
    }
}

/// As above, with a server that is away afterwards: the outcome is unknown, and no error claims that nothing was
/// written.
pub(crate) async fn a_denied_commit_is_unknown(server: Server) {
    for (code, is_explicit) in DENIALS
        .into_iter()
        .flat_map(|code| [(code, true), (code, false)])
    {
        let (engine, armed, denials) = denied(&server, (code, is_explicit), (1, true)).await;
        let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
        let first = note("d_1", "before the server said no and went away");
        engine.apply_delta(&key, first).await.unwrap();
        armed.store(true, Ordering::SeqCst);
        let delta = note("d_2", "this was written, and nobody could ask");
        let error = store_error(engine.apply_delta(&key, delta.clone()).await.unwrap_err());
        assert_eq!(error.kind(), ErrorKind::UnknownOutcome, "{error}");
        assert!(
            !error.to_string().contains("nothing was written"),
            "{error}"
        );
        assert_eq!(denials.load(Ordering::SeqCst), 1, "`{code}` {is_explicit}");
        armed.store(false, Ordering::SeqCst);
        let applied = engine.apply_delta(&key, delta).await.unwrap();
        assert!(
            applied.repeated,
            "it was there after `{code}` {is_explicit}"
        );
        assert_eq!(engine.view(&key).await.unwrap().unwrap().revision, 2);
    }
}

/// A retrieval is written, and the server denies it once or every time: it is counted once, and found by its receipt.
pub(crate) async fn a_denied_touch_is_counted_once(server: Server) {
    for times in [1, usize::MAX] {
        let (engine, armed, denials) = denied(&server, (DENIALS[0], false), (times, false)).await;
        let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
        let first = note("d_1", "a note that is asked for");
        engine.apply_delta(&key, first).await.unwrap();
        armed.store(true, Ordering::SeqCst);
        let asked = RetrieveRequest::new(Query::new("note"));
        let answer = engine.retrieve(&key, asked).await.unwrap();
        armed.store(false, Ordering::SeqCst);
        assert!((1..=3).contains(&denials.load(Ordering::SeqCst)));
        assert_eq!(answer.bullets.len(), 1);
        let another = engine_on(&server, "another").await;
        let seen = another.view(&key).await.unwrap().unwrap();
        assert_eq!((seen.revision, seen.clock), (1, 2));
    }
}
