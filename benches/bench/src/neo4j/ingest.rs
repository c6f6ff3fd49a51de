//! Batch ingest: many bullets through the engine, with exact dedup, history and tags, compared with one bare UNWIND
//! that is given the same nodes, relationships and properties.
//!
//! The bare side gets the rows that the engine wrote, read back from the server and moved under another memory.

use std::collections::HashMap;
use std::time::Instant;

use neo4rs::{BoltList, BoltMap, BoltString, BoltType};

use super::Plan;
use super::bare::{Bare, first, with};
use super::scratch::{Scratch, failed, fill, filling, seconds_of};
use crate::{EvalError, Goal, Ratio, Report, Row, Samples};
use hindlore::Engine;
use hindlore_domain::memory::key::MemoryKey;

/// Bullets that are read back at a time.
const PAGE: i64 = 5_000;
/// Revision of the delta that is measured: the memory is there before, with one bullet.
const REVISION: i64 = 2;

const PLACE: &str =
    "MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope)
    RETURN l.hindlore_key AS owner, s.hindlore_key AS memory";
const DELTA: &str = "MATCH (d:Delta) WHERE d.hindlore_memory = $memory AND d.revision = $revision
    RETURN properties(d) AS delta";
const BULLETS: &str = "MATCH (d:Delta) WHERE d.hindlore_memory = $memory AND d.revision = $revision
    MATCH (d)-[c:ADDED]->(b:Bullet)
    WITH b, c ORDER BY b.position SKIP $skip LIMIT $count
    RETURN properties(b) AS bullet, properties(c) AS change,
      COLLECT { MATCH (b)-[:TAGGED]->(t:Tag) RETURN t.name } AS tags,
      COLLECT { MATCH (b)-[:ABOUT]->(t:Topic) RETURN t.name } AS topics,
      COLLECT { MATCH (b)-[:MENTIONS]->(t:Concept) RETURN t.name } AS concepts";
const NAMES: &str = "MATCH (t:Tag) WHERE t.hindlore_owner = $owner RETURN 'Tag' AS label, properties(t) AS name
    UNION ALL MATCH (t:Topic) WHERE t.hindlore_owner = $owner RETURN 'Topic' AS label, properties(t) AS name
    UNION ALL MATCH (t:Concept) WHERE t.hindlore_owner = $owner RETURN 'Concept' AS label, properties(t) AS name";
const SAME_WRITES: &str = "MATCH (s:ContextScope {hindlore_key: $memory})
    SET s.access_clock = $tick, s.revision = $revision
    WITH s
    MATCH (p:Delta) WHERE p.hindlore_memory = $memory AND p.revision = $revision - 1
    CREATE (p)-[:NEXT]->(d:Delta:Event)
    SET d = $delta
    WITH s, d
    CALL () { UNWIND $tags AS row CREATE (t:Tag) SET t = row }
    CALL () { UNWIND $topics AS row CREATE (t:Topic) SET t = row }
    CALL () { UNWIND $concepts AS row CREATE (t:Concept) SET t = row }
    UNWIND $rows AS row
    CREATE (s)-[:HOLDS]->(b:Bullet)<-[c:ADDED]-(d)
    SET b = row.bullet, c = row.change
    WITH b, row
    CALL (b, row) { UNWIND row.tags AS key MATCH (t:Tag {hindlore_key: key}) CREATE (b)-[:TAGGED]->(t) }
    CALL (b, row) { UNWIND row.topics AS key MATCH (t:Topic {hindlore_key: key}) CREATE (b)-[:ABOUT]->(t) }
    CALL (b, row) { UNWIND row.concepts AS key MATCH (t:Concept {hindlore_key: key}) CREATE (b)-[:MENTIONS]->(t) }
    RETURN count(b) AS written";
const TALLY: &str = "MATCH (d:Delta) WHERE d.hindlore_memory = $memory AND d.revision = $revision
    MATCH (d)-[c:ADDED]->(b:Bullet)<-[h:HOLDS]-(:ContextScope)
    RETURN size(keys(d)) AS delta, count(b) AS bullets, sum(size(keys(b))) AS properties, count(h) AS held,
      sum(size(keys(c))) AS changes,
      sum(COUNT { (b)-[:TAGGED|ABOUT|MENTIONS]->() }) AS named";

