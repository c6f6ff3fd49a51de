//! The cost of one retrieval with its durable tick and its record: counted on the wire, and timed against a bare
//! statement that writes the same rows, and against a plain counter.
//!
//! The bare statement is given the rows that real retrievals wrote into a twin of the memory, so that it writes the
//! same nodes, relationships and properties; at the end both are counted on the server.

use std::collections::HashMap;

use neo4rs::{BoltList, BoltMap, BoltType};

use super::Plan;
use super::bare::{Bare, first, with};
use super::proxy::{Counts, Proxy};
use super::scratch::{Scratch, failed, fill};
use super::texts::question;
use crate::samples::timed;
use crate::{EvalError, Goal, Ratio, Report, Row, Samples};
use hindlore::{Engine, RetrieveRequest};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_neo4j::Neo4jOptions;

/// Bullets that a retrieval returns.
pub(super) const TOP_K: usize = 10;
/// Questions that are asked in turn.
const QUESTIONS: u64 = 50;
/// Retrievals that are counted on the wire.
const COUNTED: u64 = 50;

const MEMORY: &str =
    "MATCH (:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope)
    RETURN s.hindlore_key AS memory";
const BULLETS: &str = "MATCH (s:ContextScope {hindlore_key: $memory})-[:HOLDS]->(b:Bullet)
    RETURN b.content_hash AS hash, substring(b.hindlore_key, size($memory)) AS part";
const WRITTEN: &str = "MATCH (s:ContextScope {hindlore_key: $memory})-[:HAS_RETRIEVAL]->(r:Retrieval)
    WITH r ORDER BY r.tick DESC LIMIT $count
    RETURN properties(r) AS retrieval,
      COLLECT { MATCH (r)-[x:RETURNED]->(b:Bullet) RETURN {hash: b.content_hash, mark: properties(x)} } AS returned";
const SAME_WRITES: &str = "MATCH (s:ContextScope {hindlore_key: $memory})
    SET s.access_clock = s.access_clock + 1
    WITH s, s.access_clock AS tick
    CREATE (s)-[:HAS_RETRIEVAL]->(r:Retrieval:Event)
    SET r = $retrieval
    SET r.tick = tick
    WITH r, tick
    UNWIND $returned AS one
    MATCH (b:Bullet {hindlore_key: $memory + one.id})
    CREATE (r)-[x:RETURNED]->(b)
    SET x = one.mark, b.access_index = tick, b.changed_tick = tick, b.last_access = r.at, b.last_used = r.at
    RETURN count(x) AS written";
const COUNTER: &str = "MATCH (s:ContextScope {hindlore_key: $memory})
    SET s.access_clock = s.access_clock + 1
    RETURN s.access_clock AS clock";
const TALLY: &str = "MATCH (s:ContextScope {hindlore_key: $memory})-[:HAS_RETRIEVAL]->(r:Retrieval)
    WITH r ORDER BY r.tick DESC LIMIT $count
    OPTIONAL MATCH (r)-[x:RETURNED]->(b:Bullet)
    WITH r, count(x) AS marks, sum(size(keys(x))) AS kept, count(CASE WHEN b.access_index >= r.tick THEN 1 END) AS touched
    RETURN count(r) AS retrievals, sum(size(keys(r))) AS properties, sum(marks) AS returned, sum(kept) AS marks,
      sum(touched) AS touched";

/// The memories of one size: ours, the bare statement's twin of it, and one that only counts.
pub(super) struct Memories {
    /// The instance that is measured.
    pub(super) engine: Engine,
    /// Its memory.
    pub(super) ours: MemoryKey,
    twin: MemoryKey,
    counter: MemoryKey,
    size: u64,
}

