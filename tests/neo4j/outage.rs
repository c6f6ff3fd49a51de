//! Servers that go away, refuse to write, or cannot write: the message reports it, no client storms the server with
//! attempts, and no delta is lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hindlore::clock::SystemClock;
use hindlore::{Engine, EngineError, EngineOptions, RetrieveRequest};
use hindlore_contract::subject::fresh;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_neo4j::Neo4jStore;
use hindlore_store::{ErrorKind, StoreError};
use tokio::task::JoinSet;

use crate::children::engine as engine_on;
use crate::own::Turn;
use crate::proxy::{Fate, Kind, Message, Proxy};
use crate::server::Server;

const MEMORIES: u64 = 16;
/// Callers of each memory.
const CALLERS: u64 = 4;
/// How long a unit of work may take.
const WORK_MS: u64 = 2_000;
/// Attempts to connect in each second that a store may make, however many wait for it.
const ATTEMPTS_PER_SECOND: f64 = 8.0;
/// Messages that a delta and a retrieval may take until both know that they are refused.
const REFUSED_MESSAGES: usize = 24;

async fn hasty(server: &Server) -> Engine {
    let mut options = server.options();
    options.work_timeout_ms = WORK_MS;
    let store = Arc::new(Neo4jStore::connect(options).await.unwrap());
    Engine::new(store, Arc::new(SystemClock), EngineOptions::default())
}

pub(crate) fn note(id: &str, text: &str) -> Delta {
    let add = NewBullet {
        content: text.to_owned(),
        helpful: 1,
        ..NewBullet::default()
    };
    let id = DeltaId::parse(id).unwrap();
    Delta::new(id, vec![Operation::Add(Box::new(add))])
}

pub(crate) fn store_error(error: EngineError) -> StoreError {
    match error {
        EngineError::Store(error) => error,
        other => panic!("{other}"),
    }
}

