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

use tokio::time::sleep;

use super::contract;
use super::error::{Failure, Result};
use super::executor::Executor;
use super::items::{self, Wanted};
use super::making::{make, make_all};
use super::migration_lock::{keep_lock, take_lock, write};
use super::migrations::{Does, MIGRATIONS, Migration};
use super::naming::{DATED, Naming, TARGET};
use super::random::token;
use super::statements::{
    CHOOSE_NAMING, LEDGER, LEDGER_IDENTITY, LOCK_IDENTITY, NAMING, RECORD, RELEASE_LOCK, Statement,
    Turn,
};
use super::tell::Tell;
use super::values::Map;
use super::work::send;
use hindlore_store::{ErrorKind, SchemaStatus, StoreError};

const WAIT: Duration = Duration::from_millis(100);
/// Rows that a data migration changes in one transaction.
const BATCH: i64 = 500;

/// The constraints and indexes of a database with these names, each with its migration.
pub(super) fn wanted(naming: Naming) -> impl Iterator<Item = (&'static str, Wanted)> {
    let makes = move |migration: &&Migration| match migration.work {
        Does::Schema => true,
        Does::PlainSchema => naming == Naming::Plain,
        Does::SchemaAfterContract => naming != Naming::Plain,
        Does::Nothing | Does::PlainData(_) | Does::Contract | Does::Dates | Does::Data(_) => false,
    };
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
        pending: names_of(pending(&applied), false),
        waiting: names_of(pending(&applied), true),
    })
}

fn names_of(all: impl Iterator<Item = &'static Migration>, on_demand: bool) -> Vec<String> {
    let some = all.filter(|one| one.is_on_demand() == on_demand);
    some.map(|one| one.name.to_owned()).collect()
}

/// The naming of the database; `None` while it is being changed.
pub(super) async fn naming(executor: &Executor) -> Result<Option<Naming>> {
    let asked = executor.naming.now();
    let rows = send(executor, NAMING, Map::new().with("target", TARGET)).await?;
    executor.naming.learn(&rows, asked)
}

fn pending(applied: &[Applied]) -> impl Iterator<Item = &'static Migration> {
    let has = |version: &str| applied.iter().any(|one| one.version == version);
    let pending = MIGRATIONS.iter().filter(move |m| !has(m.version()));
    pending.collect::<Vec<_>>().into_iter()
}

/// Refuses a schema that this engine must not write to; `Ok(false)` when migrations are pending, or one was cut off.
pub(super) async fn judge(executor: &Executor) -> Result<bool> {
    let applied = ledger(executor).await?;
    refuse(&applied)?;
    let naming = naming(executor).await?;
    Ok(naming.is_some_and(|naming| pending(&applied).all(|one| one.waits_in(naming))))
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

/// What a migration applies, and whom it tells how far it is.
pub(super) struct Migrating<'a> {
    /// The name of this instance.
    pub(super) instance: &'a str,
    /// True to apply those that wait for somebody to ask for them, too.
    pub(super) on_demand: bool,
    /// Tells how far it is.
    pub(super) tell: &'a Tell,
}

/// Applies the pending migrations, one instance at a time; returns the names of those that this one applied.
pub(super) async fn migrate(executor: &Executor, how: &Migrating<'_>) -> Result<Vec<String>> {
    if judge(executor).await? && !how.on_demand {
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
        how.tell.say("another instance is at it");
        sleep(WAIT).await;
    }
    let applied = apply_pending(executor, how, &holder).await;
    // Even after a failure, so that others need not wait for the lease to expire.
    let given_back = Map::new()
        .with("target", TARGET)
        .with("holder", holder.as_str());
    let released = write(executor, RELEASE_LOCK, given_back).await;
    let names = applied?;
    released?;
    Ok(names)
}

/// The naming that a database gets or has; `None` where its change was cut off.
async fn choose_naming(executor: &Executor, holder: &str) -> Result<Option<Naming>> {
    let asked = Map::new()
        .with("target", TARGET)
        .with("holder", holder)
        .with("latest", DATED);
    write(executor, CHOOSE_NAMING, asked).await?;
    naming(executor).await
}

