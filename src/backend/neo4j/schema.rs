//! The schema: which migrations a database has, and applying the pending ones.
//!
//! Migrations are recorded in the graph as nodes. Any number of instances may start at once: one of them holds a lock that
//! expires by the server's clock; the others wait and find nothing left to do. A migration that only creates constraints
//! and indexes is recorded as one that expands: engines that do not know it still work, so that engines of two versions can
//! share a database during an upgrade. Each statement can be repeated, so an interrupted migration is applied again. Before
//! a migration is recorded, the constraints and indexes that it creates are looked up, because `IF NOT EXISTS` is silent
//! when the name belongs to something else. A ledger with an unknown migration that does not expand, or with one that has
//! another text here, is refused.

mod create_schema;
pub(super) mod diagnostics;
mod migration_lock;
pub(super) mod migrations;
pub(super) mod progress;
pub(super) mod schema_objects;

use std::time::Duration;

use tokio::time::sleep;

use self::create_schema::{make, make_all};
use self::migration_lock::{keep_lock, take_lock, write};
use self::migrations::{Migration, TARGET};
use self::progress::Tell;
use self::schema_objects::Wanted;
use super::bolt::executor::Executor;
use super::bolt::random::token;
use super::bolt::values::Map;
use super::bolt::work::send;
use super::error::{Failure, Result};
use super::statements::{LEDGER, LEDGER_IDENTITY, LOCK_IDENTITY, RECORD, RELEASE_LOCK};
use hindlore_store::{ErrorKind, SchemaStatus, StoreError};

const WAIT: Duration = Duration::from_millis(100);

/// The constraints and indexes of migrations, each with the name of its migration.
pub(crate) fn wanted(
    migrations: &'static [Migration],
) -> impl Iterator<Item = (&'static str, Wanted)> {
    let all = migrations.iter();
    all.flat_map(|migration| {
        schema_objects::wanted(migration).map(|wanted| (migration.name, wanted))
    })
}

/// A migration as recorded in a database.
struct Applied {
    version: String,
    source: String,
    checksum: String,
    /// It only added items that older engines need not know.
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
pub(super) async fn status(
    executor: &Executor,
    migrations: &'static [Migration],
) -> Result<SchemaStatus> {
    let applied = ledger(executor).await?;
    let names = applied.iter().map(|one| one.source.clone());
    let pending = pending(&applied, migrations).map(|one| one.name.to_owned());
    Ok(SchemaStatus {
        stored: applied.len() as u64,
        engine: migrations.len() as u64,
        applied: names.collect(),
        pending: pending.collect(),
    })
}

fn pending<'a>(
    applied: &'a [Applied],
    migrations: &'static [Migration],
) -> impl Iterator<Item = &'static Migration> + 'a {
    let has = |version: &str| applied.iter().any(|one| one.version == version);
    migrations.iter().filter(move |one| !has(one.version()))
}

/// Refuses a schema that this engine must not write to; `Ok(false)` when migrations are pending.
pub(super) async fn judge(executor: &Executor, migrations: &'static [Migration]) -> Result<bool> {
    let applied = ledger(executor).await?;
    refuse(&applied, migrations)?;
    Ok(pending(&applied, migrations).next().is_none())
}

fn refuse(applied: &[Applied], migrations: &[Migration]) -> Result<()> {
    for one in applied {
        let source = &one.source;
        let known = migrations.iter().find(|m| m.version() == one.version);
        let (kind, context) = match known {
            Some(known) if known.checksum() == one.checksum => continue,
            None if one.expands => continue,
            Some(_) => (
                ErrorKind::Damaged,
                format!(
                    "another build made this database: its migration `{source}` differs; export the memories with \
                     that build, or use an empty database"
                ),
            ),
            None => (
                ErrorKind::NewerSchema,
                format!(
                    "another build changed this database: its migration `{source}` is unknown here; use that \
                     build, or an empty database"
                ),
            ),
        };
        return Err(Failure::Store(StoreError::new(kind, "connect", context)));
    }
    Ok(())
}

/// The migrations to apply, the instance, and the progress reports.
pub(super) struct Migrating<'a> {
    /// All migrations.
    pub(super) migrations: &'static [Migration],
    /// The name of this instance.
    pub(super) instance: &'a str,
    /// Reports progress.
    pub(super) tell: &'a Tell,
}

