//! Deltas decided ahead of the lock: one request for a lone writer, and no lost delta with several.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hindlore::Engine;
use hindlore_contract::subject::{Subject, born, bullet, commit_of, delta_on, fresh};
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation, TagCounts};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{ErrorKind, Known, Loaded};

use crate::OnServer;
use crate::children::engine;
use crate::load::gap_free;
use crate::proxy::{Fate, Kind, Message, Proxy};
use crate::server::Server;
use crate::together::text;

/// An engine's requests, counted by a proxy.
#[derive(Default)]
struct Asked {
    begun: AtomicUsize,
    alone: AtomicUsize,
}

impl Asked {
    async fn behind(server: &Server) -> (Engine, Arc<Self>) {
        let asked = Arc::new(Self::default());
        let counts = asked.clone();
        let count = move |message: &Message<'_>| {
            let begins = usize::from(message.kind == Kind::Begin);
            let alone = message.ends_a_write() && message.kind != Kind::Commit;
            counts.begun.fetch_add(begins, Ordering::SeqCst);
            counts.alone.fetch_add(usize::from(alone), Ordering::SeqCst);
            Fate::Pass
        };
        let proxy = Proxy::start(server, count).await;
        (engine(&proxy.seen(server), &fresh("counted")).await, asked)
    }

    /// Transactions that were begun, and writes of their own.
    fn counts(&self) -> (usize, usize) {
        let count = |counter: &AtomicUsize| counter.load(Ordering::SeqCst);
        (count(&self.begun), count(&self.alone))
    }
}

fn key() -> MemoryKey {
    MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap()
}

fn delta(name: &str, operation: Operation) -> Delta {
    Delta::new(DeltaId::parse(name).unwrap(), vec![operation])
}

fn add(number: u64) -> Delta {
    let new = NewBullet {
        content: text(number),
        tags: vec!["all".to_owned(), format!("odd or even {}", number % 2)],
        topic: Some(format!("topic {}", number % 3)),
        ..NewBullet::default()
    };
    delta(&format!("d_add_{number}"), Operation::Add(Box::new(new)))
}

fn vote(number: u64, bullet: BulletId) -> Delta {
    let counts = TagCounts {
        id: bullet.into(),
        helpful: 1,
        harmful: 0,
        neutral: 0,
    };
    delta(&format!("d_vote_{number}"), Operation::Tag(counts))
}

pub(crate) async fn one_request(server: Server) {
    const EACH: u64 = 12;
    let (engine, asked) = Asked::behind(&server).await;
    let key = key();
    let made = engine.apply_delta(&key, add(0)).await.unwrap();
    let before = asked.counts();
    for number in 1..=EACH {
        let added = engine.apply_delta(&key, add(number)).await.unwrap();
        assert_eq!(added.receipt.added.len(), 1);
        let voted = vote(number, made.receipt.added[0]);
        engine.apply_delta(&key, voted).await.unwrap();
    }
    let after = asked.counts();
    let writes = usize::try_from(2 * EACH).unwrap();
    assert_eq!((after.0 - before.0, after.1 - before.1), (0, writes));
    let direct = engine_on(&server).await;
    gap_free(&direct, &key, (2 * EACH + 1, 0)).await;
    let view = direct.view(&key).await.unwrap().unwrap();
    assert_eq!(
        view.digest,
        engine.view(&key).await.unwrap().unwrap().digest
    );
    let tied = crate::http::ask(
        &server,
        "MATCH (b:Bullet {tenant: $tenant}) RETURN count(b), sum(COUNT { (b)-[:TAGGED]->() }),
         sum(COUNT { (b)-[:ABOUT]->() }), COUNT { MATCH (:Tag {tenant: $tenant}) }",
        serde_json::json!({"tenant": key.tenant()}),
    );
    let all = EACH + 1;
    let expected = serde_json::json!([[all, 2 * all, all, 3]]);
    assert_eq!(tied["data"]["values"], expected);
}

async fn engine_on(server: &Server) -> Engine {
    engine(server, &fresh("direct")).await
}

/// Two who write by turns find the memory moved each time. Both soon take the lock at once.
pub(crate) async fn by_turns(server: Server) {
    const TURNS: u64 = 60;
    let (one, asked) = Asked::behind(&server).await;
    let other = engine_on(&server).await;
    let key = key();
    for turn in 0..TURNS {
        one.apply_delta(&key, add(2 * turn)).await.unwrap();
        other.apply_delta(&key, add(2 * turn + 1)).await.unwrap();
    }
    let (begun, alone) = asked.counts();
    // One for each turn except the few that were decided ahead, plus those that make and load the memory.
    assert!((50..=64).contains(&begun), "{begun} transactions");
    assert!((1..=10).contains(&alone), "{alone} in vain");
    gap_free(&other, &key, (2 * TURNS, 0)).await;
    let view = other.view(&key).await.unwrap().unwrap();
    assert_eq!(view.bullets.len() as u64, 2 * TURNS);
    assert_eq!(view.digest, one.view(&key).await.unwrap().unwrap().digest);
}

/// An engine that knows the current memory sends a delta that another has already sent.
pub(crate) async fn resent(server: Server) {
    let (one, other) = (engine_on(&server).await, engine_on(&server).await);
    let key = key();
    one.apply_delta(&key, add(0)).await.unwrap();
    let first = one.apply_delta(&key, add(1)).await.unwrap();
    let known = other.view(&key).await.unwrap().unwrap();
    let again = other.apply_delta(&key, add(1)).await.unwrap();
    assert_eq!((again.repeated, again.receipt), (true, first.receipt));
    assert_eq!(other.view(&key).await.unwrap().unwrap(), known);
    // Under this name it is another delta.
    let third = Delta {
        id: add(1).id,
        ..add(2)
    };
    assert!(other.apply_delta(&key, third).await.is_err());
    assert_eq!(other.view(&key).await.unwrap().unwrap(), known);
}

/// A delta that changes a bullet which was deleted by hand is refused on both ways, and nothing of it is written.
pub(crate) async fn missing_bullet(server: Server) {
    let subject = Subject::of(OnServer(server)).await;
    let (key, _) = subject.seeded(&["zero"]).await;
    let before = subject.store.copy_out(&key).await.unwrap().unwrap();
    let new = born(&key, 1, 1, &["one"]);
    let absent = Bullet {
        changed_tick: 1,
        ..bullet(&key, 9, "nine")
    };
    let shown = Loaded {
        bullets: vec![bullet(&key, 9, "nine")],
        ..before.state.clone()
    };
    let both = [new[0].clone(), absent];
    let mut commit = commit_of(&delta_on(&shown, "d_1", &both), &both);
    // The delta names the bullet but does not write it, so the commit cannot create it.
    commit.bullets.pop();
    let head = Box::new(before.state.head.clone());
    for known in [Known::Clock(0), Known::Head(head)] {
        let refused = subject.commit_knowing(&key, known, commit.clone()).await;
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::Invalid);
        let after = subject.store.copy_out(&key).await.unwrap().unwrap();
        assert_eq!(after, before);
    }
}
