//! Lost answers: an unconfirmed write is neither lost nor applied twice.

use std::env;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use hindlore::{Engine, RetrieveRequest};
use hindlore_contract::subject::{Subject, batch, fresh, retrieval};
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation, TagCounts};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_neo4j::Neo4jStore;
use hindlore_store::{EventRecord, MemoryStore, RetrievalRecord, TouchOutcome};
use tokio::task::JoinSet;

use crate::OnServer;
use crate::children::engine;
use crate::load::gap_free;
use crate::proxy::{Fate, Kind, Proxy};
use crate::server::Server;

pub(crate) async fn lost_answers(server: Server) {
    let seen = AtomicUsize::new(0);
    let proxy = Proxy::start(&server, move |message| {
        if message.ends_a_write() && seen.fetch_add(1, Ordering::SeqCst) % 4 == 1 {
            Fate::CutAfter
        } else {
            Fate::Pass
        }
    })
    .await;
    let proxied = engine(&proxy.seen(&server), "proxied").await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let new = NewBullet {
        content: "read the file before you write it".to_owned(),
        ..NewBullet::default()
    };
    let delta = |id: String, operation| Delta::new(DeltaId::parse(&id).unwrap(), vec![operation]);
    let first = delta("d_first".to_owned(), Operation::Add(Box::new(new)));
    let made = proxied.apply_delta(&key, first).await.unwrap().receipt;
    let bullet = made.added[0];
    let (mut deltas, mut retrieved) = (1, 0);
    for number in 0..40 {
        let vote = Operation::Tag(TagCounts {
            id: bullet.into(),
            helpful: 1,
            harmful: 0,
            neutral: 0,
        });
        let vote = delta(format!("d_{number}"), vote);
        for _ in 0..1 + number % 3 {
            proxied.apply_delta(&key, vote.clone()).await.unwrap();
        }
        deltas += 1;
        let request = RetrieveRequest::new(Query::new("how to read a file"));
        let answer = proxied.retrieve(&key, request).await.unwrap();
        retrieved += u64::from(answer.retrieval.is_some());
    }
    let direct = engine(&server, "direct").await;
    let view = direct.view(&key).await.unwrap().unwrap();
    let voted = view.bullets.iter().find(|one| one.id == bullet).unwrap();
    assert_eq!(voted.counts.helpful, 40);
    assert_eq!((view.revision, view.clock), (deltas, deltas + retrieved));
    assert_eq!(
        view.digest,
        proxied.view(&key).await.unwrap().unwrap().digest
    );
    assert!(direct.verify(&key).await.unwrap().differences.is_empty());
    let cut = proxy.cuts();
    assert!(cut >= 10, "only {cut} answers were cut");
}

const DELTAS: u64 = 1_000;
/// Engines that send the same deltas, so that a delta waits for few others.
const ENGINES: usize = 4;

/// A delta that votes for the one bullet of its memory.
fn vote(number: u64, bullet: BulletId) -> Delta {
    let counts = TagCounts {
        id: bullet.into(),
        helpful: 1,
        harmful: i64::from(number % 2 == 1),
        neutral: 0,
    };
    let id = DeltaId::parse(&format!("d_{number}")).unwrap();
    Delta::new(id, vec![Operation::Tag(counts)])
}

async fn with_one_bullet(engine: &Engine) -> (MemoryKey, BulletId) {
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let new = NewBullet {
        content: "ask again when the answer was lost".to_owned(),
        ..NewBullet::default()
    };
    let id = DeltaId::parse("d_made").unwrap();
    let delta = Delta::new(id, vec![Operation::Add(Box::new(new))]);
    let made = engine.apply_delta(&key, delta).await.unwrap().receipt;
    (key, made.added[0])
}

