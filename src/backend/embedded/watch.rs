//! Noticing that a file has changed, without reading the change.
//!
//! SQLite's `data_version` changes whenever another connection has committed. Reading it takes a few microseconds and no
//! worker thread, and for an unchanged memory it is all the work of a read.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::Connection;

/// Opens a connection for reading.
pub(super) type OpenReader = Arc<dyn Fn() -> rusqlite::Result<Connection> + Send + Sync>;

/// Looks after which the connection is opened: a process that ends after one call takes fewer.
const LOOKS: u32 = 4;

/// A connection that only reads the counter, opened by the first caller who comes often enough to gain by it.
pub(super) struct Watch {
    open: OpenReader,
    state: Mutex<State>,
}

/// Looks so far, or the connection.
enum State {
    Looks(u32),
    Open(Connection),
}

impl Watch {
    /// Watches over a file with a connection of its own.
    pub(super) fn over(open: OpenReader) -> Self {
        Self {
            open,
            state: Mutex::new(State::Looks(0)),
        }
    }

    /// The counter; `None` when it is not available at once. It never waits for a lock: a caller without a count simply
    /// reads.
    pub(super) fn count(&self) -> Option<u64> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let State::Looks(looks) = &mut *state {
            *looks += 1;
            if *looks < LOOKS {
                return None;
            }
            let connection = (self.open)().ok()?;
            connection.busy_timeout(Duration::ZERO).ok()?;
            *state = State::Open(connection);
        }
        let State::Open(connection) = &*state else {
            return None;
        };
        let mut statement = connection.prepare_cached("PRAGMA data_version").ok()?;
        let count: i64 = statement.query_row([], |row| row.get(0)).ok()?;
        u64::try_from(count).ok()
    }
}
