//! The schema: which migrations a database has seen, and applying the others.
//!
//! They are recorded in the graph as nodes. Any number of instances may start at once: one of them
//! holds a lock that expires on the server's clock, the others wait and find nothing left to do. Each
//! statement can be repeated, so a migration that was cut short is simply applied again. A released
//! migration never changes; one that this engine does not know, or knows in another form, is refused.

use std::time::Duration;

use neo4rs::Row;
use tokio::time::sleep;

use super::error::{Failure, Work};
use super::executor::{Executor, Statement};
use super::statements::{LEDGER, LEDGER_IDENTITY, LOCK_IDENTITY, RECORD, RELEASE_LOCK, TAKE_LOCK};
use super::values::Map;
use super::work::{send, send_anew, token};
use crate::domain::memory::key::{derived_hash, hex};
use crate::store::{ErrorKind, SchemaStatus, StoreError};

/// Whose migrations they are, among those of other programs in the same database.
pub(super) const TARGET: &str = "mnemograph";
/// How long an instance that died keeps the others waiting.
const LEASE_MS: i64 = 30_000;
const WAIT: Duration = Duration::from_millis(100);

struct Migration {
    name: &'static str,
    text: &'static str,
}

const MIGRATIONS: &[Migration] = &[
    Migration {
        name: "V001__identities",
        text: include_str!("../../../cypher/migrations/V001__identities.cypher"),
    },
    Migration {
        name: "V002__ways_in",
        text: include_str!("../../../cypher/migrations/V002__ways_in.cypher"),
    },
    Migration {
        name: "V003__lesson_identities",
        text: include_str!("../../../cypher/migrations/V003__lesson_identities.cypher"),
    },
    Migration {
        name: "V004__lesson_orders",
        text: include_str!("../../../cypher/migrations/V004__lesson_orders.cypher"),
    },
    Migration {
        name: "V005__erasures",
        text: include_str!("../../../cypher/migrations/V005__erasures.cypher"),
    },
];

impl Migration {
    fn version(&self) -> &'static str {
        self.name.get(1..4).unwrap_or(self.name)
    }

    fn checksum(&self) -> String {
        hex(&derived_hash(&[self.name, self.text]))
    }

    fn statements(&self) -> impl Iterator<Item = Statement> {
        let name = self.name;
        let all = self.text.split(';').map(str::trim);
        all.filter(|text| !text.is_empty())
            .map(move |text| Statement { name, text })
    }
}

/// The constraints and indexes that the migrations make: the migration, whether it is a constraint, and
/// the name.
pub(super) fn named() -> impl Iterator<Item = (&'static str, bool, &'static str)> {
    let of = |migration: &'static Migration| {
        let lines = migration.text.lines();
        lines.filter_map(|line| {
            let mut words = line.split_whitespace();
            let (first, kind, name) = (words.next()?, words.next()?, words.next()?);
            let is_one = first == "CREATE" && matches!(kind, "CONSTRAINT" | "INDEX");
            is_one.then_some((migration.name, kind == "CONSTRAINT", name))
        })
    };
    MIGRATIONS.iter().flat_map(of)
}

/// A migration as a database records it.
struct Applied {
    version: String,
    source: String,
    checksum: String,
}

async fn ledger(executor: &Executor) -> Work<Vec<Applied>> {
    let asked = Map::new().with("target", TARGET).with("least", "");
    let rows = send(executor, LEDGER, asked).await?;
    let read = rows.iter().map(|row| {
        Ok(Applied {
            version: row.get("version")?,
            source: row.get("source")?,
            checksum: row.get("checksum")?,
        })
    });
    read.collect()
}

/// Says what was applied and what was not.
pub(super) async fn status(executor: &Executor) -> Work<SchemaStatus> {
    let applied = ledger(executor).await?;
    let names = applied.iter().map(|one| one.source.clone());
    Ok(SchemaStatus {
        stored: applied.len() as u64,
        engine: MIGRATIONS.len() as u64,
        applied: names.collect(),
        pending: pending(&applied).map(|m| m.name.to_owned()).collect(),
    })
}

