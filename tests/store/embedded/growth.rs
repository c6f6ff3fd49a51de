//! A file in years of use: the number of its rows follows what a memory knows, not what happened to it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use hindlore::{Engine, EngineError, EngineOptions, Moment, RetrieveRequest};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation, TagCounts};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::query::Query;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::DeltaPage;
use hindlore_testkit::{SetClock, TemporaryStore, assert_same};
use rusqlite::Connection;

/// Retrievals of a day, which also has one delta.
const RETRIEVALS: u64 = 9;
const DAY_MS: i64 = 86_400_000;

/// A memory of a few bullets, over a clock that is set.
struct Life {
    place: TemporaryStore,
    engine: Engine,
    clock: Arc<SetClock>,
    key: MemoryKey,
    days: u64,
}

fn engine(place: &TemporaryStore, clock: &Arc<SetClock>) -> Engine {
    let policy = Policy {
        retrieval_records: 100,
        delta_days: 5,
        delta_records: 20,
        ..Policy::default()
    };
    let options = EngineOptions {
        policy,
        seeds: false,
        ..EngineOptions::default()
    };
    Engine::new(place.store().unwrap(), clock.clone(), options)
}

fn delta(id: &str, operation: Operation) -> Delta {
    Delta::new(DeltaId::parse(id).unwrap(), vec![operation])
}

/// The vote of a day. Its id and its body follow from the day.
fn vote(life: &Life, day: u64) -> Delta {
    let votes = TagCounts {
        id: life.bullet(day % 10).into(),
        helpful: 1,
        harmful: 0,
        neutral: 0,
    };
    delta(&format!("vote-{day}"), Operation::Tag(votes))
}

impl Life {
    async fn begin() -> Self {
        let place = TemporaryStore::new().unwrap();
        let clock = Arc::new(SetClock::at(Timestamp::from_millis(0)));
        let life = Self {
            engine: engine(&place, &clock),
            key: MemoryKey::new("t", "learner", "s").unwrap(),
            place,
            clock,
            days: 0,
        };
        for number in 0..10 {
            let new = NewBullet {
                content: format!("note {number} about the harbour of town {number}"),
                ..NewBullet::default()
            };
            let adding = delta(&format!("note-{number}"), Operation::Add(Box::new(new)));
            life.engine.apply_delta(&life.key, adding).await.unwrap();
        }
        life
    }

    /// The id of the bullet that the n-th note made.
    fn bullet(&self, number: u64) -> BulletId {
        BulletId::derive(&self.key, &format!("note-{number}"), 0)
    }

    /// Lets days go by, up to that many in all.
    async fn live_until(&mut self, days: u64) {
        while self.days < days {
            self.days += 1;
            let now = self.days.cast_signed() * DAY_MS;
            self.clock.set(Timestamp::from_millis(now));
            // At the same time, so that they are written together.
            let asked: Vec<_> = (0..RETRIEVALS)
                .map(|number| {
                    let query = Query::new(format!("the harbour of town {number}"));
                    let (engine, key) = (self.engine.clone(), self.key.clone());
                    let request = RetrieveRequest::new(query);
                    tokio::spawn(async move { engine.retrieve(&key, request).await.unwrap() })
                })
                .collect();
            for one in asked {
                assert!(one.await.unwrap().retrieval.is_some());
            }
            let vote = vote(self, self.days);
            self.engine.apply_delta(&self.key, vote).await.unwrap();
            if self.days.is_multiple_of(10) {
                self.engine.compact(&self.key).await.unwrap();
            }
        }
    }

    fn rows(&self) -> BTreeMap<String, u64> {
        rows(&self.place.path())
    }
}

/// The number of rows of each table of a file.
fn rows(path: &Path) -> BTreeMap<String, u64> {
    let raw = Connection::open(path).unwrap();
    let mut tables = raw
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        .unwrap();
    let names = tables.query_map([], |row| row.get::<_, String>(0)).unwrap();
    let count = |name: String| {
        let count = format!("SELECT count(*) FROM {name}");
        let rows = raw.query_row(&count, [], |row| row.get::<_, i64>(0));
        (name, rows.unwrap().cast_unsigned())
    };
    names.map(|name| count(name.unwrap())).collect()
}

