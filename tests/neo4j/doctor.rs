//! The doctor's report on a sound server, on a damaged one, and on none.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use hindlore::Engine;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_neo4j::Neo4jStore;
use hindlore_testkit::TestMemory;
use serde_json::{Value, json};

use crate::children::engine;
use crate::http::ask;
use crate::outage::note;
use crate::server::Server;

/// Runs the program as a user would, on one tenant.
fn doctor(server: &Server, tenant: &str) -> (Output, Value) {
    let home = tempfile::TempDir::new().unwrap();
    let mut program = Command::new(crate::PROGRAM);
    program
        .args([
            "doctor",
            "--json",
            "--tenant",
            tenant,
            "--store",
            &server.uri,
        ])
        .env("NEO4J_USERNAME", &server.user)
        .env("NEO4J_PASSWORD", &server.password)
        .env("NEO4J_DATABASE", &server.database)
        .env("HOME", home.path());
    if let Some(file) = &server.ca_file {
        program.env("NEO4J_CA_FILE", file);
    }
    let ran = program.output().unwrap();
    let document = serde_json::from_slice(&ran.stdout).unwrap_or(Value::Null);
    (ran, document)
}

fn check<'d>(document: &'d Value, subject: &str) -> &'d Value {
    let mut checks = document["checks"].as_array().into_iter().flatten();
    let found = checks.find(|check| check["subject"] == subject);
    found.unwrap_or_else(|| panic!("no `{subject}` in {document}"))
}

fn refused(server: &Server, code: &str, word: &str) {
    let (ran, _) = doctor(server, "nobody");
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(2), "{told}");
    let error: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(error["error"]["code"], code, "{told}");
    let message = error["error"]["message"].as_str().unwrap();
    assert!(message.contains(word), "{told}");
    assert!(
        !told.contains(&server.password) || server.password == "password",
        "{told}"
    );
}

