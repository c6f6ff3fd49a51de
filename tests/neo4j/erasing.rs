//! An erasure too large for one transaction runs in pieces, and still reports everything it removed.

use std::ops::Range;
use std::sync::atomic::Ordering;

use hindlore_contract::subject::fresh;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation, PolicyChange};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_neo4j::Neo4jStore;
use hindlore_store::{Erased, MaintenanceStore};
use serde_json::{Value, json};

use crate::children::engine;
use crate::http::ask;
use crate::proxy::Proxy;
use crate::server::Server;
use crate::together::text;

/// More than two pieces, and not a whole number of them.
const MANY: u64 = 4_300;

/// A delta that adds this number of texts, without a limit.
pub(crate) fn delta(id: &str, texts: u64) -> Delta {
    delta_of(id, 0..texts)
}

/// A delta that adds the texts of these numbers.
pub(crate) fn delta_of(id: &str, texts: Range<u64>) -> Delta {
    let unlimited = json!({"max_bullets": null}).as_object().cloned().unwrap();
    let mut operations = vec![Operation::Policy(PolicyChange { fields: unlimited })];
    operations.extend(texts.map(|number| {
        Operation::Add(Box::new(NewBullet {
            content: text(number),
            ..NewBullet::default()
        }))
    }));
    Delta::new(DeltaId::parse(id).unwrap(), operations)
}

/// Sends a statement that must succeed; gives its rows.
pub(crate) fn by_hand(server: &Server, key: &MemoryKey, statement: &str) -> Value {
    let answer = ask(
        server,
        statement,
        json!({"tenant": key.tenant(), "many": MANY}),
    );
    assert!(answer.get("errors").is_none(), "{answer}");
    answer["data"]["values"].clone()
}

pub(crate) async fn in_pieces(server: Server) {
    let (proxy, commits) = Proxy::counting(&server).await;
    let engine = engine(&proxy.seen(&server), "eraser").await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let other = MemoryKey::new(key.tenant(), "other", "scope").unwrap();
    for key in [&key, &other] {
        let few = if *key == other { 2 } else { MANY };
        engine.apply_delta(key, delta("d_1", few)).await.unwrap();
    }
    by_hand(
        &server,
        &key,
        "MATCH (l:Learner {tenant: $tenant, id: 'learner'}) UNWIND range(1, $many) AS number
         CREATE (:Lesson {hindlore_key: l.hindlore_key + 'l_' + number})-[:TRIGGERED_BY]->(:Fingerprint {hindlore_key: l.hindlore_key + 'fp_' + number})",
    );
    let before = commits.load(Ordering::SeqCst);
    let erased = engine.erase(key.tenant(), "learner", None).await.unwrap();
    let erased = erased.erased;
    // Two pieces, one that finds no more, and the rest.
    assert_eq!(commits.load(Ordering::SeqCst) - before, 4);
    let expected = Erased {
        memories: 1,
        bullets: MANY,
        deltas: 2,
        lessons: MANY,
        ..Erased::default()
    };
    assert_eq!(erased, expected);
    assert!(engine.view(&key).await.unwrap().is_none());
    let left = by_hand(
        &server,
        &key,
        "MATCH (l:Learner {tenant: $tenant}) WITH collect(l.id) AS learners
         OPTIONAL MATCH (b:Bullet {tenant: $tenant}) RETURN learners, count(b)",
    );
    assert_eq!(left, json!([[["other"], 2]]));
    let left = "MATCH (n:Fingerprint) WHERE n.hindlore_key ENDS WITH 'fp_4300' RETURN count(n)";
    assert_eq!(by_hand(&server, &key, left), json!([[0]]));
}

/// Many small memories of one learner go some at a time, and all of them are counted.
pub(crate) async fn many_memories(server: Server) {
    const MEMORIES: u64 = 20;
    let (proxy, commits) = Proxy::counting(&server).await;
    let engine = engine(&proxy.seen(&server), "eraser").await;
    let tenant = fresh("tenant");
    let key = |scope: u64| MemoryKey::new(&tenant, "learner", &format!("scope {scope}")).unwrap();
    for scope in 0..MEMORIES {
        engine
            .apply_delta(&key(scope), delta("d_1", 2))
            .await
            .unwrap();
    }
    let before = commits.load(Ordering::SeqCst);
    let erased = engine.erase(&tenant, "learner", None).await.unwrap();
    let erased = erased.erased;
    // Twice eight, the four that are left are looked at once more, and taken at the end.
    assert_eq!(commits.load(Ordering::SeqCst) - before, 4);
    assert_eq!((erased.memories, erased.bullets), (MEMORIES, 2 * MEMORIES));
    assert!(engine.memories(&tenant, None).await.unwrap().is_empty());
    // The counts belong to that erasure alone.
    let again = engine.erase(&tenant, "learner", None).await.unwrap();
    assert_eq!((again.erased, again.receipt), (Erased::default(), None));
}

pub(crate) async fn cut_off(server: Server) {
    let engine = engine(&server, "eraser").await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    engine.apply_delta(&key, delta("d_1", 3)).await.unwrap();
    // The counts of an interrupted erasure, by kind.
    let noted = "MATCH (l:Learner {tenant: $tenant}) SET l.erased = [1, 2, 3, 4, 5, 6]";
    by_hand(&server, &key, noted);
    let found = Neo4jStore::connect(server.options())
        .await
        .unwrap()
        .check()
        .await
        .unwrap();
    let subject = format!("{}/learner", key.tenant());
    let found = found.iter().find(|one| one.subject == subject);
    assert!(found.unwrap().message.contains("erase again"));
    let erased = engine.erase(key.tenant(), "learner", None).await.unwrap();
    let erased = erased.erased;
    let expected = Erased {
        memories: 1,
        deltas: 2 + 1,
        retrievals: 2,
        bullets: 3 + 3,
        lessons: 4,
        runs: 5,
        errors: 6,
        strays: 0,
        records: 0,
    };
    assert_eq!(erased, expected);
    let again = engine.erase(key.tenant(), "learner", None).await.unwrap();
    assert_eq!(again.erased, Erased::default());
}