impl Memories {
    /// Makes the memories; all hold the texts of the numbers below `size`.
    pub(super) async fn make(scratch: &Scratch, size: u64) -> Result<Self, EvalError> {
        let engine = scratch.engine().await?;
        let key = |sort: &str| scratch.key(&format!("{sort}-{size}"));
        let made = Self {
            ours: key("ours")?,
            twin: key("twin")?,
            counter: key("counter")?,
            engine,
            size,
        };
        for (key, size) in [(&made.ours, size), (&made.twin, size), (&made.counter, 1)] {
            // A memory is made by its first delta, which is tried on an imagined one before.
            fill(&made.engine, key, 0..1, false).await?;
            if size > 1 {
                fill(&made.engine, key, 1..size, false).await?;
            }
        }
        Ok(made)
    }

    /// Bullets that they were made with.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Retrieves once; gives the number of returned bullets.
    pub(super) async fn retrieve(&self, number: u64) -> Result<usize, EvalError> {
        self.retrieve_by(&self.engine, number).await
    }

    fn retrieve_by(
        &self,
        engine: &Engine,
        number: u64,
    ) -> impl Future<Output = Result<usize, EvalError>> + Send + use<> {
        let query = Query {
            top_k: TOP_K,
            ..Query::new(question(self.asked(number)))
        };
        let (engine, key) = (engine.clone(), self.ours.clone());
        async move {
            let found = engine.retrieve(&key, RetrieveRequest::new(query)).await;
            Ok(found.map_err(failed)?.bullets.len())
        }
    }

    /// The question of a call: about a text that is there, so that every call finds something.
    fn asked(&self, number: u64) -> u64 {
        number % QUESTIONS.min(self.size.max(1))
    }
}

/// Adds the rows of one size.
pub(super) async fn measure(
    scratch: &Scratch,
    memories: &Memories,
    plan: &Plan,
    report: &mut Report,
) -> Result<(), EvalError> {
    let size = memories.size;
    match count(scratch, memories).await? {
        Err(why) => {
            for (name, limit) in ON_THE_WIRE {
                let row = Row::missing(name, "", why.as_str()).of_size(size);
                report.push(row.with_goal(Goal::AtMost(limit)));
            }
        }
        Ok(counts) => {
            let found = [counts.requests, counts.commits, counts.turns];
            for ((name, limit), found) in ON_THE_WIRE.into_iter().zip(found) {
                let row = Row::measured(name, found as f64, "").of_size(size);
                let note = format!("the most of {COUNTED} retrievals, counted by a proxy");
                report.push(row.with_goal(Goal::AtMost(limit)).with_note(note));
            }
        }
    }
    let bare = Bare::connect(&scratch.options)?;
    let twin = Twin::of(&bare, memories).await?;
    let times = time(&bare, &twin, memories, plan).await?;
    twin.compare(&bare, plan).await?;
    let ours = || Row::measured("retrieval", times.ours.p50(), "s").of_size(size);
    let note = format!(
        "p50 of {} each, call by call in turns; {:.1} bullets returned on average; p99 {:.1} ms and {:.1} ms",
        times.ours.len(),
        times.returned,
        times.ours.p99() * 1e3,
        times.same.p99() * 1e3,
    );
    let same = ours().beside(
        "bare statement, same writes",
        times.same.p50(),
        Ratio::OursToTheirs,
    );
    report.push(same.with_goal(Goal::RatioAtMost(1.2)).with_note(note));
    report.push(ours().beside(
        "plain counter statement",
        times.counter.p50(),
        Ratio::OursToTheirs,
    ));
    Ok(())
}

/// A count and its maximum.
const ON_THE_WIRE: [(&str, f64); 3] = [
    ("retrieval-requests", 1.0),
    ("retrieval-commits", 1.0),
    ("retrieval-turns", 2.0),
];

