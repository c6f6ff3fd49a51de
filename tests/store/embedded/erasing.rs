//! Erased data is in no file any more, after any history, and bytes that cannot be wiped are reported.
//!
//! All texts of one learner carry unique marks. After her erase they are looked for in all files of the folder, byte by
//! byte, while the store is open and after it was closed.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use hindlore::clock::SystemClock;
use hindlore::lessons::{EndRun, StepDetail, StepInput};
use hindlore::{Engine, EngineOptions, ImportDelta, ImportRequest, RetrieveRequest};
use hindlore_contract::subject::order;
use hindlore_domain::lesson::event::StepReport;
use hindlore_domain::lesson::feedback::Feedback;
use hindlore_domain::lesson::lesson::{LearnerId, Place};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation, PolicyChange};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use hindlore_errors::fingerprint::Evidence;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::EraseStore;
use rusqlite::Connection;
use serde_json::json;
use tempfile::TempDir;

/// How many histories, and how many marks each of them plants.
fn size(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |number| number.parse().unwrap())
}

/// A store in a folder, and two learners with memories in it.
struct History {
    folder: TempDir,
    engine: Engine,
    /// The prefix of every mark.
    sign: String,
    seeded: usize,
    deltas: Vec<DeltaId>,
    bullets: Vec<BulletId>,
    chance: fastrand::Rng,
}

impl History {
    fn new(seed: u64) -> Self {
        let folder = TempDir::new().unwrap();
        Self {
            engine: open(&folder.path().join("memory.db")),
            folder,
            sign: format!("zqx{seed:04}m"),
            seeded: 0,
            deltas: Vec::new(),
            bullets: Vec::new(),
            chance: fastrand::Rng::with_seed(seed),
        }
    }

    fn mark(&mut self) -> String {
        self.seeded += 1;
        format!("{}{:06}", self.sign, self.seeded)
    }

    fn key(&mut self) -> MemoryKey {
        let scope = ["default", "other"][self.chance.usize(..2)];
        MemoryKey::new("t", "ann", scope).unwrap()
    }

    /// A bullet of hers: short, or so long that it fills pages of its own.
    fn bullet(&mut self) -> NewBullet {
        let mut content = format!("{} note {}", self.mark(), self.chance.u32(..));
        if self.chance.u8(..5) == 0 {
            for _ in 0..self.chance.usize(20..200) {
                content.push_str(&format!(" {} of word{}", self.mark(), self.chance.u16(..)));
            }
        }
        NewBullet {
            content,
            tags: vec![self.mark()],
            section: Some(self.mark()),
            topic: (self.chance.bool()).then(|| self.mark()),
            concept: Some(self.mark()),
            ..NewBullet::default()
        }
    }

    async fn step(&mut self, number: usize) {
        match self.chance.u8(..12) {
            0..3 => self.add(number).await,
            3..5 => self.ask().await,
            5 => self.rewrite(number).await,
            6 => self.undo().await,
            7 => self.fail(number).await,
            8 => self.import(number).await,
            9 => self.move_over().await,
            10 => self.tidy(number).await,
            _ => self.neighbour(number).await,
        }
    }

    async fn apply(&mut self, id: String, operations: Vec<Operation>) {
        let key = self.key();
        let mut delta = Delta::new(DeltaId::parse(&id).unwrap(), operations);
        delta.reasoning = Some(self.mark());
        delta.origin.author = Some(self.mark());
        delta.lenient = true;
        let applied = self.engine.apply_delta(&key, delta).await.unwrap();
        self.deltas.push(applied.receipt.delta.clone());
        self.bullets.extend(&applied.receipt.added);
    }

    async fn add(&mut self, number: usize) {
        let bullets = self.chance.usize(1..4);
        let operations = (0..bullets)
            .map(|_| Operation::Add(Box::new(self.bullet())))
            .collect();
        let id = format!("{}-{number}", self.mark());
        self.apply(id, operations).await;
    }

