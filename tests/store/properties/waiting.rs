//! A large delta takes long to decide: concurrent callers wait for it, but occupy no thread.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use hindlore::clock::WallClock;
use hindlore::{Engine, EngineOptions, RetrieveRequest};
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::query::Query;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_testkit::TemporaryStore;

use super::world::key;

/// A clock that stops for its first reader once requested: the decision of a delta.
#[derive(Debug)]
struct Gate {
    is_shut: AtomicBool,
    is_reached: AtomicBool,
    open: Mutex<Receiver<()>>,
}

impl Gate {
    fn new() -> (Arc<Self>, Sender<()>) {
        let (opener, open) = channel();
        let gate = Self {
            is_shut: AtomicBool::new(false),
            is_reached: AtomicBool::new(false),
            open: Mutex::new(open),
        };
        (Arc::new(gate), opener)
    }
}

impl WallClock for Gate {
    fn now(&self) -> Timestamp {
        if self.is_shut.swap(false, Ordering::SeqCst) {
            self.is_reached.store(true, Ordering::SeqCst);
            let _ = self.open.lock().unwrap().recv();
        }
        Timestamp::from_millis(0)
    }
}

fn adding(text: &str) -> Operation {
    let new = NewBullet {
        content: text.to_owned(),
        ..NewBullet::default()
    };
    Operation::Add(Box::new(new))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn who_asks_while_a_delta_is_decided_takes_no_thread_along() {
    let place = TemporaryStore::new().unwrap();
    let (gate, opener) = Gate::new();
    let engine = Engine::new(
        place.store().unwrap(),
        gate.clone(),
        EngineOptions::default(),
    );
    let delta = |id, operations| Delta::new(DeltaId::parse(id).unwrap(), operations);
    let first = delta("d0", vec![adding("read the question")]);
    engine.apply_delta(&key(), first).await.unwrap();
    let many = (0..300).map(|number| adding(&format!("answer number {number}")));
    let large = delta("d1", many.collect());
    gate.is_shut.store(true, Ordering::SeqCst);
    let writer = engine.clone();
    let write = tokio::spawn(async move { writer.apply_delta(&key(), large).await });
    while !gate.is_reached.load(Ordering::SeqCst) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let query = Query::new("read the question");
    let requests = [
        RetrieveRequest::peek(query.clone()),
        RetrieveRequest::new(query),
    ];
    let asking = requests.map(|request| {
        let engine = engine.clone();
        tokio::spawn(async move { engine.retrieve(&key(), request).await })
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    let somebody_else = tokio::time::timeout(Duration::from_secs(5), tokio::spawn(async {})).await;
    opener.send(()).unwrap();
    somebody_else
        .expect("the only thread waits for the delta")
        .unwrap();
    assert_eq!(write.await.unwrap().unwrap().receipt.revision, 2);
    for answer in asking {
        assert_eq!(answer.await.unwrap().unwrap().ranking.revision, 2);
    }
}
