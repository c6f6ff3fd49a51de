//! A database that holds many other things under our labels: we harm nothing there, and are harmed by nothing.

use hindlore::RetrieveRequest;
use hindlore_contract::lesson_world::{everything, write};
use hindlore_contract::subject::{fresh, moment};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_neo4j::Neo4jStore;
use hindlore_store::records::trace_archive::ArchivedTrace;
use hindlore_store::records::{RecordCommit, RecordReads};
use hindlore_store::{MaintenanceStore, RecordStore};
use serde_json::{Value, json};

use crate::children::engine;
use crate::erasing::delta;
use crate::http::{ask, run};
use crate::migrations::strip;
use crate::server::Server;
use crate::taken::{all_are_there, report};
use crate::together::text;

/// Foreign nodes for each label.
const EACH: usize = 5_000;
/// Labels of ours that other programs use as well.
const LABELS: [&str; 20] = [
    "Tag",
    "Run",
    "Task",
    "Tool",
    "Topic",
    "Concept",
    "Event",
    "Domain",
    "Learner",
    "Bullet",
    "Lesson",
    "Decision",
    "Review",
    "Operation",
    "Checkpoint",
    "Delta",
    "Record",
    "Step",
    "Retrieval",
    "Fingerprint",
];
/// Constraints and indexes of other programs.
const SCHEMA: [(&str, &str); 6] = [
    (
        "CONSTRAINT",
        "tag_key_unique FOR (n:Slide) REQUIRE n.key IS UNIQUE",
    ),
    (
        "CONSTRAINT",
        "hindlore_run_key_unique FOR (n:Marathon) REQUIRE n.key IS UNIQUE",
    ),
    (
        "CONSTRAINT",
        "of_users FOR (n:User) REQUIRE n.name IS UNIQUE",
    ),
    ("INDEX", "of_tags FOR (n:Tag) ON (n.key)"),
    ("INDEX", "of_events FOR (n:Event) ON (n.memory, n.tick)"),
    (
        "INDEX",
        "bullet_changed FOR (n:Bullet) ON (n.memory, n.changed_tick)",
    ),
];

/// Removes the foreign data, even when the trial failed.
struct Guests(Server);

impl Guests {
    fn invite(server: &Server) -> Self {
        let guests = Self(server.clone());
        for (kind, text) in SCHEMA {
            run(server, &format!("CREATE {kind} {text}"));
        }
        for label in LABELS {
            // Every second key is there twice, some values are longer than an index of ours would take.
            run(
                server,
                &format!(
                    "UNWIND range(1, {EACH}) AS n
                     CREATE (g:{label}:Guest {{key: 'red' + n / 2, memory: 'm' + n % 7, tick: n % 3, owner: 'me', name: 'n' + n,
                       by_time: CASE n % 1000 WHEN 0 THEN reduce(t = '', x IN range(1, 2000) | t + 'long and long') END}})
                     WITH g, n WHERE n % 10 = 0
                     CREATE (g)-[:TAGGED {{posting: 'p' + n}}]->(:User:Guest {{name: '{label}' + n, key: 'red'}})"
                ),
            );
        }
        guests
    }

    /// A sum over every property and relationship of the foreign data.
    fn sum(&self) -> Value {
        let nodes = "MATCH (g:Guest) UNWIND keys(g) AS name
            WITH labels(g) AS labels, name, toString(g[name]) AS value
            RETURN labels, name, count(*), count(DISTINCT value), min(value), max(value), sum(size(value))
            ORDER BY labels, name";
        let ties = "MATCH (:Guest)-[r]->(:Guest) RETURN type(r), count(*), min(r.posting), max(r.posting), sum(size(keys(r)))";
        let strangers = "MATCH (:Guest)-[r]-(n) WHERE NOT n:Guest RETURN count(r)";
        json!([
            run(&self.0, nodes),
            run(&self.0, ties),
            run(&self.0, strangers)
        ])
    }
}

impl Drop for Guests {
    fn drop(&mut self) {
        let some = "MATCH (g:Guest) WITH g LIMIT 20000 DETACH DELETE g RETURN count(*)";
        while ask(&self.0, some, json!({}))["data"]["values"][0][0].as_u64() > Some(0) {}
        for (kind, text) in SCHEMA {
            let name = text.split(' ').next().unwrap();
            ask(&self.0, &format!("DROP {kind} {name} IF EXISTS"), json!({}));
        }
    }
}

/// Writes everything that a learner can have: a memory with its history and a checkpoint, lessons and runs, records.
async fn live(server: &Server, key: &MemoryKey) {
    let owner = LearnerId::new(key.tenant(), key.learner()).unwrap();
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
}

pub(crate) async fn beside_others(server: Server) {
    strip(&server);
    let guests = Guests::invite(&server);
    let count = run(&server, "MATCH (g:Guest) RETURN count(g)")[0][0].as_u64();
    assert!(count.unwrap() >= 100_000);
    let before = guests.sum();
    let store = Neo4jStore::connect(server.options()).await.unwrap();
    assert!(all_are_there(&server).await);
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    live(&server, &key).await;
    assert!(
        engine(&server, "reader")
            .await
            .verify(&key)
            .await
            .unwrap()
            .is_sound
    );
    // A constraint that would refuse our tags is reported, and those that would not are not.
    assert_eq!(report(&server).await.collisions.unwrap(), []);
    run(
        &server,
        "CREATE CONSTRAINT of_names FOR (n:Checkpoint) REQUIRE n.name IS UNIQUE",
    );
    let told = report(&server).await.collisions;
    run(&server, "DROP CONSTRAINT of_names");
    let told = told.unwrap();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].0.contains("(:Checkpoint {name})") && told[0].1 == "DROP CONSTRAINT of_names",
        "{told:?}"
    );
    // Another program's nodes are no tenant, no memory and no damage of ours.
    assert!(!store.tenants().await.unwrap().contains(&String::new()));
    let found = store.check().await.unwrap();
    let foreign = found.iter().find(|one| one.subject.starts_with('/'));
    assert!(foreign.is_none(), "{foreign:?}");
    let engine = engine(&server, "eraser").await;
    engine
        .erase(key.tenant(), key.learner(), None)
        .await
        .unwrap();
    let left = ask(
        &server,
        "MATCH (n {tenant: $tenant}) RETURN count(n)",
        json!({"tenant": key.tenant()}),
    );
    assert_eq!(left["data"]["values"][0][0], 0);
    assert_eq!(guests.sum(), before);
}
