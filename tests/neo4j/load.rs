//! Eight processes on one hot memory: every event is counted once, and the rate is compared with a bare counter on the
//! same server.
//!
//! `HINDLORE_LOAD_SECONDS` is the length of the mixed load (20 when it is not set), and of all the
//! measured blocks of one kind together (4 then).

use std::env;
use std::iter::once;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hindlore::{Engine, MemoryView, RetrieveRequest};
use hindlore_contract::subject::fresh;
use hindlore_domain::memory::bullet::Counts;
use hindlore_domain::memory::delta::{
    Delta, DeltaId, NewBullet, Operation, PolicyChange, TagCounts,
};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_store::EventRecord;
use neo4rs::{ConfigBuilder, Graph, query};
use serde_json::json;
use tokio::task::JoinSet;

use crate::children::{Process, engine, together};
use crate::server::Server;

const PROCESSES: usize = 8;
const BULLETS: usize = 64;
/// Blocks that are measured of each kind, in turns with those of the others.
const BLOCKS: u64 = 2;

fn milliseconds(seconds: u64) -> u64 {
    let asked = env::var("HINDLORE_LOAD_SECONDS");
    asked.map_or(seconds, |n| n.parse().unwrap()) * 1_000
}

/// Retrieval records kept in the trials without compaction.
const ALL: u64 = 1 << 53;
/// Records kept in the trials with compaction; 10,000 is the default of a policy.
const FEW: u64 = 10_000;

/// A memory with bullets that all have some words of the question, and the number of retrieval records
/// that it keeps.
async fn hot_memory(engine: &Engine, records: u64) -> MemoryKey {
    let key = MemoryKey::new(&fresh("tenant"), "learner", "hot").unwrap();
    let fields = json!({ "retrieval_records": records });
    let fields = fields.as_object().unwrap().clone();
    let add = |number: usize| {
        Operation::Add(Box::new(NewBullet {
            content: format!(
                "rule {number}: retry call {} after {} seconds",
                number * 7919,
                number * 31
            ),
            ..NewBullet::default()
        }))
    };
    let first = Delta::new(
        DeltaId::parse("d_first").unwrap(),
        once(Operation::Policy(PolicyChange { fields }))
            .chain((0..BULLETS).map(add))
            .collect(),
    );
    engine.apply_delta(&key, first).await.unwrap();
    key
}

fn question(number: u64, top_k: usize) -> RetrieveRequest {
    RetrieveRequest::new(Query {
        top_k,
        ..Query::new(format!("when to retry call {}", number % 97 * 7919))
    })
}

/// In a process of its own: callers who retrieve one after the other for some milliseconds. Gives the
/// number of recorded retrievals, and the median and 99th percentile of their times in microseconds.
pub(crate) async fn retrieve(
    engine: &Engine,
    key: &MemoryKey,
    [callers, top_k, ms]: [u64; 3],
) -> Vec<u64> {
    let end = Instant::now() + Duration::from_millis(ms);
    let top_k = usize::try_from(top_k).unwrap();
    let mut tasks = JoinSet::new();
    for caller in 0..callers {
        let (engine, key) = (engine.clone(), key.clone());
        tasks.spawn(async move {
            let (mut number, mut times) = (caller * 1_000_003, Vec::new());
            while Instant::now() < end {
                let started = Instant::now();
                let answer = engine
                    .retrieve(&key, question(number, top_k))
                    .await
                    .unwrap();
                assert_eq!(answer.bullets.len(), top_k);
                assert!(answer.memories[0].tick > Some(answer.ranking.clock));
                times.push(u64::try_from(started.elapsed().as_micros()).unwrap());
                number += 1;
            }
            times
        });
    }
    let mut times = tasks.join_all().await.concat();
    times.sort_unstable();
    let at = |part: usize| times[times.len() * part / 100];
    vec![times.len() as u64, at(50), at(99)]
}