/// `GROWTH_DAYS=3000` makes 30,000 events of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_times_as_many_events_take_no_more_rows() {
    let days = std::env::var("GROWTH_DAYS").map_or(500, |days| days.parse().unwrap());
    let mut life = Life::begin().await;
    life.live_until(days / 10).await;
    let early = life.rows();
    assert!(
        early["deltas"] >= 20 && early["retrievals"] >= 75,
        "{early:?}"
    );
    life.live_until(days).await;
    let head = life.engine.head(&life.key).await.unwrap().unwrap();
    assert_eq!(head.position.clock, 10 + 10 * days);
    let late = life.rows();
    for (table, count) in &late {
        // At most 256 texts hold the marks of all folded deltas.
        let bound = match table.as_str() {
            "folded_deltas" => 256,
            table => early[table] + 40,
        };
        assert!(*count <= bound, "{table}: {count} after {}", early[table]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folded_memory_is_whole() {
    let mut life = Life::begin().await;
    life.live_until(60).await;
    let (engine, key) = (&life.engine, &life.key);
    let first = engine.deltas(key, page(None)).await.unwrap();
    let oldest = first.iter().rev().nth(1).unwrap().revision;
    assert!(oldest > 30, "{oldest}");
    let before = engine.view(key).await.unwrap().unwrap();
    assert!(engine.verify(key).await.unwrap().is_sound);
    assert!(engine.compare_replay(key).await.unwrap().is_sound);
    let found = engine.store().check().await.unwrap();
    assert!(found.is_empty(), "{found:?}");

    // A folded delta is answered and not applied; its id stays taken.
    let repeated = engine.apply_delta(key, vote(&life, 3)).await.unwrap();
    assert!(repeated.repeated && repeated.changes == Default::default());
    assert_eq!(repeated.receipt.revision, before.revision);
    let mut other = vote(&life, 4);
    other.id = DeltaId::parse("vote-3").unwrap();
    let reused = engine.apply_delta(key, other).await;
    assert!(matches!(reused, Err(EngineError::DeltaReused(_))));
    assert_same(&engine.view(key).await.unwrap().unwrap(), &before);
    let gone = engine
        .undo_delta(key, &vote(&life, 3).id, None, false)
        .await;
    assert!(matches!(gone, Err(EngineError::NoDelta(_))));

    // The kept history is as it was.
    let past = engine.as_of(key, oldest).await.unwrap();
    assert_eq!(past.revision, oldest);
    let refused = engine.as_of(key, oldest - 1).await;
    assert!(matches!(refused, Err(EngineError::Invalid(_))));
    let long_ago = Moment::Time(Timestamp::from_millis(3 * DAY_MS));
    assert!(engine.at(key, long_ago).await.is_err());
    assert!(engine.as_of(key, 0).await.unwrap().exact);

    // So is a copy, which knows the folded deltas too.
    let elsewhere = TemporaryStore::new().unwrap();
    let copy = self::engine(&elsewhere, &life.clock);
    engine.copy_to(&copy, key).await.unwrap();
    assert_same(&copy.view(key).await.unwrap().unwrap(), &before);
    assert_eq!(rows(&elsewhere.path()), life.rows());
    assert!(
        copy.apply_delta(key, vote(&life, 3))
            .await
            .unwrap()
            .repeated
    );

    // The newest delta can be undone.
    let newest = vote(&life, 60).id;
    let undone = engine.undo_delta(key, &newest, None, false).await.unwrap();
    assert_eq!(undone.receipt.revision, before.revision + 1);
    assert!(engine.verify(key).await.unwrap().is_sound);
}

fn page(below_revision: Option<u64>) -> DeltaPage {
    DeltaPage {
        below_revision,
        limit: 1_000,
    }
}