fn pending(applied: &[Applied]) -> impl Iterator<Item = &'static Migration> {
    let has = |version: &str| applied.iter().any(|one| one.version == version);
    let pending = MIGRATIONS.iter().filter(move |m| !has(m.version()));
    pending.collect::<Vec<_>>().into_iter()
}

/// Refuses a schema that this engine must not write to; `Ok(false)`: something is pending.
pub(super) async fn judge(executor: &Executor) -> Work<bool> {
    let applied = ledger(executor).await?;
    refuse(&applied)?;
    Ok(pending(&applied).next().is_none())
}

fn refuse(applied: &[Applied]) -> Work<()> {
    let told = |kind, context| Failure::Told(StoreError::new(kind, "connect", context));
    for one in applied {
        let Some(known) = MIGRATIONS.iter().find(|m| m.version() == one.version) else {
            return Err(told(
                ErrorKind::NewerSchema,
                format!(
                    "the database has migration `{}`, and this engine knows {}; use a newer engine",
                    one.source,
                    MIGRATIONS.len()
                ),
            ));
        };
        if known.checksum() != one.checksum {
            return Err(told(
                ErrorKind::Damaged,
                format!(
                    "migration `{}` was applied in another form; use the engine that made it",
                    one.source
                ),
            ));
        }
    }
    Ok(())
}

/// Applies what is pending, one instance at a time; gives the names of what this one applied.
pub(super) async fn migrate(executor: &Executor, instance: &str) -> Work<Vec<String>> {
    if judge(executor).await? {
        return Ok(Vec::new());
    }
    write(executor, LEDGER_IDENTITY, Map::new()).await?;
    write(executor, LOCK_IDENTITY, Map::new()).await?;
    let holder = token();
    let deadline = executor.deadline();
    while !take_lock(executor, &holder).await? {
        if tokio::time::Instant::now() >= deadline {
            return Err(Failure::Told(StoreError::new(
                ErrorKind::Busy,
                "migrate",
                "another instance applies migrations for too long; wait for it, or try again",
            )));
        }
        sleep(WAIT).await;
    }
    let applied = apply_pending(executor, instance, &holder).await;
    let given_back = Map::new()
        .with("target", TARGET)
        .with("holder", holder.as_str());
    let released = write(executor, RELEASE_LOCK, given_back).await;
    let names = applied?;
    released?;
    Ok(names)
}

/// Sends a statement that can be repeated.
async fn write(executor: &Executor, statement: Statement, parameters: Map) -> Work<Vec<Row>> {
    let sent = send_anew(executor, statement, parameters).await;
    sent.map(|(rows, _)| rows)
}

async fn take_lock(executor: &Executor, holder: &str) -> Work<bool> {
    let asked = Map::new()
        .with("target", TARGET)
        .with("holder", holder)
        .with("lease_ms", LEASE_MS)
        .with("never", 0_i64);
    let rows = write(executor, TAKE_LOCK, asked).await?;
    // An absent holder compares as nothing at all, which is not mine.
    let mine: Option<bool> = rows.first().map_or(Ok(None), |row| row.get("is_mine"))?;
    Ok(mine == Some(true))
}

async fn apply_pending(executor: &Executor, instance: &str, holder: &str) -> Work<Vec<String>> {
    let applied = ledger(executor).await?;
    refuse(&applied)?;
    let mut previous = applied.last().map(|one| one.version.clone());
    let mut names = Vec::new();
    for migration in pending(&applied) {
        for statement in migration.statements() {
            if !take_lock(executor, holder).await? {
                return Err(Failure::Told(StoreError::new(
                    ErrorKind::Busy,
                    "migrate",
                    "the lock on migrations expired and another instance took it; try again",
                )));
            }
            write(executor, statement, Map::new()).await?;
        }
        let record = Map::new()
            .with("version", migration.version())
            .with("description", migration.name.get(6..).unwrap_or_default())
            .with("title", migration.name)
            .with("type", "CYPHER")
            .with("source", migration.name)
            .with("checksum", migration.checksum())
            .with("by", instance);
        let recorded = Map::new()
            .with("target", TARGET)
            .with_optional("previous", previous.as_deref())
            .with("migration", record);
        write(executor, RECORD, recorded).await?;
        previous = Some(migration.version().to_owned());
        names.push(migration.name.to_owned());
    }
    Ok(names)
}
