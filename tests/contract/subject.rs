//! The subject of a clause: a store, unique names, and builders for its rows.
//!
//! The builders make values that a store must keep, not values that an engine would decide; a clause
//! stays about one promise when everything else is made in one line.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use hindlore_domain::memory::bullet::{Bullet, BulletId, Counts, Kind, MemoryType, Source, Status};
use hindlore_domain::memory::content::Content;
use hindlore_domain::memory::delta::{DeltaId, Origin, body_digest};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::link::{Link, LinkId, LinkKind};
use hindlore_domain::memory::policy::{Policy, Profile};
use hindlore_domain::memory::receipt::{BulletChange, ChangeKind, ChangeRecord, Receipt};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::{
    Commit, Creation, DeltaRecord, EraseNote, EraseOrder, EventRecord, Head, Known, Loaded,
    MemoryStoreExt, Outcome, Position, RetrievalRecord, Returned, Store, StoreResult, TouchBatch,
};

/// The way to a backend under test: one empty store, opened as often as it is asked for.
///
/// A clause opens it twice to see the state of another process. Two values may lead to the same server, since each
/// subject has a tenant of its own; two files are two stores.
#[async_trait]
pub trait Backend: Send + Sync {
    /// Opens the store once more, on the same data.
    async fn open(&self) -> Arc<dyn Store>;
}

/// A store under test.
pub struct Subject {
    /// The first handle on it.
    pub store: Arc<dyn Store>,
    /// A tenant that no other subject has, so that clauses may share one server.
    pub tenant: String,
    backend: Box<dyn Backend>,
}

impl Subject {
    /// Opens the backend, under a new tenant.
    pub async fn of(backend: impl Backend + 'static) -> Self {
        Self {
            store: backend.open().await,
            tenant: fresh("tenant"),
            backend: Box::new(backend),
        }
    }

    /// Another handle on the same data, as another process would have.
    pub async fn reopen(&self) -> Arc<dyn Store> {
        self.backend.open().await
    }

    /// The key of a memory in the subject's own tenant.
    pub fn key(&self, learner: &str, scope: &str) -> MemoryKey {
        MemoryKey::new(&self.tenant, learner, scope).unwrap()
    }

    /// Creates a memory whose seed bullets have these texts. Returns its key and the bullets, in order.
    pub async fn seeded(&self, texts: &[&str]) -> (MemoryKey, Vec<Bullet>) {
        let key = self.key("learner", &fresh("scope"));
        let creation = creation(&key, texts);
        let bullets = creation.bullets.clone();
        self.store.create(creation).await.unwrap();
        (key, bullets)
    }

    /// The memory as the store has it.
    pub async fn loaded(&self, key: &MemoryKey) -> Loaded {
        self.store.load(key).await.unwrap().unwrap()
    }

    /// Clock and revision of the memory as the store has it.
    pub async fn position(&self, key: &MemoryKey) -> Position {
        self.store.head(key).await.unwrap().unwrap().position
    }

    /// Commits the given changes, for any state of the memory.
    pub async fn commit(&self, key: &MemoryKey, commit: Commit) -> StoreResult<Outcome> {
        self.commit_knowing(key, Known::Clock(0), commit).await
    }

    /// Commits as a caller who knows something of the memory.
    pub async fn commit_knowing(
        &self,
        key: &MemoryKey,
        known: Known,
        commit: Commit,
    ) -> StoreResult<Outcome> {
        let decide = Box::new(move |_| commit.clone());
        self.store.transact(key, known, Vec::new(), decide).await
    }

    /// Commits one delta that makes or changes `bullets`; gives its record.
    pub async fn apply(&self, key: &MemoryKey, id: &str, bullets: &[Bullet]) -> DeltaRecord {
        let before = self.loaded(key).await;
        let delta = delta_on(&before, id, bullets);
        let commit = commit_of(&delta, bullets);
        let known = Known::Head(Box::new(before.head));
        let outcome = self.commit_knowing(key, known, commit).await;
        assert_eq!(outcome.unwrap(), Outcome::Committed);
        delta
    }

    /// Records one retrieval of `bullets` at the present position; gives its tick.
    pub async fn retrieve(&self, key: &MemoryKey, id: &str, bullets: &[Bullet]) -> u64 {
        let known = self.position(key).await;
        let tick = known.clock + 1;
        let batch = batch(&known, vec![retrieval(id, &known, bullets)]);
        self.store.touch(key, batch).await.unwrap();
        tick
    }
}

