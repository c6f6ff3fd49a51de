//! Opening a file: creating it, recognising it, and setting up its connections.
//!
//! No byte of a file changes before it is known to be ours or empty. A read-only file is opened for reading, and every
//! write is refused. In a read-only folder SQLite cannot create its shared-memory file; the file is then read without
//! it, together with any write-ahead log next to it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags};

use super::error::{Result, advice, kind_of, kind_of_io};
use super::options::EmbeddedOptions;
use super::schema::{self, Identity};
use super::watch::{OpenReader, Watch};
use hindlore_store::{ErrorKind, SchemaStatus, StoreError, StoreResult};

const OPEN: &str = "open";

/// Locked exclusively while a file is created, and shared while one is inspected. POSIX drops all locks of a process on a
/// file as soon as it closes any descriptor of it, so nothing may open the file before its creator has closed it.
static MAKING: RwLock<()> = RwLock::new(());

/// Smallest page of a SQLite file, in bytes.
const PAGE_MIN: u64 = 512;

/// Prepared statements cached by each connection: more than this backend has, so that none is ever evicted.
const STATEMENTS: usize = 224;

/// The connections of an opened file.
pub(super) struct Opened {
    /// `None` when the file is read-only.
    pub(super) writer: Option<Connection>,
    /// For the first reading thread.
    pub(super) reader: Connection,
    /// Opens another one for reading.
    pub(super) more: OpenReader,
    /// Counts commits by others.
    pub(super) watch: Watch,
    /// Schema version before opening, when opening migrated the file.
    pub(super) upgraded_from: Option<u64>,
}

/// Opens or creates the file and migrates its schema.
pub(super) fn open(path: &Path, options: EmbeddedOptions) -> StoreResult<Opened> {
    prepare_place(path)?;
    let (
        way,
        Probed {
            identity,
            connection,
            ..
        },
    ) = choose_way(path, options)?;
    let is_current = identity == Identity::Ours(schema::engine_version());
    let (mut writer, mut upgraded_from) = (None, None);
    if way == Way::Shared {
        // The one that has looked at the file: each connection reads the schema once.
        let writer = writer.insert(connection);
        write_ahead(writer, options).map_err(|e| refused(path, e))?;
        // Looking for pending migrations takes the write lock, which another process may hold for long.
        if !is_current {
            let applied = schema::apply_pending(writer)
                .map_err(|failure| failure.into_store_error(OPEN, path))?;
            upgraded_from = match identity {
                Identity::Ours(version) => Some(version).filter(|_| !applied.is_empty()),
                Identity::Empty | Identity::Unreleased | Identity::Foreign => None,
            };
        }
    }
    // After the migration, so that the readers find the current schema from their first statement on.
    let opened = connected(path, way, options, writer)?;
    Ok(Opened {
        upgraded_from,
        ..opened
    })
}

/// Lists the applied and the pending migrations of a file, and applies none.
pub(super) fn status(path: &Path, options: EmbeddedOptions) -> StoreResult<SchemaStatus> {
    let _nothing_is_made = MAKING.read().unwrap_or_else(PoisonError::into_inner);
    let (way, _) = choose_way(path, options)?;
    let look = || -> Result<SchemaStatus> {
        let mut connection = connect(path, way, options)?;
        // This call must not write, so SQLite itself refuses every write.
        connection.pragma_update(None, "query_only", true)?;
        schema::status(&connection.transaction()?)
    };
    look().map_err(|failure| failure.into_store_error(OPEN, path))
}

/// The ways to open a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// Read and write, shared with other processes.
    Shared,
    /// Read only, shared with other processes.
    SharedRead,
    /// Read without locks, together with the log next to it.
    WithLog,
    /// Read without locks; no log exists.
    Frozen,
}

fn choose_way(path: &Path, options: EmbeddedOptions) -> StoreResult<(Way, Probed)> {
    // The usual way first; the others are for files or folders that cannot be written.
    let first = probe(path, Way::Shared, options);
    let blocked = match &first {
        Ok(_) => false,
        Err(error) => {
            matches!(kind_of(error), ErrorKind::Unavailable | ErrorKind::ReadOnly)
        }
    };
    let (way, probed) = match (blocked, log_of(path)) {
        (false, _) => (Way::Shared, first),
        (true, true) => (Way::WithLog, probe(path, Way::WithLog, options)),
        (true, false) => (Way::Frozen, probe(path, Way::Frozen, options)),
    };
    let probed = probed.map_err(|error| refused(path, error))?;
    let way = match way {
        Way::Shared if probed.read_only => Way::SharedRead,
        way => way,
    };
    judge(path, probed.identity, way)?;
    Ok((way, probed))
}