/// The maximum messages of one retrieval to the server; or why it cannot be seen.
async fn count(
    scratch: &Scratch,
    memories: &Memories,
) -> Result<Result<Counts, String>, EvalError> {
    let Some(target) = plain_target(&scratch.options) else {
        let uri = &scratch.options.uri;
        return Ok(Err(format!(
            "messages can be read at a bolt:// address only, and `{}` is another",
            uri.split("://").next().unwrap_or_default()
        )));
    };
    let proxy = Proxy::start(target).await.map_err(failed)?;
    let engine = scratch
        .engine_at(&format!("bolt://{}", proxy.address))
        .await?;
    // The first call loads the memory.
    for number in 0..5 {
        memories.retrieve_by(&engine, number).await?;
    }
    let mut most = Counts::default();
    for number in 0..COUNTED {
        let before = proxy.counts();
        memories.retrieve_by(&engine, number).await?;
        let said = proxy.counts().since(before);
        most = Counts {
            requests: most.requests.max(said.requests),
            commits: most.commits.max(said.commits),
            turns: most.turns.max(said.turns),
        };
    }
    engine.drain().await;
    Ok(Ok(most))
}

/// Host and port of an address whose messages are not encrypted.
fn plain_target(options: &Neo4jOptions) -> Option<String> {
    let rest = options.uri.strip_prefix("bolt://")?;
    let host = rest.rsplit('@').next()?.split(['/', '?']).next()?;
    Some(match host.rsplit_once(':') {
        Some((_, port)) if port.parse::<u16>().is_ok() => host.to_owned(),
        _ => format!("{host}:7687"),
    })
}

/// The bare statement's side: the twin, and its rows.
struct Twin {
    ours: String,
    twin: String,
    counter: String,
    /// Parameters of one statement for each question.
    writes: Vec<(BoltMap, BoltList)>,
}

impl Twin {
    async fn of(bare: &Bare, memories: &Memories) -> Result<Self, EvalError> {
        let questions = QUESTIONS.min(memories.size.max(1));
        for number in 0..questions {
            memories.retrieve(number).await?;
        }
        let ours = memory(bare, &memories.ours).await?;
        let twin = memory(bare, &memories.twin).await?;
        let counter = memory(bare, &memories.counter).await?;
        let parts = bare
            .ask(BULLETS, with(BoltMap::new(), "memory", twin.as_str()))
            .await?;
        let mut part_of: HashMap<String, String> = HashMap::new();
        for row in &parts {
            let hash = row.get("hash").map_err(failed)?;
            part_of.insert(hash, row.get("part").map_err(failed)?);
        }
        let asked = with(BoltMap::new(), "memory", ours.as_str());
        let asked = with(asked, "count", questions as i64);
        let mut writes = Vec::new();
        for row in bare.ask(WRITTEN, asked).await? {
            let mut retrieval: BoltMap = row.get("retrieval").map_err(failed)?;
            // The statement numbers it, as ours does.
            retrieval.value.remove("tick");
            let retrieval = with(retrieval, "hindlore_memory", twin.as_str());
            let returned: BoltList = row.get("returned").map_err(failed)?;
            let returned = returned.into_iter().map(|one| marked(one, &part_of));
            let returned = returned.collect::<Result<Vec<_>, _>>()?;
            writes.push((retrieval, BoltList::from(returned)));
        }
        // They come with the newest first; the first shall answer the first question.
        writes.reverse();
        Ok(Self {
            ours,
            twin,
            counter,
            writes,
        })
    }

    /// The parameters of the bare statement; `number` makes its retrieval another one than all before.
    fn parameters(&self, number: u64) -> BoltMap {
        let at = number as usize % self.writes.len().max(1);
        let (retrieval, returned) = self.writes.get(at).cloned().unwrap_or_default();
        let id = format!("r_{number:032x}");
        let retrieval = with(
            retrieval,
            "hindlore_key",
            format!("{number:08x}{}", &self.twin[8..]),
        );
        let retrieval = with(retrieval, "request", &id[2..]);
        let retrieval = with(retrieval, "id", id.as_str());
        let map = with(BoltMap::new(), "memory", self.twin.as_str());
        let map = with(map, "retrieval", BoltType::Map(retrieval));
        with(map, "returned", BoltType::List(returned))
    }

