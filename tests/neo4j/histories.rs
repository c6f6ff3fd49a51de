//! Random histories on two backends: the same events give the same state, and the same questions the
//! same answers, to the last bit.

use std::env;
use std::ops::Range;
use std::sync::Arc;

use fastrand::Rng;
use hindlore::clock::SetClock;
use hindlore::{Engine, EngineOptions, Feedback, RetrieveRequest, Verdict};
use hindlore_contract::subject::fresh;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::{
    Delta, DeltaId, LinkChange, NewBullet, Operation, Patch, PinChange, Removal, TagCounts,
};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::link::LinkKind;
use hindlore_domain::memory::query::Query;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use hindlore_neo4j::Neo4jStore;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::MemoryStoreExt;
use hindlore_store::Store;

use crate::server::Server;

const WORDS: &[&str] = &[
    "file", "read", "write", "never", "always", "cache", "before", "after", "delete", "check",
    "path", "error", "retry", "token", "schema", "42", "7", "not", "open", "close", "Größe",
    "文件",
];

/// One of the two engines compared, over its store.
struct Side {
    engine: Engine,
    clock: Arc<SetClock>,
    /// Ids of the retrievals, which are random and so differ between the two.
    retrievals: Vec<(String, Vec<BulletId>)>,
}

impl Side {
    fn over(store: Arc<dyn Store>) -> Self {
        let clock = Arc::new(SetClock::at(Timestamp::from_millis(1_790_000_000_000)));
        Self {
            engine: Engine::new(store, clock.clone(), EngineOptions::default()),
            clock,
            retrievals: Vec::new(),
        }
    }

    async fn digest(&self, key: &MemoryKey) -> Option<(String, String, u64, u64)> {
        let view = self.engine.view(key).await.unwrap()?;
        Some((view.digest, view.content_digest, view.clock, view.revision))
    }
}

/// One event, made before either side carries it out.
enum Event {
    Delta(Delta),
    Retrieve(RetrieveRequest),
    Feedback(usize, usize, Verdict),
    Undo(DeltaId),
}

fn text(rng: &mut Rng) -> String {
    let words = (0..rng.usize(3..9)).map(|_| WORDS[rng.usize(..WORDS.len())]);
    words.collect::<Vec<_>>().join(" ")
}

fn operation(rng: &mut Rng, ids: &[BulletId]) -> Operation {
    let add = |rng: &mut Rng| {
        Operation::Add(Box::new(NewBullet {
            content: text(rng),
            tags: (0..rng.usize(..3))
                .map(|_| WORDS[rng.usize(..8)].to_owned())
                .collect(),
            topic: rng.bool().then(|| WORDS[rng.usize(..3)].to_owned()),
            concept: rng.bool().then(|| WORDS[rng.usize(3..6)].to_owned()),
            importance: rng.bool().then(|| rng.f64()),
            helpful: rng.u64(..4),
            ..NewBullet::default()
        }))
    };
    if ids.is_empty() || rng.u8(..10) < 4 {
        return add(rng);
    }
    let id = ids[rng.usize(..ids.len())];
    let reason = None;
    match rng.u8(..8) {
        0 | 1 => Operation::Tag(TagCounts {
            id: id.into(),
            helpful: rng.i64(..3),
            harmful: rng.i64(..2),
            neutral: 1,
        }),
        2 => Operation::Update(Box::new(Patch {
            content: Some(text(rng)),
            tags: Some(vec![WORDS[rng.usize(..8)].to_owned()]),
            ..Patch::new(id)
        })),
        3 => Operation::Remove(Removal {
            id: id.into(),
            reason,
        }),
        4 => Operation::Reject(Removal {
            id: id.into(),
            reason,
        }),
        5 => Operation::Pin(PinChange {
            id: id.into(),
            on: rng.bool(),
        }),
        6 => Operation::Link(LinkChange {
            kind: [LinkKind::SimilarTo, LinkKind::Follows][rng.usize(..2)],
            from: id.into(),
            to: ids[rng.usize(..ids.len())].into(),
            reason: Some("by chance".to_owned()),
            similarity: Some(rng.f64()),
            removed: rng.u8(..4) == 0,
        }),
        _ => add(rng),
    }
}