/// Adds the row.
pub(super) async fn measure(
    scratch: &Scratch,
    plan: &Plan,
    report: &mut Report,
) -> Result<(), EvalError> {
    let engine = scratch.engine().await?;
    let bare = Bare::connect(&scratch.options)?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    // The first round warms both sides.
    for round in 0..=plan.rounds {
        let key = scratch.key(&format!("ingest-{round}"))?;
        fill(&engine, &key, 0..1, false).await?;
        let delta = filling(1..plan.ingest + 1, true)?;
        let took = seconds_of(&engine, &key, delta).await?;
        let other = scratch.key(&format!("unwind-{round}"))?;
        fill(&engine, &other, 0..1, false).await?;
        let parameters = same_writes(&bare, &key, &other).await?;
        let started = Instant::now();
        let rows = bare.ask(SAME_WRITES, parameters).await?;
        let bare_took = started.elapsed().as_secs_f64();
        if first::<u64>(&rows, "written")? != plan.ingest {
            return Err(failed("the bare statement wrote another number of bullets"));
        }
        compare(&bare, (&key, &other)).await?;
        if round > 0 || plan.rounds == 0 {
            ours.push(took);
            theirs.push(bare_took);
        }
        clear(scratch, &engine, [&key, &other]).await?;
    }
    let per_second = |seconds: Vec<f64>| plan.ingest as f64 / Samples::new(seconds).p50();
    let rounds = ours.len();
    let row = Row::measured("batch-ingest", per_second(ours), "1/s").of_size(plan.ingest);
    let row = row.beside(
        "bare UNWIND, same writes",
        per_second(theirs),
        Ratio::OursToTheirs,
    );
    let note = format!(
        "median of {rounds} rounds by turns; one delta of ADDs with two tags each; the bare statement sets \
         each bullet to a map, ours takes its properties from their places in a list"
    );
    report.push(row.with_goal(Goal::RatioAtLeast(0.8)).with_note(note));
    Ok(())
}

async fn clear(scratch: &Scratch, engine: &Engine, keys: [&MemoryKey; 2]) -> Result<(), EvalError> {
    for key in keys {
        scratch.erase(engine, key).await?;
    }
    Ok(())
}

/// Key of the learner and of the memory.
async fn place(bare: &Bare, key: &MemoryKey) -> Result<(String, String), EvalError> {
    let asked = with(BoltMap::new(), "tenant", key.tenant());
    let rows = bare
        .ask(PLACE, with(asked, "learner", key.learner()))
        .await?;
    Ok((first(&rows, "owner")?, first(&rows, "memory")?))
}

fn of_memory(memory: &str) -> BoltMap {
    let map = with(BoltMap::new(), "memory", memory);
    with(map, "revision", REVISION)
}

