//! The readers of created files, and the handling of foreign links.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::sync::Arc;

use hindlore::clock::SystemClock;
use hindlore::{Engine, EngineOptions};
use hindlore_domain::memory::delta::{Delta, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use tempfile::TempDir;

use super::world::World;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn add(text: &str) -> Delta {
    let new = NewBullet {
        content: text.to_owned(),
        ..NewBullet::default()
    };
    let id = Engine::fresh_delta_id().unwrap();
    Delta::new(id, vec![Operation::Add(Box::new(new))])
}

fn engine(path: &Path) -> Engine {
    let store = EmbeddedStore::open(path, EmbeddedOptions::default()).unwrap();
    Engine::new(
        Arc::new(store),
        Arc::new(SystemClock),
        EngineOptions::default(),
    )
}

#[tokio::test]
async fn a_store_is_its_owners_alone_with_all_its_files_and_new_folders() {
    let folder = TempDir::new().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let path = folder.path().join("a/b/m.db");
    let engine = engine(&path);
    let key = MemoryKey::new("t", "l", "s").unwrap();
    engine.apply_delta(&key, add("one")).await.unwrap();
    for file in ["a/b/m.db", "a/b/m.db-wal", "a/b/m.db-shm"] {
        assert_eq!(mode(&folder.path().join(file)), 0o600, "{file}");
    }
    assert_eq!(mode(&folder.path().join("a")), 0o700);
    assert_eq!(mode(&folder.path().join("a/b")), 0o700);
    assert_eq!(mode(folder.path()), 0o755);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn those_who_open_a_new_store_at_once_all_write_to_it() {
    for _ in 0..8 {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("m.db");
        let key = MemoryKey::new("t", "l", "s").unwrap();
        let one = |number: usize| {
            let (path, key) = (path.clone(), key.clone());
            tokio::spawn(async move {
                let open = tokio::task::spawn_blocking(move || engine(&path));
                let engine = open.await.unwrap();
                engine
                    .apply_delta(&key, add(&format!("text {number}")))
                    .await
                    .unwrap();
            })
        };
        let tasks: Vec<_> = (0..6).map(one).collect();
        for task in tasks {
            task.await.unwrap();
        }
        let view = engine(&path).view(&key).await.unwrap().unwrap();
        assert_eq!(view.revision, 6);
        assert_eq!(mode(&path), 0o600);
    }
}

#[test]
fn a_link_that_somebody_laid_destroys_nothing() {
    let world = World::new();
    let delta = world.file("d.json", r#"{"operations":[{"op":"ADD","content":"x"}]}"#);
    let victim = world.file("victim.txt", "precious");
    // The process that runs the script becomes the program, so the script knows its id.
    let script = format!(
        "umask 022; ln -s victim.txt m.db-trial-$$; exec {} delta apply {delta}",
        crate::PROGRAM
    );
    let ran = world.program("sh").args(["-c", &script]).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    assert_eq!(mode(&world.path("m.db")), 0o600);
    // A store that is a link to nowhere makes nothing there.
    symlink(world.path("made-by-others"), world.path("link.db")).unwrap();
    let store = world.path("link.db");
    let ran = world.run(
        &["--store", store.to_str().unwrap(), "delta", "apply", &delta],
        "",
    );
    assert_eq!(ran.status.code(), Some(2), "{ran:?}");
    assert!(
        String::from_utf8_lossy(&ran.stderr).contains("leads nowhere"),
        "{ran:?}"
    );
    assert!(!world.path("made-by-others").exists());
}

#[test]
fn an_export_is_its_owners_alone_and_never_opens_what_was_closed() {
    let world = World::new();
    world.json(
        &["delta", "apply", "-"],
        r#"{"operations":[{"op":"ADD","content":"x"}]}"#,
    );
    let export = |before: Option<u32>| {
        let path = world.path("o.jsonl");
        let _ = fs::remove_file(&path);
        if let Some(mode) = before {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        }
        let script = format!("umask 022; exec {} export o.jsonl", crate::PROGRAM);
        let ran = world.program("sh").args(["-c", &script]).output().unwrap();
        assert!(ran.status.success(), "{ran:?}");
        mode(&path)
    };
    let modes = [None, Some(0o600), Some(0o400), Some(0o644)].map(export);
    assert_eq!(modes, [0o600, 0o600, 0o400, 0o600]);
}

#[test]
fn a_store_that_others_may_read_is_named_with_the_command_that_mends_it() {
    let world = World::new();
    world.json(
        &["delta", "apply", "-"],
        r#"{"operations":[{"op":"ADD","content":"x"}]}"#,
    );
    let look = || {
        let shown = world.json(&["doctor"], "");
        let checks = shown["checks"].as_array().unwrap().clone();
        let found = checks
            .into_iter()
            .find(|one| one["subject"] == "file modes");
        found.unwrap()
    };
    assert_eq!(look()["state"], "ok");
    fs::set_permissions(world.path("m.db"), Permissions::from_mode(0o644)).unwrap();
    let found = look();
    let said = found["message"].as_str().unwrap();
    assert_eq!(found["state"], "note");
    assert!(
        said.contains("chmod 600") && said.contains("m.db"),
        "{said}"
    );
}
