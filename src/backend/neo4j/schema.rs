//! The schema: which migrations a database has, and applying the pending ones.
//!
//! Migrations are recorded in the graph as nodes. Any number of instances may start at once: one of them holds a lock that
//! expires by the server's clock; the others wait and find nothing left to do. A migration that only adds constraints and
//! indexes is recorded as one that expands: engines that do not know it go on beside the one that applied it, and may come
//! back after it, which is how engines of two versions share a database while they are exchanged. Each statement can be repeated, so an
//! interrupted migration is simply applied again. Before a migration is recorded, the constraints and indexes that it
//! creates are looked up, because `IF NOT EXISTS` is silent when the name belongs to something else. A released migration
//! never changes; an unknown one, or one with another text, is refused.

use std::time::Duration;

use neo4rs::Row;
use tokio::time::sleep;

use super::codes::is_of_schema;
use super::error::{Failure, Result};
use super::executor::Executor;
use super::items::{self, Standing, Wanted};
use super::migrations::{Does, MIGRATIONS, Migration};
use super::statements::{
    LEDGER, LEDGER_IDENTITY, LOCK_IDENTITY, RECORD, RELEASE_LOCK, Statement, TAKE_LOCK, Turn,
};
use super::values::Map;
use super::work::{send, send_anew, token};
use mnemograph_store::{ErrorKind, SchemaStatus, StoreError};

/// Our migrations among those of other programs.
pub(super) const TARGET: &str = "mnemograph";
/// Lifetime of the lock: how long a crashed instance keeps others waiting.
const LEASE_MS: i64 = 30_000;
const WAIT: Duration = Duration::from_millis(100);
/// Rows that a data migration changes in one transaction.
const BATCH: i64 = 500;

/// The constraints and indexes of all migrations, each with its migration.
pub(super) fn wanted() -> impl Iterator<Item = (&'static str, Wanted)> {
    let makes = |migration: &&Migration| matches!(migration.work, Does::Schema);
    MIGRATIONS.iter().filter(makes).flat_map(|migration| {
        let statements = migration.statements();
        statements.filter_map(|one| Some((migration.name, Wanted::from_statement(one)?)))
    })
}

/// A migration as recorded in a database.
struct Applied {
    version: String,
    source: String,
    checksum: String,
    /// It only added what older engines need not know.
    expands: bool,
}

async fn ledger(executor: &Executor) -> Result<Vec<Applied>> {
    let asked = Map::new().with("target", TARGET).with("least", "");
    let rows = send(executor, LEDGER, asked).await?;
    let read = rows.iter().map(|row| {
        Ok(Applied {
            version: row.get("version")?,
            source: row.get("source")?,
            checksum: row.get("checksum")?,
            expands: row.get::<Option<bool>>("expands")?.unwrap_or_default(),
        })
    });
    read.collect()
}