pub(crate) async fn sound(server: Server) {
    let memory = TestMemory::on(&server).await.unwrap().erased_at_end();
    memory.seed(&["close the valve"]).await.unwrap();
    let (ran, document) = doctor(&server, memory.key.tenant());
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    assert_eq!(
        (&document["sound"], &document["errors"]),
        (&json!(true), &json!(0))
    );
    for subject in [
        "server",
        "database",
        "schema",
        "constraints and indexes",
        "clock",
        "store",
    ] {
        assert_eq!(check(&document, subject)["state"], "ok", "{document}");
    }
    let said = |subject: &str| {
        check(&document, subject)["message"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(said("server").contains(" community"), "{document}");
    assert!(said("memory of the server").contains("MiB"), "{document}");
    assert!(said("round trip").contains("ms"), "{document}");
    assert!(
        said(&memory.key.to_string()).starts_with("sound"),
        "{document}"
    );
    for subject in [
        "encryption",
        "password",
        "transaction timeout",
        "lock timeout",
    ] {
        assert_ne!(check(&document, subject)["state"], "error", "{document}");
    }
}

/// Runs the statement that undoes a trial's change, even when the trial failed.
struct Restored(Server, &'static str);

impl Drop for Restored {
    fn drop(&mut self) {
        ask(&self.0, self.1, json!({}));
    }
}

pub(crate) async fn damaged(server: Server) {
    Neo4jStore::connect(server.options()).await.unwrap();
    let made = "CREATE CONSTRAINT hindlore_checkpoint_identity IF NOT EXISTS \
                FOR (n:Checkpoint) REQUIRE n.hindlore_key IS UNIQUE";
    let restored = Restored(server.clone(), made);
    ask(
        &server,
        "DROP CONSTRAINT hindlore_checkpoint_identity",
        json!({}),
    );
    let (ran, document) = doctor(&server, "nobody");
    drop(restored);
    assert_eq!(ran.status.code(), Some(2), "{ran:?}");
    let found = check(&document, "constraints and indexes");
    assert_eq!(found["state"], "error", "{document}");
    let message = found["message"].as_str().unwrap();
    assert!(
        message.starts_with("missing: hindlore_checkpoint_identity;"),
        "{message}"
    );
    assert!(String::from_utf8_lossy(&ran.stderr).contains("not_sound"));
    let (ran, document) = doctor(&server, "nobody");
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    assert_eq!(check(&document, "constraints and indexes")["state"], "ok");
}

/// While another instance applies migrations the doctor reports it, does not wait, and applies nothing.
pub(crate) async fn migrating(server: Server) {
    Neo4jStore::connect(server.options()).await.unwrap();
    let given_back =
        "MATCH (l:__Neo4jMigrationsLock) REMOVE l.holder SET l.expires_at = timestamp()";
    let restored = Restored(server.clone(), given_back);
    let taken = "MATCH (l:__Neo4jMigrationsLock) SET l.holder = 'another', \
                 l.expires_at = timestamp() + 45000";
    ask(&server, taken, json!({}));
    let record = "MATCH (m:__Neo4jMigration {migrationTarget: 'hindlore', version: '001'})";
    ask(&server, &format!("{record} DETACH DELETE m"), json!({}));
    let started = Instant::now();
    let (ran, document) = doctor(&server, "nobody");
    let took = started.elapsed();
    let left = ask(&server, &format!("{record} RETURN count(m)"), json!({}));
    drop(restored);
    let store = Neo4jStore::connect(server.options()).await;
    assert!(store.is_ok(), "{store:?}");
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    assert_eq!(check(&document, "schema")["state"], "note", "{document}");
    assert_eq!(
        left["data"]["values"][0][0], 0,
        "the doctor migrated: {left}"
    );
    assert!(
        took < Duration::from_secs(30),
        "the doctor waited for {took:?}"
    );
}

/// No server, no patient: the error of the store, with its code.
pub(crate) async fn none(server: Server) {
    let wrong = Server {
        password: "not the password".to_owned(),
        ..server.clone()
    };
    refused(&wrong, "store_unavailable", "password");
    let http = Server {
        uri: server.http.replace("http://", "bolt://"),
        ..server.clone()
    };
    refused(&http, "store_foreign", "not the Bolt port");
    let nobody = Server {
        uri: "bolt://127.0.0.1:1".to_owned(),
        ..server
    };
    refused(&nobody, "store_unavailable", "cannot be reached");
}

/// One unreadable policy is named with its memory, and affects no other memory.
pub(crate) async fn unreadable_policy(server: Server) {
    let memory = TestMemory::on(&server).await.unwrap().erased_at_end();
    memory.seed(&["close the valve"]).await.unwrap();
    let tenant = memory.key.tenant();
    let engine = engine(&server, "writer").await;
    let broken = MemoryKey::new(tenant, "another", "scope").unwrap();
    engine
        .apply_delta(&broken, note("d_1", "one note"))
        .await
        .unwrap();
    for (property, wrong) in [
        ("policy", "'none'"),
        ("policy", "'{\"mode\": 7}'"),
        ("revision", "'x'"),
    ] {
        let spoil = format!(
            "MATCH (s:ContextScope {{tenant: $tenant, learner: 'another'}})
             WITH s, s.{property} AS was SET s.{property} = {wrong} RETURN was"
        );
        let was = ask(&server, &spoil, json!({"tenant": tenant}))["data"]["values"][0][0].clone();
        let listed = engine.memories(tenant, None).await.unwrap();
        assert_eq!(listed.len(), 2);
        for one in &listed {
            let what = one.head.as_ref().err().cloned().unwrap_or_default();
            assert_eq!(
                what.contains(&format!("`{property}`")),
                one.key == broken,
                "{what}"
            );
        }
        let (ran, document) = doctor(&server, tenant);
        assert_eq!(ran.status.code(), Some(2), "{ran:?}");
        let named = check(&document, &broken.to_string());
        assert_eq!(named["state"], "error");
        assert!(
            named["message"]
                .as_str()
                .unwrap()
                .contains(&format!("`{property}`")),
            "{named}"
        );
        let other = check(&document, &memory.key.to_string());
        assert_eq!(other["state"], "ok", "{document}");
        let opened = engine_error(crate::children::engine(&server, "fresh").await, &broken).await;
        assert!(
            opened.contains("another/scope") && opened.contains(property),
            "{opened}"
        );
        let mend = format!(
            "MATCH (s:ContextScope {{tenant: $tenant, learner: 'another'}}) SET s.{property} = $was"
        );
        ask(&server, &mend, json!({"tenant": tenant, "was": was}));
    }
    assert_eq!(doctor(&server, tenant).0.status.code(), Some(0));
}

async fn engine_error(engine: Engine, key: &MemoryKey) -> String {
    engine.view(key).await.unwrap_err().to_string()
}
