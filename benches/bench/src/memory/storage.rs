//! Rows of storing: the cost of the engine's writes, compared with the same rows in bare SQLite.
//!
//! Bare means a connection of its own to a file with our very tables, in which the statements of one
//! retrieval, or all rows of an import, are written without anything decided. Both sides have the same
//! settings and take turns on the same disk.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};

use crate::error::EvalError;
use crate::report::{Goal, Ratio, Report, Row};
use crate::samples::{Samples, timed};
use hindlore::RetrieveRequest;
use hindlore_domain::memory::query::Query;

use super::MemoryOptions;
use super::fill::{Filled, add, engine, failed, import, key};
use super::texts::Texts;

const INGEST_GOAL: f64 = 0.5;
const RETRIEVAL_GOAL: f64 = 1.25;
const WRITERS_GOAL: f64 = 0.6;
const WRITERS: usize = 16;

/// The rows of a large import as one delta.
pub(super) async fn ingest(
    folder: &Path,
    size: usize,
    report: &mut Report,
) -> Result<(), EvalError> {
    let path = folder.join("ingest.db");
    let mut source = Texts::new(4);
    let texts = source.many(size);
    let operations = texts.iter().map(|text| add(text, &mut source)).collect();
    let ours = {
        let engine = engine(&path, true)?;
        import(&engine, &key()?, 0, operations).await?
    };
    let rate = |seconds: f64| size as f64 / seconds;
    let row = |beside: &str, theirs: f64| {
        Row::measured("ingest, one delta", rate(ours), "1/s")
            .of_size(size as u64)
            .beside(beside, rate(theirs), Ratio::OursToTheirs)
    };
    let plain = insert_again(&path, &folder.join("bare-ingest.db"), Indexes::None);
    report.push(
        row("bare SQLite insert", plain.map_err(failed)?)
            .with_note(
                "bare: the same rows of all tables in one transaction, without secondary indexes; ours \
                 finds exact and near duplicates, keeps history and tags, and its indexes",
            )
            .with_goal(Goal::RatioAtLeast(INGEST_GOAL)),
    );
    let indexed = insert_again(&path, &folder.join("bare-indexed.db"), Indexes::All);
    report.push(
        row("bare SQLite insert, all indexes", indexed.map_err(failed)?).with_note(
            "bare: the same rows in the very schema of ours, which makes the file that ours makes",
        ),
    );
    Ok(())
}

/// Which secondary indexes a bare file has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Indexes {
    None,
    All,
}

/// Reads every row of a file and inserts it into a new one in one transaction; gives the seconds.
fn insert_again(from: &Path, to: &Path, indexes: Indexes) -> rusqlite::Result<f64> {
    let source = Connection::open(from)?;
    let mut target = bare(to)?;
    let mut tables = source.prepare(
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )?;
    let tables: Vec<(String, String)> = tables
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let mut rows: Vec<(String, Vec<Vec<Value>>)> = Vec::new();
    for (name, sql) in &tables {
        target.execute_batch(sql)?;
        let mut read = source.prepare(&format!("SELECT * FROM \"{name}\""))?;
        let columns = read.column_count();
        let all = read.query_map([], |row| (0..columns).map(|at| row.get(at)).collect())?;
        let places = vec!["?"; columns].join(", ");
        rows.push((
            format!("INSERT INTO \"{name}\" VALUES ({places})"),
            all.collect::<rusqlite::Result<_>>()?,
        ));
    }
    if indexes == Indexes::All {
        let mut own = source
            .prepare("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")?;
        for sql in own.query_map([], |row| row.get::<_, String>(0))? {
            target.execute_batch(&sql?)?;
        }
    }
    let started = Instant::now();
    let transaction = target.transaction()?;
    for (sql, rows) in &rows {
        let mut insert = transaction.prepare(sql)?;
        for row in rows {
            insert.execute(params_from_iter(row))?;
        }
    }
    transaction.commit()?;
    Ok(started.elapsed().as_secs_f64())
}

/// A connection with the settings of our store.
fn bare(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384;
         PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = OFF;",
    )?;
    Ok(connection)
}

/// The rows of recorded retrievals: one at a time, and from many clients at once.
pub(super) async fn retrievals(
    folder: &Path,
    options: &MemoryOptions,
    report: &mut Report,
) -> Result<(), EvalError> {
    let size = if options.quick { 500 } else { 10_000 };
    let calls = if options.quick { 20 } else { 300 };
    let filled = Filled::new(folder, size, true).await?;
    let copy = folder.join("bare-durable.db");
    let bare = Bare::copy_of(&filled.path, &copy).map_err(failed)?;
    let (mut ours, mut theirs, mut syncs) = (Vec::new(), Vec::new(), Vec::new());
    let mut file = File::create(folder.join("sync.bin")).map_err(failed)?;
    for call in 0..calls {
        let (seconds, returned) = one_call(&filled, call).await?;
        ours.push(seconds);
        theirs.push(
            bare.retrievals(call * WRITERS, 1, returned)
                .map_err(failed)?,
        );
        let started = Instant::now();
        file.write_all(&[0; 4096]).map_err(failed)?;
        file.sync_data().map_err(failed)?;
        syncs.push(started.elapsed().as_secs_f64());
    }
    let (ours, theirs) = (Samples::new(ours), Samples::new(theirs));
    report.push(
        Row::measured("recorded retrieval, durable", ours.p50(), "s")
            .of_size(size as u64)
            .beside("bare SQLite transaction", theirs.p50(), Ratio::OursToTheirs)
            .with_note("the same rows in the same tables; ours ranks and explains as well")
            .with_goal(Goal::RatioAtMost(RETRIEVAL_GOAL)),
    );
    let sync = Samples::new(syncs).p50();
    report.push(Row::measured("one fdatasync of 4 KiB", sync, "s"));
    let each = (calls / 4).max(5);
    let (clients, floor) = (writers(&filled, each).await?, group_commits(&bare, each)?);
    report.push(
        Row::measured("recorded retrievals, 16 clients", clients, "1/s")
            .of_size(size as u64)
            .beside("bare SQLite, groups of 16", floor, Ratio::OursToTheirs)
            .with_note("16 retrievals a transaction; ours ranks and explains each as well")
            .with_goal(Goal::RatioAtLeast(WRITERS_GOAL)),
    );
    Ok(())
}