/// Lists the applied and the pending migrations.
pub(super) async fn status(executor: &Executor) -> Result<SchemaStatus> {
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

/// Refuses a schema that this engine must not write to; `Ok(false)` when migrations are pending.
pub(super) async fn judge(executor: &Executor) -> Result<bool> {
    let applied = ledger(executor).await?;
    refuse(&applied)?;
    Ok(pending(&applied).next().is_none())
}

fn refuse(applied: &[Applied]) -> Result<()> {
    let store_error = |kind, context| Failure::Store(StoreError::new(kind, "connect", context));
    for one in applied {
        let Some(known) = MIGRATIONS.iter().find(|m| m.version() == one.version) else {
            if one.expands {
                continue;
            }
            return Err(store_error(
                ErrorKind::NewerSchema,
                format!(
                    "the database has migration `{}`, and this engine knows {}; use a newer engine",
                    one.source,
                    MIGRATIONS.len()
                ),
            ));
        };
        if known.checksum() != one.checksum {
            return Err(store_error(
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

/// Applies the pending migrations, one instance at a time; returns the names of those that this one applied.
pub(super) async fn migrate(executor: &Executor, instance: &str) -> Result<Vec<String>> {
    if judge(executor).await? {
        return Ok(Vec::new());
    }
    write(executor, LEDGER_IDENTITY, Map::new()).await?;
    write(executor, LOCK_IDENTITY, Map::new()).await?;
    let holder = token();
    let deadline = executor.deadline();
    while !take_lock(executor, &holder).await? {
        if tokio::time::Instant::now() >= deadline {
            return Err(Failure::Store(StoreError::new(
                ErrorKind::Busy,
                "migrate",
                "another instance applies migrations for too long; wait for it, or try again",
            )));
        }
        sleep(WAIT).await;
    }
    let applied = apply_pending(executor, instance, &holder).await;
    // Even after a failure, so that others need not wait for the lease to expire.
    let given_back = Map::new()
        .with("target", TARGET)
        .with("holder", holder.as_str());
    let released = write(executor, RELEASE_LOCK, given_back).await;
    let names = applied?;
    released?;
    Ok(names)
}

/// Sends a statement that can be repeated.
async fn write(executor: &Executor, statement: Statement, parameters: Map) -> Result<Vec<Row>> {
    let sent = send_anew(executor, statement, parameters).await;
    sent.map(|(rows, _)| rows)
}

async fn take_lock(executor: &Executor, holder: &str) -> Result<bool> {
    let asked = Map::new()
        .with("target", TARGET)
        .with("holder", holder)
        .with("lease_ms", LEASE_MS)
        .with("never", 0_i64);
    let rows = write(executor, TAKE_LOCK, asked).await?;
    // A missing holder compares as null, so the row does not count as ours.
    let mine: Option<bool> = rows.first().map_or(Ok(None), |row| row.get("is_mine"))?;
    Ok(mine == Some(true))
}

async fn apply_pending(executor: &Executor, instance: &str, holder: &str) -> Result<Vec<String>> {
    // Again under the lock: another instance may have applied them meanwhile.
    let applied = ledger(executor).await?;
    refuse(&applied)?;
    let mut previous = applied.last().map(|one| one.version.clone());
    let mut names = Vec::new();
    for migration in pending(&applied) {
        match migration.work {
            Does::Nothing => {}
            Does::Schema => {
                let statements = migration.statements().filter_map(Wanted::from_statement);
                for wanted in statements {
                    // Renewed before each step, because a step may take long.
                    keep_lock(executor, holder).await?;
                    make(executor, &wanted).await?;
                }
            }
            Does::Data(turns) => turn(executor, holder, migration, turns).await?,
        }
        record(executor, migration, previous.as_deref(), instance).await?;
        previous = Some(migration.version().to_owned());
        names.push(migration.name.to_owned());
    }
    Ok(names)
}

async fn keep_lock(executor: &Executor, holder: &str) -> Result<()> {
    if take_lock(executor, holder).await? {
        Ok(())
    } else {
        Err(Failure::Store(StoreError::new(
            ErrorKind::Busy,
            "migrate",
            "the lock on migrations expired and another instance took it; try again",
        )))
    }
}

/// Creates a constraint or an index unless an equivalent one exists, and checks that it exists afterwards.
async fn make(executor: &Executor, wanted: &Wanted) -> Result<()> {
    let barred = |why: String| {
        let what = wanted.shown();
        let context = format!(
            "the {what} cannot be made: {why}; then `mnemograph migrate apply` goes on, or use a database of its own"
        );
        Failure::Store(StoreError::new(ErrorKind::Foreign, "migrate", context))
    };
    let said = match write(executor, wanted.statement, Map::new()).await {
        Ok(_) => None,
        // The refusal may mean that an equivalent item exists; the look below decides.
        Err(Failure::Server { code, message }) if is_of_schema(&code) => Some(message),
        Err(failure) => return Err(failure),
    };
    match (items::standing(executor, wanted).await?, said) {
        (Standing::There { .. }, _) => Ok(()),
        (Standing::Barred { by, remedy }, _) => Err(barred(format!(
            "{by} stands in its way; `{remedy}` takes it away"
        ))),
        (Standing::Missing, Some(said)) => {
            Err(barred(format!("{said}; change or remove what is there")))
        }
        (Standing::Missing, None) => Err(barred("the server did not make it".to_owned())),
    }
}

/// Recreates missing constraints and indexes of applied migrations; returns their names.
pub(super) async fn mend(executor: &Executor) -> Result<Vec<String>> {
    let items = items::all(executor, wanted()).await?;
    let mut made = Vec::new();
    for (item, (_, wanted)) in items.iter().zip(wanted()) {
        if !item.is_there() {
            make(executor, &wanted).await?;
            made.push(item.name.to_owned());
        }
    }
    Ok(made)
}

/// Changes data batch by batch. After an interruption it starts over and changes only what is left.
async fn turn(
    executor: &Executor,
    holder: &str,
    migration: &'static Migration,
    turns: &[Turn],
) -> Result<()> {
    let statements: Vec<Statement> = migration.statements().collect();
    for (pair, made) in statements.chunks(2).zip(turns) {
        let mut after = String::new();
        loop {
            keep_lock(executor, holder).await?;
            let asked = Map::new()
                .with("after", after.as_str())
                .with("limit", BATCH);
            let rows = write(executor, pair[0], asked).await?;
            let Some(last) = rows.last() else {
                break;
            };
            after = last.get("key")?;
            let rows = rows.iter().map(made).collect::<Result<Vec<_>>>()?;
            write(executor, pair[1], Map::new().list("rows", rows)).await?;
        }
    }
    Ok(())
}

async fn record(
    executor: &Executor,
    migration: &Migration,
    previous: Option<&str>,
    instance: &str,
) -> Result<()> {
    let record = Map::new()
        .with("version", migration.version())
        .with("description", migration.name.get(6..).unwrap_or_default())
        .with("title", migration.name)
        .with("type", "CYPHER")
        .with("source", migration.name)
        .with("checksum", migration.checksum())
        .with("expands", migration.expands())
        .with("by", instance);
    let recorded = Map::new()
        .with("target", TARGET)
        .with_optional("previous", previous)
        .with("migration", record);
    write(executor, RECORD, recorded).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A semicolon in a comment would cut the following statement in two, and neither half would run.
    #[test]
    fn every_statement_of_a_schema_makes_something() {
        for migration in MIGRATIONS {
            let statements: Vec<Statement> = migration.statements().collect();
            let makes = statements
                .iter()
                .filter(|one| Wanted::from_statement(**one).is_some());
            if !matches!(migration.work, Does::Data(_)) {
                assert_eq!(makes.count(), statements.len(), "{}", migration.name);
            }
        }
    }
}
