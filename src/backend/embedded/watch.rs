//! Noticing that a file has changed, without reading what.
//!
//! SQLite counts, for a connection, the commits of all others that it meets. Asking for that count takes
//! a few microseconds, needs no thread to wait on, and is the whole work of a look at a memory to which
//! nothing happened.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::Connection;

/// A connection that only counts.
pub(super) struct Watch {
    connection: Mutex<Connection>,
}

impl Watch {
    /// Watches over a connection of its own. It never waits for others: who cannot be told at once looks.
    pub(super) fn over(connection: Connection) -> rusqlite::Result<Self> {
        connection.busy_timeout(Duration::ZERO)?;
        Ok(Self {
            connection: Mutex::new(connection),
        })
    }

    /// The count; absent when it cannot be had at once.
    pub(super) fn count(&self) -> Option<u64> {
        let connection = self
            .connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut statement = connection.prepare_cached("PRAGMA data_version").ok()?;
        let count: i64 = statement.query_row([], |row| row.get(0)).ok()?;
        u64::try_from(count).ok()
    }
}