    async fn rewrite(&mut self, number: usize) {
        let Some(bullet) = self.chance.choice(self.bullets.clone()) else {
            return;
        };
        let (id, mark) = (bullet.to_string(), self.mark());
        let operation = if self.chance.bool() {
            json!({"op": "REMOVE", "id": id, "reason": mark})
        } else {
            json!({"op": "UPDATE", "id": id, "content": format!("{mark} instead")})
        };
        let operation = serde_json::from_value(operation).unwrap();
        self.apply(format!("x-{number}"), vec![operation]).await;
    }

    async fn undo(&mut self) {
        let key = self.key();
        if let Some(delta) = self.deltas.pop() {
            // Of the other memory, or depended upon: then it is refused.
            let _ = self.engine.undo_delta(&key, &delta, None, false).await;
        }
    }

    async fn ask(&mut self) {
        let key = self.key();
        for _ in 0..self.chance.usize(1..12) {
            let text = format!("{} note", self.mark());
            let request = RetrieveRequest::new(Query::new(&text));
            if self.engine.view(&key).await.unwrap().is_some() {
                self.engine.retrieve(&key, request).await.unwrap();
            }
        }
    }

    async fn fail(&mut self, number: usize) {
        let owner = LearnerId::new("t", "ann").unwrap();
        let run = format!("{}-run-{number}", self.mark());
        for (step, exit_code) in [(1, 1), (2, 0)] {
            let action = format!("tool {} --go {}", self.mark(), self.mark());
            let mut evidence = Evidence {
                action: json!(action),
                ..Evidence::default()
            };
            if exit_code != 0 {
                evidence.error = json!(format!("ERROR: {} is unknown", self.mark()));
            }
            let feedback = Feedback {
                hard_failure: exit_code != 0,
                ..Feedback::default()
            };
            let report = StepReport {
                run: run.clone(),
                step,
                allowed_steps: None,
                evidence,
                feedback,
                exit_code: Some(exit_code),
                unsafe_action: false,
                place: Place {
                    task: Some(self.mark()),
                    domain: Some(self.mark()),
                    tool: Some("tool".to_owned()),
                },
                tags: vec![self.mark()],
                at: Timestamp::from_millis(1_790_000_000_000),
            };
            let input = StepInput {
                report,
                plan_step: Some(self.mark()),
                followed: Vec::new(),
                detail: StepDetail::default(),
                scope: None,
            };
            self.engine.capture_error(&owner, input).await.unwrap();
        }
        if self.chance.bool() {
            let end = EndRun {
                run,
                ..EndRun::default()
            };
            self.engine.end_run(&owner, end).await.unwrap();
        }
    }

    async fn import(&mut self, number: usize) {
        let key = self.key();
        let operations = (0..self.chance.usize(1..20))
            .map(|_| Operation::Add(Box::new(self.bullet())))
            .collect();
        let request = ImportRequest {
            file: None,
            is_known_file: false,
            delta: ImportDelta::first(DeltaId::parse(&format!("import-{number}")).unwrap()),
            operations,
            policy: None,
            is_whole_memory: self.chance.bool(),
            lenient: true,
            author: Some(self.mark()),
            reasoning: Some(self.mark()),
        };
        self.engine.import(&key, request).await.unwrap();
    }

    /// To another store, where it continues, and back over the present one.
    async fn move_over(&mut self) {
        let key = self.key();
        if self.engine.view(&key).await.unwrap().is_none() {
            return;
        }
        let elsewhere = TempDir::new().unwrap();
        let other = open(&elsewhere.path().join("other.db"));
        self.engine.copy_to(&other, &key).await.unwrap();
        let added = vec![Operation::Add(Box::new(self.bullet()))];
        let id = DeltaId::parse(&format!("elsewhere-{}", self.seeded)).unwrap();
        other
            .apply_delta(&key, Delta::new(id, added))
            .await
            .unwrap();
        other.copy_to(&self.engine, &key).await.unwrap();
    }

