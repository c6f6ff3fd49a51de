//! The schema: recognising a file, its version, and its migrations.
//!
//! A file is ours by its application id; its version is the number of applied migrations. Pending migrations are looked
//! up again under the write lock, so that any number of processes may open a new file at once. A released migration never
//! changes.

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::error::{Failure, Result};
use super::rows::Whole;
use hindlore_primitives::identity::{derived_hash, hex};
use hindlore_store::SchemaStatus;

/// "hind" in ASCII, in the header of every file of this backend.
pub(super) const APPLICATION_ID: i64 = 0x6869_6E64;

/// "mnem" in ASCII, in the header of files of builds before the first release.
const UNRELEASED_ID: i64 = 0x6D6E_656D;

struct Migration {
    name: &'static str,
    sql: &'static str,
}

const MIGRATIONS: &[Migration] = &[
    Migration {
        name: "V001__schema",
        sql: include_str!("migrations/V001__schema.sql"),
    },
    Migration {
        name: "V002__images",
        sql: include_str!("migrations/V002__images.sql"),
    },
    Migration {
        name: "V003__retention",
        sql: include_str!("migrations/V003__retention.sql"),
    },
];

const LEDGER: &str = "CREATE TABLE IF NOT EXISTS migrations (
    name TEXT PRIMARY KEY, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL
) STRICT";

/// The program that a file belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Identity {
    /// None yet: the file is empty.
    Empty,
    /// This engine, with this many migrations applied.
    Ours(u64),
    /// A build before the first release.
    Unreleased,
    /// Another program.
    Foreign,
}

/// The number of migrations that this engine knows.
pub(super) fn engine_version() -> u64 {
    MIGRATIONS.len() as u64
}

/// Recognises the file of a connection; changes nothing.
pub(super) fn identify(connection: &Connection) -> rusqlite::Result<Identity> {
    let number = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, i64>(0));
    let application = number("PRAGMA application_id")?;
    let version = number("PRAGMA user_version")?;
    let objects = number("SELECT count(*) FROM sqlite_master")?;
    Ok(match (application, version, objects) {
        (APPLICATION_ID, version, _) => Identity::Ours(u64::try_from(version).unwrap_or(0)),
        (UNRELEASED_ID, ..) => Identity::Unreleased,
        (0, 0, 0) => Identity::Empty,
        _ => Identity::Foreign,
    })
}

/// Applies all pending migrations or none; returns their names.
pub(super) fn apply_pending(connection: &mut Connection) -> Result<Vec<String>> {
    apply(connection, MIGRATIONS)
}

fn apply(connection: &mut Connection, migrations: &[Migration]) -> Result<Vec<String>> {
    // Immediate: the write lock comes before the look, so two processes cannot both find a migration pending.
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let stored = match identify(&tx)? {
        Identity::Empty => 0,
        Identity::Ours(version) => version,
        Identity::Unreleased | Identity::Foreign => {
            return Err(Failure::Refused(
                "another program took the file over".to_owned(),
            ));
        }
    };
    let pending: Vec<&Migration> = pending_after(migrations, stored).collect();
    // Another process has applied them since the look without the lock.
    if pending.is_empty() {
        return Ok(Vec::new());
    }
    tx.execute(LEDGER, [])?;
    for migration in &pending {
        tx.execute_batch(migration.sql)?;
        tx.execute(
            "INSERT INTO migrations (name, checksum, applied_at) VALUES (?1, ?2, unixepoch() * 1000)",
            params![migration.name, checksum(migration)],
        )?;
    }
    // Both numbers belong to the transaction, so a crash leaves neither.
    tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    tx.pragma_update(None, "user_version", Whole(migrations.len() as u64))?;
    tx.commit().map_err(Failure::from_commit)?;
    Ok(pending.iter().map(|m| m.name.to_owned()).collect())
}