/// An order to erase all of a learner, or one memory.
pub fn order(tenant: &str, learner: &str, scope: Option<&str>) -> EraseOrder {
    EraseOrder {
        elsewhere: 0,
        tenant: tenant.to_owned(),
        learner: learner.to_owned(),
        scope: scope.map(str::to_owned),
        note: note(),
    }
}

/// The author of the order.
pub(crate) fn note() -> EraseNote {
    EraseNote {
        id: fresh("er"),
        at: moment(7),
        author: Some("Zoë".to_owned()),
    }
}

/// A unique name.
pub fn fresh(prefix: &str) -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    format!("{prefix}-{:016x}-{number}", fastrand::u64(..))
}

/// A moment `ms` after the first of the builders, in September 2026.
pub fn moment(ms: i64) -> Timestamp {
    Timestamp::from_millis(1_790_000_000_000 + ms)
}

/// A plain bullet; the ordinal gives its id and its place.
pub fn bullet(key: &MemoryKey, ordinal: u64, text: &str) -> Bullet {
    let content = Content::parse(text, u32::MAX).unwrap();
    Bullet {
        id: BulletId::derive(key, "builder", ordinal),
        other_hash: None,
        content,
        holds_hash: true,
        legacy_id: None,
        memory_type: MemoryType::Procedural,
        kind: Kind::Strategy,
        status: Status::Active,
        pinned: false,
        counts: Counts::default(),
        strength: 100.0,
        access_index: None,
        last_access: None,
        last_used: None,
        created_at: moment(0),
        created_tick: 0,
        changed_tick: 0,
        position: ordinal,
        tags: Vec::new(),
        section: None,
        topic: None,
        concept: None,
        ttl_days: None,
        importance: 0.5,
        source: Source::Agent,
        merged_into: None,
        embedding: None,
    }
}

/// A bullet with something in every field.
pub(crate) fn full_bullet(key: &MemoryKey, ordinal: u64, text: &str) -> Bullet {
    Bullet {
        legacy_id: Some("5eb63bbbe01e".to_owned()),
        memory_type: MemoryType::Episodic,
        kind: Kind::AntiPattern,
        pinned: true,
        counts: Counts {
            helpful: 3,
            harmful: 1,
            neutral: 7,
        },
        strength: 0.1 + 0.2,
        last_access: Some(moment(-5)),
        last_used: Some(moment(-4)),
        tags: vec!["API".to_owned(), "späte Ernte, \"x\"".to_owned()],
        section: Some("Section".to_owned()),
        topic: Some("topic".to_owned()),
        concept: Some("concept".to_owned()),
        ttl_days: Some(30),
        importance: 1.0 / 3.0,
        source: Source::Person,
        merged_into: Some(BulletId::derive(key, "builder", 0)),
        embedding: Some(vec![0.1, -2.5, f32::MIN_POSITIVE]),
        ..bullet(key, ordinal, text)
    }
}

/// Bullets that `tick` made: one for each text, from `first` on.
pub fn born(key: &MemoryKey, first: u64, tick: u64, texts: &[&str]) -> Vec<Bullet> {
    let made = (first..).zip(texts).map(|(ordinal, text)| Bullet {
        created_tick: tick,
        changed_tick: tick,
        ..bullet(key, ordinal, text)
    });
    made.collect()
}

/// A memory that begins with one bullet for each text.
pub fn creation(key: &MemoryKey, texts: &[&str]) -> Creation {
    let head = Head {
        position: Position {
            incarnation: fresh("incarnation"),
            clock: 0,
            revision: 0,
        },
        origin_clock: 0,
        policy: Policy::default(),
        created_at: moment(0),
    };
    let empty = Loaded {
        head,
        bullets: Vec::new(),
        links: Vec::new(),
    };
    let bullets = born(key, 0, 0, texts);
    let record = delta_at(&empty, (0, 0), DeltaId::creation().as_str(), &bullets);
    Creation {
        key: key.clone(),
        head: empty.head,
        bullets,
        record,
    }
}