    /// Makes sure that both sides wrote the same: a comparison with less is none.
    async fn compare(&self, bare: &Bare, plan: &Plan) -> Result<(), EvalError> {
        let count = i64::try_from(plan.calls)
            .unwrap_or(i64::MAX)
            .min(QUESTIONS as i64);
        let mut tallies = Vec::new();
        for memory in [&self.ours, &self.twin] {
            let asked = with(BoltMap::new(), "memory", memory.as_str());
            let rows = bare.ask(TALLY, with(asked, "count", count)).await?;
            let column = |name: &str| first::<i64>(&rows, name);
            tallies.push([
                column("retrievals")?,
                column("properties")?,
                column("returned")?,
                column("marks")?,
                column("touched")?,
            ]);
        }
        let alike = |at: usize| {
            let (ours, bare) = (tallies[0][at] as f64, tallies[1][at] as f64);
            // Strengths fade with every tick, so that a question may find one bullet more or less.
            ours > 0.0 && (ours / bare - 1.0).abs() <= 0.05
        };
        if (0..5).all(alike) {
            Ok(())
        } else {
            Err(failed(format!(
                "the bare statement does not write what a retrieval writes: {:?} and {:?}",
                tallies[1], tallies[0]
            )))
        }
    }
}

/// A returned bullet as the bare statement takes it: the twin of the one that was returned.
fn marked(one: BoltType, part_of: &HashMap<String, String>) -> Result<BoltType, EvalError> {
    let BoltType::Map(one) = one else {
        return Err(failed("a returned bullet is no map"));
    };
    let hash: String = one.get("hash").map_err(failed)?;
    let part = part_of.get(&hash);
    let part = part.ok_or_else(|| failed("the twin lacks a bullet that was returned"))?;
    let mark: BoltMap = one.get("mark").map_err(failed)?;
    let map = with(BoltMap::new(), "id", part.as_str());
    Ok(BoltType::Map(with(map, "mark", BoltType::Map(mark))))
}

async fn memory(bare: &Bare, key: &MemoryKey) -> Result<String, EvalError> {
    let asked = with(BoltMap::new(), "tenant", key.tenant());
    first(
        &bare
            .ask(MEMORY, with(asked, "learner", key.learner()))
            .await?,
        "memory",
    )
}

struct Times {
    ours: Samples,
    same: Samples,
    counter: Samples,
    returned: f64,
}

/// Times the three call by call in turns, after each has been warmed: a server that was just busy answers
/// sooner, so none of them may follow itself.
async fn time(
    bare: &Bare,
    twin: &Twin,
    memories: &Memories,
    plan: &Plan,
) -> Result<Times, EvalError> {
    let (mut ours, mut same, mut counter) = (Vec::new(), Vec::new(), Vec::new());
    let mut returned = 0;
    let warm = plan.warm() as u64;
    let calls = plan.calls as u64;
    let count = with(BoltMap::new(), "memory", twin.counter.as_str());
    for number in 0..warm + calls {
        // The rows are ready before the clock runs.
        let written = twin.parameters(number);
        let asked = timed(memories.retrieve_by(&memories.engine, number));
        let (seconds, found) = asked.await.map_err(failed)??;
        let written = timed(bare.clone().asked(SAME_WRITES, written));
        let (same_seconds, _) = written.await.map_err(failed)??;
        let counted = timed(bare.clone().asked(COUNTER, count.clone()));
        let (counter_seconds, _) = counted.await.map_err(failed)??;
        if number >= warm {
            ours.push(seconds);
            same.push(same_seconds);
            counter.push(counter_seconds);
            returned += found;
        }
    }
    let returned = returned as f64 / ours.len().max(1) as f64;
    Ok(Times {
        ours: Samples::new(ours),
        same: Samples::new(same),
        counter: Samples::new(counter),
        returned,
    })
}
