//! `kill -9` of the server under load, and of an instance: all acknowledged events are there, none is there twice, and
//! the instances continue without a restart.
//!
//! `HINDLORE_KILL_ROUNDS` is the number of kills of the server where that is not 5.

use std::collections::{HashMap, HashSet};
use std::env;
use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use hindlore::{Engine, RetrieveRequest};
use hindlore_contract::subject::fresh;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation, TagCounts};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_store::EventRecord;
use tokio::task::JoinSet;

use crate::children::{Process, engine};
use crate::own::{OwnServer, Turn};

const ROUNDS: u64 = 5;
const INSTANCES: usize = 3;
/// Callers of each instance: this many write, as many retrieve.
const CALLERS: u64 = 4;
/// How long the load runs between two kills.
const BETWEEN: Duration = Duration::from_millis(1_500);

/// In its own process: writes and retrieves until its input sends a line. Each acknowledgement is printed at once, on
/// its own line: `delta ID REVISION` or `retrieval ID TICK`.
pub(crate) async fn acknowledge(engine: &Engine, key: &MemoryKey, name: &str) -> Vec<u64> {
    let view = engine.view(key).await.unwrap().unwrap();
    let bullet = view.bullets[0].id;
    let stop = Arc::new(AtomicBool::new(false));
    let mut tasks = JoinSet::new();
    for caller in 0..CALLERS {
        let (engine, key, stop) = (engine.clone(), key.clone(), stop.clone());
        let name = format!("{name}_{caller}");
        tasks.spawn(async move {
            let mut failures = 0;
            for number in 0.. {
                let id = DeltaId::parse(&format!("d_{name}_{number}")).unwrap();
                let counts = TagCounts {
                    id: bullet.into(),
                    helpful: 1,
                    harmful: 0,
                    neutral: 0,
                };
                let vote = Delta::new(id.clone(), vec![Operation::Tag(counts)]);
                // As a careful client does: the same delta until there is a receipt.
                let receipt = loop {
                    match engine.apply_delta(&key, vote.clone()).await {
                        Ok(applied) => break applied.receipt,
                        Err(_) => failures += 1,
                    }
                };
                println!("delta {id} {}", receipt.revision);
                if stop.load(Ordering::SeqCst) {
                    break;
                }
            }
            failures
        });
    }
    for _ in 0..CALLERS {
        let (engine, key, stop) = (engine.clone(), key.clone(), stop.clone());
        tasks.spawn(async move {
            let mut failures = 0;
            while !stop.load(Ordering::SeqCst) {
                let asked = RetrieveRequest::new(Query::new("what survives a power cut"));
                match engine.retrieve(&key, asked).await {
                    Ok(answer) => {
                        let tick = answer.memories[0].tick.unwrap();
                        println!("retrieval {} {tick}", answer.retrieval.unwrap());
                    }
                    Err(_) => failures += 1,
                }
            }
            failures
        });
    }
    let stopped = tokio::task::spawn_blocking(|| std::io::stdin().lock().lines().next());
    stopped.await.unwrap();
    stop.store(true, Ordering::SeqCst);
    vec![tasks.join_all().await.iter().sum()]
}

/// The lines printed by instances, with the times of their arrival.
struct Heard {
    lines: Receiver<(Instant, String)>,
    /// The acknowledged events: id, and its revision or tick.
    known: HashMap<String, u64>,
}

impl Heard {
    /// Takes in the lines received; gives the time of the first one after `since`.
    fn catch_up(&mut self, since: Instant, wait: Duration) -> Option<Instant> {
        let mut first = None;
        let end = Instant::now() + wait;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok((at, line)) = self.lines.recv_timeout(left) else {
                return first;
            };
            let words: Vec<&str> = line.split_whitespace().collect();
            let [_, id, number] = words[..] else { continue };
            let before = self.known.insert(id.to_owned(), number.parse().unwrap());
            assert_eq!(before, None, "`{id}` was acknowledged twice");
            if at > since && first.is_none() {
                first = Some(at);
                if wait > BETWEEN {
                    return first;
                }
            }
        }
    }
}