/// The next delta of a memory, which makes or changes `bullets`.
pub fn delta_on(before: &Loaded, id: &str, bullets: &[Bullet]) -> DeltaRecord {
    let position = &before.head.position;
    delta_at(
        before,
        (position.clock + 1, position.revision + 1),
        id,
        bullets,
    )
}

/// A delta with a tick and a revision.
pub(crate) fn delta_at(
    before: &Loaded,
    (tick, revision): (u64, u64),
    id: &str,
    bullets: &[Bullet],
) -> DeltaRecord {
    let old = |id| before.bullets.iter().find(|b| b.id == id).cloned();
    let change = |after: &Bullet| {
        let before = old(after.id);
        ChangeRecord::from_change(&BulletChange {
            kind: match before {
                Some(_) => ChangeKind::Changed,
                None => ChangeKind::Added,
            },
            before: before.map(Arc::new),
            after: Arc::new(after.clone()),
        })
    };
    let mut changes: Vec<ChangeRecord> = bullets.iter().map(change).collect();
    changes.sort_by_key(|change| change.bullet);
    let body = format!(r#"{{"lenient":false,"operations":[],"reasoning":"{id}"}}"#);
    DeltaRecord {
        id: DeltaId::known(id).unwrap(),
        tick,
        revision,
        at: moment(i64::try_from(tick).unwrap()),
        origin: Origin {
            author: Some("Zoë".to_owned()),
            instance: "contract".to_owned(),
            engine_version: "0.0.0".to_owned(),
        },
        reasoning: Some(format!("why {id}")),
        body_digest: body_digest(&body),
        body: Arc::new(body),
        receipt: receipt(id, (tick, revision), &changes),
        changes,
        policy_before: None,
    }
}

fn receipt(id: &str, (clock, revision): (u64, u64), changes: &[ChangeRecord]) -> Receipt {
    let of_kind = |kind| {
        let changes = changes.iter().filter(|change| change.kind == kind);
        changes.map(|change| change.bullet).collect()
    };
    Receipt {
        delta: DeltaId::known(id).unwrap(),
        revision,
        clock,
        digest: fresh("digest"),
        content_digest: fresh("digest"),
        added: of_kind(ChangeKind::Added),
        updated: of_kind(ChangeKind::Changed),
        archived: Vec::new(),
        revived: Vec::new(),
        rejected: Vec::new(),
        merged: Vec::new(),
        linked: Vec::new(),
        refused: Vec::new(),
    }
}

/// A commit of one delta.
pub fn commit_of(delta: &DeltaRecord, bullets: &[Bullet]) -> Commit {
    let mut bullets: Vec<Arc<Bullet>> = bullets.iter().cloned().map(Arc::new).collect();
    bullets.sort_by_key(|bullet| bullet.id);
    Commit {
        events: vec![EventRecord::Delta(Box::new(delta.clone()))],
        bullets,
        ..Commit::default()
    }
}

/// A retrieval that was ranked at a position and returned `bullets`.
pub fn retrieval(id: &str, known: &Position, bullets: &[Bullet]) -> RetrievalRecord {
    let returned = |(rank, bullet): (u32, &Bullet)| Returned {
        bullet: bullet.id,
        score: 1.0 / f64::from(rank + 3),
        injected: false,
        used: false,
        helped: false,
        harmed: false,
        ignored: false,
    };
    RetrievalRecord {
        id: id.to_owned(),
        tick: 0,
        revision: known.revision,
        ranked_at: known.clock,
        at: moment(1_000_000 + i64::try_from(known.clock).unwrap()),
        profile: Profile::ClBench,
        query: "how to write a file — 文件?".to_owned(),
        parameters: r#"{"limit":10}"#.to_owned(),
        returned: (0..).zip(bullets).map(returned).collect(),
    }
}

/// A batch that only a delta can stop.
pub fn batch(known: &Position, retrievals: Vec<RetrievalRecord>) -> TouchBatch {
    TouchBatch {
        known: known.clone(),
        strict: false,
        retrievals,
    }
}

pub(crate) fn link(kind: LinkKind, from: &Bullet, to: &Bullet, tick: u64) -> Link {
    Link {
        id: LinkId::new(kind, from.id, to.id),
        reason: Some("one says not".to_owned()),
        similarity: Some(0.1 + 0.7),
        changed_tick: tick,
        removed: false,
    }
}