struct Probed {
    connection: Connection,
    identity: Identity,
    read_only: bool,
}

fn probe(path: &Path, way: Way, options: EmbeddedOptions) -> rusqlite::Result<Probed> {
    let mut connection = connect(path, way, options)?;
    // One read transaction: another process may be creating the schema between two reads.
    let moment = connection.transaction()?;
    let identity = schema::identify(&moment)?;
    drop(moment);
    Ok(Probed {
        identity,
        read_only: connection.is_readonly(MAIN_DB)?,
        connection,
    })
}

fn judge(path: &Path, identity: Identity, way: Way) -> StoreResult<()> {
    let engine = schema::engine_version();
    let file = path.display();
    match identity {
        Identity::Foreign => Err(foreign(path)),
        Identity::Unreleased => Err(StoreError::new(
            ErrorKind::OldSchema,
            OPEN,
            format!(
                "`{file}` was written by a build before the first release and was left alone; export it with that \
                 build and import the export, or name a new file"
            ),
        )),
        Identity::Ours(version) if version > engine => Err(StoreError::new(
            ErrorKind::NewerSchema,
            OPEN,
            format!(
                "`{file}` has schema version {version} and this engine knows {engine}; use a newer engine"
            ),
        )),
        Identity::Ours(version) if version == engine => Ok(()),
        _ if way == Way::Shared => Ok(()),
        _ => Err(StoreError::new(
            ErrorKind::ReadOnly,
            OPEN,
            format!(
                "`{file}` may only be read and has no schema of version {engine} yet; open it once with the right to write"
            ),
        )),
    }
}

fn foreign(path: &Path) -> StoreError {
    StoreError::new(
        ErrorKind::Foreign,
        OPEN,
        format!(
            "`{}` is a file of another program; nothing was changed, name another file",
            path.display()
        ),
    )
}

fn refused(path: &Path, error: rusqlite::Error) -> StoreError {
    if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) {
        return foreign(path).caused_by(error);
    }
    let kind = kind_of(&error);
    StoreError::new(kind, OPEN, format!("`{}` {}", path.display(), advice(kind))).caused_by(error)
}

/// Creates the folder and the file if they are missing, readable by their owner only.
///
/// An existing file is opened by SQLite alone: closing any other descriptor would drop the locks that another store of
/// this process holds on it (POSIX). SQLite gives its log and shared-memory file the same mode.
fn prepare_place(path: &Path) -> StoreResult<()> {
    let _making = MAKING.write().unwrap_or_else(PoisonError::into_inner);
    let store_error = |error: io::Error| {
        let kind = kind_of_io(&error);
        StoreError::new(kind, OPEN, format!("`{}` {}", path.display(), advice(kind)))
            .caused_by(error)
    };
    let unusable = |reason: &str| {
        let message = format!("`{}` {reason}", path.display());
        Err(StoreError::new(ErrorKind::Unavailable, OPEN, message))
    };
    if path.is_dir() {
        return unusable("is a folder; name a file inside it");
    }
    match fs::metadata(path) {
        // SQLite takes a file below its smallest page for an empty database and would overwrite it.
        Ok(file) if (1..PAGE_MIN).contains(&file.len()) => return Err(foreign(path)),
        Ok(_) => return Ok(()),
        // Creating the target of a dangling link would let the link's author choose where this process writes.
        Err(_) if fs::symlink_metadata(path).is_ok() => {
            return unusable("is a link that leads nowhere; name the file itself");
        }
        Err(_) => {}
    }
    let folder = path.parent().unwrap_or(path);
    private_folder(folder).map_err(store_error)?;
    match private_file(path) {
        // Another process has just created it.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made.map_err(store_error),
    }
}

/// Creates a folder and its missing parents; existing ones keep their mode.
fn private_folder(folder: &Path) -> io::Result<()> {
    let mut making = fs::DirBuilder::new();
    making.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut making, 0o700);
    making.create(folder)
}

/// Creates an empty file; fails when anything of that name exists, and follows no link.
fn private_file(path: &Path) -> io::Result<()> {
    let mut making = fs::OpenOptions::new();
    making.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut making, 0o600);
    making.open(path).map(drop)
}

