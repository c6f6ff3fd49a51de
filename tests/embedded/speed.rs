//! What one call costs. It asserts nothing: run it by hand, in release, on a quiet machine.

use std::time::{Duration, Instant};

use mnemograph::domain::memory::bullet::Bullet;
use mnemograph::store::TouchOutcome;
use rusqlite::{Connection, params};
use tempfile::TempDir;

use crate::subject::{Subject, batch, born, commit_of, creation, delta_on, retrieval};
use crate::subject_on;

fn report(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    println!(
        "{name}: p50 {:?}, p99 {:?} ({} times)",
        at(50),
        at(99),
        times.len()
    );
}

/// A file with the settings of the store and the rows of a touch, written without the store.
fn bare(folder: &TempDir) -> Connection {
    let raw = Connection::open(folder.path().join("bare.db")).unwrap();
    raw.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         CREATE TABLE memory (id INTEGER PRIMARY KEY, clock INTEGER);
         CREATE TABLE bullet (id INTEGER PRIMARY KEY, tick INTEGER, at INTEGER, content TEXT);
         CREATE TABLE record (id TEXT PRIMARY KEY, tick INTEGER UNIQUE, query TEXT);
         CREATE TABLE returned (tick INTEGER, rank INTEGER, bullet INTEGER, score REAL,
             PRIMARY KEY (tick, rank)) WITHOUT ROWID;
         CREATE INDEX changed ON bullet (tick);
         INSERT INTO memory VALUES (1, 0);",
    )
    .unwrap();
    raw.execute_batch("BEGIN").unwrap();
    for id in 0..10_000 {
        let content = format!("bullet number {id}: {}", "words ".repeat(20));
        raw.execute(
            "INSERT INTO bullet VALUES (?1, 0, 0, ?2)",
            params![id, content],
        )
        .unwrap();
    }
    raw.execute_batch("COMMIT").unwrap();
    raw
}

/// The rows of one touch in a bare transaction.
fn bare_touch(raw: &Connection, tick: usize) -> Duration {
    let run = |sql: &str, params: &[&dyn rusqlite::ToSql]| {
        raw.prepare_cached(sql).unwrap().execute(params).unwrap();
    };
    let tick = i64::try_from(tick).unwrap();
    let begin = Instant::now();
    run("BEGIN IMMEDIATE", &[]);
    run(
        "INSERT INTO record VALUES (?1, ?2, 'query')",
        &[&format!("r_{tick}"), &tick],
    );
    for rank in 0..10 {
        let bullet = (tick * 10 + rank) % 10_000;
        run(
            "INSERT INTO returned VALUES (?1, ?2, ?3, 0.5)",
            &[&tick, &rank, &bullet],
        );
        run(
            "UPDATE bullet SET tick = ?2, at = ?2 WHERE id = ?1",
            &[&bullet, &tick],
        );
    }
    run("UPDATE memory SET clock = ?1", &[&tick]);
    run("COMMIT", &[]);
    begin.elapsed()
}

async fn commit(subject: &Subject, count: usize) -> Vec<Bullet> {
    let key = subject.key("learner", &count.to_string());
    subject.store.create(creation(&key, &[])).await.unwrap();
    let texts = (0..count).map(|id| format!("bullet number {id}: {}", "words ".repeat(20)));
    let texts: Vec<String> = texts.collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let bullets = born(&key, 0, 1, &texts);
    let delta = delta_on(&subject.loaded(&key).await, "d_1", &bullets);
    let written = commit_of(&delta, &bullets);
    let begin = Instant::now();
    subject.commit(&key, written).await.unwrap();
    println!("commit of {count} added bullets: {:?}", begin.elapsed());
    for _ in 0..3 {
        let begin = Instant::now();
        let loaded = subject.loaded(&key).await;
        println!(
            "load of {} bullets: {:?}",
            loaded.bullets.len(),
            begin.elapsed()
        );
    }
    bullets
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "measures; run by hand with --release --nocapture"]
async fn what_a_call_costs() {
    let folder = TempDir::new_in(".").unwrap();
    let subject = subject_on(&folder.path().join("memory.db")).await;
    let bullets = commit(&subject, 10_000).await;
    commit(&subject, 100_000).await;
    let raw = bare(&folder);
    let mut bares = Vec::new();
    let key = subject.key("learner", "10000");
    let mut times = Vec::new();
    let mut heads = Vec::new();
    let mut known = subject.position(&key).await;
    for number in 0..1000 {
        // In turn, so that both meet the same moods of the disk.
        bares.push(bare_touch(&raw, number));
        let begin = Instant::now();
        subject.store.head(&key).await.unwrap();
        heads.push(begin.elapsed());
        let some = &bullets[number * 10 % 10_000..][..10];
        let batch = batch(
            &known,
            vec![retrieval(&format!("r_{number}"), &known, some)],
        );
        let begin = Instant::now();
        match subject.store.touch(&key, batch).await.unwrap() {
            TouchOutcome::Recorded { first_tick, .. } => known.clock = first_tick,
            other => panic!("not recorded: {other:?}"),
        }
        times.push(begin.elapsed());
    }
    report("bare transaction of the rows of a touch", bares);
    report("touch of 10 bullets", times);
    report("head", heads);
}