/// In a process of its own: deltas that another process sends, too, and retrievals. Gives the number of
/// deltas that were new, of retrievals that were recorded, and of votes of both kinds.
pub(crate) async fn mixed(engine: &Engine, key: &MemoryKey, name: &str, ms: u64) -> Vec<u64> {
    let end = Instant::now() + Duration::from_millis(ms);
    let view = engine.view(key).await.unwrap().unwrap();
    let ids: Arc<Vec<_>> = Arc::new(view.bullets.iter().map(|b| b.id).collect());
    // Two processes have the same name but for its last character, and send the same deltas.
    let pair = &name[..name.len() - 1];
    let mut tasks = JoinSet::new();
    for voter in 0..2 {
        let (engine, key, ids, pair) = (engine.clone(), key.clone(), ids.clone(), pair.to_owned());
        tasks.spawn(async move {
            let mut did = [0; 4];
            for number in 0.. {
                if Instant::now() >= end {
                    break;
                }
                let counts = TagCounts {
                    id: ids[number % ids.len()].into(),
                    helpful: i64::try_from(number % 3).unwrap(),
                    harmful: i64::try_from(number % 2).unwrap(),
                    neutral: 1,
                };
                let (helpful, harmful) = (number as u64 % 3, number as u64 % 2);
                let id = DeltaId::parse(&format!("d_{pair}_{voter}_{number}")).unwrap();
                let delta = Delta::new(id.clone(), vec![Operation::Tag(counts)]);
                let applied = engine.apply_delta(&key, delta).await.unwrap();
                assert_eq!(applied.receipt.delta, id);
                if !applied.repeated {
                    did = [did[0] + 1, 0, did[2] + helpful, did[3] + harmful];
                }
            }
            did
        });
    }
    for caller in 0..4 {
        let (engine, key) = (engine.clone(), key.clone());
        tasks.spawn(async move {
            let mut did = [0; 4];
            while Instant::now() < end {
                let asked = question(caller * 31 + did[1], 3);
                did[1] += u64::from(
                    engine
                        .retrieve(&key, asked)
                        .await
                        .unwrap()
                        .retrieval
                        .is_some(),
                );
            }
            did
        });
    }
    let did = tasks.join_all().await;
    (0..4)
        .map(|at| did.iter().map(|one| one[at]).sum())
        .collect()
}

fn names() -> Vec<String> {
    (0..PROCESSES)
        .map(|n| format!("p{}{}", n / 2, n % 2))
        .collect()
}

pub(crate) async fn counted_once(server: Server) {
    let checker = engine(&server, "checker").await;
    let key = hot_memory(&checker, ALL).await;
    let total = |view: &MemoryView, count: fn(&Counts) -> u64| -> u64 {
        view.bullets
            .iter()
            .map(|bullet| count(&bullet.counts))
            .sum()
    };
    // General advice is seeded with votes of its own.
    let before = checker.view(&key).await.unwrap().unwrap();
    let mut processes = Process::several(&server, &names(), &key);
    let length = milliseconds(20);
    let did = together(&mut processes, &format!("mixed {length}"));
    let sum = |at: usize| did.iter().map(|one| one[at]).sum::<u64>();
    let (deltas, retrievals) = (1 + sum(0), sum(1));
    assert!(did.iter().all(|one| one[1] > 0) && deltas > 8);
    drop(processes);
    let view = checker.view(&key).await.unwrap().unwrap();
    assert_eq!((view.revision, view.clock), (deltas, deltas + retrievals));
    let cast = |count| total(&view, count) - total(&before, count);
    assert_eq!(cast(|counts| counts.helpful), sum(2));
    assert_eq!(cast(|counts| counts.harmful), sum(3));
    assert_eq!(cast(|counts| counts.neutral), deltas - 1);
    gap_free(&checker, &key, (deltas, retrievals)).await;
    println!(
        "8 processes, deltas and retrievals: {deltas} deltas and {retrievals} retrievals in {length} ms, {} events/s",
        (deltas + retrievals) * 1_000 / length,
    );
}

/// Reads the whole history: ticks and revisions without gap, no id twice, and a replay that agrees.
pub(crate) async fn gap_free(engine: &Engine, key: &MemoryKey, (deltas, retrievals): (u64, u64)) {
    let (mut tick, mut revision) = (0, 0);
    let mut ids = std::collections::HashSet::new();
    loop {
        let events = engine.store().events(key, tick, 1_000).await.unwrap();
        if events.is_empty() {
            break;
        }
        for event in events {
            tick += 1;
            assert_eq!(event.tick(), tick, "a gap in the ticks");
            let id = match event {
                EventRecord::Delta(delta) => {
                    revision += 1;
                    assert_eq!(delta.revision, revision, "a gap in the revisions");
                    delta.id.to_string()
                }
                EventRecord::Retrieval(retrieval) => retrieval.id,
            };
            assert!(ids.insert(id), "an id twice");
        }
    }
    assert_eq!((tick, revision), (deltas + retrievals, deltas));
    let verified = engine.verify(key).await.unwrap();
    assert!(
        verified.differences.is_empty(),
        "{:?}",
        verified.differences
    );
}