/// Opens a reader in addition to the writer, and prepares others and the watch.
fn connected(
    path: &Path,
    way: Way,
    options: EmbeddedOptions,
    writer: Option<Connection>,
) -> StoreResult<Opened> {
    let own = path.to_owned();
    let reader: OpenReader = Arc::new(move || {
        let connection = connect(&own, way, options)?;
        // Writes belong to the one writer; SQLite refuses them on all other connections.
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    });
    Ok(Opened {
        writer,
        reader: reader().map_err(|error| refused(path, error))?,
        watch: Watch::over(Arc::clone(&reader)),
        more: reader,
        upgraded_from: None,
    })
}

fn connect(path: &Path, way: Way, options: EmbeddedOptions) -> rusqlite::Result<Connection> {
    // Each connection belongs to one thread, so SQLite's own mutexes are not needed.
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match way {
        Way::Shared | Way::SharedRead => {
            // Without CREATE: the file exists by now, created with a private mode.
            let flags = flags | OpenFlags::SQLITE_OPEN_READ_WRITE;
            Connection::open_with_flags(path, flags)?
        }
        Way::WithLog | Way::Frozen => {
            let flags = flags | OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
            Connection::open_with_flags(address(path, way), flags)?
        }
    };
    if way == Way::WithLog {
        // Keeps the index of the log in heap memory, since no shared-memory file can be created. It must come first,
        // because the other pragmas already read the file.
        pragma(&connection, "locking_mode", "EXCLUSIVE")?;
    }
    connection.busy_timeout(Duration::from_millis(options.busy_timeout_ms))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // `NORMAL` survives a crash of the process, but not a power cut.
    let synchronous = if options.durable { "FULL" } else { "NORMAL" };
    let settings = [
        // SQLite leaves this off unless each connection asks for it.
        ("foreign_keys", "ON"),
        // Deleted content is overwritten with zeros at once, so that an erase does not depend on the final rebuild.
        ("secure_delete", "ON"),
        // The file may come from anywhere, so its schema must not call functions with side effects.
        ("trusted_schema", "OFF"),
        ("temp_store", "MEMORY"),
        // A negative number counts KiB: 16 MiB for each connection.
        ("cache_size", "-16384"),
        ("synchronous", synchronous),
        // On macOS a plain fsync returns before the drive has written its cache.
        ("fullfsync", "ON"),
        ("checkpoint_fullfsync", "ON"),
        // A large commit must not leave its log at full size.
        ("journal_size_limit", "67108864"),
    ];
    for (name, value) in settings {
        pragma(&connection, name, value)?;
    }
    Ok(connection)
}

fn pragma(connection: &Connection, name: &str, value: &str) -> rusqlite::Result<()> {
    connection
        .pragma_update_and_check(None, name, value, |_| Ok(()))
        .or_else(|error| match error {
            // Some pragmas return their new value, others nothing.
            rusqlite::Error::QueryReturnedNoRows => Ok(()),
            error => Err(error),
        })
}

/// Switches to the write-ahead log. SQLite ignores the busy timeout for the lock that this needs, so it is retried here
/// until the timeout.
fn write_ahead(connection: &Connection, options: EmbeddedOptions) -> rusqlite::Result<()> {
    let deadline = Instant::now() + Duration::from_millis(options.busy_timeout_ms);
    loop {
        let asked = connection
            .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0));
        match asked {
            Ok(mode) if mode.eq_ignore_ascii_case("wal") => return Ok(()),
            Err(error) if kind_of(&error) != ErrorKind::Busy || Instant::now() >= deadline => {
                return Err(error);
            }
            Ok(_) if Instant::now() >= deadline => {
                return Err(rusqlite::Error::SqliteFailure(
                    rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CANTOPEN),
                    Some("the file system does not allow a write-ahead log".to_owned()),
                ));
            }
            // Short next to the timeout, so that the wait ends soon after the lock is free.
            Ok(_) | Err(_) => thread::sleep(Duration::from_millis(2)),
        }
    }
}

fn log_of(path: &Path) -> bool {
    // An empty log adds nothing to the file.
    fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0)
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// The SQLite URI of a file, opened in a way; unusual bytes are percent-encoded.
fn address(path: &Path, way: Way) -> String {
    let mut address = String::from("file://");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                address.push(char::from(*byte));
            }
            byte => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address.push_str(match way {
        Way::WithLog if cfg!(unix) => "?mode=ro&vfs=unix-none",
        _ => "?mode=ro&immutable=1",
    });
    address
}