fn event(rng: &mut Rng, ids: &[BulletId], (number, retrieved): (usize, usize)) -> Event {
    match rng.u8(..10) {
        0..=3 => {
            let operations = (0..rng.usize(1..5)).map(|_| operation(rng, ids)).collect();
            let id = DeltaId::parse(&format!("d_{number}")).unwrap();
            Event::Delta(Delta {
                lenient: true,
                ..Delta::new(id, operations)
            })
        }
        4 if number > 3 => {
            let id = format!("d_{}", rng.usize(..number));
            Event::Undo(DeltaId::parse(&id).unwrap())
        }
        5 if retrieved > 0 => {
            let verdict = [
                Verdict::Used,
                Verdict::Helped,
                Verdict::Harmed,
                Verdict::Ignored,
            ];
            Event::Feedback(
                rng.usize(..retrieved),
                rng.usize(..8),
                verdict[rng.usize(..4)],
            )
        }
        _ => {
            let mut query = Query::new(text(rng));
            query.top_k = rng.usize(1..8);
            let mut request = RetrieveRequest::new(query);
            request.strict = rng.u8(..4) == 0;
            request.peek = rng.u8(..6) == 0;
            Event::Retrieve(request)
        }
    }
}

/// Carries an event out; gives the result on which both sides must agree.
async fn carry_out(side: &mut Side, key: &MemoryKey, event: &Event, now: i64) -> String {
    side.clock
        .set(Timestamp::from_millis(1_790_000_000_000 + now));
    let engine = &side.engine;
    match event {
        Event::Delta(delta) => match engine.apply_delta(key, delta.clone()).await {
            Ok(applied) => format!("{:?}", applied.receipt),
            Err(error) => format!("refused: {error}"),
        },
        Event::Undo(id) => match engine.undo_delta(key, id, None, false).await {
            Ok(applied) => format!("{:?}", applied.receipt),
            Err(error) => format!("refused: {error}"),
        },
        Event::Retrieve(request) => {
            let answer = engine.retrieve(key, request.clone()).await.unwrap();
            let hits = answer.bullets.iter();
            let hits: Vec<_> = hits.map(|b| (b.bullet.id, b.hit.score.to_bits())).collect();
            if let Some(id) = answer.retrieval {
                let ids = hits.iter().map(|(id, _)| *id).collect();
                side.retrievals.push((id, ids));
            }
            format!("{hits:?} {:?}", answer.memories)
        }
        Event::Feedback(which, bullet, verdict) => {
            let (id, ids) = side.retrievals[*which].clone();
            let feedback = Feedback {
                retrieval: id,
                verdicts: vec![(ids[bullet % ids.len()], *verdict)],
                author: None,
            };
            // The delta of the votes has an id made from that of the retrieval, so receipts differ.
            match engine.give_feedback(key, feedback).await {
                Ok(given) => format!("{} marks, {} deltas", given.marked, given.applied.len()),
                Err(error) => format!("refused: {}", error.code()),
            }
        }
    }
}

async fn history(server: &Server, seed: u64, events: usize) {
    let folder = tempfile::TempDir::new().unwrap();
    let options = EmbeddedOptions {
        durable: false,
        ..EmbeddedOptions::default()
    };
    let embedded = EmbeddedStore::open(folder.path().join("memory.db"), options).unwrap();
    let neo4j = Neo4jStore::connect(server.options()).await.unwrap();
    let mut one = Side::over(Arc::new(embedded));
    let mut two = Side::over(Arc::new(neo4j));
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let mut rng = Rng::with_seed(seed);
    for number in 0..events {
        let view = one.engine.view(&key).await.unwrap();
        let ids: Vec<BulletId> = view
            .iter()
            .flat_map(|v| v.bullets.iter().map(|b| b.id))
            .collect();
        let event = event(&mut rng, &ids, (number, one.retrievals.len()));
        let now = i64::try_from(number).unwrap() * 1_000;
        let expected = carry_out(&mut one, &key, &event, now).await;
        let got = carry_out(&mut two, &key, &event, now).await;
        assert_eq!(got, expected, "seed {seed}, event {number}");
        assert_eq!(
            two.digest(&key).await,
            one.digest(&key).await,
            "seed {seed}, event {number}"
        );
    }
    // The stored data, seen by engines that have just started.
    let again = Side::over(Arc::new(
        Neo4jStore::connect(server.options()).await.unwrap(),
    ));
    assert_eq!(
        again.digest(&key).await,
        one.digest(&key).await,
        "seed {seed}, loaded anew"
    );
    let loads = [
        one.engine.store().load(&key).await,
        again.engine.store().load(&key).await,
    ];
    let [here, there] = loads.map(|loaded| loaded.unwrap().unwrap());
    assert_eq!(there.bullets, here.bullets, "seed {seed}");
    assert_eq!(there.links, here.links, "seed {seed}");
    let verified = again.engine.verify(&key).await.unwrap();
    assert!(verified.differences.is_empty(), "seed {seed}: {verified:?}");
}

