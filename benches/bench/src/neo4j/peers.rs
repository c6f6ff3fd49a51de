//! Other memories on the same server with the same texts: Python packages with fake models, each used the way
//! its own documentation describes.
//!
//! A peer answers with its own times, so that neither its start nor our pipe is part of them. Ours and
//! theirs take turns in blocks. One that is not installed has a row with the reason.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use serde_json::{Value, json};
use tokio::task::block_in_place;

use super::Plan;
use super::known::{Known, Named, RETRIEVAL};
use super::retrieval::{Memories, TOP_K};
use super::scratch::{Scratch, fill, filling, seconds_of};
use super::{race, texts};
use crate::{EvalError, Goal, Peer, Peers, Ratio, Report, Row, Samples};

/// Size from which the goals count.
const GOAL_SIZE: u64 = 10_000;
/// Items that a peer is handed at a time; it may cut them further.
const HANDED: u64 = 1_000;
/// Blocks in which the adds of a peer are made.
const BLOCKS: usize = 4;
/// Blocks in which it is asked.
const ASKED_BLOCKS: usize = 10;
/// Our calls for one of `Plan::block` where nothing grows by them: the first after a peer's block find its
/// traces in every cache.
const ASKED: usize = 4;
/// Parts in which a peer is filled, between two ingests of ours.
const PARTS: u64 = 5;

/// The peer of a measurement.
pub(super) struct Beside<'a> {
    pub(super) peers: &'a Peers,
    pub(super) scratch: &'a Scratch,
    pub(super) plan: &'a Plan,
    pub(super) sizes: &'a [(u64, Memories)],
    /// Items that our clients left, each inserted alone.
    pub(super) raced: u64,
}

/// Our add, for itself.
pub(super) async fn own_add(
    memories: &Memories,
    (size, plan): (u64, &Plan),
) -> Result<Row, EvalError> {
    let mut taken = Vec::new();
    for _ in 0..plan.warm() {
        add(memories).await?;
    }
    for _ in 0..plan.calls {
        taken.push(add(memories).await?);
    }
    let taken = Samples::new(taken);
    let note = format!(
        "one delta with one ADD of a new text, near-duplicate check and history; p50 of {}, p99 {:.1} ms",
        taken.len(),
        taken.p99() * 1e3
    );
    Ok(Row::measured("add", taken.p50(), "s")
        .of_size(size)
        .with_note(note))
}

/// Adds a new text; returns the seconds.
async fn add(memories: &Memories) -> Result<f64, EvalError> {
    static NEXT: AtomicU64 = AtomicU64::new(1_000_000);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let delta = filling(number..number + 1, false)?;
    seconds_of(&memories.engine, &memories.ours, delta).await
}

