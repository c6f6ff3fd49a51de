//! Images: a process reads the last one instead of the rows, unless it is damaged or a row below it has changed.

use std::path::{Path, PathBuf};

use hindlore::{Engine, RetrieveRequest};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_store::{ErrorKind, ImagePart, MemoryImage, MemoryStore};
use rusqlite::Connection;
use tempfile::TempDir;

use super::open;

/// Bullets of the memory: enough that an image is worth its room.
const BULLETS: usize = 400;

/// A file with a memory and its image.
struct Imaged {
    _folder: TempDir,
    path: PathBuf,
    key: MemoryKey,
    digest: String,
}

impl Imaged {
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("memory.db");
        let key = MemoryKey::new("t", "learner", "s").unwrap();
        let engine = Engine::open(&path).unwrap();
        for number in 0..BULLETS {
            let text = format!(
                "Step {number} needs tool{} before valve{number}",
                number % 7
            );
            engine.add(&key, text.as_str()).await.unwrap();
        }
        let imaged = Self {
            _folder: folder,
            digest: engine.view(&key).await.unwrap().unwrap().digest,
            path,
            key,
        };
        assert_eq!(
            imaged.first(&engine).await,
            "Step 33 needs tool5 before valve33"
        );
        engine.drain().await;
        imaged
    }

    fn raw(&self) -> Connection {
        Connection::open(&self.path).unwrap()
    }

    async fn has_image(&self) -> bool {
        let store = open(&self.path).unwrap();
        store
            .image(&self.key, ImagePart::Asking)
            .await
            .unwrap()
            .is_some()
    }

    /// The first answer, by words that only one bullet has.
    async fn first(&self, engine: &Engine) -> String {
        let request = RetrieveRequest::peek(Query::new("valve33"));
        let found = engine.retrieve(&self.key, request).await.unwrap();
        found.bullets[0].bullet.content.as_str().to_owned()
    }
}

fn holds(path: &Path, text: &str) -> bool {
    let log = path.with_file_name("memory.db-wal");
    [path, &log].iter().any(|file| {
        let bytes = std::fs::read(file).unwrap_or_default();
        bytes
            .windows(text.len())
            .any(|window| window == text.as_bytes())
    })
}

#[tokio::test]
async fn a_process_reads_the_image_and_the_changes_since() {
    let imaged = Imaged::new().await;
    let engine = Engine::open(&imaged.path).unwrap();
    let view = engine.view(&imaged.key).await.unwrap().unwrap();
    assert_eq!(view.digest, imaged.digest);
    engine
        .add(&imaged.key, "A newcomer mentions valve33 and valve33")
        .await
        .unwrap();
    let digest = engine.view(&imaged.key).await.unwrap().unwrap().digest;
    drop(engine);
    let bullets = view.bullets.len() + 1;
    // Without its rows, the memory comes from the image.
    let raw = imaged.raw();
    raw.execute_batch("DROP TRIGGER bullets_deleted; DELETE FROM bullets WHERE position < 100")
        .unwrap();
    let engine = Engine::open(&imaged.path).unwrap();
    let view = engine.view(&imaged.key).await.unwrap().unwrap();
    assert_eq!((view.digest, view.bullets.len()), (digest, bullets));
}

#[tokio::test]
async fn a_damaged_block_is_named_and_the_rows_are_read() {
    let imaged = Imaged::new().await;
    let spoil =
        "UPDATE image_blocks SET body = zeroblob(length(body)) WHERE part = 0 AND block = 0";
    assert_eq!(imaged.raw().execute(spoil, []).unwrap(), 1);
    let store = open(&imaged.path).unwrap();
    let error = store
        .image(&imaged.key, ImagePart::Asking)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
    assert!(
        error.to_string().contains("block 0 of part 0 of the image"),
        "{error}"
    );
    let engine = Engine::open(&imaged.path).unwrap();
    assert_eq!(
        engine.view(&imaged.key).await.unwrap().unwrap().digest,
        imaged.digest
    );
    assert_eq!(
        imaged.first(&engine).await,
        "Step 33 needs tool5 before valve33"
    );
    engine.drain().await;
    assert!(imaged.has_image().await, "it was made again");
}

#[tokio::test]
async fn an_image_of_another_build_is_not_read() {
    let imaged = Imaged::new().await;
    let store = open(&imaged.path).unwrap();
    let image = store.image(&imaged.key, ImagePart::Asking).await;
    let mut image = image.unwrap().unwrap();
    // The stamp is the first text.
    image.bytes[1] ^= 1;
    let other = MemoryImage {
        incarnation: image.incarnation,
        clock: image.clock,
        bytes: [image.bytes, Vec::new()],
    };
    store.put_image(&imaged.key, other).await.unwrap();
    drop(store);
    let engine = Engine::open(&imaged.path).unwrap();
    assert_eq!(
        engine.view(&imaged.key).await.unwrap().unwrap().digest,
        imaged.digest
    );
}

#[tokio::test]
async fn a_change_by_hand_drops_the_image() {
    for change in [
        "UPDATE bullets SET content = 'Step 33 is another' WHERE position = 33",
        "DELETE FROM bullets WHERE position = 33",
        "UPDATE bullets SET pinned = 1 WHERE position = 33",
    ] {
        let imaged = Imaged::new().await;
        assert!(imaged.has_image().await);
        assert_eq!(imaged.raw().execute(change, []).unwrap(), 1, "{change}");
        assert!(!imaged.has_image().await, "{change}");
    }
}

#[tokio::test]
async fn an_erased_memory_leaves_nothing_of_its_image() {
    let imaged = Imaged::new().await;
    assert!(holds(&imaged.path, "tool5 before"));
    let engine = Engine::open(&imaged.path).unwrap();
    engine.erase("t", "learner", Some("s")).await.unwrap();
    drop(engine);
    assert!(!holds(&imaged.path, "tool5 before"));
}

#[tokio::test]
async fn an_image_that_was_begun_is_not_read() {
    let imaged = Imaged::new().await;
    let raw = imaged.raw();
    raw.execute("UPDATE images SET complete = 0", []).unwrap();
    assert!(!imaged.has_image().await);
    let engine = Engine::open(&imaged.path).unwrap();
    assert_eq!(
        imaged.first(&engine).await,
        "Step 33 needs tool5 before valve33"
    );
    engine.drain().await;
    let images = raw.query_row("SELECT count(*), min(complete) FROM images", [], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
    });
    assert_eq!(images.unwrap(), (1, 1), "the new one is in its place");
}