    async fn tidy(&mut self, number: usize) {
        let key = self.key();
        match self.chance.u8(..4) {
            0 => {
                self.engine.clear(&key, None).await.unwrap();
            }
            1 => {
                let fields = json!({"retrieval_records": 4})
                    .as_object()
                    .cloned()
                    .unwrap();
                let change = Operation::Policy(PolicyChange { fields });
                self.apply(format!("policy-{number}"), vec![change]).await;
            }
            2 => {
                self.engine.compact(&key).await.unwrap();
            }
            _ => {
                // The last to close a file writes its log back.
                self.engine.drain().await;
                self.engine = open(&self.folder.path().join("memory.db"));
            }
        }
    }

    /// Rows of another learner lie between hers.
    async fn neighbour(&mut self, number: usize) {
        let key = MemoryKey::new("t", "bob", "default").unwrap();
        let add = |text: String| {
            Operation::Add(Box::new(NewBullet {
                content: text,
                ..NewBullet::default()
            }))
        };
        let texts = (0..self.chance.usize(1..30)).map(|n| format!("bob {number} item {n} x{n}"));
        let operations = texts.map(add).collect();
        let id = DeltaId::parse(&format!("bob-{number}")).unwrap();
        self.engine
            .apply_delta(&key, Delta::new(id, operations))
            .await
            .unwrap();
    }
}

fn open(path: &Path) -> Engine {
    let options = EmbeddedOptions {
        durable: false,
        ..EmbeddedOptions::default()
    };
    let store = Arc::new(EmbeddedStore::open(path, options).unwrap());
    let options = EngineOptions {
        seeds: false,
        ..EngineOptions::default()
    };
    Engine::new(store, Arc::new(SystemClock), options)
}

/// Number of occurrences of a text in the files of a folder, names included.
fn found(folder: &Path, text: &str) -> usize {
    let files = fs::read_dir(folder).unwrap().flatten();
    files
        .map(|file| {
            let bytes = fs::read(file.path()).unwrap();
            let is_here = |at: &[u8]| at == text.as_bytes();
            bytes.windows(text.len()).filter(|at| is_here(at)).count()
                + usize::from(file.file_name().to_string_lossy().contains(text))
        })
        .sum()
}

#[tokio::test]
async fn no_mark_is_found_in_any_file_after_random_histories() {
    let (histories, marks) = (size("ERASE_HISTORIES", 20), size("ERASE_MARKS", 1_000));
    for seed in 0..histories {
        let mut history = History::new(seed as u64);
        history.add(0).await;
        let mut number = 1;
        while history.seeded < marks {
            history.step(number).await;
            number += 1;
        }
        history.neighbour(number).await;
        history.engine.drain().await;
        let folder = history.folder.path();
        assert!(found(folder, &history.sign) > 0, "history {seed}");
        let bob = MemoryKey::new("t", "bob", "default").unwrap();
        let before = history.engine.view(&bob).await.unwrap().unwrap().digest;
        let erasure = history.engine.erase("t", "ann", None).await.unwrap();
        assert_eq!(erasure.not_wiped, None);
        assert!(erasure.receipt.unwrap().is_wiped);
        assert_eq!(found(folder, &history.sign), 0, "history {seed}, open");
        let after = history.engine.view(&bob).await.unwrap().unwrap().digest;
        assert_eq!(after, before, "history {seed}");
        let findings = history.engine.store().check().await.unwrap();
        assert!(findings.is_empty(), "history {seed}: {findings:?}");
        drop(history.engine);
        assert_eq!(found(folder, &history.sign), 0, "history {seed}, closed");
    }
}

