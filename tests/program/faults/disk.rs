//! A full disk: the failing write is reported, and existing data stays.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use super::program::{counted_delta, program_on, start_delta};

/// A small disk of its own, unmounted afterwards.
struct SmallDisk {
    folder: TempDir,
}

impl SmallDisk {
    /// Absent where mounting is not allowed; then the test reports itself as ignored.
    fn mount(test: &str) -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"])
            .arg(folder.path())
            .output();
        match mounted {
            Ok(output) if output.status.success() => Some(Self { folder }),
            other => {
                let line =
                    format!("test {test} ... ignored: no disk can be mounted here ({other:?})\n");
                std::io::stderr().write_all(line.as_bytes()).unwrap();
                None
            }
        }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}

#[test]
fn a_full_disk_reports_the_failing_write_and_keeps_the_rest() {
    let Some(disk) =
        SmallDisk::mount("disk::a_full_disk_reports_the_failing_write_and_keeps_the_rest")
    else {
        return;
    };
    let home = TempDir::new().unwrap();
    let store = disk.path().join("memory.db");
    let run = |words: &[&str]| program_on(&store, home.path(), words).output().unwrap();
    let apply = |number: usize| -> Output {
        let text = format!("{number} {}", format!("n{number}q ").repeat(2_000));
        let id = format!("d{number}");
        let command = program_on(
            &store,
            home.path(),
            &["delta", "apply", "--json", "--id", &id, "-"],
        );
        start_delta(command, &counted_delta(text.trim()))
            .wait_with_output()
            .unwrap()
    };
    let mut applied = 0;
    let failure = (0..400).find_map(|number| {
        let output = apply(number);
        applied += usize::from(output.status.success());
        (!output.status.success()).then_some(output)
    });
    let failure = failure.expect("a disk of two megabytes holds 400 long texts");
    assert_eq!(failure.status.code(), Some(2));
    let error: Value = serde_json::from_slice(&failure.stderr).unwrap();
    assert_eq!(error["error"]["code"], "store_full", "{error}");
    assert!(applied > 1);

    // The rest is there and can be read.
    let digest: Value = serde_json::from_slice(&run(&["digest", "--json"]).stdout).unwrap();
    assert_eq!(digest["revision"].as_u64(), Some(applied as u64));

    // With room again, the same delta goes through.
    let resized = Command::new("mount")
        .args(["-o", "remount,size=8m"])
        .arg(disk.path())
        .status();
    assert!(resized.unwrap().success());
    let again = apply(applied);
    assert!(
        again.status.success(),
        "{}",
        String::from_utf8_lossy(&again.stderr)
    );
    let digest: Value = serde_json::from_slice(&run(&["digest", "--json"]).stdout).unwrap();
    assert_eq!(digest["revision"].as_u64(), Some(applied as u64 + 1));
}
