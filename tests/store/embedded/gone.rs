//! A file that is removed, moved or replaced under an open store is noticed: nothing is acknowledged that no later program
//! would find, and nothing of the file in its place is harmed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hindlore::clock::SystemClock;
use hindlore::{Engine, EngineError, EngineOptions};
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use hindlore_store::ErrorKind;

fn open(path: &Path) -> Engine {
    let store = EmbeddedStore::open(path, EmbeddedOptions::default()).unwrap();
    Engine::new(
        Arc::new(store),
        Arc::new(SystemClock),
        EngineOptions::default(),
    )
}

fn key() -> MemoryKey {
    MemoryKey::new("tenant", "learner", "scope").unwrap()
}

async fn add(engine: &Engine, name: &str) -> Result<(), EngineError> {
    let content = format!("the text called {name}");
    let bullet = NewBullet {
        content,
        ..NewBullet::default()
    };
    let delta = Delta::new(
        DeltaId::parse(name).unwrap(),
        vec![Operation::Add(Box::new(bullet))],
    );
    engine.apply_delta(&key(), delta).await.map(drop)
}

async fn texts(engine: &Engine) -> Result<usize, EngineError> {
    let view = engine.view(&key()).await?;
    Ok(view.map_or(0, |view| {
        view.bullets.iter().filter(|one| !one.is_seed()).count()
    }))
}

fn must_be_gone<T: std::fmt::Debug>(answer: Result<T, EngineError>, what: &str) {
    let error = answer.unwrap_err();
    let EngineError::Store(store) = &error else {
        panic!("{what}: {error}");
    };
    assert_eq!(store.kind(), ErrorKind::Unavailable, "{what}: {error}");
    let said = error.to_string();
    assert!(
        said.contains("no longer the file") && said.contains("m.db"),
        "{what}: {said}"
    );
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// A way to lose a file.
type Lose = fn(&Path);

const WAYS: [(&str, Lose); 5] = [
    ("the file is removed", |path| fs::remove_file(path).unwrap()),
    ("all files are removed", |path| {
        for end in ["", "-wal", "-shm"] {
            fs::remove_file(beside(path, end)).unwrap();
        }
    }),
    ("the file is moved away", |path| {
        fs::rename(path, beside(path, ".away")).unwrap();
    }),
    ("another file takes its place", |path| {
        let copy = beside(path, ".copy");
        fs::copy(path, &copy).unwrap();
        fs::rename(&copy, path).unwrap();
    }),
    ("the folder is moved", |path| {
        let folder = path.parent().unwrap();
        fs::rename(folder, folder.with_file_name("elsewhere")).unwrap();
    }),
];

#[tokio::test]
async fn nothing_is_acknowledged_into_a_file_that_is_gone() {
    for (what, lose) in WAYS {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("here");
        fs::create_dir(&place).unwrap();
        let path = place.join("m.db");
        let engine = open(&path);
        add(&engine, "d_1").await.unwrap();
        assert_eq!(texts(&engine).await.unwrap(), 1);
        lose(&path);
        must_be_gone(texts(&engine).await, what);
        must_be_gone(add(&engine, "d_2").await, what);
        must_be_gone(engine.wipe().await, what);
        must_be_gone(engine.memories("tenant", None).await, what);
    }
}

#[tokio::test]
async fn a_log_that_is_gone_takes_no_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.db");
    let engine = open(&path);
    add(&engine, "d_1").await.unwrap();
    fs::remove_file(beside(&path, "-wal")).unwrap();
    must_be_gone(add(&engine, "d_2").await, "the log is removed");
}

#[tokio::test]
async fn a_file_that_comes_back_is_used_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.db");
    let engine = open(&path);
    add(&engine, "d_1").await.unwrap();
    let away = beside(&path, ".away");
    fs::rename(&path, &away).unwrap();
    must_be_gone(add(&engine, "d_2").await, "away");
    fs::rename(&away, &path).unwrap();
    add(&engine, "d_3").await.unwrap();
    drop(engine);
    assert_eq!(texts(&open(&path)).await.unwrap(), 2);
}

/// SQLite deletes the log by its name when the last connection closes.
#[tokio::test]
async fn closing_leaves_the_log_of_the_file_in_its_place_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.db");
    let old = open(&path);
    add(&old, "d_1").await.unwrap();
    for end in ["", "-wal", "-shm"] {
        fs::remove_file(beside(&path, end)).unwrap();
    }
    let new = open(&path);
    add(&new, "d_2").await.unwrap();
    drop(old);
    assert!(beside(&path, "-wal").exists());
    add(&new, "d_3").await.unwrap();
    let copy = folder.path().join("copy.db");
    for end in ["", "-wal"] {
        fs::copy(beside(&path, end), beside(&copy, end)).unwrap();
    }
    assert_eq!(texts(&open(&copy)).await.unwrap(), 2);
}
