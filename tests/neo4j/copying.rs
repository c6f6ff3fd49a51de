//! A copy that is too large for one transaction is written in pieces, and cannot be seen until it is whole.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hindlore::clock::SystemClock;
use hindlore::{Engine, EngineError, EngineOptions, RetrieveRequest};
use hindlore_contract::subject::fresh;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_neo4j::Neo4jStore;
use hindlore_store::{ErrorKind, MaintenanceStore, MemoryCopy, MemoryStore};
use hindlore_testkit::TemporaryStore;

use crate::children::engine;
use crate::erasing::{by_hand, delta};
use crate::proxy::Proxy;
use crate::server::Server;

const MANY: u64 = 12_300;

/// A large memory of a file.
async fn large(key: &MemoryKey) -> MemoryCopy {
    let folder = TemporaryStore::new().unwrap();
    let store = folder.store().unwrap();
    let options = EngineOptions {
        seeds: false,
        ..EngineOptions::default()
    };
    let engine = Engine::new(store.clone(), Arc::new(SystemClock), options);
    engine.apply_delta(key, delta("d_1", MANY)).await.unwrap();
    for _ in 0..3 {
        let asked = RetrieveRequest::new(Query::new("anything at all"));
        engine.retrieve(key, asked).await.unwrap();
    }
    store.copy_out(key).await.unwrap().unwrap()
}

pub(crate) async fn in_pieces(server: Server) {
    let (proxy, commits) = Proxy::counting(&server).await;
    let store = Neo4jStore::connect(proxy.seen(&server).options())
        .await
        .unwrap();
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let copy = large(&key).await;
    let before = commits.load(Ordering::SeqCst);
    store.copy_in(copy.clone(), None).await.unwrap();
    // Bullets go in three pieces, and so do the changes of their delta.
    assert!(commits.load(Ordering::SeqCst) - before >= 7);
    assert!(store.copy_out(&key).await.unwrap() == Some(copy.clone()));
    // Once more, over the existing copy.
    let over = Some(copy.state.head.position.clone());
    store.copy_in(copy.clone(), over).await.unwrap();
    assert!(store.copy_out(&key).await.unwrap() == Some(copy));
}

pub(crate) async fn over_a_large_one(server: Server) {
    let (proxy, commits) = Proxy::counting(&server).await;
    let options = proxy.seen(&server).options();
    let store = Arc::new(Neo4jStore::connect(options).await.unwrap());
    let reader = Arc::new(Neo4jStore::connect(server.options()).await.unwrap());
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let engine = engine(&server, "writer").await;
    engine.apply_delta(&key, delta("d_1", 30)).await.unwrap();
    let small = store.copy_out(&key).await.unwrap().unwrap();
    let large = large(&key).await;
    let over = |copy: &MemoryCopy| Some(copy.state.head.position.clone());
    store.copy_in(large.clone(), over(&small)).await.unwrap();
    let before = commits.load(Ordering::SeqCst);
    let copying = {
        let (store, small, over) = (store.clone(), small.clone(), over(&large));
        tokio::spawn(async move { store.copy_in(small, over).await })
    };
    // A copy out may take longer than the copy in; a head is short, so one of many comes in between.
    let is_over = Arc::new(AtomicBool::new(false));
    let watching = {
        let (reader, key, is_over) = (reader.clone(), key.clone(), is_over.clone());
        tokio::spawn(async move {
            let mut hidden = 0;
            while !is_over.load(Ordering::SeqCst) {
                if let Err(error) = reader.head(&key).await {
                    assert_eq!(error.kind(), ErrorKind::HalfCopied, "{error}");
                    hidden += 1;
                }
            }
            hidden
        })
    };
    while !copying.is_finished() {
        match reader.copy_out(&key).await {
            Ok(seen) => assert!(seen.is_some_and(|seen| seen == large || seen == small)),
            Err(error) => assert_eq!(error.kind(), ErrorKind::HalfCopied, "{error}"),
        }
    }
    copying.await.unwrap().unwrap();
    is_over.store(true, Ordering::SeqCst);
    assert!(watching.await.unwrap() > 0, "it was seen all the time");
    // 10,000 bullets go first, then one piece of 2,000, then the rest with their replacement.
    assert!(commits.load(Ordering::SeqCst) - before >= 3);
    assert!(store.copy_out(&key).await.unwrap() == Some(small));
}

pub(crate) async fn cut_off(server: Server) {
    let engine = engine(&server, "reader").await;
    let store = Neo4jStore::connect(server.options()).await.unwrap();
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    engine.apply_delta(&key, delta("d_1", 30)).await.unwrap();
    let copy = store.copy_out(&key).await.unwrap().unwrap();
    let asked = || RetrieveRequest::new(Query::new("anything at all"));
    engine.retrieve(&key, asked()).await.unwrap();
    // The marks of an interrupted copy.
    let left =
        "MATCH (s:ContextScope {tenant: $tenant}) SET s.copying = 'gone', s.incarnation = 'gone'";
    by_hand(&server, &key, left);
    let busy = |error: EngineError| {
        let EngineError::Store(error) = error else {
            panic!("{error}");
        };
        assert_eq!(error.kind(), ErrorKind::HalfCopied, "{error}");
        assert!(error.to_string().contains("has not ended"), "{error}");
    };
    // The engine knows the earlier memory, and still gets the error.
    busy(engine.retrieve(&key, asked()).await.unwrap_err());
    busy(engine.view(&key).await.unwrap_err());
    busy(engine.apply_delta(&key, delta("d_2", 1)).await.unwrap_err());
    let listed = store.memories(key.tenant(), None).await.unwrap();
    assert_eq!(listed.len(), 0);
    let found = store.check().await.unwrap();
    let found = found.iter().find(|one| one.subject == key.to_string());
    assert!(found.unwrap().message.contains("begin it again"));
    // A second copy of the memory continues the first.
    let folder = TemporaryStore::new().unwrap();
    let file = folder.store().unwrap();
    file.copy_in(copy.clone(), None).await.unwrap();
    let from = Engine::new(file, Arc::new(SystemClock), EngineOptions::default());
    let copied = from.copy_to(&engine, &key).await.unwrap();
    assert!(!copied.was_there);
    assert!(store.copy_out(&key).await.unwrap() == Some(copy));
    assert_eq!(store.memories(key.tenant(), None).await.unwrap().len(), 1);
}