fn instance(
    own: &OwnServer,
    name: &str,
    key: &MemoryKey,
    said: mpsc::Sender<(Instant, String)>,
) -> Process {
    let mut process = Process::start(&own.server, name, key);
    assert_eq!(process.line().as_deref(), Some("ready"));
    process.tell("acknowledge");
    let mut lines = process.take_output();
    std::thread::spawn(move || {
        let mut line = String::new();
        while lines.read_line(&mut line).is_ok_and(|length| length > 0) {
            // The last line of a killed process may be half a line; that was not acknowledged.
            if line.ends_with('\n') && said.send((Instant::now(), line.clone())).is_err() {
                return;
            }
            line.clear();
        }
    });
    process
}

pub(crate) async fn under_load() {
    let turn = Turn::take().await;
    let own = turn.own();
    let rounds = env::var("HINDLORE_KILL_ROUNDS").map_or(ROUNDS, |n| n.parse().unwrap());
    let checker = engine(&own.server, "checker").await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let new = NewBullet {
        content: "what was acknowledged survives a power cut".to_owned(),
        ..NewBullet::default()
    };
    let made = Delta::new(
        DeltaId::parse("d_made").unwrap(),
        vec![Operation::Add(Box::new(new))],
    );
    checker.apply_delta(&key, made).await.unwrap();
    let (said, lines) = mpsc::channel();
    let mut heard = Heard {
        lines,
        known: HashMap::new(),
    };
    let start = |name: String| instance(own, &name, &key, said.clone());
    let mut instances: Vec<Process> = (0..INSTANCES).map(|n| start(format!("i{n}"))).collect();
    let mut back = Vec::new();
    for round in 0..rounds {
        heard.catch_up(Instant::now(), BETWEEN);
        own.kill();
        // One of the instances dies as well, while it waits for the server, and another takes its place.
        if round % 2 == 1 {
            instances[0].kill();
        }
        own.start(false).await;
        let up = Instant::now();
        let first = heard.catch_up(up, Duration::from_secs(20));
        back.push(first.expect("nothing is acknowledged after the server came back") - up);
        if round % 2 == 1 {
            instances[0] = start(format!("j{round}"));
        }
    }
    heard.catch_up(Instant::now(), BETWEEN);
    // An instance dies in the middle of its work.
    instances[1].kill();
    heard.catch_up(Instant::now(), BETWEEN);
    for place in [0, 2] {
        instances[place].tell("stop");
        instances[place].wait();
    }
    drop(said);
    heard.catch_up(Instant::now(), BETWEEN);
    let unheard = check(&checker, &key, &heard.known).await;
    let slowest = back.iter().max().unwrap();
    println!(
        "{rounds} kills of the server and {} of an instance: {} acknowledged, 0 lost, 0 twice, {unheard} \
         written and not acknowledged; the first answer at most {slowest:?} after the server's",
        1 + rounds / 2,
        heard.known.len(),
    );
}

/// Compares the history with the acknowledged events; gives the number of unacknowledged ones.
async fn check(engine: &Engine, key: &MemoryKey, known: &HashMap<String, u64>) -> usize {
    let (mut tick, mut votes, mut found) = (0, 0, HashSet::new());
    loop {
        let events = engine.store().events(key, tick, 1_000).await.unwrap();
        if events.is_empty() {
            break;
        }
        for event in events {
            tick += 1;
            assert_eq!(event.tick(), tick, "a gap in the ticks");
            let (id, number) = match event {
                EventRecord::Delta(delta) => {
                    votes += u64::from(delta.id.as_str() != "d_made");
                    (delta.id.to_string(), delta.revision)
                }
                EventRecord::Retrieval(retrieval) => (retrieval.id, retrieval.tick),
            };
            if let Some(told) = known.get(&id) {
                assert_eq!(*told, number, "`{id}` has another number than was told");
            }
            assert!(found.insert(id), "an event is there twice");
        }
    }
    let lost: Vec<_> = known.keys().filter(|id| !found.contains(*id)).collect();
    assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
    let view = engine.view(key).await.unwrap().unwrap();
    assert_eq!((view.clock, view.revision), (tick, votes + 1));
    let helpful: u64 = view
        .bullets
        .iter()
        .map(|bullet| bullet.counts.helpful)
        .sum();
    assert_eq!(helpful, votes);
    let differences = engine.verify(key).await.unwrap().differences;
    assert!(differences.is_empty(), "{differences:?}");
    found.len() - 1 - known.len()
}
