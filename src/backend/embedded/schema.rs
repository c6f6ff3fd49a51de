//! The schema: recognising a file, its version, and its migrations.
//!
//! A file is ours by its application id; its version is the number of applied migrations. Pending migrations are looked
//! up again under the write lock, so that any number of processes may open a new file at once. A released migration never
//! changes.

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::error::{Failure, Result};
use super::lessons::note_wrong_forms;
use super::rows::Whole;
use hindlore_domain::identity::{derived_hash, hex};
use hindlore_store::SchemaStatus;

/// "mnem" in ASCII, in the header of every file of this backend.
pub(super) const APPLICATION_ID: i64 = 0x6D6E_656D;

struct Migration {
    name: &'static str,
    sql: &'static str,
    /// What only the engine can work out from the rows that are there.
    derive: Option<fn(&Transaction<'_>) -> Result<()>>,
}

const MIGRATIONS: &[Migration] = &[
    Migration {
        name: "V001__schema",
        sql: include_str!("migrations/V001__schema.sql"),
        derive: None,
    },
    Migration {
        name: "V002__lessons",
        sql: include_str!("migrations/V002__lessons.sql"),
        derive: None,
    },
    Migration {
        name: "V003__erasures",
        sql: include_str!("migrations/V003__erasures.sql"),
        derive: None,
    },
    Migration {
        name: "V004__checkpoint_pieces",
        sql: include_str!("migrations/V004__checkpoint_pieces.sql"),
        derive: None,
    },
    Migration {
        name: "V005__records",
        sql: include_str!("migrations/V005__records.sql"),
        derive: None,
    },
    Migration {
        name: "V006__proofs",
        sql: include_str!("migrations/V006__proofs.sql"),
        derive: None,
    },
    Migration {
        name: "V007__wrong_forms",
        sql: include_str!("migrations/V007__wrong_forms.sql"),
        derive: Some(note_wrong_forms),
    },
    Migration {
        name: "V008__settlements",
        sql: include_str!("migrations/V008__settlements.sql"),
        derive: None,
    },
    Migration {
        name: "V009__decisions_newest",
        sql: include_str!("migrations/V009__decisions_newest.sql"),
        derive: None,
    },
    Migration {
        name: "V010__trajectories",
        sql: include_str!("migrations/V010__trajectories.sql"),
        derive: None,
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
        (0, 0, 0) => Identity::Empty,
        _ => Identity::Foreign,
    })
}

/// Applies all pending migrations or none; returns their names.
pub(super) fn apply_pending(connection: &mut Connection) -> Result<Vec<String>> {
    // Immediate: the write lock comes before the look, so two processes cannot both find a migration pending.
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let stored = match identify(&tx)? {
        Identity::Empty => 0,
        Identity::Ours(version) => version,
        Identity::Foreign => {
            return Err(Failure::Refused(
                "another program took the file over".to_owned(),
            ));
        }
    };
    let pending: Vec<&Migration> = pending_after(stored).collect();
    if pending.is_empty() {
        return Ok(Vec::new());
    }
    tx.execute(LEDGER, [])?;
    for migration in &pending {
        tx.execute_batch(migration.sql)?;
        if let Some(derive) = migration.derive {
            derive(&tx)?;
        }
        tx.execute(
            "INSERT INTO migrations (name, checksum, applied_at) VALUES (?1, ?2, unixepoch() * 1000)",
            params![migration.name, checksum(migration)],
        )?;
    }
    // Both numbers belong to the transaction, so a crash leaves neither.
    tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    tx.pragma_update(None, "user_version", Whole(engine_version()))?;
    tx.commit().map_err(Failure::from_commit)?;
    Ok(pending.iter().map(|m| m.name.to_owned()).collect())
}

/// Lists the applied and the pending migrations.
pub(super) fn status(tx: &Transaction<'_>) -> Result<SchemaStatus> {
    let stored = match identify(tx)? {
        Identity::Ours(version) => version,
        Identity::Empty | Identity::Foreign => 0,
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
        pending: pending_after(stored).map(|m| m.name.to_owned()).collect(),
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

fn pending_after(stored: u64) -> impl Iterator<Item = &'static Migration> {
    MIGRATIONS
        .iter()
        .skip(usize::try_from(stored).unwrap_or(usize::MAX))
}

fn checksum(migration: &Migration) -> String {
    hex(&derived_hash(&[migration.name, migration.sql]))
}