impl Beside<'_> {
    /// Adds the rows of one peer.
    pub(super) async fn measure(
        &self,
        known: &Known,
        report: &mut Report,
    ) -> Result<(), EvalError> {
        let mut peer = match self.start(known.name) {
            Ok(peer) => peer,
            Err(why) => {
                self.report_absence(known, &why, report);
                return Ok(());
            }
        };
        self.race(known, &mut peer, report);
        let mut theirs = Theirs::default();
        for (size, memories) in self.sizes {
            let rows = self.at_size(known, (&mut peer, &mut theirs), (*size, memories));
            rows.await?.into_iter().for_each(|row| report.push(row));
        }
        // Data that cannot be cleared is left to the next run, which refuses to add to it.
        let _ = ask(&mut peer, json!({"do": "clear"}));
        Ok(())
    }

    fn start(&self, name: &str) -> Result<Peer, String> {
        block_in_place(|| {
            let mut peer = self.peers.start(name, &[])?;
            let mut request = self.server();
            request["do"] = json!("open");
            peer.ask(&request)?;
            Ok(peer)
        })
    }

    fn server(&self) -> Value {
        let options = &self.scratch.options;
        json!({
            "uri": options.uri, "user": options.user, "password": options.password,
            "database": options.database,
        })
    }

    fn report_absence(&self, known: &Known, why: &str, report: &mut Report) {
        for (size, _) in self.sizes {
            for (name, (limit, _)) in known.rows() {
                let row = Row::missing(name, "s", why).of_size(*size);
                report.push(judged(row.beside_absent(known.name, why), (*size, limit)));
            }
            if let Some((way, _)) = known.also {
                let row = Row::missing(RETRIEVAL, "s", why).of_size(*size);
                report.push(row.beside_absent(known.asked(way), why));
            }
        }
        let row = Row::measured("race one by one", self.raced as f64, "items");
        report.push(row.of_size(self.plan.raced).beside_absent(known.name, why));
    }

    /// The remains of its clients.
    fn race(&self, known: &Known, peer: &mut Peer, report: &mut Report) {
        let numbers = race::items(self.plan.raced);
        let request = json!({
            "do": "race", "server": self.server(), "clients": self.plan.clients, "texts": texts::texts(numbers),
        });
        let ours = self.raced as f64;
        let answer = match ask(peer, request) {
            Ok(answer) => answer,
            Err(why) => {
                let row = Row::measured("race one by one", ours, "items");
                report.push(row.of_size(self.plan.raced).beside_absent(known.name, why));
                return;
            }
        };
        let sent = answer["items"].as_u64().unwrap_or(self.plan.raced);
        for (way, left) in answer["left"].as_object().into_iter().flatten() {
            // A share of the sent texts, since a slow peer is sent fewer.
            let theirs = left.as_f64().unwrap_or(f64::NAN) / sent as f64;
            let row = Row::measured("race, left per item", ours / self.plan.raced as f64, "");
            let row = row.of_size(sent).beside(
                format!("{}, {way}", known.name),
                theirs,
                Ratio::OursToTheirs,
            );
            let note = format!(
                "{} clients insert the same {sent} items at once; {left} are left",
                self.plan.clients
            );
            report.push(row.with_note(note));
        }
    }

    async fn at_size(
        &self,
        known: &Known,
        (peer, theirs): (&mut Peer, &mut Theirs),
        (size, memories): (u64, &Memories),
    ) -> Result<Vec<Row>, EvalError> {
        let mut rows = Vec::new();
        let names = known.rows();
        let [ingest, add, retrieve] = &names;
        let (ours, grown) = self.ingests(peer, theirs, size).await?;
        rows.push(row((ingest, known.name), size, (ours, grown)));
        let (ours, answered) = self.adds(peer, memories).await?;
        rows.push(row((add, known.name), size, (ours, answered)));
        let asked = self.retrievals(peer, "", memories).await?;
        let note = asked.note(retrieve.1.1);
        let found = row((retrieve, known.name), size, asked.p50());
        rows.push(found.with_note(note));
        if let Some((way, what)) = known.also {
            let asked = self.retrievals(peer, way, memories).await?;
            let note = asked.note(what);
            let found = beside(RETRIEVAL, &known.asked(way), (size, asked.p50()));
            rows.push(found.with_note(note));
        }
        Ok(rows)
    }

    /// Ours by turns with the peer's growth to `size`: our median, and theirs for each item since it was empty.
    async fn ingests(
        &self,
        peer: &mut Peer,
        theirs: &mut Theirs,
        size: u64,
    ) -> Result<(f64, Result<f64, String>), EvalError> {
        // The statements of this size are compiled in the first.
        self.ingest(size).await?;
        let mut ours = vec![self.ingest(size).await?];
        let part = HANDED.max(size / PARTS);
        loop {
            let grown = theirs.grow(peer, size.min(theirs.items + part));
            ours.push(self.ingest(size).await?);
            if grown.is_err() || theirs.items >= size {
                return Ok((Samples::new(ours).p50(), grown));
            }
        }
    }

    /// Our batch ingest into a fresh memory: seconds for each bullet.
    async fn ingest(&self, size: u64) -> Result<f64, EvalError> {
        let engine = self.scratch.engine().await?;
        let key = self.scratch.key("batch")?;
        fill(&engine, &key, race::items(1), false).await?;
        let took = seconds_of(&engine, &key, filling(0..size, false)?).await?;
        self.scratch.erase(&engine, &key).await?;
        Ok(took / size as f64)
    }

    /// Adds by turns: our p50, and theirs.
    async fn adds(
        &self,
        peer: &mut Peer,
        memories: &Memories,
    ) -> Result<(f64, Result<f64, String>), EvalError> {
        let (mut ours, mut theirs) = (Vec::new(), Ok(Vec::new()));
        for block in 0..BLOCKS as u64 {
            for _ in 0..self.plan.block {
                ours.push(add(memories).await?);
            }
            let calls = self.plan.peer_calls.div_ceil(BLOCKS) as u64;
            let first = 2_000_000 + memories.size() * 1_000 + block * calls;
            let request = json!({"do": "add", "texts": texts::texts(first..first + calls)});
            collect(peer, request, &mut theirs);
        }
        Ok((Samples::new(ours).p50(), p50(theirs)))
    }

    /// Retrievals by turns, the peer asked in one of its ways.
    async fn retrievals(
        &self,
        peer: &mut Peer,
        way: &str,
        memories: &Memories,
    ) -> Result<Asked, EvalError> {
        let (mut ours, mut returned) = (Vec::new(), 0);
        let (mut theirs, mut found) = (Ok(Vec::new()), Vec::new());
        let (each, calls) = (
            self.plan.block * ASKED,
            self.plan.peer_calls.div_ceil(ASKED_BLOCKS),
        );
        for block in 0..ASKED_BLOCKS {
            for number in 0..each {
                let started = Instant::now();
                returned += memories.retrieve((block * each + number) as u64).await?;
                ours.push(started.elapsed().as_secs_f64());
            }
            let numbers = (block * calls) as u64..((block + 1) * calls) as u64;
            let queries: Vec<String> = numbers.map(texts::question).collect();
            let request = json!({"do": "search", "queries": queries, "top_k": TOP_K, "way": way});
            if let Some(answer) = collect(peer, request, &mut theirs) {
                let items = answer["found"].as_array().into_iter().flatten();
                found.extend(items.filter_map(Value::as_f64));
            }
        }
        Ok(Asked {
            returned: returned as f64 / ours.len().max(1) as f64,
            ours,
            theirs,
            found,
        })
    }
}