/// Of all commits a fifth is carried out and never answered, and a tenth more is lost before the server sees it.
/// `HINDLORE_LOST_DELTAS` is the number of deltas where that is not 1,000.
pub(crate) async fn deltas_sent_often(server: Server) {
    let count = env::var("HINDLORE_LOST_DELTAS").map_or(DELTAS, |n| n.parse().unwrap());
    let [commits, lost] = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
    let (seen, unanswered) = (commits.clone(), lost.clone());
    let proxy = Proxy::start(&server, move |message| {
        if !message.ends_a_write() {
            return Fate::Pass;
        }
        match seen.fetch_add(1, Ordering::SeqCst) % 10 {
            3 => Fate::CutBefore,
            1 | 6 => {
                unanswered.fetch_add(1, Ordering::SeqCst);
                Fate::CutAfter
            }
            _ => Fate::Pass,
        }
    })
    .await;
    let direct = engine(&server, "direct").await;
    let (key, bullet) = with_one_bullet(&direct).await;
    let mut tasks = JoinSet::new();
    let started = Instant::now();
    for place in 0..ENGINES {
        let engine = engine(&proxy.seen(&server), &format!("proxied-{place}")).await;
        let key = key.clone();
        tasks.spawn(async move {
            let mut fresh = 0;
            for number in 0..count {
                // One to five times in all, by changing engines.
                let times = 1 + number % 5;
                let is_mine = |time: u64| (number + time) % ENGINES as u64 == place as u64;
                for _ in (0..times).filter(|time| is_mine(*time)) {
                    let applied = engine
                        .apply_delta(&key, vote(number, bullet))
                        .await
                        .unwrap();
                    assert_eq!(applied.receipt.delta, vote(number, bullet).id);
                    fresh += u64::from(!applied.repeated);
                }
            }
            fresh
        });
    }
    let fresh: u64 = tasks.join_all().await.iter().sum();
    let took = started.elapsed();
    let view = direct.view(&key).await.unwrap().unwrap();
    let voted = view.bullets.iter().find(|one| one.id == bullet).unwrap();
    assert_eq!(
        (voted.counts.helpful, voted.counts.harmful),
        (count, count / 2)
    );
    gap_free(&direct, &key, (count + 1, 0)).await;
    // A delta whose commit was lost finds itself and is then no longer new to its own sender.
    assert!(fresh <= count, "{fresh} new receipts for {count} deltas");
    let [commits, lost] = [commits, lost].map(|number| number.load(Ordering::SeqCst));
    assert!(
        commits as u64 >= count / 2 && lost + 1 >= commits / 5,
        "the answers to {lost} of {commits} commits were cut"
    );
    println!(
        "{count} deltas sent 1 to 5 times, {lost} of {commits} commits never answered and {} lost, each applied \
         once, in {took:?}",
        proxy.cuts() - lost,
    );
}

/// Retrievals that do not fit into one request are one batch all the same, also when the answer to
/// their COMMIT is lost.
pub(crate) async fn large_batches(server: Server) {
    const RETRIEVALS: u64 = 400;
    let commits = AtomicUsize::new(0);
    let proxy = Proxy::start(&server, move |message| {
        if message.kind == Kind::Commit && commits.fetch_add(1, Ordering::SeqCst) == 0 {
            Fate::CutAfter
        } else {
            Fate::Pass
        }
    })
    .await;
    let subject = Subject::of(OnServer(server.clone())).await;
    let texts: Vec<String> = (0..40).map(|n| format!("text number {n}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (key, seeded) = subject.seeded(&texts).await;
    let known = subject.position(&key).await;
    let records = (0..RETRIEVALS).map(|number| {
        let first = usize::try_from(number % 30).unwrap();
        let mut record = retrieval(&format!("r_{number}"), &known, &seeded[first..first + 10]);
        record.query = format!("question {number}: what is known of it?");
        record.returned[3].injected = number % 2 == 0;
        record
    });
    let mut records: Vec<RetrievalRecord> = records.collect();
    let store = Neo4jStore::connect(proxy.seen(&server).options())
        .await
        .unwrap();
    let outcome = store
        .touch(&key, batch(&known, records.clone()))
        .await
        .unwrap();
    let others = Vec::new();
    let expected = TouchOutcome::Recorded {
        first_tick: 1,
        others,
    };
    assert_eq!((outcome, proxy.cuts()), (expected, 1));
    assert_eq!(subject.position(&key).await.clock, RETRIEVALS);
    for (tick, record) in (1..).zip(&mut records) {
        record.tick = tick;
    }
    let records: Vec<EventRecord> = records.into_iter().map(EventRecord::Retrieval).collect();
    assert_eq!(subject.store.events(&key, 0, 400).await.unwrap(), records);
    let last = |bullet: &Bullet| {
        let returned = |event: &&EventRecord| match event {
            EventRecord::Retrieval(one) => one.returned.iter().any(|r| r.bullet == bullet.id),
            EventRecord::Delta(_) => false,
        };
        records.iter().rev().find(returned).map(EventRecord::tick)
    };
    for bullet in subject.loaded(&key).await.bullets {
        assert_eq!(bullet.access_index, last(&bullet));
    }
}
