//! Inspecting a server without changing it: pending migrations of its schema, and the policy of a memory on it.

use hindlore_neo4j::Neo4jStore;
use hindlore_store::MaintenanceStore;
use hindlore_testkit::TestMemory;
use serde_json::{Value, json};

use crate::http::ask;
use crate::program::on;
use crate::server::Server;

/// The program's report on the server.
fn told(server: &Server, words: &[&str]) -> Value {
    let ran = on(server, "default").run(&[words, &["--json"]].concat());
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"))
}

pub(crate) async fn pending(server: Server) {
    Neo4jStore::connect(server.options()).await.unwrap();
    let last = "MATCH (m:__Neo4jMigration {migrationTarget: 'hindlore', version: '001'})";
    ask(&server, &format!("{last} DETACH DELETE m"), json!({}));
    let status = || told(&server, &["migrate", "status"]);
    let told = [status(), status()];
    // Made whole again before anything may fail: the ledger is shared.
    let store = Neo4jStore::connect(server.options()).await.unwrap();
    assert!(store.schema().await.unwrap().pending.is_empty());
    for one in told {
        assert_eq!(one["pending"], json!(["V001__schema"]), "{one}");
    }
}

pub(crate) async fn policies(server: Server) {
    let memory = TestMemory::on(&server).await.unwrap().erased_at_end();
    memory.seed(&["close the valve"]).await.unwrap();
    let (tenant, learner) = (memory.key.tenant(), memory.key.learner());
    let mut words = vec!["config", "show", "--tenant", tenant, "--learner", learner];
    words.extend(["--scope", memory.key.scope()]);
    let shown = told(&server, &words);
    assert!(shown["differences"].is_array(), "{shown}");
}