/// Lists the applied and the pending migrations.
pub(super) fn status(tx: &Transaction<'_>) -> Result<SchemaStatus> {
    let stored = match identify(tx)? {
        Identity::Ours(version) => version,
        Identity::Empty | Identity::Unreleased | Identity::Foreign => 0,
    };
    let applied = match stored {
        0 => Vec::new(),
        _ => tx
            .prepare("SELECT name FROM migrations ORDER BY name")?
            .query_map([], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?,
    };
    Ok(SchemaStatus {
        stored,
        engine: engine_version(),
        applied,
        pending: pending_after(MIGRATIONS, stored)
            .map(|m| m.name.to_owned())
            .collect(),
    })
}

/// Lists the applied migrations whose text differs from this engine's.
pub(super) fn altered(tx: &Transaction<'_>) -> Result<Vec<String>> {
    let mut altered = Vec::new();
    let mut statement = tx.prepare("SELECT name, checksum FROM migrations ORDER BY name")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for row in rows {
        let (name, stored): (String, String) = row?;
        let known = MIGRATIONS.iter().find(|m| m.name == name);
        if known.is_none_or(|migration| checksum(migration) != stored) {
            altered.push(name);
        }
    }
    Ok(altered)
}

fn pending_after(migrations: &[Migration], stored: u64) -> impl Iterator<Item = &Migration> {
    migrations
        .iter()
        .skip(usize::try_from(stored).unwrap_or(usize::MAX))
}

fn checksum(migration: &Migration) -> String {
    hex(&derived_hash(&[migration.name, migration.sql]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The migrations of this engine and one that a later engine adds.
    fn with_later(sql: &'static str) -> Vec<Migration> {
        let known = MIGRATIONS.iter().map(|known| Migration { ..*known });
        let later = Migration {
            name: "V004__notes",
            sql,
        };
        known.chain([later]).collect()
    }

    fn stored(connection: &mut Connection) -> SchemaStatus {
        status(&connection.transaction().unwrap()).unwrap()
    }

    #[test]
    fn a_later_migration_is_applied_once_to_a_file_of_the_earlier_ones() {
        let mut connection = Connection::open_in_memory().unwrap();
        assert_eq!(
            apply(&mut connection, &MIGRATIONS[..1]).unwrap(),
            ["V001__schema"]
        );
        assert_eq!(
            apply_pending(&mut connection).unwrap(),
            ["V002__images", "V003__retention"]
        );
        let insert = "INSERT INTO learners (tenant, name) VALUES ('t', 'l')";
        connection.execute(insert, []).unwrap();
        let migrations = with_later(
            "ALTER TABLE learners ADD COLUMN note TEXT; UPDATE learners SET note = name",
        );
        let applied = apply(&mut connection, &migrations).unwrap();
        assert_eq!(applied, ["V004__notes"]);
        assert!(apply(&mut connection, &migrations).unwrap().is_empty());
        let note: String = connection
            .query_row("SELECT note FROM learners", [], |row| row.get(0))
            .unwrap();
        assert_eq!(note, "l");
        let status = stored(&mut connection);
        assert_eq!(
            status.applied,
            [
                "V001__schema",
                "V002__images",
                "V003__retention",
                "V004__notes"
            ]
        );
        assert_eq!(identify(&connection).unwrap(), Identity::Ours(4));
    }

    #[test]
    fn a_migration_that_fails_leaves_the_file_as_it_was() {
        let mut connection = Connection::open_in_memory().unwrap();
        apply_pending(&mut connection).unwrap();
        let before = stored(&mut connection);
        let migrations = with_later("CREATE TABLE notes (x); CREATE TABLE learners (x)");
        assert!(apply(&mut connection, &migrations).is_err());
        assert_eq!(stored(&mut connection), before);
        let table = "SELECT 1 FROM sqlite_master WHERE name = 'notes'";
        assert!(connection.query_row(table, [], |_| Ok(())).is_err());
    }
}