/// Applies the pending migrations, one instance at a time; returns the names of those that this one applied.
pub(super) async fn migrate(executor: &Executor, how: &Migrating<'_>) -> Result<Vec<String>> {
    // A database that is up to date needs no lock.
    if judge(executor, how.migrations).await? {
        return Ok(Vec::new());
    }
    // First, because the lock excludes others only while its node is unique.
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

async fn apply_pending(
    executor: &Executor,
    how: &Migrating<'_>,
    holder: &str,
) -> Result<Vec<String>> {
    // Again under the lock: another instance may have applied them meanwhile.
    let applied = ledger(executor).await?;
    refuse(&applied, how.migrations)?;
    let mut previous = applied.last().map(|one| one.version.clone());
    let mut names = Vec::new();
    for migration in pending(&applied, how.migrations) {
        if schema_objects::expands(migration) {
            make_all(executor, holder, migration, how.tell).await?;
        } else {
            change_data(executor, holder, migration, how.tell).await?;
        }
        // Recorded only when it is complete, so that a crash has it applied again.
        record(executor, migration, previous.as_deref(), how.instance).await?;
        previous = Some(migration.version().to_owned());
        names.push(migration.name.to_owned());
    }
    Ok(names)
}

async fn change_data(
    executor: &Executor,
    holder: &str,
    migration: &Migration,
    tell: &Tell,
) -> Result<()> {
    for (number, statement) in (1..).zip(migration.statements()) {
        // A statement may take long, so the lease is renewed before each.
        keep_lock(executor, holder).await?;
        tell.say(&format!("`{}`: statement {number}", migration.name));
        write(executor, statement, Map::new()).await?;
    }
    Ok(())
}

/// Recreates missing constraints and indexes of applied migrations; returns their names.
pub(super) async fn mend(
    executor: &Executor,
    migrations: &'static [Migration],
) -> Result<Vec<String>> {
    let (items, _) = schema_objects::compared(executor, wanted(migrations)).await?;
    let mut made = Vec::new();
    for (item, (_, wanted)) in items.iter().zip(wanted(migrations)) {
        if !item.is_there() {
            make(executor, &wanted).await?;
            made.push(item.name.to_owned());
        }
    }
    Ok(made)
}

async fn record(
    executor: &Executor,
    migration: &Migration,
    previous: Option<&str>,
    instance: &str,
) -> Result<()> {
    let record = Map::new()
        .with("version", migration.version())
        .with("description", migration.description())
        .with("title", migration.name)
        .with("type", "CYPHER")
        .with("source", migration.name)
        .with("checksum", migration.checksum())
        .with("expands", schema_objects::expands(migration))
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
    use super::migrations::MIGRATIONS;
    use super::*;

    fn applied(version: &str, checksum: &str, expands: bool) -> Applied {
        Applied {
            version: version.to_owned(),
            source: format!("V{version}__one"),
            checksum: checksum.to_owned(),
            expands,
        }
    }

    /// A semicolon in a comment would cut the following statement in two, and neither half would run.
    #[test]
    fn every_statement_of_a_migration_is_whole() {
        for migration in MIGRATIONS {
            assert!(schema_objects::expands(migration), "{}", migration.name);
            assert_eq!(
                schema_objects::wanted(migration).count(),
                migration.text.matches("\nCREATE ").count()
            );
        }
    }

    #[test]
    fn a_migration_that_changes_data_does_not_expand() {
        let migration = Migration {
            name: "V002__titles",
            text: "// Why.\n\nMATCH (n:Bullet)\nSET n.title = n.content;\n",
        };
        assert!(!schema_objects::expands(&migration));
        assert_eq!(
            (migration.version(), migration.description()),
            ("002", "titles")
        );
    }

    #[test]
    fn a_ledger_of_another_build_is_refused() {
        let own = MIGRATIONS[0].checksum();
        for (version, checksum, expands, refusal) in [
            ("001", own.as_str(), true, None),
            ("001", "x", true, Some("`V001__one` differs; export")),
            ("005", "x", true, None),
            ("005", "x", false, Some("`V005__one` is unknown here; use")),
        ] {
            let refused = refuse(&[applied(version, checksum, expands)], MIGRATIONS);
            let said = refused.err().map(|failure| format!("{failure:?}"));
            assert_eq!(said.is_some(), refusal.is_some(), "{said:?}");
            assert!(
                said.unwrap_or_default()
                    .contains(refusal.unwrap_or_default())
            );
        }
    }
}
