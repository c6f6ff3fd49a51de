//! Full disks and read-only disks. They are small file systems in process, so the tests need the right to mount;
//! without it each reports itself as ignored.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use hindlore_contract::subject::{creation, fresh, order};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{EraseStore, ErrorKind, MaintenanceStore, MemoryStore, MemoryStoreExt};
use tempfile::TempDir;

use super::{open, refused, subject_on};

/// A small disk, taken away when dropped.
struct Disk {
    folder: TempDir,
}

impl Disk {
    /// Mounts a disk of some kilobytes; absent when this user may not, which is then reported.
    fn of_kilobytes(size: u32, test: &str) -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let options = format!("size={size}k");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs"])
            .arg(folder.path())
            .output();
        let reason = match mounted {
            Ok(output) if output.status.success() => return Some(Self { folder }),
            Ok(output) => String::from_utf8_lossy(&output.stderr).trim().to_owned(),
            Err(error) => error.to_string(),
        };
        // Not by a macro, whose output the test runner would keep to itself.
        let line = format!("test {test} ... ignored: no disk can be mounted here ({reason})\n");
        io::stderr().write_all(line.as_bytes()).unwrap();
        None
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("memory.db")
    }

    fn remount(&self, options: &str) {
        let done = Command::new("mount")
            .args(["-o", &format!("remount,{options}")])
            .arg(self.folder.path())
            .status();
        assert!(done.unwrap().success());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount")
            .arg("-l")
            .arg(self.folder.path())
            .status();
    }
}

fn key() -> MemoryKey {
    MemoryKey::new("tenant", "learner", &fresh("scope")).unwrap()
}

#[tokio::test]
async fn a_full_disk_is_said_and_the_store_goes_on_afterwards() {
    let Some(disk) = Disk::of_kilobytes(4096, "a_full_disk_is_said") else {
        return;
    };
    let ballast = disk.folder.path().join("ballast");
    fs::write(&ballast, vec![0; 1_000_000]).unwrap();
    let subject = subject_on(&disk.file()).await;
    let (small, _) = subject.seeded(&["one"]).await;
    let large = "x".repeat(8_000_000);
    let lost = key();
    let error = subject
        .store
        .create(creation(&lost, &[&large]))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Full, "{error}");
    assert_eq!(subject.store.head(&lost).await.unwrap(), None);
    subject.apply(&small, "d_1", &[]).await;

    // Small writes until nothing fits any more, then again once there is space.
    let mut full = None;
    for _ in 0..5000 {
        if let Err(error) = subject
            .store
            .create(creation(&key(), &[&"y".repeat(2000)]))
            .await
        {
            full = Some(error);
            break;
        }
    }
    let full = full.expect("the disk never got full");
    assert_eq!(full.kind(), ErrorKind::Full, "{full}");
    assert!(subject.store.head(&small).await.unwrap().is_some());
    fs::remove_file(&ballast).unwrap();
    subject.apply(&small, "d_2", &[]).await;
    assert!(subject.store.check().await.unwrap().is_empty());
}

#[test]
fn a_store_cannot_be_made_on_a_full_disk() {
    let Some(disk) = Disk::of_kilobytes(64, "a_store_cannot_be_made_on_a_full_disk") else {
        return;
    };
    refused(&disk.file(), ErrorKind::Full);
}

/// Reading works, and each write fails with the reason.
async fn only_reads(path: &Path, there: &MemoryKey) {
    let store = open(path).unwrap();
    assert!(store.is_read_only());
    assert_eq!(store.load(there).await.unwrap().unwrap().bullets.len(), 1);
    assert!(store.check().await.unwrap().is_empty());
    let error = store.create(creation(&key(), &[])).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ReadOnly, "{error}");
    let error = store.migrate().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ReadOnly, "{error}");
}

#[tokio::test]
async fn a_closed_file_on_a_read_only_disk_is_read() {
    let Some(disk) = Disk::of_kilobytes(4096, "a_closed_file_on_a_read_only_disk_is_read") else {
        return;
    };
    let subject = subject_on(&disk.file()).await;
    let (there, _) = subject.seeded(&["one"]).await;
    drop(subject);
    disk.remount("ro");
    only_reads(&disk.file(), &there).await;
    refused(&disk.folder.path().join("new.db"), ErrorKind::ReadOnly);
}

#[tokio::test]
async fn a_log_that_was_left_behind_on_a_read_only_disk_is_read() {
    let Some(disk) = Disk::of_kilobytes(4096, "a_log_that_was_left_behind_is_read") else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let live = folder.path().join("memory.db");
    let subject = subject_on(&live).await;
    let (there, _) = subject.seeded(&["one"]).await;
    for end in ["", "-wal"] {
        let mut from = live.clone().into_os_string();
        from.push(end);
        let mut to = disk.file().into_os_string();
        to.push(end);
        fs::copy(from, to).unwrap();
    }
    disk.remount("ro");
    only_reads(&disk.file(), &there).await;
}

#[tokio::test]
async fn a_store_writes_again_once_its_disk_may_be_written() {
    let Some(disk) = Disk::of_kilobytes(4096, "a_store_writes_again") else {
        return;
    };
    let subject = subject_on(&disk.file()).await;
    subject.seeded(&["one"]).await;
    drop(subject);
    disk.remount("ro");
    let store = open(&disk.file()).unwrap();
    let error = store
        .erase(order("tenant", "learner", None))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ReadOnly, "{error}");
    disk.remount("rw");
    let store = open(&disk.file()).unwrap();
    store.create(creation(&key(), &["two"])).await.unwrap();
}

#[tokio::test]
async fn an_erase_without_room_for_a_second_file_says_so_and_is_finished_later() {
    let name = "an_erase_without_room_for_a_second_file_says_so";
    let Some(disk) = Disk::of_kilobytes(16_384, name) else {
        return;
    };
    let subject = subject_on(&disk.file()).await;
    let long = |sign: &str| format!("{sign} {}", "x".repeat(9_000));
    let texts: Vec<String> = (0..150).map(|n| long(&format!("stays {n}"))).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    subject.seeded(&texts).await;
    let sign = "goneforgood";
    let ann = MemoryKey::new(&subject.tenant, "ann", "default").unwrap();
    subject
        .store
        .create(creation(&ann, &[&long(sign)]))
        .await
        .unwrap();
    let ballast = disk.folder.path().join("ballast");
    let mut file = fs::File::create(&ballast).unwrap();
    while file.write_all(&[7; 4096]).is_ok() {}
    file.set_len(file.metadata().unwrap().len().saturating_sub(400_000))
        .unwrap();
    let gone = order(&subject.tenant, "ann", None);
    let erasure = subject.store.erase(gone).await.unwrap();
    assert_eq!(erasure.erased.memories, 1);
    let told = erasure.not_wiped.unwrap();
    assert!(told.reason.contains("no room"), "{told:?}");
    assert!(subject.store.head(&ann).await.unwrap().is_none());
    // A file that is open keeps its room.
    drop(file);
    fs::remove_file(&ballast).unwrap();
    assert_eq!(subject.store.wipe().await.unwrap(), None);
    let bytes = fs::read(disk.file()).unwrap();
    let is_there = bytes.windows(sign.len()).any(|at| at == sign.as_bytes());
    assert!(!is_there);
    assert!(subject.store.check().await.unwrap().is_empty());
}
