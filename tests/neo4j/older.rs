//! A database of an older engine: shared with engines of that version, until its names are changed under working engines.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hindlore::backend::neo4j::Neo4jStore;
use hindlore::domain::lesson::lesson::Owner;
use hindlore::domain::memory::key::MemoryKey;
use hindlore::domain::memory::query::Query;
use hindlore::engine::RetrieveRequest;
use hindlore::store::records::trace_archive::ArchivedTrace;
use hindlore::store::records::{RecordCommit, RecordReads};
use hindlore::store::{ErrorKind, LessonStore, MaintenanceStore, RecordStore};
use hindlore_contract::lesson_world::{everything, write};
use hindlore_contract::subject::{fresh, moment};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::children::engine;
use crate::erasing::delta;
use crate::http::{ask, run};
use crate::migrations::strip;
use crate::outage::note;
use crate::server::Server;
use crate::taken::all_are_there;
use crate::together::text;

/// A server whose database an older engine began. Afterwards it is as of today again.
pub(crate) struct OlderDatabase(Server);

impl OlderDatabase {
    /// Of an engine that knew plain names only.
    pub(crate) async fn make(server: &Server) -> Self {
        Neo4jStore::connect(server.options()).await.unwrap();
        let first = "MATCH (m:__Neo4jMigration {migrationTarget: 'hindlore', version: '001'}) RETURN properties(m)";
        let first = run(server, first)[0][0].clone();
        strip(server);
        run(server, "MATCH (l:__Neo4jMigrationsLock) REMOVE l.naming");
        let answer = ask(
            server,
            "CREATE (m:__Neo4jMigration) SET m = $m",
            json!({"m": first}),
        );
        assert!(answer["errors"].is_null(), "{answer}");
        Self(server.clone())
    }

    /// Of an engine that knew prefixed names, and wrote times as numbers.
    async fn with_numbers(server: &Server) -> Self {
        Neo4jStore::connect(server.options()).await.unwrap();
        strip(server);
        run(
            server,
            "MATCH (l:__Neo4jMigrationsLock) SET l.naming = 'prefixed'",
        );
        Self(server.clone())
    }
}

impl Drop for OlderDatabase {
    fn drop(&mut self) {
        strip(&self.0);
        run(
            &self.0,
            "MATCH (l:__Neo4jMigrationsLock) SET l.naming = 'dated'",
        );
    }
}

/// Everything that a learner can have: a memory with its history and a checkpoint, lessons and runs, records.
pub(crate) async fn live(server: &Server, key: &MemoryKey) -> Owner {
    let owner = Owner::new(key.tenant(), key.learner()).unwrap();
    let writer = engine(server, "writer").await;
    writer.apply_delta(key, delta("d_1", 40)).await.unwrap();
    for number in 0..3 {
        let asked = RetrieveRequest::new(Query::new(text(number)));
        writer.retrieve(key, asked).await.unwrap();
    }
    let gone = writer.apply_delta(key, delta("d_2", 3)).await.unwrap();
    writer
        .undo_delta(key, &gone.receipt.delta, None, false)
        .await
        .unwrap();
    let store = Neo4jStore::connect(server.options()).await.unwrap();
    write(&store, &owner, everything(&owner)).await.unwrap();
    let trace = ArchivedTrace {
        run: "r2".to_owned(),
        steps: 2,
        body: "[]".to_owned(),
        at: moment(5),
    };
    let puts = vec![trace.to_record()];
    let decide = Box::new(move |_| RecordCommit {
        puts: puts.clone(),
        deletes: Vec::new(),
    });
    let reads = RecordReads::default();
    store.transact_records(&owner, reads, decide).await.unwrap();
    owner
}

/// Nodes and relationships that have a plain name, without those of other programs.
fn plain_ones(server: &Server) -> Value {
    let nodes = "MATCH (n) WHERE NOT n:Foreign
        AND any(name IN keys(n) WHERE name IN ['key', 'hash_key', 'memory', 'owner'] OR name STARTS WITH 'by_')
        AND n.tenant IS NOT NULL RETURN count(n)";
    let ties = "MATCH ()-[r]->()
        WHERE any(name IN keys(r) WHERE name IN ['key', 'memory', 'pair', 'posting'] OR name STARTS WITH 'by_')
        RETURN count(r)";
    json!([run(server, nodes)[0][0], run(server, ties)[0][0]])
}

