//! Manual edits in the Browser: read as meant, found by `verify`, recorded in the history by `adopt`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hindlore::clock::SystemClock;
use hindlore::{Engine, EngineError, EngineOptions, RetrieveRequest};
use hindlore_contract::subject::fresh;
use hindlore_domain::memory::delta::{Delta, Operation, PolicyChange};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_neo4j::Neo4jStore;
use hindlore_store::{ErrorKind, MaintenanceStore};
use serde_json::json;

use crate::children::engine;
use crate::erasing::{by_hand, delta};
use crate::outage::note;
use crate::server::Server;
use crate::together::text;
use tokio::time::sleep;

/// Cypher makes a whole number of `120`, and a fraction of `3.0`.
pub(crate) async fn numbers(server: Server) {
    let writer = engine(&server, "writer").await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let made: Delta = delta("d_1", 4);
    let added = writer.apply_delta(&key, made).await.unwrap().receipt.added;
    let edits = [
        "b.strength = 120",
        "b.helpful = 3.0",
        "b.content = 'what a hand has written instead'",
    ];
    for (id, edit) in added.iter().zip(edits) {
        let statement = format!("MATCH (b:Bullet {{tenant: $tenant, id: '{id}'}}) SET {edit}");
        by_hand(&server, &key, &statement);
    }
    let reader = engine(&server, "reader").await;
    let found = reader.verify(&key).await.unwrap();
    assert!(!found.is_sound && found.mismatches.is_empty());
    let mut named: Vec<_> = found.differences.iter().map(|one| one.bullet).collect();
    named.sort_unstable();
    let mut edited = added[..edits.len()].to_vec();
    edited.sort_unstable();
    assert_eq!(named, edited);
    assert!(reader.adopt(&key, None).await.unwrap().applied.is_some());
    let checker = engine(&server, "checker").await;
    assert!(checker.verify(&key).await.unwrap().is_sound);
    let bullets = checker.view(&key).await.unwrap().unwrap().bullets;
    let of = |at: usize| bullets.iter().find(|one| one.id == added[at]).unwrap();
    assert_eq!((of(0).strength, of(1).counts.helpful), (120.0, 3));
    assert_eq!(of(2).content.as_str(), "what a hand has written instead");
    // A value without a meaning locks no reader out, and the error names its bullet.
    let set = |value: &str| {
        let id = added[3];
        let statement =
            format!("MATCH (b:Bullet {{tenant: $tenant, id: '{id}'}}) SET b.helpful = {value}");
        by_hand(&server, &key, &statement);
    };
    set("-5");
    let last = engine(&server, "last").await;
    let view = last.view(&key).await.unwrap().unwrap();
    assert_eq!(view.bullets.len(), bullets.len());
    let id = added[3].to_string();
    let error = last.bullet(&key, &id).await.unwrap_err();
    let EngineError::Store(error) = error else {
        panic!("{error}");
    };
    assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
    assert!(error.to_string().contains(&added[3].to_string()), "{error}");
    // A check of the whole store names it too, and continues. Checks of other tests may have met it as well.
    let found = Neo4jStore::connect(server.options())
        .await
        .unwrap()
        .check()
        .await
        .unwrap();
    let found = found
        .iter()
        .find(|one| one.subject == key.to_string())
        .unwrap();
    assert!(
        found.message.contains(&added[3].to_string()),
        "{}",
        found.message
    );
    set("0");
}

/// A missing retrieval does not block compaction for ever: after a rebase, replays start from the stored memory.
pub(crate) async fn missing_record(server: Server) {
    let writer = engine(&server, "writer").await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let few = json!({"max_bullets": null, "retrieval_records": 20});
    let fields = few.as_object().cloned().unwrap();
    let mut made = delta("d_1", 4);
    made.operations[0] = Operation::Policy(PolicyChange { fields });
    writer.apply_delta(&key, made).await.unwrap();
    let retrieve = async |times: usize| {
        for _ in 0..times {
            let asked = RetrieveRequest::new(Query::new(text(0)));
            writer.retrieve(&key, asked).await.unwrap();
        }
    };
    retrieve(40).await;
    let gone = "MATCH (r:Retrieval {tenant: $tenant, tick: 11}) DETACH DELETE r RETURN 1";
    assert_eq!(by_hand(&server, &key, gone)[0][0], 1);
    let doctor = engine(&server, "doctor").await;
    let refused = doctor.compact(&key).await.unwrap_err().to_string();
    assert!(refused.contains("doctor adopt --rebase"), "{refused}");
    let refused = doctor.adopt(&key, None).await.unwrap_err().to_string();
    assert!(refused.contains("doctor adopt --rebase"), "{refused}");
    let why = (Some("ann".to_owned()), "a hand deleted a record");
    let rebased = doctor
        .rebase(&key, why.0.clone(), why.1)
        .await
        .unwrap()
        .unwrap();
    assert!(rebased.found.contains("tick 12"), "{}", rebased.found);
    assert!(
        engine(&server, "checker")
            .await
            .verify(&key)
            .await
            .unwrap()
            .is_sound
    );
    let said = "MATCH (d:Delta {tenant: $tenant}) WHERE d.author = 'ann' RETURN d.reasoning";
    let said = by_hand(&server, &key, said)[0][0]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(said.contains(why.1), "{said}");
    retrieve(40).await;
    assert!(engine(&server, "folder").await.compact(&key).await.unwrap() > 0);
    assert!(
        engine(&server, "last")
            .await
            .verify(&key)
            .await
            .unwrap()
            .is_sound
    );
    let store = Neo4jStore::connect(server.options()).await.unwrap();
    let found = store.check().await.unwrap();
    assert!(
        !found.iter().any(|one| one.subject == key.to_string()),
        "{found:?}"
    );
}

/// An engine with a memory in process notices manual changes made without a delta, also between two of its own writes,
/// and keeps them.
pub(crate) async fn noticed(server: Server) {
    let store = Arc::new(Neo4jStore::connect(server.options()).await.unwrap());
    let options = EngineOptions {
        reread_after: Some(Duration::from_millis(100)),
        seeds: false,
        ..EngineOptions::default()
    };
    let running = Engine::new(store, Arc::new(SystemClock), options);
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let made: Delta = delta("d_1", 3);
    let added = running.apply_delta(&key, made).await.unwrap().receipt.added;
    let edits = [
        ("SET b.status = 'archived'", added[0]),
        ("SET b.helpful = 7", added[1]),
        ("DETACH DELETE b", added[2]),
    ];
    for (number, (edit, id)) in edits.into_iter().enumerate() {
        let statement = format!("MATCH (b:Bullet {{tenant: $tenant, id: '{id}'}}) {edit}");
        by_hand(&server, &key, &statement);
        let text = format!("note {number} that is written meanwhile");
        running
            .apply_delta(&key, note(&format!("d_{number}_more"), &text))
            .await
            .unwrap();
        let fresh_one = engine(&server, "fresh").await;
        let stored = fresh_one.view(&key).await.unwrap().unwrap();
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let seen = running.view(&key).await.unwrap().unwrap();
            if seen.bullets == stored.bullets {
                assert_eq!(
                    (seen.revision, seen.digest),
                    (number as u64 + 2, stored.digest)
                );
                break;
            }
            assert!(Instant::now() < until, "`{edit}` was not noticed");
            sleep(Duration::from_millis(50)).await;
        }
    }
}
