//! The files that are opened, and the handling of the others.

use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hindlore_contract::subject::{creation, fresh};
use hindlore_domain::lesson::lesson::{LearnerId, Lesson, NewLesson, Place, Reach, Status};
use hindlore_domain::lesson::rule::Rule;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use hindlore_errors::fingerprint::{Evidence, Fingerprinter};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::rows::NewFingerprint;
use hindlore_store::lessons::transaction::{Ask, LessonCommit};
use hindlore_store::{ErrorKind, LessonStore, MaintenanceStore, MemoryStore, MemoryStoreExt};
use rusqlite::Connection;
use tempfile::TempDir;

use super::{open, refused, subject_on};

fn in_folder(name: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    (folder, path)
}

/// Makes a store with some pages of memories in it, and closes it.
async fn filled(path: &Path) {
    let subject = subject_on(path).await;
    let texts: Vec<String> = (0..200)
        .map(|n| format!("text {n} {}", "x".repeat(500)))
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    subject.seeded(&texts).await;
}

#[tokio::test]
async fn a_file_and_its_folder_are_made() {
    let (folder, _) = in_folder("");
    let path = folder.path().join("not/yet/there.db");
    let subject = subject_on(&path).await;
    subject.seeded(&["one"]).await;
    assert!(path.is_file());
}