/// The server goes away while everybody writes, stays away for longer than a unit of work may take, and
/// comes back.
pub(crate) async fn stopped_in_between(server: Server) {
    let proxy = Proxy::start(&server, |_| Fate::Pass).await;
    let engine = hasty(&proxy.seen(&server)).await;
    let tenant = fresh("tenant");
    let keys: Vec<MemoryKey> = (0..MEMORIES)
        .map(|n| MemoryKey::new(&tenant, &format!("learner {n}"), "scope").unwrap())
        .collect();
    for key in &keys {
        engine
            .apply_delta(key, note("d_made", "before the server went away"))
            .await
            .unwrap();
    }
    let stop = Arc::new(AtomicBool::new(false));
    let mut callers = JoinSet::new();
    for key in &keys {
        for caller in 0..CALLERS {
            let (engine, key, stop) = (engine.clone(), key.clone(), stop.clone());
            callers.spawn(async move { write_on(&engine, &key, (caller, &stop)).await });
        }
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    proxy.go_down();
    let (before, down) = (proxy.connections(), Instant::now());
    tokio::time::sleep(Duration::from_millis(WORK_MS * 5 / 2)).await;
    let (attempts, seconds) = (proxy.connections() - before, down.elapsed().as_secs_f64());
    let waiting = engine
        .retrieve(&keys[0], RetrieveRequest::new(Query::new("server")))
        .await;
    let error = store_error(waiting.unwrap_err());
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    assert!(error.to_string().contains("cannot be reached"), "{error}");
    proxy.come_back();
    tokio::time::sleep(Duration::from_millis(300)).await;
    stop.store(true, Ordering::SeqCst);
    let (mut failures, mut written) = (Vec::new(), 0);
    for (count, errors) in callers.join_all().await {
        written += count;
        failures.extend(errors);
    }
    assert!(
        !failures.is_empty(),
        "nobody noticed that the server was away"
    );
    for error in &failures {
        let kinds = [ErrorKind::Unavailable, ErrorKind::UnknownOutcome];
        assert!(kinds.contains(&error.kind()), "{error}");
        assert!(error.to_string().contains("127.0.0.1"), "{error}");
    }
    // Each active caller notices once, and once more; from then on one tries for all.
    let limit = usize::try_from(MEMORIES).unwrap() * 3 + (seconds * ATTEMPTS_PER_SECOND) as usize;
    assert!(
        attempts <= limit,
        "{attempts} connections in {seconds:.1} s, more than {limit}"
    );
    let found = deltas_of(&engine_on(&server, "direct").await, &keys).await;
    assert_eq!(found, written, "a delta was lost or applied twice");
    println!(
        "{} callers, {seconds:.1} s without a server: {attempts} attempts to connect, {} failures told, \
         {written} deltas written once",
        MEMORIES * CALLERS,
        failures.len(),
    );
}

/// Counts the deltas of sound memories, their first ones apart.
async fn deltas_of(engine: &Engine, keys: &[MemoryKey]) -> u64 {
    let mut found = 0;
    for key in keys {
        found += engine.view(key).await.unwrap().unwrap().revision - 1;
        let differences = engine.verify(key).await.unwrap().differences;
        assert!(differences.is_empty(), "{differences:?}");
    }
    found
}

/// Writes until stopped; a failed delta is sent again under its id. Gives the number of deltas and the errors.
async fn write_on(
    engine: &Engine,
    key: &MemoryKey,
    (caller, stop): (u64, &AtomicBool),
) -> (u64, Vec<StoreError>) {
    let mut errors = Vec::new();
    for number in 0.. {
        if stop.load(Ordering::SeqCst) {
            return (number, errors);
        }
        let delta = note(
            &format!("d_{caller}_{number}"),
            "every caller writes this note",
        );
        while let Err(error) = engine.apply_delta(key, delta.clone()).await {
            errors.push(store_error(error));
        }
    }
    (0, errors)
}

/// A refusal by the server is reported at once, by its kind, and is not retried: whether it comes before the statement
/// is begun, or while it runs, which is when the server sends most refusals.
pub(crate) async fn refusals_are_final(server: Server) {
    const CASES: [(&str, ErrorKind, &str); 5] = [
        // It may be others who need so much, so that this is tried three times.
        (
            "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
            ErrorKind::Busy,
            "too little memory",
        ),
        (
            "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase",
            ErrorKind::ReadOnly,
            "may only be read",
        ),
        (
            "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase",
            ErrorKind::ReadOnly,
            "may only be read",
        ),
        (
            "Neo.ClientError.Security.Forbidden",
            ErrorKind::Unavailable,
            "rights",
        ),
        (
            "Neo.DatabaseError.Statement.ExecutionFailed",
            ErrorKind::Unexpected,
            "nothing was written",
        ),
    ];
    for (code, kind, word) in CASES {
        // The driver itself retries these for single statements: for a second, with pauses that double.
        let is_repeated = code.contains("Transient") || code.contains("ForbiddenOnReadOnly");
        let most = if is_repeated { 72 } else { REFUSED_MESSAGES };
        // Then the time of the request ahead of the lock is up, and its outcome is unknown.
        let told = if code.contains("Transient") {
            [(ErrorKind::UnknownOutcome, code), (kind, word)]
        } else {
            [(kind, word); 2]
        };
        let begun = |message: &Message<'_>| matches!(message.kind, Kind::Run { .. });
        let messages = refused(&server, (code, begun), told).await;
        assert!(
            messages <= most,
            "{messages} messages after `{code}` at once"
        );
        let carried_out = |message: &Message<'_>| message.kind == Kind::Pull;
        let messages = refused(&server, (code, carried_out), told).await;
        assert!(
            messages <= most,
            "{messages} messages after `{code}` while carried out"
        );
    }
}

/// Has all messages of a kind refused with a code; a delta and a retrieval must each report it by a kind and a word.
/// Gives the number of messages. Afterwards the delta is applied.
async fn refused(
    server: &Server,
    (code, is_refused): (&'static str, fn(&Message<'_>) -> bool),
    [of_delta, of_retrieval]: [(ErrorKind, &str); 2],
) -> usize {
    let refuses = Arc::new(AtomicBool::new(false));
    let now = refuses.clone();
    let plan = move |message: &Message<'_>| {
        if is_refused(message) && now.load(Ordering::SeqCst) {
            Fate::Refuse(code)
        } else {
            Fate::Pass
        }
    };
    let proxy = Proxy::start(server, plan).await;
    let engine = engine_on(&proxy.seen(server), "refused").await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let first = note("d_1", "before the refusal");
    engine.apply_delta(&key, first).await.unwrap();
    refuses.store(true, Ordering::SeqCst);
    let before = proxy.messages();
    let delta = note("d_2", "this is refused at first");
    let error = store_error(engine.apply_delta(&key, delta.clone()).await.unwrap_err());
    assert_eq!(error.kind(), of_delta.0, "{error}");
    assert!(error.to_string().contains(of_delta.1), "{error}");
    let asked = RetrieveRequest::new(Query::new("refusal"));
    let error = store_error(engine.retrieve(&key, asked).await.unwrap_err());
    assert_eq!(error.kind(), of_retrieval.0, "{error}");
    let messages = proxy.messages() - before;
    refuses.store(false, Ordering::SeqCst);
    let applied = engine.apply_delta(&key, delta).await.unwrap();
    assert!(!applied.repeated);
    assert_eq!(engine.view(&key).await.unwrap().unwrap().revision, 2);
    messages
}

/// A read-only database can be read, and reports its state on a write.
pub(crate) async fn read_only() {
    let turn = Turn::take().await;
    let own = turn.own();
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let (proxy, _) = Proxy::counting(&own.server).await;
    let seen = proxy.seen(&own.server);
    let writer = engine_on(&seen, "writer").await;
    writer
        .apply_delta(&key, note("d_1", "a database may be closed to writers"))
        .await
        .unwrap();
    let before = writer.view(&key).await.unwrap().unwrap();
    own.kill();
    own.start(true).await;
    // The engine that knew it before, and one that meets it now.
    for engine in [writer, engine_on(&seen, "reader").await] {
        let peek = RetrieveRequest::peek(Query::new("closed database"));
        assert_eq!(
            engine.retrieve(&key, peek).await.unwrap().bullets.len(),
            before.bullets.len().min(10)
        );
        assert_eq!(
            engine.view(&key).await.unwrap().unwrap().digest,
            before.digest
        );
        let before_refusal = proxy.messages();
        let refused = engine
            .apply_delta(&key, note("d_2", "this cannot be written"))
            .await;
        let error = store_error(refused.unwrap_err());
        assert_eq!(error.kind(), ErrorKind::ReadOnly, "{error}");
        assert!(error.to_string().contains("may only be read"), "{error}");
        let messages = proxy.messages() - before_refusal;
        println!("{messages} messages until a write to a closed database was refused");
        assert!(
            messages <= REFUSED_MESSAGES / 2,
            "it was asked for again: {messages} messages"
        );
    }
    // The next user of the server restarts it, open to writers.
    own.kill();
}