/// The rows that the engine wrote into one memory, as parameters that write them into another.
async fn same_writes(bare: &Bare, from: &MemoryKey, to: &MemoryKey) -> Result<BoltMap, EvalError> {
    let (owner, memory) = place(bare, from).await?;
    let (new_owner, new_memory) = place(bare, to).await?;
    let delta: BoltMap = first(&bare.ask(DELTA, of_memory(&memory)).await?, "delta")?;
    let tick: i64 = delta.get("tick").map_err(failed)?;
    let delta = with(delta, "hindlore_memory", new_memory.as_str());
    let delta = with(delta, "hindlore_key", format!("d{}", &new_memory[1..]));
    let names = names(bare, &owner, &new_owner).await?;
    let mut rows = Vec::new();
    loop {
        let asked = with(of_memory(&memory), "skip", rows.len() as i64);
        let page = bare.ask(BULLETS, with(asked, "count", PAGE)).await?;
        for row in &page {
            let bullet: BoltMap = row.get("bullet").map_err(failed)?;
            let mut map = BoltMap::new();
            let moved = moved(bullet, (&memory, &new_memory), rows.len())?;
            map.put("bullet".into(), BoltType::Map(moved));
            let change: BoltMap = row.get("change").map_err(failed)?;
            map.put("change".into(), BoltType::Map(change));
            for (column, label) in [
                ("tags", "Tag"),
                ("topics", "Topic"),
                ("concepts", "Concept"),
            ] {
                let tied: Vec<String> = row.get(column).map_err(failed)?;
                let keys = tied
                    .iter()
                    .map(|name| BoltType::from(name_key(&new_owner, label, name)));
                let keys = BoltList::from(keys.collect::<Vec<_>>());
                map.put(column.into(), BoltType::List(keys));
            }
            rows.push(BoltType::Map(map));
        }
        if page.is_empty() {
            break;
        }
    }
    let mut map = with(of_memory(&new_memory), "tick", tick);
    map.put("delta".into(), BoltType::Map(delta));
    map.put("rows".into(), BoltType::List(BoltList::from(rows)));
    for (column, label) in [
        ("tags", "Tag"),
        ("topics", "Topic"),
        ("concepts", "Concept"),
    ] {
        let some = names.get(label).cloned().unwrap_or_default();
        map.put(column.into(), BoltType::List(BoltList::from(some)));
    }
    Ok(map)
}

/// A bullet under another memory. Keys are as long as they were, and as different from each other.
fn moved(bullet: BoltMap, (from, to): (&str, &str), number: usize) -> Result<BoltMap, EvalError> {
    let key: String = bullet.get("hindlore_key").map_err(failed)?;
    let hash: String = bullet.get("content_hash").map_err(failed)?;
    let part = key.strip_prefix(from).unwrap_or(&key);
    let bullet = with(bullet, "hindlore_memory", to);
    let bullet = with(bullet, "hindlore_key", format!("{to}{part}"));
    let own = BoltString::from("hindlore_hash_key");
    if !bullet.value.contains_key(&own) {
        return Ok(bullet);
    }
    let spread = hash.get(..18).unwrap_or_default();
    let hash_key = format!("{spread}{}{number:06x}", to.get(..8).unwrap_or_default());
    Ok(with(bullet, "hindlore_hash_key", hash_key))
}

fn name_key(owner: &str, label: &str, name: &str) -> String {
    format!("{owner}{label}{name}")
}

/// Tags, topics and concepts by label, under another learner.
async fn names(
    bare: &Bare,
    owner: &str,
    new_owner: &str,
) -> Result<HashMap<String, Vec<BoltType>>, EvalError> {
    let mut found: HashMap<String, Vec<BoltType>> = HashMap::new();
    let rows = bare
        .ask(NAMES, with(BoltMap::new(), "owner", owner))
        .await?;
    for row in &rows {
        let label: String = row.get("label").map_err(failed)?;
        let map: BoltMap = row.get("name").map_err(failed)?;
        let name: String = map.get("name").map_err(failed)?;
        let map = with(map, "hindlore_owner", new_owner);
        let map = with(map, "hindlore_key", name_key(new_owner, &label, &name));
        found.entry(label).or_default().push(BoltType::Map(map));
    }
    Ok(found)
}

/// Makes sure that both sides wrote the same: a comparison with less is none.
async fn compare(bare: &Bare, keys: (&MemoryKey, &MemoryKey)) -> Result<(), EvalError> {
    let mut tallies = Vec::new();
    for key in [keys.0, keys.1] {
        let (_, memory) = place(bare, key).await?;
        let rows = bare.ask(TALLY, of_memory(&memory)).await?;
        let column = |name: &str| first::<i64>(&rows, name);
        tallies.push([
            column("delta")?,
            column("bullets")?,
            column("properties")?,
            column("held")?,
            column("changes")?,
            column("named")?,
        ]);
    }
    if tallies[0] == tallies[1] {
        Ok(())
    } else {
        Err(failed(format!(
            "the bare statement does not write what an ingest writes: {:?} and {:?}",
            tallies[1], tallies[0]
        )))
    }
}
