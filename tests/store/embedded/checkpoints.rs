//! Checkpoints of any size on a file.

use hindlore_contract::subject::{Subject, bullet, commit_of, delta_on};
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::Checkpoint;
use rusqlite::Connection;
use tempfile::TempDir;

use super::subject_on;

/// A memory of several bullets of a megabyte, and a checkpoint of it.
async fn large(subject: &Subject, megabytes: u64) -> (MemoryKey, Checkpoint) {
    let (key, _) = subject.seeded(&["one"]).await;
    let mut before = subject.loaded(&key).await;
    for at in 0..megabytes {
        let text = format!("{at} {}", "y".repeat(1_000_000));
        let new: Vec<Bullet> = vec![bullet(&key, at + 1, &text)];
        let delta = delta_on(&before, &format!("d_{at}"), &new);
        subject.commit(&key, commit_of(&delta, &new)).await.unwrap();
        before.head.position.clock += 1;
        before.head.position.revision += 1;
    }
    let checkpoint = Checkpoint {
        state: subject.loaded(&key).await,
        digest: "0f".to_owned(),
    };
    (key, checkpoint)
}

/// `CHECKPOINT_MEGABYTES=1100` exceeds the longest text of the file format.
#[tokio::test]
async fn a_memory_of_any_size_has_a_checkpoint() {
    let given = std::env::var("CHECKPOINT_MEGABYTES");
    let megabytes = given.map_or(5, |given| given.parse().unwrap());
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("memory.db");
    let subject = subject_on(&path).await;
    let (key, written) = large(&subject, megabytes).await;
    subject.store.compact(&key, written.clone()).await.unwrap();
    let raw = Connection::open(&path).unwrap();
    let (pieces, longest): (i64, i64) = raw
        .query_row(
            "SELECT count(*), max(length(body)) FROM checkpoint_pieces",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .unwrap();
    assert!(
        pieces >= megabytes.cast_signed() && longest < 2_000_000,
        "{pieces} {longest}"
    );
    let read = subject.store.checkpoint(&key, u64::MAX >> 1).await.unwrap();
    assert!(read == Some(written), "the checkpoint is another");
}
