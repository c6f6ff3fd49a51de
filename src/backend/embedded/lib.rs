//! The embedded backend: memories in one SQLite file, shared by any number of processes.
//!
//! One connection writes, on its own thread and under the file's write lock. A few others read, each call in one
//! transaction, so that it sees one moment and never waits for a writer. One more connection only counts commits. A write
//! is answered once its log is on disk. The price is one flush per write, so callers should group writes.
//!
//! # Example
//!
//! ```
//! use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
//! use hindlore_store::MaintenanceStore;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("memory.db");
//! let store = EmbeddedStore::open(&path, EmbeddedOptions::default())?;
//! assert!(path.is_file() && !store.is_read_only());
//! assert!(store.tenants().await?.is_empty());
//! # Ok(())
//! # }
//! ```

mod connection;
mod connection_pool;
mod error;
mod lessons;
mod memory;
mod options;
mod presence;
mod records;
mod rows;
mod schema;
mod upkeep;
mod watch;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Transaction, TransactionBehavior};

pub use self::options::EmbeddedOptions;

use self::connection_pool::ConnectionPool;
use self::error::{Failure, Result};
use self::presence::Presence;
use self::watch::Watch;
use hindlore_store::{ErrorKind, SchemaStatus, StoreError, StoreResult};

/// Reading threads at most: enough to keep a few cores busy. Each costs a page cache of its own (16 MiB).
const READERS: usize = 4;

/// A store in one file.
pub struct EmbeddedStore {
    path: PathBuf,
    presence: Arc<Presence>,
    watch: Watch,
    readers: ConnectionPool,
    /// `None` when the file is read-only. The field comes after the readers so that it is dropped last: the connection
    /// that closes last writes the log back into the file, and only this one may.
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
    /// Opens a file, or creates it together with its folder. Blocks the calling thread.
    ///
    /// # Errors
    /// `Foreign` for a file of another program, `NewerSchema` for one of a newer engine, `OldSchema` for one of
    /// a build before the first release, `ReadOnly` when it must be created or migrated and cannot be written,
    /// `Unavailable` for a folder or an unreachable path, `Damaged`, `Full` and `Busy`.
    pub fn open(path: impl AsRef<Path>, options: EmbeddedOptions) -> StoreResult<Self> {
        let path = path.as_ref();
        let unreachable = |error: std::io::Error| {
            let context = format!("`{}` cannot be opened; check the path", path.display());
            StoreError::new(ErrorKind::Unavailable, "open", context).caused_by(error)
        };
        // An absolute path also keeps names such as `:memory:` from meaning something else.
        let path = std::path::absolute(path).map_err(unreachable)?;
        let options = EmbeddedOptions {
            // SQLite takes milliseconds as a 32-bit integer; 24 days are long enough.
            busy_timeout_ms: options.busy_timeout_ms.min(i32::MAX as u64),
            ..options
        };
        let opened = connection::open(&path, options)?;
        // After the open, so that it identifies the file that SQLite holds.
        let presence = Arc::new(Presence::of(&path));
        let start = |name, connection, more| {
            ConnectionPool::start(name, connection, more, &presence).map_err(|error| {
                let context = "no thread could be started; close other programs";
                StoreError::new(ErrorKind::Unavailable, "open", context).caused_by(error)
            })
        };
        let writer = match opened.writer {
            Some(connection) => Some(start("store-writer", connection, None)?),
            None => None,
        };
        Ok(Self {
            writer,
            watch: opened.watch,
            upgraded_from: opened.upgraded_from,
            readers: start("store-reader", opened.reader, Some((opened.more, READERS)))?,
            presence,
            path,
        })
    }

    /// Lists the applied and the pending migrations of a file without applying any. Blocks the calling thread.
    ///
    /// # Errors
    /// `Foreign`, `NewerSchema`, `OldSchema`, `Damaged`, `Busy` and `Unavailable` as for opening it.
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

    /// The schema versions before and after opening, when opening migrated the file; `None` for a current or new file.
    pub fn upgrade(&self) -> Option<(u64, u64)> {
        let from = self.upgraded_from?;
        Some((from, schema::engine_version()))
    }

    /// True when the file is read-only and every write is refused.
    pub fn is_read_only(&self) -> bool {
        self.writer.is_none()
    }

    /// Writes the log back into the file, so that the file alone holds everything; false while another connection reads the
    /// log. A store that is closed does this by itself.
    ///
    /// # Errors
    /// `ReadOnly` and `Full`.
    pub async fn write_back(&self) -> StoreResult<bool> {
        const WRITE_BACK: &str = "write_back";
        let store_error = |failure: Failure| failure.into_store_error(WRITE_BACK, &self.path);
        let writer = self.writer.as_ref().ok_or(Failure::ReadOnly);
        let presence = Arc::clone(&self.presence);
        let done = writer.map_err(store_error)?.run(move |connection| {
            presence.must_be_there()?;
            Ok(upkeep::wipe::empty_log(connection)?)
        });
        done.await.map_err(store_error)
    }

    /// Runs `work` in one read transaction.
    async fn read<T, F>(&self, operation: &'static str, work: F) -> StoreResult<T>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
    {
        let presence = Arc::clone(&self.presence);
        let done = self.readers.run(move |connection| {
            presence.must_be_there()?;
            work(&connection.transaction()?)
        });
        done.await
            .map_err(|failure| failure.into_store_error(operation, &self.path))
    }

    /// Runs `work` in one write transaction: committed to disk when it returns `Ok`, rolled back otherwise.
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
        let presence = Arc::clone(&self.presence);
        let done = writer.run(move |connection| {
            // Takes the write lock before the first read. A deferred transaction would read first and fail to upgrade
            // (SQLITE_BUSY_SNAPSHOT) as soon as another process had written in between.
            let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let result = work(&tx)?;
            // Right before the commit, so that the time in which the file can vanish unseen is as short as
            // possible.
            presence.must_keep()?;
            tx.commit().map_err(Failure::from_commit)?;
            Ok(result)
        });
        done.await.map_err(store_error)
    }
}
