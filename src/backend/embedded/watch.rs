//! Noticing that a file has changed, without reading the change.
//!
//! SQLite's `data_version` changes whenever another connection has committed. Reading it takes a few microseconds and no
//! worker thread, and for an unchanged memory it is all the work of a read.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::Connection;

/// A connection that only reads the counter.
pub(super) struct Watch {
    connection: Mutex<Connection>,
}

impl Watch {
    /// Watches over a connection of its own. It never waits for a lock: a caller without a count simply reads.
    pub(super) fn over(connection: Connection) -> rusqlite::Result<Self> {
        connection.busy_timeout(Duration::ZERO)?;
        Ok(Self {
            connection: Mutex::new(connection),
        })
    }

    /// The counter; `None` when it is not available at once.
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
