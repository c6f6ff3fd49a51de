//! Four processes with engines of their own on one file: every event is counted once.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hindlore::clock::SystemClock;
use hindlore::{Engine, EngineOptions, RetrieveRequest};
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::query::Query;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use hindlore_store::{EventRecord, HistoryStore, MemoryStore};
use tempfile::TempDir;

const FILE: &str = "HINDLORE_TEST_FILE";
const NAME: &str = "HINDLORE_TEST_NAME";
const SECONDS: &str = "HINDLORE_PROCESS_SECONDS";
const PROCESSES: usize = 4;
const SHARED: &str = "all processes vote for this one sentence about retries and backoff";

fn key() -> MemoryKey {
    MemoryKey::new("t", "l", "s").unwrap()
}

fn engine(path: &Path, instance: &str) -> Engine {
    let store = EmbeddedStore::open(path, EmbeddedOptions::default()).unwrap();
    // A fast machine makes more records than are kept otherwise; here every event is counted one by one.
    let policy = Policy {
        retrieval_records: 1_000_000,
        ..Policy::default()
    };
    let options = EngineOptions {
        instance: instance.to_owned(),
        policy,
        ..EngineOptions::default()
    };
    Engine::new(Arc::new(store), Arc::new(SystemClock), options)
}

fn seconds() -> u64 {
    std::env::var(SECONDS).map_or(10, |n| n.parse().unwrap())
}

fn vote(name: &str, number: u64) -> Delta {
    let add = |content: String, helpful| {
        Operation::Add(Box::new(NewBullet {
            content,
            helpful,
            ..NewBullet::default()
        }))
    };
    let own = format!("{name} wrote note {number} about topic {}", number * 7919);
    let id = DeltaId::parse(&format!("d-{name}-{number}")).unwrap();
    Delta::new(id, vec![add(SHARED.to_owned(), 1), add(own, 0)])
}

/// One process: mixed retrievals and deltas, some at once, for the given time. Prints its results.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "is what the other test of this file starts as another process"]
async fn as_another_process() {
    let Some(path) = std::env::var_os(FILE).map(PathBuf::from) else {
        return;
    };
    let name = std::env::var(NAME).unwrap();
    let engine = engine(&path, &name);
    let end = Instant::now() + Duration::from_secs(seconds());
    let (mut deltas, mut retrievals) = (0_u64, 0_u64);
    let memory = key();
    while Instant::now() < end {
        let request = || {
            RetrieveRequest::new(Query {
                top_k: 3,
                ..Query::new("retries and backoff note")
            })
        };
        let (applied, one, two) = tokio::join!(
            engine.apply_delta(&memory, vote(&name, deltas)),
            async { engine.retrieve(&memory, request()).await },
            async { engine.retrieve(&memory, request()).await },
        );
        assert!(!applied.unwrap().repeated);
        deltas += 1;
        retrievals += [one, two]
            .into_iter()
            .filter(|r| r.as_ref().unwrap().retrieval.is_some())
            .count() as u64;
    }
    println!("did {deltas} {retrievals}");
}

#[tokio::test]
async fn four_processes_on_one_file_count_every_event_once() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("memory.db");
    let children: Vec<_> = (0..PROCESSES)
        .map(|n| {
            Command::new(std::env::current_exe().unwrap())
                .args([
                    "--exact",
                    "faults::processes::as_another_process",
                    "--ignored",
                    "--nocapture",
                ])
                .env(FILE, &path)
                .env(NAME, format!("p{n}"))
                .stdout(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let (mut deltas, mut retrievals) = (0, 0);
    for child in children {
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let did = text.lines().find_map(|line| line.split("did ").nth(1));
        let numbers: Vec<u64> = did
            .expect(&text)
            .split_whitespace()
            .map(|n| n.parse().unwrap())
            .collect();
        deltas += numbers[0];
        retrievals += numbers[1];
    }
    assert!(deltas > PROCESSES as u64 && retrievals > 0);
    check(&engine(&path, "check"), deltas, retrievals).await;
    println!(
        "{deltas} deltas and {retrievals} retrievals in {} s",
        seconds()
    );
}

async fn check(engine: &Engine, deltas: u64, retrievals: u64) {
    let head = MemoryStore::head(&**engine.store(), &key())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(head.position.revision, deltas);
    assert_eq!(head.position.clock, deltas + retrievals);
    let (mut tick, mut revision) = (0, 0);
    loop {
        let events = HistoryStore::events(&**engine.store(), &key(), tick, 1_000)
            .await
            .unwrap();
        if events.is_empty() {
            break;
        }
        for event in events {
            tick += 1;
            assert_eq!(event.tick(), tick, "a gap in the ticks");
            if let EventRecord::Delta(delta) = event {
                revision += 1;
                assert_eq!(delta.revision, revision, "a gap in the revisions");
            }
        }
    }
    assert_eq!((tick, revision), (deltas + retrievals, deltas));
    let view = engine.view(&key()).await.unwrap().unwrap();
    let shared = view
        .bullets
        .iter()
        .find(|b| b.content.as_str() == SHARED)
        .unwrap();
    assert_eq!(shared.counts.helpful, deltas);
    let replayed = engine.replay(&key()).await.unwrap();
    assert_eq!(replayed.mismatches, []);
    let mut memory = replayed.memory;
    assert_eq!(memory.digest(), view.digest);
}
