//! A process that answers before it records is killed: missing records were answered within the window, and no clock
//! value that was shown is given again.

use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hindlore::clock::SystemClock;
use hindlore::{Durability, Engine, EngineOptions, RetrieveRequest};
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use tempfile::TempDir;

const FILE: &str = "HINDLORE_GROUPED_FILE";
const WINDOW: Duration = Duration::from_millis(100);
/// Maximum time of a write on a machine that has other work.
const SLACK: Duration = Duration::from_secs(2);

fn key() -> MemoryKey {
    MemoryKey::new("t", "l", "s").unwrap()
}

fn engine(path: &Path, durability: Durability) -> Engine {
    let store = EmbeddedStore::open(path, EmbeddedOptions::default()).unwrap();
    let options = EngineOptions {
        durability,
        ..EngineOptions::default()
    };
    Engine::new(Arc::new(store), Arc::new(SystemClock), options)
}

fn now_ms() -> u128 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_millis()
}

fn question() -> RetrieveRequest {
    RetrieveRequest::new(Query::new("when to retry a call"))
}

/// Retrieves without end; prints of each answer its id, the clock that it showed, and the time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "is what the other test of this file starts as another process"]
async fn as_a_process_to_kill() {
    let Some(path) = std::env::var_os(FILE).map(PathBuf::from) else {
        return;
    };
    let engine = engine(&path, Durability::Grouped { window: WINDOW });
    loop {
        let answer = engine.retrieve(&key(), question()).await.unwrap();
        let (id, clock) = (answer.retrieval.unwrap(), answer.ranking.clock);
        println!("answered {id} {clock} {}", now_ms());
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

#[tokio::test]
async fn a_killed_process_loses_at_most_its_window() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("memory.db");
    let checker = engine(&path, Durability::Durable);
    let bullet = NewBullet {
        content: "retry a call after two seconds".to_owned(),
        ..NewBullet::default()
    };
    let add = Operation::Add(Box::new(bullet));
    let delta = Delta::new(DeltaId::parse("d_1").unwrap(), vec![add]);
    checker.apply_delta(&key(), delta).await.unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "faults::grouped::as_a_process_to_kill",
            "--ignored",
            "--nocapture",
        ])
        .env(FILE, &path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut answered: Vec<(String, u64, u128)> = Vec::new();
    let mut read = |answered: &mut Vec<_>| -> bool {
        let Some(Ok(line)) = lines.next() else {
            return false;
        };
        // The last line of a killed process may be half a line.
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["answered", id, clock, at] = words[words.len().saturating_sub(4)..] {
            answered.push((id.to_owned(), clock.parse().unwrap(), at.parse().unwrap()));
        }
        true
    };
    let started = now_ms();
    while now_ms() < started + 4_000 {
        assert!(read(&mut answered), "the process ended by itself");
    }
    child.kill().unwrap();
    let killed = now_ms();
    child.wait().unwrap();
    while read(&mut answered) {}
    let clock = checker.view(&key()).await.unwrap().unwrap().clock;
    let records = checker.store().retrievals(&key(), None, 1 << 20).await;
    let records: HashSet<String> = records.unwrap().into_iter().map(|one| one.id).collect();
    assert_eq!(clock, 1 + records.len() as u64, "a gap in the ticks");
    let lost: Vec<_> = answered
        .iter()
        .filter(|(id, ..)| !records.contains(id))
        .collect();
    assert!(lost.len() < answered.len() / 2, "{} lost", lost.len());
    let earliest = killed - (WINDOW + SLACK).as_millis();
    for (id, _, at) in &lost {
        assert!(*at > earliest, "{id} was lost {} ms later", killed - at);
    }
    assert!(answered.iter().all(|(_, shown, _)| *shown <= clock));
    let differences = checker.verify(&key()).await.unwrap().differences;
    assert!(differences.is_empty(), "{differences:?}");
    let next = checker.retrieve(&key(), question()).await.unwrap();
    assert_eq!(next.memories[0].tick, Some(clock + 1));
    println!(
        "{} answers, {} lost with the process",
        answered.len(),
        lost.len()
    );
}