/// The times and results of retrievals by turns.
struct Asked {
    /// Seconds of our calls.
    ours: Vec<f64>,
    /// Bullets that one of ours returned on average.
    returned: f64,
    /// Seconds of theirs.
    theirs: Result<Vec<f64>, String>,
    /// Items that each of theirs returned.
    found: Vec<f64>,
}

impl Asked {
    /// The number of results of each side, after the notes on the peer's figure: a search that finds nothing is soon
    /// done.
    fn note(&self, known: &str) -> String {
        let mut note = format!(
            "{known}; p50 of {} calls of ours by turns, {:.1} bullets returned on average",
            self.ours.len(),
            self.returned
        );
        if !self.found.is_empty() {
            let items = Samples::new(self.found.clone()).mean();
            let _ = write!(note, ", {items:.1} items by it");
        }
        note
    }

    /// Our p50, and theirs.
    fn p50(self) -> (f64, Result<f64, String>) {
        (Samples::new(self.ours).p50(), p50(self.theirs))
    }
}

/// How far a peer was filled, and the seconds that it took.
#[derive(Default)]
struct Theirs {
    items: u64,
    seconds: f64,
}

impl Theirs {
    /// Fills the peer up to `size`; gives the seconds for each item since it was empty.
    fn grow(&mut self, peer: &mut Peer, size: u64) -> Result<f64, String> {
        while self.items < size {
            let end = size.min(self.items + HANDED);
            let request = json!({"do": "ingest", "texts": texts::texts(self.items..end)});
            let answer = ask(peer, request)?;
            let seconds = answer["seconds"].as_f64();
            self.seconds += seconds.ok_or_else(|| format!("no time in the answer {answer}"))?;
            self.items = end;
        }
        Ok(self.seconds / self.items.max(1) as f64)
    }
}

fn ask(peer: &mut Peer, request: Value) -> Result<Value, String> {
    block_in_place(|| peer.ask(&request))
}

/// Adds the times of an answer to those before, unless there was a reason for none; gives the answer.
fn collect(peer: &mut Peer, request: Value, all: &mut Result<Vec<f64>, String>) -> Option<Value> {
    let times = all.as_mut().ok()?;
    match ask(peer, request) {
        Ok(answer) => {
            let seconds = answer["seconds"].as_array().into_iter().flatten();
            times.extend(seconds.filter_map(Value::as_f64));
            Some(answer)
        }
        Err(why) => {
            *all = Err(why);
            None
        }
    }
}

fn p50(times: Result<Vec<f64>, String>) -> Result<f64, String> {
    match times {
        Ok(times) if times.is_empty() => Err("it gave no times".to_owned()),
        Ok(times) => Ok(Samples::new(times).p50()),
        Err(why) => Err(why),
    }
}

fn row((named, peer): (&Named, &str), size: u64, times: (f64, Result<f64, String>)) -> Row {
    let (name, (limit, note)) = *named;
    judged(beside(name, peer, (size, times)), (size, limit)).with_note(note)
}

/// A row without a goal.
fn beside(
    name: &str,
    peer: &str,
    (size, (ours, theirs)): (u64, (f64, Result<f64, String>)),
) -> Row {
    let row = Row::measured(name, ours, "s").of_size(size);
    match theirs {
        Ok(theirs) => row.beside(peer, theirs, Ratio::TheirsToOurs),
        Err(why) => row.beside_absent(peer, why),
    }
}

fn judged(row: Row, (size, limit): (u64, f64)) -> Row {
    if size >= GOAL_SIZE {
        row.with_goal(Goal::RatioAtLeast(limit))
    } else {
        row
    }
}