pub(crate) async fn agree(server: Server) {
    let number = |name: &str, other| env::var(name).map_or(other, |text| text.parse().unwrap());
    for seed in 0..number("HINDLORE_HISTORIES", 8) {
        history(
            &server,
            seed,
            number("HINDLORE_HISTORY_EVENTS", 120) as usize,
        )
        .await;
    }
}

/// A side lives through random events.
async fn live(side: &mut Side, key: &MemoryKey, rng: &mut Rng, numbers: Range<usize>) {
    for number in numbers {
        let view = side.engine.view(key).await.unwrap();
        let ids: Vec<BulletId> = view
            .iter()
            .flat_map(|v| v.bullets.iter().map(|b| b.id))
            .collect();
        let event = event(rng, &ids, (number, side.retrievals.len()));
        let now = i64::try_from(number).unwrap() * 1_000;
        carry_out(side, key, &event, now).await;
    }
}

/// The results of random questions, with their scores to the last bit.
async fn rankings(side: &Side, key: &MemoryKey, seed: u64) -> Vec<Vec<(BulletId, u64)>> {
    let mut rng = Rng::with_seed(seed);
    let mut found = Vec::new();
    for _ in 0..20 {
        let request = RetrieveRequest::peek(Query::new(text(&mut rng)));
        let answer = side.engine.retrieve(key, request).await.unwrap();
        let hits = answer.bullets.iter();
        found.push(
            hits.map(|one| (one.hit.id, one.hit.score.to_bits()))
                .collect(),
        );
    }
    assert!(
        found.iter().any(|hits: &Vec<_>| !hits.is_empty()),
        "no question found anything"
    );
    found
}

/// Copies a memory to another store: it is the same there, and answers the same.
async fn copy(from: &Side, to: &Side, key: &MemoryKey) {
    from.engine.copy_to(&to.engine, key).await.unwrap();
    assert_eq!(to.digest(key).await, from.digest(key).await);
    let copied = to.engine.store().copy_out(key).await.unwrap();
    assert_eq!(copied, from.engine.store().copy_out(key).await.unwrap());
    assert_eq!(rankings(to, key, 7).await, rankings(from, key, 7).await);
    let verified = to.engine.verify(key).await.unwrap();
    assert!(verified.differences.is_empty(), "{verified:?}");
}

/// Random histories begin in a file, continue on the server, and come back.
pub(crate) async fn copies(server: Server) {
    let histories = env::var("HINDLORE_HISTORIES").map_or(4, |text| text.parse().unwrap());
    let folder = tempfile::TempDir::new().unwrap();
    let file = |name: String| {
        let path = folder.path().join(name);
        Side::over(Arc::new(
            EmbeddedStore::open(path, EmbeddedOptions::default()).unwrap(),
        ))
    };
    for seed in 0..histories {
        let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
        let mut rng = Rng::with_seed(99 + seed);
        let mut one = file(format!("{seed}.db"));
        live(&mut one, &key, &mut rng, 0..60).await;
        let there = Neo4jStore::connect(server.options()).await.unwrap();
        let mut two = Side::over(Arc::new(there));
        copy(&one, &two, &key).await;
        two.retrievals = one.retrievals.clone();
        live(&mut two, &key, &mut rng, 60..90).await;
        let back = file(format!("{seed}-back.db"));
        copy(&two, &back, &key).await;
    }
}
