//! What a hand writes in the Browser: read as it is meant, found by `verify`, made history by `adopt`.

use mnemograph::backend::neo4j::Neo4jStore;
use mnemograph::domain::memory::delta::Delta;
use mnemograph::domain::memory::key::MemoryKey;
use mnemograph::engine::EngineError;
use mnemograph::store::{ErrorKind, MaintenanceStore};

use crate::children::engine;
use crate::erasing::{by_hand, delta};
use crate::server::Server;
use crate::subject::fresh;

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
    // What cannot be meant as anything is told with the bullet that it stands in.
    let set = |value: &str| {
        let id = added[3];
        let statement =
            format!("MATCH (b:Bullet {{tenant: $tenant, id: '{id}'}}) SET b.helpful = {value}");
        by_hand(&server, &key, &statement);
    };
    set("-5");
    let error = engine(&server, "last").await.view(&key).await.unwrap_err();
    let EngineError::Store(error) = error else {
        panic!("{error}");
    };
    assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
    assert!(error.to_string().contains(&added[3].to_string()), "{error}");
    // A check of the whole store names it too, and goes on. Other tests check the store as well, and may have met it.
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