async fn apply_pending(
    executor: &Executor,
    how: &Migrating<'_>,
    holder: &str,
) -> Result<Vec<String>> {
    // Again under the lock: another instance may have applied them meanwhile.
    let applied = ledger(executor).await?;
    refuse(&applied)?;
    let found = choose_naming(executor, holder).await?;
    let waits = |one: &Migration| found.is_some_and(|naming| one.waits_in(naming));
    let asked = pending(&applied).filter(|one| how.on_demand || !waits(one));
    let asked: Vec<&Migration> = asked.collect();
    let is_changed = found.is_none() || asked.iter().any(|one| waits(one));
    if is_changed {
        contract::begin(executor, holder).await?;
    }
    let mut previous = applied.last().map(|one| one.version.clone());
    let mut names = Vec::new();
    for migration in asked {
        Box::pin(apply(executor, how, holder, (migration, found))).await?;
        record(executor, migration, previous.as_deref(), how.instance).await?;
        previous = Some(migration.version().to_owned());
        names.push(migration.name.to_owned());
    }
    if is_changed {
        contract::end(executor, holder).await?;
    }
    Ok(names)
}

/// Applies a migration to a database that has this naming, or whose change was cut off.
async fn apply(
    executor: &Executor,
    how: &Migrating<'_>,
    holder: &str,
    (migration, found): (&'static Migration, Option<Naming>),
) -> Result<()> {
    let is_plain = found == Some(Naming::Plain);
    match migration.work {
        Does::Schema | Does::SchemaAfterContract => {
            make_all(executor, holder, migration, how.tell).await
        }
        Does::PlainSchema if is_plain => make_all(executor, holder, migration, how.tell).await,
        Does::PlainData(turns) if is_plain => {
            turn(executor, how, holder, (migration, Naming::Plain, turns)).await
        }
        Does::Data(turns) if found != Some(Naming::Dated) => {
            turn(executor, how, holder, (migration, Naming::Dated, turns)).await
        }
        Does::Contract if is_plain || found.is_none() => {
            contract::rename(executor, holder, migration, how.tell).await
        }
        Does::Dates if found != Some(Naming::Dated) => {
            contract::date(executor, holder, migration, how.tell).await
        }
        Does::Nothing
        | Does::PlainSchema
        | Does::PlainData(_)
        | Does::Contract
        | Does::Dates
        | Does::Data(_) => Ok(()),
    }
}

/// Recreates missing constraints and indexes of applied migrations; returns their names.
pub(super) async fn mend(executor: &Executor) -> Result<Vec<String>> {
    // While the names change there is nothing to mend: the change makes what is missing.
    let Some(naming) = naming(executor).await? else {
        return Ok(Vec::new());
    };
    let (items, _) = items::compared(executor, wanted(naming)).await?;
    let mut made = Vec::new();
    for (item, (_, wanted)) in items.iter().zip(wanted(naming)) {
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
    how: &Migrating<'_>,
    holder: &str,
    (migration, naming, turns): (&'static Migration, Naming, &[Turn]),
) -> Result<()> {
    let statements: Vec<Statement> = migration.statements().collect();
    let mut done = 0;
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
            let count = rows.len();
            let rows = rows.iter().map(made).collect::<Result<Vec<_>>>()?;
            let rows = Map::new().list("rows", rows);
            write(executor, pair[1], naming.parameters(pair[1], rows)).await?;
            done += count;
            how.tell
                .say(&format!("`{}` has changed {done} nodes", migration.name));
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
    fn every_statement_of_a_migration_is_whole() {
        for migration in MIGRATIONS {
            let statements: Vec<Statement> = migration.statements().collect();
            for statement in &statements {
                assert!(!statement.body().is_empty(), "{}", migration.name);
            }
            let makes = statements
                .iter()
                .filter(|one| Wanted::from_statement(**one).is_some());
            if !matches!(
                migration.work,
                Does::PlainData(_) | Does::Data(_) | Does::Contract | Does::Dates
            ) {
                assert_eq!(makes.count(), statements.len(), "{}", migration.name);
            }
        }
    }
}
