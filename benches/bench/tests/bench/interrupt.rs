//! The remains of an interrupted command: none.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until something is there.
fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "waited in vain");
        thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(unix)]
#[test]
fn a_bench_takes_its_folder_with_it() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    let mut bench = Command::new(env!("CARGO_BIN_EXE_hindlore-bench"));
    bench
        .env_clear()
        .env("HOME", folder)
        .env("TMPDIR", folder)
        .current_dir(folder);
    bench.arg("lessons").stderr(Stdio::null());
    let mut bench = bench.stdout(Stdio::null()).spawn().unwrap();
    let entries = || fs::read_dir(folder).unwrap().map(|one| one.unwrap().path());
    wait_for(|| entries().find(|entry| entry.join("lessons.db").exists()));
    let id = bench.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
    let ended = wait_for(|| bench.try_wait().unwrap());
    assert_eq!(ended.code(), Some(130));
    let left: Vec<_> = entries().collect();
    assert!(left.is_empty(), "{left:?}");
}
