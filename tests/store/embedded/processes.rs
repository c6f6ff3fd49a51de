//! Several processes on one file.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Barrier};
use std::thread;

use hindlore_contract::subject::{batch, fresh, retrieval};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{MaintenanceStore, MemoryStore, MemoryStoreExt, TouchOutcome};
use hindlore_testkit::TemporaryStore;
use rusqlite::Connection;

use super::{open, subject_on};

const FILE: &str = "HINDLORE_TEST_FILE";
const KEY: &str = "HINDLORE_TEST_KEY";
const TIMES: &str = "HINDLORE_TEST_TIMES";

/// Starts this binary again to touch a memory; it prints each tick once it is on disk.
fn toucher(path: &Path, key: Option<&MemoryKey>, times: u32) -> Child {
    let names = key.map(|key| format!("{}\n{}\n{}", key.tenant(), key.learner(), key.scope()));
    Command::new(env::current_exe().unwrap())
        .args([
            "--exact",
            "embedded::processes::as_another_process",
            "--ignored",
            "--nocapture",
        ])
        .env(FILE, path)
        .env(KEY, names.unwrap_or_default())
        .env(TIMES, times.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The ticks that a process printed until it ended.
fn ticks(child: &mut Child) -> Vec<u64> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let numbers = lines.map_while(Result::ok).filter_map(|line| {
        let number = line.strip_prefix("tick ")?;
        number.parse().ok()
    });
    let numbers = numbers.collect();
    child.wait().unwrap();
    numbers
}

#[tokio::test]
#[ignore = "is what the other tests of this file start as another process"]
async fn as_another_process() {
    let Some(path) = env::var_os(FILE).map(PathBuf::from) else {
        return;
    };
    let store = open(&path).unwrap();
    let names = env::var(KEY).unwrap();
    let names: Vec<&str> = names.lines().collect();
    let [tenant, learner, scope] = names[..] else {
        return;
    };
    let key = MemoryKey::new(tenant, learner, scope).unwrap();
    let bullets = store.load(&key).await.unwrap().unwrap().bullets;
    println!();
    for _ in 0..env::var(TIMES).unwrap().parse::<u32>().unwrap() {
        let known = store.head(&key).await.unwrap().unwrap().position;
        let record = retrieval(&fresh("r"), &known, &bullets);
        match store
            .touch(&key, batch(&known, vec![record]))
            .await
            .unwrap()
        {
            TouchOutcome::Recorded { first_tick, .. } => println!("tick {first_tick}"),
            other => panic!("not recorded: {other:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_number_their_events_together() {
    let place = TemporaryStore::new().unwrap();
    let path = place.path();
    let subject = subject_on(&path).await;
    let (key, seeded) = subject.seeded(&["one", "two"]).await;
    let mut others: Vec<Child> = (0..3).map(|_| toucher(&path, Some(&key), 40)).collect();
    let mut all = Vec::new();
    for round in 0..40 {
        let known = subject.position(&key).await;
        let record = retrieval(&format!("r_{round}"), &known, &seeded);
        match subject
            .store
            .touch(&key, batch(&known, vec![record]))
            .await
            .unwrap()
        {
            TouchOutcome::Recorded { first_tick, .. } => all.push(first_tick),
            other => panic!("not recorded: {other:?}"),
        }
    }
    for other in &mut others {
        all.extend(ticks(other));
    }
    all.sort_unstable();
    assert!(all.iter().copied().eq(1..=160), "{all:?}");
    assert_eq!(subject.position(&key).await.clock, 160);
    assert!(subject.store.check().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_survives_a_kill() {
    let place = TemporaryStore::new().unwrap();
    let path = place.path();
    let subject = subject_on(&path).await;
    let (key, _) = subject.seeded(&["one", "two"]).await;
    drop(subject);
    for _ in 0..3 {
        let mut other = toucher(&path, Some(&key), 1_000_000);
        let lines = BufReader::new(other.stdout.take().unwrap()).lines();
        let mut acknowledged = 0;
        for line in lines.map_while(Result::ok) {
            let Some(tick) = line.strip_prefix("tick ") else {
                continue;
            };
            acknowledged = tick.parse().unwrap();
            if acknowledged % 50 == 0 {
                other.kill().unwrap();
            }
        }
        other.wait().unwrap();
        assert!(acknowledged > 0);
        let store = open(&path).unwrap();
        let clock = store.head(&key).await.unwrap().unwrap().position.clock;
        assert!(clock >= acknowledged, "{clock} after {acknowledged}");
        assert!(store.check().await.unwrap().is_empty());
    }
}

#[test]
fn racing_openers_apply_each_migration_once() {
    for _ in 0..20 {
        let place = TemporaryStore::new().unwrap();
        let path = place.path();
        let mut processes: Vec<Child> = (0..2).map(|_| toucher(&path, None, 0)).collect();
        let start = Arc::new(Barrier::new(8));
        let openers = (0..8).map(|_| {
            let (path, start) = (path.clone(), Arc::clone(&start));
            thread::spawn(move || {
                start.wait();
                open(&path).map(|_| ()).map_err(|error| error.to_string())
            })
        });
        for opener in openers.collect::<Vec<_>>() {
            assert_eq!(opener.join().unwrap(), Ok(()));
        }
        for process in &mut processes {
            assert!(process.wait().unwrap().success());
        }
        let raw = Connection::open(&path).unwrap();
        let count = |sql: &str| raw.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
        let version = count("PRAGMA user_version");
        assert_eq!(count("SELECT count(*) FROM migrations"), version);
        assert!(version >= 1);
    }
}
