//! A member of a cluster that does not lead: for a moment while a new leader is elected, or for ever.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hindlore::{Engine, EngineError, RetrieveRequest};
use hindlore_contract::subject::fresh;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_store::ErrorKind;

use crate::children::engine;
use crate::outage::note;
use crate::proxy::{Fate, Kind, Proxy};
use crate::server::Server;

const NOT_A_LEADER: &str = "Neo.ClientError.Cluster.NotALeader";

/// An engine whose proxy refuses the next `left` statements and transactions.
async fn behind(server: &Server) -> (Engine, Arc<AtomicUsize>) {
    let left = Arc::new(AtomicUsize::new(0));
    let count = left.clone();
    let proxy = Proxy::start(server, move |message| {
        let is_begun = matches!(message.kind, Kind::Begin | Kind::Run { alone: true });
        let take = |left: usize| left.checked_sub(1);
        if is_begun
            && count
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, take)
                .is_ok()
        {
            Fate::Refuse(NOT_A_LEADER)
        } else {
            Fate::Pass
        }
    })
    .await;
    (engine(&proxy.seen(server), "led").await, left)
}

/// While no member leads, work is tried again, and done once.
pub(crate) async fn elected(server: Server) {
    let (engine, left) = behind(&server).await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    for number in 1..=6 {
        left.store(number, Ordering::SeqCst);
        let delta = note(&format!("d_{number}"), &format!("the note {number}"));
        let applied = engine.apply_delta(&key, delta).await.unwrap();
        assert_eq!(applied.receipt.revision, number as u64);
        left.store(number, Ordering::SeqCst);
        let asked = RetrieveRequest::new(Query::new("note"));
        engine.retrieve(&key, asked).await.unwrap();
    }
    let seen = engine.view(&key).await.unwrap().unwrap();
    assert_eq!((seen.revision, seen.clock), (6, 12));
}

/// A member that never leads is reported as a follower, long before the limit for work.
pub(crate) async fn follower(server: Server) {
    let (engine, left) = behind(&server).await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    left.store(usize::MAX, Ordering::SeqCst);
    let refused = engine.apply_delta(&key, note("d_1", "never")).await;
    left.store(0, Ordering::SeqCst);
    let EngineError::Store(error) = refused.unwrap_err() else {
        panic!("no error of the store");
    };
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    assert!(error.to_string().contains("neo4j://"), "{error}");
    engine
        .apply_delta(&key, note("d_2", "led again"))
        .await
        .unwrap();
}