/// The conditions of a comparison.
struct Shape {
    /// Callers of each process.
    callers: u64,
    /// Bullets of an answer.
    top_k: u64,
    /// On a memory that keeps few records, so that others are compacted all the time.
    compacts: bool,
}

const SHAPES: [Shape; 4] = [
    shape(16, 1, false),
    shape(16, 10, false),
    shape(1, 1, false),
    shape(16, 1, true),
];

const fn shape(callers: u64, top_k: u64, compacts: bool) -> Shape {
    Shape {
        callers,
        top_k,
        compacts,
    }
}

/// Retrievals of eight processes in turns with a bare counter of eight tasks: ten seconds, or forty with
/// `HINDLORE_LOAD_SECONDS=4`, which give figures worth keeping.
pub(crate) async fn speed(server: Server) {
    let maker = engine(&server, "maker").await;
    let keys = [hot_memory(&maker, ALL).await, hot_memory(&maker, FEW).await];
    let mut processes = keys
        .each_ref()
        .map(|key| Process::several(&server, &names(), key));
    let (bare, node) = bare(&server).await;
    let block = milliseconds(1) / BLOCKS;
    let mut load = |shape: &Shape, ms: u64| {
        let words = format!("retrieve {} {} {ms}", shape.callers, shape.top_k);
        let did = together(&mut processes[usize::from(shape.compacts)], &words);
        let events: u64 = did.iter().map(|one| one[0]).sum();
        let slowest = |at: usize| did.iter().map(|one| one[at]).max().unwrap();
        (events * 1_000 / ms, slowest(1), slowest(2))
    };
    // A fresh server, and a fresh connection, are slower than they will be.
    counter(&bare, &node, block).await;
    SHAPES.iter().for_each(|shape| _ = load(shape, block / 2));
    let mut counted = vec![counter(&bare, &node, block).await];
    let mut measured = [(0, 0, 0); SHAPES.len()];
    for _ in 0..BLOCKS {
        for (sum, shape) in measured.iter_mut().zip(&SHAPES) {
            let (events, p50, p99) = load(shape, block);
            *sum = (sum.0 + events, sum.1.max(p50), sum.2.max(p99));
            counted.push(counter(&bare, &node, block).await);
        }
    }
    let counted = counted.iter().sum::<u64>() / counted.len() as u64;
    println!("a bare counter, 8 tasks: {counted} events/s");
    let ratios = measured.iter().zip(&SHAPES).map(|((events, p50, p99), shape)| {
        let events = events / BLOCKS;
        let ratio = events as f64 / counted as f64;
        println!(
            "8 processes with {} callers each, top_k {}{}: {events} events/s, {ratio:.2} times the \
             counter; p50 {p50} µs, p99 {p99} µs",
            shape.callers,
            shape.top_k,
            if shape.compacts { ", old records compacted" } else { "" },
        );
        ratio
    });
    let ratios: Vec<f64> = ratios.collect();
    drop(processes);
    for key in &keys {
        let differences = maker.verify(key).await.unwrap().differences;
        assert!(differences.is_empty(), "{differences:?}");
    }
    assert!(ratios[0] > 1.0, "grouping is slower than no grouping");
}

/// The driver itself and the key of a node to count on.
async fn bare(server: &Server) -> (Graph, String) {
    let config = ConfigBuilder::new()
        .uri(server.uri.as_str())
        .user(server.user.as_str())
        .password(server.password.as_str())
        .db(server.database.as_str());
    let graph = Graph::connect(config.build().unwrap()).unwrap();
    let node = fresh("counter");
    let made = query("CREATE (:ContextScope {hindlore_key: $key, tenant: $key, n: 0})")
        .param("key", node.as_str());
    let mut rows = graph.execute(made).await.unwrap();
    while rows.next().await.unwrap().is_some() {}
    (graph, node)
}

/// Counts per second on one node, by eight tasks.
async fn counter(graph: &Graph, node: &str, ms: u64) -> u64 {
    let end = Instant::now() + Duration::from_millis(ms);
    let counted = Arc::new(AtomicU64::new(0));
    let mut tasks = JoinSet::new();
    for _ in 0..8 {
        let (graph, node, counted) = (graph.clone(), node.to_owned(), counted.clone());
        tasks.spawn(async move {
            while Instant::now() < end {
                let count = "MATCH (s:ContextScope {hindlore_key: $key}) SET s.n = s.n + 1";
                let mut rows = graph
                    .execute(query(count).param("key", node.as_str()))
                    .await
                    .unwrap();
                while rows.next().await.unwrap().is_some() {}
                counted.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    tasks.join_all().await;
    counted.load(Ordering::Relaxed) * 1_000 / ms
}