/// Times of a tenant that are numbers, and those that are dates. A piece of a checkpoint has a place called `at`, no time;
/// records have had dates from the beginning.
fn times(server: &Server, tenant: &str) -> (u64, u64) {
    let all =
        "MATCH (n {tenant: $tenant}) WHERE NOT n:CheckpointPiece AND NOT n:Record RETURN n AS it
        UNION ALL MATCH ({tenant: $tenant})-[r]->() RETURN r AS it";
    let named = "UNWIND [name IN keys(it) WHERE name = 'at' OR name ENDS WITH '_at' OR name IN ['last_access', 'last_used']] AS name
        WITH it[name] AS value, name WHERE name <> 'ranked_at'
        RETURN sum(CASE WHEN value IS :: INTEGER THEN 1 ELSE 0 END), sum(CASE WHEN value IS :: ZONED DATETIME THEN 1 ELSE 0 END), count(*)";
    let asked = format!("CALL () {{ {all} }} {named}");
    let found = ask(server, &asked, json!({"tenant": tenant}));
    let counts = &found["data"]["values"][0];
    let [numbers, dates, all] = [0, 1, 2].map(|at| counts[at].as_u64().unwrap());
    assert_eq!(numbers + dates, all, "a time of another form: {found}");
    (numbers, dates)
}

/// Memories and runs with JSON alone, and those whose policy and metrics are properties.
fn forms(server: &Server, tenant: &str) -> (u64, u64) {
    let asked = "CALL () { MATCH (s:ContextScope {tenant: $tenant})
            OPTIONAL MATCH (s)-[:HAS_POLICY]->(p:Policy) WHERE p.rates_semantic = 0.01 RETURN p IS NOT NULL AS is_new
            UNION ALL MATCH (r:Run {tenant: $tenant}) WHERE r.measured IS NOT NULL RETURN false AS is_new
            UNION ALL MATCH (r:Run {tenant: $tenant}) WHERE r.measured_cost_usd > 0 RETURN true AS is_new }
        RETURN sum(CASE WHEN is_new THEN 0 ELSE 1 END), sum(CASE WHEN is_new THEN 1 ELSE 0 END)";
    let found = ask(server, asked, json!({"tenant": tenant}));
    let counts = &found["data"]["values"][0];
    (counts[0].as_u64().unwrap(), counts[1].as_u64().unwrap())
}

const CONTRACTING: [&str; 4] = [
    "V019__plain_names_go",
    "V020__hash_identity",
    "V021__times_are_dates",
    "V023__properties_and_seals",
];
const FOREIGN: &str = "MATCH (n:Foreign) RETURN labels(n), properties(n) ORDER BY n.number";

/// Two engines that go on writing and reading.
struct Busy {
    is_over: Arc<AtomicBool>,
    writers: Vec<JoinHandle<u64>>,
}

impl Busy {
    async fn start(server: &Server, key: &MemoryKey) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let mut writers = Vec::new();
        for number in 0..2 {
            let other = MemoryKey::new(key.tenant(), &format!("busy {number}"), "scope").unwrap();
            let engine = engine(server, &format!("busy {number}")).await;
            let is_over = is_over.clone();
            writers.push(tokio::spawn(async move {
                let mut written = 0_u64;
                while !is_over.load(Ordering::SeqCst) {
                    written += 1;
                    let delta = note(&format!("d_{written}"), &text(written));
                    engine.apply_delta(&other, delta).await.unwrap();
                    let asked = RetrieveRequest::new(Query::new(text(written)));
                    engine.retrieve(&other, asked).await.unwrap();
                }
                let verified = engine.verify(&other).await.unwrap();
                assert!(verified.is_sound, "{verified:?}");
                assert_eq!(verified.stored_revision, written);
                written
            }));
        }
        Self { is_over, writers }
    }

    /// Each has applied everything once, and goes on afterwards.
    async fn end(self) {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        self.is_over.store(true, Ordering::SeqCst);
        for writer in self.writers {
            assert!(writer.await.unwrap() > 2);
        }
    }
}

