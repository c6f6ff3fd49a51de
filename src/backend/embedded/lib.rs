//! The embedded backend: memories in one SQLite file, shared by any number of processes.
//!
//! One connection writes, on a thread of its own and under the file's write lock; a few others read,
//! each call in one transaction, so that it sees one moment and never waits for a writer; one more tells
//! whether there is anything new to read. A write is answered once the log that holds it is on disk. The
//! price is one flush per write; who can group writes should.

mod checkpoint;
mod commit;
mod connection;
mod connection_pool;
mod erase;
mod error;
mod events;
mod history;
mod integrity_check;
mod integrity_checks;
mod lessons;
mod maintenance;
mod memory;
mod options;
mod records;
mod rows;
mod schema;
mod state;
mod touch;
mod transfer;
mod watch;
mod wipe;

use std::fmt;
use std::path::{Path, PathBuf};

use rusqlite::{Transaction, TransactionBehavior};

pub use self::options::EmbeddedOptions;

use self::connection_pool::ConnectionPool;
use self::error::{Failure, Result};
use self::watch::Watch;
use mnemograph_store::{ErrorKind, SchemaStatus, StoreError, StoreResult};

/// Threads that read: enough to keep a few cores busy, each with a cache of its own.
const READERS: usize = 4;

/// A store in one file.
pub struct EmbeddedStore {
    path: PathBuf,
    watch: Watch,
    readers: ConnectionPool,
    /// Absent when the file may only be read. It stands after the readers, so that it is dropped last:
    /// whoever closes a file last writes the log back into it.
    writer: Option<ConnectionPool>,
    upgraded_from: Option<u64>,
}

impl fmt::Debug for EmbeddedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmbeddedStore")
            .field("path", &self.path)
            .field("read_only", &self.writer.is_none())
            .finish_non_exhaustive()
    }
}

impl EmbeddedStore {
    /// Opens a file, or makes it together with its folder; blocks the calling thread meanwhile.
    ///
    /// # Errors
    /// `Foreign` for a file of another program, `NewerSchema` for one of a newer engine, `Damaged`,
    /// `ReadOnly` when it would have to be made or brought up to date and cannot, `Full`, `Busy`, and
    /// `Unavailable` for a folder or an unreachable path.
    pub fn open(path: impl AsRef<Path>, options: EmbeddedOptions) -> StoreResult<Self> {
        let path = path.as_ref();
        let unreachable = |error: std::io::Error| {
            let context = format!("`{}` cannot be opened; check the path", path.display());
            StoreError::new(ErrorKind::Unavailable, "open", context).caused_by(error)
        };
        // An absolute path also keeps names such as `:memory:` from meaning something else.
        let path = std::path::absolute(path).map_err(unreachable)?;
        let options = EmbeddedOptions {
            // SQLite counts in 32 bits; 24 days are as good as for ever.
            busy_timeout_ms: options.busy_timeout_ms.min(i32::MAX as u64),
            ..options
        };
        let opened = connection::open(&path, options, READERS)?;
        let start = |name, connections| {
            ConnectionPool::start(name, connections).map_err(|error| {
                let context = "no thread could be started; close other programs";
                StoreError::new(ErrorKind::Unavailable, "open", context).caused_by(error)
            })
        };
        let writer = match opened.writer {
            Some(connection) => Some(start("store-writer", vec![connection])?),
            None => None,
        };
        Ok(Self {
            writer,
            watch: opened.watch,
            upgraded_from: opened.upgraded_from,
            readers: start("store-reader", opened.readers)?,
            path,
        })
    }

    /// Says which migrations a file has seen and which it lacks, and applies none; blocks the calling thread.
    ///
    /// # Errors
    /// `Foreign`, `NewerSchema`, `Damaged`, `Busy` and `Unavailable` as for opening it.
    pub fn schema_of(
        path: impl AsRef<Path>,
        options: EmbeddedOptions,
    ) -> StoreResult<SchemaStatus> {
        connection::status(path.as_ref(), options)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The versions from which and to which opening the file has brought it; absent when it was up to date, or new.
    pub fn upgrade(&self) -> Option<(u64, u64)> {
        let from = self.upgraded_from?;
        Some((from, schema::engine_version()))
    }

    /// True when every write will be refused.
    pub fn is_read_only(&self) -> bool {
        self.writer.is_none()
    }

    /// Reads in one transaction.
    async fn read<T, F>(&self, operation: &'static str, work: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
    {
        let done = self
            .readers
            .run(move |connection| work(&connection.transaction()?));
        done.await
            .map_err(|failure| failure.into_store_error(operation, &self.path))
    }

    /// Writes in one transaction: what `work` did is on disk when it gives `Ok`, and undone otherwise.
    async fn write<T, F>(&self, operation: &'static str, work: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
    {
        let store_error = |failure: Failure| failure.into_store_error(operation, &self.path);
        let writer = self
            .writer
            .as_ref()
            .ok_or(Failure::ReadOnly)
            .map_err(store_error)?;
        let done = writer.run(move |connection| {
            // The lock is taken before the first read, so that no decision is made on old rows.
            let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let result = work(&tx)?;
            tx.commit().map_err(Failure::from_commit)?;
            Ok(result)
        });
        done.await.map_err(store_error)
    }
}