/// Makes a file with a memory of `ann`, and leaves texts in it as an older engine did: deleted, and not overwritten.
async fn with_leavings(path: &Path, sign: &str) {
    let engine = open(path);
    let key = MemoryKey::new("t", "ann", "default").unwrap();
    let text = NewBullet {
        content: "a note that stays".to_owned(),
        ..NewBullet::default()
    };
    let delta = DeltaId::parse("d_1").unwrap();
    let delta = Delta::new(delta, vec![Operation::Add(Box::new(text))]);
    engine.apply_delta(&key, delta).await.unwrap();
    drop(engine);
    let raw = Connection::open(path).unwrap();
    raw.execute_batch(&format!(
        "PRAGMA secure_delete = OFF;
         UPDATE deltas SET reasoning = replace(hex(zeroblob(300)), '00', '{sign} ');
         UPDATE deltas SET reasoning = NULL;
         CREATE TABLE old (text TEXT);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
         INSERT INTO old SELECT '{sign} ' || i || hex(zeroblob(200)) FROM n;
         DROP TABLE old;"
    ))
    .unwrap();
}

#[tokio::test]
async fn what_an_older_engine_left_is_wiped_as_well() {
    let sign = "leftbefore";
    for by_wipe in [false, true] {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("memory.db");
        with_leavings(&path, sign).await;
        assert!(found(folder.path(), sign) > 100);
        let engine = open(&path);
        if by_wipe {
            assert_eq!(engine.wipe().await.unwrap(), None)
        } else {
            // A learner without rows: the file was never wiped before.
            let erasure = engine.erase("t", "nobody", None).await.unwrap();
            assert_eq!((erasure.receipt, erasure.not_wiped), (None, None));
        }
        assert_eq!(found(folder.path(), sign), 0, "by_wipe {by_wipe}");
        assert!(engine.store().check().await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_reader_that_keeps_the_log_is_told_of_and_a_later_erase_goes_on() {
    let (folder, sign) = (TempDir::new().unwrap(), "keptinthelog");
    let path = folder.path().join("memory.db");
    let options = EmbeddedOptions {
        busy_timeout_ms: 200,
        durable: false,
    };
    let store = Arc::new(EmbeddedStore::open(&path, options).unwrap());
    let engine = Engine::new(
        store.clone(),
        Arc::new(SystemClock),
        EngineOptions::default(),
    );
    let key = MemoryKey::new("t", "ann", "default").unwrap();
    let text = NewBullet {
        content: format!("a note about {sign}"),
        ..NewBullet::default()
    };
    let delta = DeltaId::parse("d_1").unwrap();
    let delta = Delta::new(delta, vec![Operation::Add(Box::new(text))]);
    engine.apply_delta(&key, delta).await.unwrap();
    let mut reader = Connection::open(&path).unwrap();
    let reading = reader.transaction().unwrap();
    let count = "SELECT count(*) FROM bullets";
    let _: i64 = reading.query_row(count, [], |row| row.get(0)).unwrap();
    let erasure = engine.erase("t", "ann", None).await.unwrap();
    assert_eq!(erasure.erased.memories, 1);
    let told = erasure.not_wiped.unwrap();
    assert!(told.reason.contains("keeps its log"), "{told:?}");
    assert!(!erasure.receipt.unwrap().is_wiped);
    // It is gone for everybody, and a check knows that bytes of it are not.
    assert!(engine.view(&key).await.unwrap().is_none());
    assert!(found(folder.path(), sign) > 0);
    let findings = engine.store().check().await.unwrap();
    assert!(
        findings.iter().any(|one| one.message.contains("wipe")),
        "{findings:?}"
    );
    assert!(engine.wipe().await.unwrap().is_some());
    reading.finish().unwrap();
    let again = store.erase(order("t", "ann", None)).await.unwrap();
    assert_eq!((again.receipt, again.not_wiped), (None, None));
    assert_eq!(found(folder.path(), sign), 0);
    assert!(engine.store().check().await.unwrap().is_empty());
    let receipts = engine.erase_receipts("t", Some("ann")).await.unwrap();
    assert!(receipts.len() == 1 && receipts[0].is_wiped, "{receipts:?}");
}