#[tokio::test]
async fn a_closed_store_leaves_one_file() {
    let (folder, path) = in_folder("memory.db");
    filled(&path).await;
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().collect();
    assert_eq!(names.len(), 1, "{names:?}");
    assert!(open(&path).unwrap().check().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_name_is_only_a_name() {
    let (folder, _) = in_folder("");
    for name in [
        ":memory:",
        "file:x?mode=memory",
        "100% sure?.db",
        "späte Ernte #1.db",
        "a b",
    ] {
        let path = folder.path().join(name);
        let head = subject_on(&path).await.seeded(&["one"]).await;
        let store = open(&path).unwrap();
        assert!(store.head(&head.0).await.unwrap().is_some(), "{name}");
        assert!(path.is_file(), "{name}");
    }
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let (_folder, path) = in_folder("memory.db");
    filled(&path).await;
    let raw = Connection::open(&path).unwrap();
    raw.pragma_update(None, "user_version", 1000).unwrap();
    drop(raw);
    refused(&path, ErrorKind::NewerSchema);
}

#[test]
fn a_database_of_another_program_is_refused_and_left_alone() {
    let (folder, path) = in_folder("other.db");
    let raw = Connection::open(&path).unwrap();
    raw.execute_batch("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1);")
        .unwrap();
    drop(raw);
    let before = fs::read(&path).unwrap();
    refused(&path, ErrorKind::Foreign);
    assert_eq!(fs::read(&path).unwrap(), before);
    let marked = folder.path().join("marked.db");
    let raw = Connection::open(&marked).unwrap();
    raw.pragma_update(None, "application_id", 77).unwrap();
    raw.execute_batch("CREATE TABLE theirs (x)").unwrap();
    drop(raw);
    refused(&marked, ErrorKind::Foreign);
}

#[tokio::test]
async fn a_file_of_an_unreleased_build_is_refused_and_left_alone() {
    let (_folder, path) = in_folder("memory.db");
    filled(&path).await;
    let raw = Connection::open(&path).unwrap();
    raw.pragma_update(None, "application_id", 0x6D6E_656D)
        .unwrap();
    raw.pragma_update(None, "journal_mode", "DELETE").unwrap();
    drop(raw);
    let before = fs::read(&path).unwrap();
    refused(&path, ErrorKind::OldSchema);
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_alone() {
    let (_folder, path) = in_folder("notes.txt");
    let long = "a text about files\n".repeat(5000);
    let random: Vec<u8> = (0..20_000).map(|_| fastrand::u8(..)).collect();
    for bytes in [b"x".as_slice(), b"SQLite", long.as_bytes(), &random] {
        fs::write(&path, bytes).unwrap();
        refused(&path, ErrorKind::Foreign);
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[tokio::test]
async fn an_empty_file_becomes_a_store() {
    let (_folder, path) = in_folder("memory.db");
    fs::write(&path, b"").unwrap();
    filled(&path).await;
}

#[test]
fn a_folder_is_refused() {
    let folder = TempDir::new().unwrap();
    refused(folder.path(), ErrorKind::Unavailable);
}

#[test]
fn a_path_through_a_file_is_refused() {
    let (_folder, path) = in_folder("file");
    fs::write(&path, b"").unwrap();
    refused(&path.join("memory.db"), ErrorKind::Unavailable);
}

#[tokio::test]
async fn a_cut_file_is_damaged() {
    let (_folder, path) = in_folder("memory.db");
    filled(&path).await;
    let length = fs::metadata(&path).unwrap().len();
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(length / 2).unwrap();
    refused(&path, ErrorKind::Damaged);
}

#[tokio::test]
async fn an_overwritten_file_is_damaged_and_a_check_says_so() {
    let (_folder, path) = in_folder("memory.db");
    let subject = subject_on(&path).await;
    let text = "x".repeat(2000);
    let texts: Vec<String> = (0..400).map(|n| format!("{n} {text}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (key, _) = subject.seeded(&texts).await;
    drop(subject);
    let length = fs::metadata(&path).unwrap().len();
    let mut file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    // The schema lies in the first pages and stays; the bullets lie in most of the others.
    file.seek(SeekFrom::Start(length / 4)).unwrap();
    let garbage: Vec<u8> = (0..length / 2).map(|_| fastrand::u8(..)).collect();
    file.write_all(&garbage).unwrap();
    drop(file);
    let store = open(&path).unwrap();
    let error = store.load(&key).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
    let findings = store.check().await.unwrap();
    assert!(findings.iter().any(|finding| finding.is_error));
    // People read it, who know nothing of our types.
    let inner = |finding: &&hindlore_store::Finding| finding.message.contains("Sqlite");
    assert_eq!(findings.iter().find(inner), None);
}

#[tokio::test]
async fn a_value_that_cannot_be_is_damage() {
    let (_folder, path) = in_folder("memory.db");
    let subject = subject_on(&path).await;
    let (key, _) = subject.seeded(&["one"]).await;
    let raw = Connection::open(&path).unwrap();
    raw.execute("UPDATE bullets SET kind = 'feeling'", [])
        .unwrap();
    let error = subject.store.load(&key).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
    let told = error.to_string();
    assert!(told.contains("`kind`") && told.contains("`b_"), "{told}");
}

#[tokio::test]
async fn a_check_names_what_does_not_fit_together() {
    let (_folder, path) = in_folder("memory.db");
    let subject = subject_on(&path).await;
    let (_, seeded) = subject.seeded(&["one"]).await;
    let hurts = [
        ("UPDATE memories SET clock = 5", "clock is 5"),
        (
            "UPDATE memories SET clock = 0, revision = 3",
            "revision is 3",
        ),
        (
            "UPDATE memories SET revision = 0; UPDATE bullets SET changed_tick = 9",
            "tick 9",
        ),
        (
            "UPDATE bullets SET changed_tick = 0, merged_into = x'00010203040506070809'",
            "b_0001",
        ),
        ("UPDATE migrations SET checksum = 'x'", "V001__schema"),
    ];
    let raw = Connection::open(&path).unwrap();
    for (hurt, word) in hurts {
        raw.execute_batch(hurt).unwrap();
        let findings = subject.store.check().await.unwrap();
        let found = findings
            .iter()
            .any(|finding| finding.message.contains(word));
        assert!(found, "{hurt}: {findings:?}");
    }
    assert_eq!(seeded.len(), 1);
}

#[tokio::test]
async fn a_lock_that_is_held_too_long_is_busy() {
    let (_folder, path) = in_folder("memory.db");
    let options = EmbeddedOptions {
        busy_timeout_ms: 100,
        ..EmbeddedOptions::default()
    };
    let store = EmbeddedStore::open(&path, options).unwrap();
    let key = hindlore_domain::memory::key::MemoryKey::new("t", "l", &fresh("s")).unwrap();
    let raw = Connection::open(&path).unwrap();
    raw.execute_batch("BEGIN IMMEDIATE").unwrap();
    let begin = Instant::now();
    let error = store.create(creation(&key, &["one"])).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Busy, "{error}");
    assert!(begin.elapsed() >= Duration::from_millis(90));
    assert_eq!(store.head(&key).await.unwrap(), None);
    raw.execute_batch("ROLLBACK").unwrap();
    store.create(creation(&key, &["one"])).await.unwrap();
}

#[tokio::test]
async fn a_check_names_lessons_that_do_not_fit_together() {
    let (_folder, path) = in_folder("memory.db");
    let store = open(&path).unwrap();
    one_lesson(&store).await;
    assert!(store.check().await.unwrap().is_empty());
    let raw = Connection::open(&path).unwrap();
    for (hurt, mend, word) in [
        (
            "UPDATE learners SET fingerprints = 9",
            "UPDATE learners SET fingerprints = 1",
            "counts 9 fingerprints",
        ),
        (
            "UPDATE tags SET fingerprints = 3",
            "UPDATE tags SET fingerprints = 1",
            "the tag path_quote counts 3",
        ),
        (
            "UPDATE fingerprints SET events = 2",
            "UPDATE fingerprints SET events = 0",
            "counts 2 events",
        ),
        (
            "UPDATE fingerprint_tags SET live = 0",
            "UPDATE fingerprint_tags SET live = 1",
            "sibling under path_quote",
        ),
        (
            "UPDATE lessons SET status = 'suppressed'",
            "UPDATE lessons SET status = 'candidate'",
            "a posting of l_",
        ),
        (
            "UPDATE lessons SET tags = '[]'",
            "SELECT 1",
            "other postings",
        ),
    ] {
        raw.execute_batch(hurt).unwrap();
        let findings = store.check().await.unwrap();
        let found = findings
            .iter()
            .any(|finding| finding.message.contains(word));
        assert!(found, "{hurt}: {findings:?}");
        raw.execute_batch(mend).unwrap();
    }
}

/// Writes one lesson with one trigger that has one tag.
async fn one_lesson(store: &EmbeddedStore) {
    let owner = LearnerId::new("t", "l").unwrap();
    let lesson = Lesson::new(NewLesson {
        owner: owner.clone(),
        rule: Rule::parse("WRONG load a → CORRECT load b").unwrap(),
        triggers: Fingerprinter::default().of(&Evidence::default()).ids(),
        tags: vec!["path_quote".to_owned()],
        reach: Reach::Global,
        place: Place::default(),
        source_run: None,
        status: Status::Candidate,
        at: Timestamp::from_millis(5),
    });
    let fingerprints = Fingerprinter::default().of(&Evidence::default());
    let mut commit = Some(LessonCommit {
        fingerprints: vec![NewFingerprint {
            fingerprint: fingerprints.fine,
            tags: lesson.tags.clone(),
        }],
        lessons: vec![lesson],
        ..LessonCommit::default()
    });
    let decide = Box::new(move |_| commit.take().unwrap());
    store
        .transact_lessons(&owner, Ask::default(), decide)
        .await
        .unwrap();
}

/// The settings are in `.cargo/config.toml`; a `LIBSQLITE3_FLAGS` of one's own takes their place.
#[test]
fn the_bundled_sqlite_is_built_with_the_settings_of_the_project() {
    let sqlite = Connection::open_in_memory().unwrap();
    let mut options = sqlite.prepare("PRAGMA compile_options").unwrap();
    let options = options.query_map([], |row| row.get(0)).unwrap();
    let options: Vec<String> = options.collect::<Result<_, _>>().unwrap();
    let wanted = "DEFAULT_MEMSTATUS=0".to_owned();
    assert!(options.contains(&wanted), "{options:?}");
}