/// Seconds of one recorded retrieval, asked for in a task like those of a server, and how many bullets it
/// returned.
async fn one_call(filled: &Filled, call: usize) -> Result<(f64, usize), EvalError> {
    let (engine, key) = (filled.engine.clone(), filled.key.clone());
    let request = RetrieveRequest::new(Query::new(filled.question(call)));
    let timed = timed(async move { engine.retrieve(&key, request).await }).await;
    let (seconds, answer) = timed.map_err(failed)?.map_err(failed)?;
    Ok((seconds, answer.bullets.len().max(1)))
}

/// Retrievals a second of many clients at once.
async fn writers(filled: &Filled, each: usize) -> Result<f64, EvalError> {
    let started = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for writer in 0..WRITERS {
        let (engine, key) = (filled.engine.clone(), filled.key.clone());
        let questions: Vec<String> = (0..each)
            .map(|call| filled.question(writer * each + call).to_owned())
            .collect();
        tasks.spawn(async move {
            for question in questions {
                let request = RetrieveRequest::new(Query::new(question));
                engine.retrieve(&key, request).await?;
            }
            Ok::<(), hindlore::EngineError>(())
        });
    }
    for ended in tasks.join_all().await {
        ended.map_err(failed)?;
    }
    Ok((WRITERS * each) as f64 / started.elapsed().as_secs_f64())
}

/// Retrievals a second of one connection that writes the rows of as many clients in groups.
fn group_commits(bare: &Bare, each: usize) -> Result<f64, EvalError> {
    let groups = (0..each).map(|group| bare.retrievals(1_000_000 + group * WRITERS, WRITERS, 10));
    let seconds: f64 = groups.sum::<rusqlite::Result<f64>>().map_err(failed)?;
    Ok((WRITERS * each) as f64 / seconds)
}

/// A copy of a store's file, written to without the store.
struct Bare {
    connection: Connection,
    memory: i64,
    bullets: Vec<Vec<u8>>,
    clock: i64,
}

impl Bare {
    fn copy_of(from: &Path, to: &Path) -> rusqlite::Result<Self> {
        // A copy from an earlier run would be refused.
        let _ = fs::remove_file(to);
        Connection::open(from)?.execute("VACUUM INTO ?1", [to.to_string_lossy()])?;
        let connection = bare(to)?;
        let head = "SELECT memory, clock FROM memories LIMIT 1";
        let (memory, clock) =
            connection.query_row(head, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut ids = connection.prepare("SELECT id FROM bullets ORDER BY bullet")?;
        let bullets = ids.query_map([], |row| row.get(0))?;
        let bullets = bullets.collect::<rusqlite::Result<_>>()?;
        drop(ids);
        Ok(Self {
            connection,
            memory,
            bullets,
            clock,
        })
    }

    /// Writes the rows of some retrievals in one transaction; gives the seconds.
    fn retrievals(&self, first: usize, count: usize, returned: usize) -> rusqlite::Result<f64> {
        let run = |sql: &str, values: &[&dyn rusqlite::ToSql]| {
            self.connection.prepare_cached(sql)?.execute(values)
        };
        let started = Instant::now();
        run("BEGIN IMMEDIATE", &[])?;
        for number in first..first + count {
            let tick = self.clock + 1 + number as i64;
            run(
                "INSERT INTO retrievals (memory, id, tick, revision, ranked_at, at, profile, query, parameters)
                 VALUES (?1, ?2, ?3, 16, ?3, 1700000000000, 'engine', ?4, ?5)",
                params![
                    self.memory,
                    format!("r_{number:020x}"),
                    tick,
                    "a question of nine ordinary words like any other here",
                    "{\"include_shared\":false,\"memory_types\":[],\"min_score\":0.0,\"top_k\":10}"
                ],
            )?;
            for rank in 0..returned as i64 {
                let at = (number * 7919 + rank as usize * 104_729) % self.bullets.len();
                let bullet = &self.bullets[at];
                run(
                    "INSERT INTO returned (memory, tick, rank, bullet, score, injected, used, helped, harmed,
                     ignored) VALUES (?1, ?2, ?3, ?4, 0.512345, 0, 0, 0, 0, 0)",
                    params![self.memory, tick, rank, bullet],
                )?;
                run(
                    "UPDATE bullets SET access_index = ?3, changed_tick = ?3, last_access = ?4, last_used = ?4
                     WHERE memory = ?1 AND id = ?2",
                    params![self.memory, bullet, tick, 1_700_000_000_000_i64],
                )?;
            }
        }
        let clock = self.clock + (first + count) as i64;
        run(
            "UPDATE memories SET clock = ?2 WHERE memory = ?1",
            params![self.memory, clock],
        )?;
        run("COMMIT", &[])?;
        Ok(started.elapsed().as_secs_f64())
    }
}