pub(crate) async fn contracted(server: Server) {
    let _older = OlderDatabase::make(&server).await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let owner = live(&server, &key).await;
    let store = Neo4jStore::connect(server.options()).await.unwrap();
    let schema = store.schema().await.unwrap();
    assert_eq!(schema.waiting, CONTRACTING);
    assert!(schema.pending.is_empty(), "{:?}", schema.pending);
    let named = "MATCH (b:Bullet {tenant: $tenant}) RETURN count(b.key), count(b.hindlore_key)";
    let named = ask(&server, named, json!({"tenant": key.tenant()}));
    assert_eq!(
        named["data"]["values"][0][1], 0,
        "an older engine must find them"
    );
    run(
        &server,
        "UNWIND range(1, 3) AS number CREATE (:Foreign:Task {number: number, key: 'mine' + number, by_task: 'x'})",
    );
    let foreign = run(&server, FOREIGN);
    let (lessons, records) = (
        store.copy_lessons_out(&owner).await.unwrap(),
        store.export_records(&owner).await.unwrap(),
    );
    let before = store.copy_out(&key).await.unwrap().unwrap();
    let busy = Busy::start(&server, &key).await;
    let applied = Neo4jStore::connect(server.options())
        .await
        .unwrap()
        .contract()
        .await
        .unwrap();
    assert_eq!(applied, CONTRACTING);
    busy.end().await;
    assert_eq!(plain_ones(&server), json!([0, 0]));
    let (numbers, dates) = times(&server, key.tenant());
    assert!(
        numbers == 0 && dates > 100,
        "{numbers} numbers, {dates} dates"
    );
    assert_eq!(run(&server, FOREIGN), foreign);
    run(&server, "MATCH (n:Foreign) DELETE n");
    let mut after = store.copy_out(&key).await.unwrap().unwrap();
    after.state.head.position.incarnation = before.state.head.position.incarnation.clone();
    assert!(after == before);
    assert_eq!(store.copy_lessons_out(&owner).await.unwrap(), lessons);
    assert_eq!(store.export_records(&owner).await.unwrap(), records);
    let reader = engine(&server, "reader").await;
    assert!(reader.verify(&key).await.unwrap().is_sound);
    let found = store.check().await.unwrap().into_iter();
    let ours: Vec<_> = found
        .filter(|one| one.subject.contains(key.tenant()))
        .collect();
    assert!(ours.is_empty(), "{ours:?}");
    assert!(all_are_there(&server).await);
    let left = "SHOW INDEXES YIELD properties WHERE 'key' IN properties OR 'memory' IN properties RETURN count(*)";
    assert_eq!(run(&server, left)[0][0], 0);
    assert!(store.schema().await.unwrap().waiting.is_empty());
}

/// Prefixed names with times as numbers: shared with engines that know no dates, until they become dates under working
/// engines.
pub(crate) async fn dated(server: Server) {
    let _older = OlderDatabase::with_numbers(&server).await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let owner = live(&server, &key).await;
    let store = Neo4jStore::connect(server.options()).await.unwrap();
    let schema = store.schema().await.unwrap();
    assert_eq!(schema.waiting, CONTRACTING[2..]);
    assert!(schema.pending.is_empty(), "{:?}", schema.pending);
    let (numbers, dates) = times(&server, key.tenant());
    assert!(
        numbers > 100 && dates == 0,
        "{numbers} numbers, {dates} dates"
    );
    let (old, new) = forms(&server, key.tenant());
    assert!(old >= 2 && new == 0, "{old} old, {new} new");
    let before = store.copy_out(&key).await.unwrap().unwrap();
    let lessons = store.copy_lessons_out(&owner).await.unwrap();
    let busy = Busy::start(&server, &key).await;
    let other = Neo4jStore::connect(server.options()).await.unwrap();
    assert_eq!(other.contract().await.unwrap(), CONTRACTING[2..]);
    busy.end().await;
    let (left, now) = times(&server, key.tenant());
    assert!(left == 0 && now >= numbers, "{left} numbers, {now} dates");
    // The two busy engines have made a memory each.
    assert_eq!(forms(&server, key.tenant()), (0, old + 2));
    assert!(store.copy_out(&key).await.unwrap().unwrap() == before);
    assert_eq!(store.copy_lessons_out(&owner).await.unwrap(), lessons);
    let reader = engine(&server, "reader").await;
    assert!(reader.verify(&key).await.unwrap().is_sound);
}

/// A change that was cut off keeps everybody waiting, and whoever starts next ends it.
pub(crate) async fn cut_off(server: Server) {
    let _older = OlderDatabase::make(&server).await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    live(&server, &key).await;
    let mut options = server.options();
    options.work_timeout_ms = 1_500;
    let waiting = Neo4jStore::connect(options).await.unwrap();
    run(
        &server,
        "MATCH (l:__Neo4jMigrationsLock) SET l.naming = 'changing'",
    );
    run(
        &server,
        "MATCH (n:Learner) WHERE n.key IS NOT NULL SET n.hindlore_key = n.key REMOVE n.key",
    );
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    let error = waiting.copy_out(&key).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Busy, "{error}");
    assert!(error.to_string().contains("migrate contract"), "{error}");
    let store = Neo4jStore::connect(server.options()).await.unwrap();
    assert!(store.schema().await.unwrap().waiting.is_empty());
    assert_eq!(plain_ones(&server), json!([0, 0]));
    assert!(
        engine(&server, "reader")
            .await
            .verify(&key)
            .await
            .unwrap()
            .is_sound
    );
    assert!(waiting.copy_out(&key).await.unwrap().is_some());
}
