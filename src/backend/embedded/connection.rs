//! Opening a file: making it, telling whether it is ours, and setting up its connections.
//!
//! Nothing is changed in a file before it is known to be ours or empty. A file that may only be read
//! is opened for reading; then every write is refused. What cannot use the shared memory file because
//! its folder is read-only is read without it, together with a write-ahead log that was left behind.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags};

use super::error::{Result, advice, kind_of, kind_of_io};
use super::options::EmbeddedOptions;
use super::schema::{self, Identity};
use super::watch::Watch;
use mnemograph_store::{ErrorKind, SchemaStatus, StoreError, StoreResult};

const OPEN: &str = "open";

/// Held by whoever makes a file, and shared by whoever looks at one without making it: closing a file takes away
/// the locks that this process has on it, so nobody may have it open before the one who made it has closed it.
static MAKING: RwLock<()> = RwLock::new(());

/// The smallest page of a SQLite file, in bytes.
const PAGE_MIN: u64 = 512;

/// Statements that one connection keeps prepared; more than this backend has.
const STATEMENTS: usize = 224;

/// The connections of an opened file.
pub(super) struct Opened {
    /// Absent when the file may only be read.
    pub(super) writer: Option<Connection>,
    /// One for each thread that reads.
    pub(super) readers: Vec<Connection>,
    /// Tells whether there is anything to read.
    pub(super) watch: Watch,
    /// The version that the file had, where it was brought up to date just now.
    pub(super) upgraded_from: Option<u64>,
}

/// Opens or makes the file and brings its schema up to date.
pub(super) fn open(path: &Path, options: EmbeddedOptions, readers: usize) -> StoreResult<Opened> {
    prepare_place(path)?;
    let (way, identity) = choose_way(path, options)?;
    let is_current = identity == Identity::Ours(schema::engine_version());
    let (mut writer, mut upgraded_from) = (None, None);
    if way == Way::Shared {
        let writer = writer.insert(connect(path, way, options).map_err(|e| refused(path, e))?);
        write_ahead(writer, options).map_err(|e| refused(path, e))?;
        // Looking for what is pending takes the lock of writers, which may be held for long.
        if !is_current {
            let applied = schema::apply_pending(writer)
                .map_err(|failure| failure.into_store_error(OPEN, path))?;
            upgraded_from = match identity {
                Identity::Ours(version) => Some(version).filter(|_| !applied.is_empty()),
                Identity::Empty | Identity::Foreign => None,
            };
        }
    }
    let opened = connected(path, way, options, (writer, readers))?;
    Ok(Opened {
        upgraded_from,
        ..opened
    })
}

/// Says which migrations a file has seen and which it lacks, and applies none.
pub(super) fn status(path: &Path, options: EmbeddedOptions) -> StoreResult<SchemaStatus> {
    let _nothing_is_made = MAKING.read().unwrap_or_else(PoisonError::into_inner);
    let (way, _) = choose_way(path, options)?;
    let look = || -> Result<SchemaStatus> {
        let mut connection = connect(path, way, options)?;
        connection.pragma_update(None, "query_only", true)?;
        schema::status(&connection.transaction()?)
    };
    look().map_err(|failure| failure.into_store_error(OPEN, path))
}

/// How a file is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// Read and written, beside other processes.
    Shared,
    /// Read beside other processes.
    SharedRead,
    /// Read without locks, together with the log that lies beside it.
    WithLog,
    /// Read without locks; there is no log.
    Frozen,
}

fn choose_way(path: &Path, options: EmbeddedOptions) -> StoreResult<(Way, Identity)> {
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
    Ok((way, probed.identity))
}

struct Probed {
    identity: Identity,
    read_only: bool,
}

fn probe(path: &Path, way: Way, options: EmbeddedOptions) -> rusqlite::Result<Probed> {
    let mut connection = connect(path, way, options)?;
    // One moment: between two looks another process may be making the schema.
    let moment = connection.transaction()?;
    let identity = schema::identify(&moment)?;
    drop(moment);
    Ok(Probed {
        identity,
        read_only: connection.is_readonly(MAIN_DB)?,
    })
}

fn judge(path: &Path, identity: Identity, way: Way) -> StoreResult<()> {
    let engine = schema::engine_version();
    let file = path.display();
    match identity {
        Identity::Foreign => Err(foreign(path)),
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

/// Makes the folder and the file where they are not there, for nobody but their owner.
///
/// The file itself is never opened here but to make it, nor anywhere else but by SQLite: closing it would take
/// away the locks that another store of this process holds on it. SQLite gives the files beside it the same mode.
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
        // SQLite takes a file below its smallest page for an empty one, and would write over it.
        Ok(file) if (1..PAGE_MIN).contains(&file.len()) => return Err(foreign(path)),
        Ok(_) => return Ok(()),
        // What it leads to is for its owner to make: it may be anybody's.
        Err(_) if fs::symlink_metadata(path).is_ok() => {
            return unusable("is a link that leads nowhere; name the file itself");
        }
        Err(_) => {}
    }
    let folder = path.parent().unwrap_or(path);
    private_folder(folder).map_err(store_error)?;
    match private_file(path) {
        // Another process was faster.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made.map_err(store_error),
    }
}

/// Makes a folder and those above it where they are not there; what is there stays as it is.
fn private_folder(folder: &Path) -> io::Result<()> {
    let mut making = fs::DirBuilder::new();
    making.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut making, 0o700);
    making.create(folder)
}

/// Makes an empty file that was not there, following no link.
fn private_file(path: &Path) -> io::Result<()> {
    let mut making = fs::OpenOptions::new();
    making.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut making, 0o600);
    making.open(path).map(drop)
}

/// Puts the other connections beside the writer.
fn connected(
    path: &Path,
    way: Way,
    options: EmbeddedOptions,
    (writer, readers): (Option<Connection>, usize),
) -> StoreResult<Opened> {
    let reader = || -> rusqlite::Result<Connection> {
        let connection = connect(path, way, options)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    };
    let connected = || -> rusqlite::Result<Opened> {
        Ok(Opened {
            writer,
            readers: (0..readers).map(|_| reader()).collect::<Result<_, _>>()?,
            watch: Watch::over(reader()?)?,
            upgraded_from: None,
        })
    };
    connected().map_err(|error| refused(path, error))
}

fn connect(path: &Path, way: Way, options: EmbeddedOptions) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match way {
        Way::Shared | Way::SharedRead => {
            // The file is there, made by us with a mode of its own.
            let flags = flags | OpenFlags::SQLITE_OPEN_READ_WRITE;
            Connection::open_with_flags(path, flags)?
        }
        Way::WithLog | Way::Frozen => {
            let flags = flags | OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
            Connection::open_with_flags(address(path, way), flags)?
        }
    };
    if way == Way::WithLog {
        // Keeps the index of the log in process, since no file can be made for it. It comes
        // first: the other settings already read the file.
        pragma(&connection, "locking_mode", "EXCLUSIVE")?;
    }
    connection.busy_timeout(Duration::from_millis(options.busy_timeout_ms))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    let synchronous = if options.durable { "FULL" } else { "NORMAL" };
    let settings = [
        ("foreign_keys", "ON"),
        // What leaves its place is overwritten with zeros, whoever deletes it and why.
        ("secure_delete", "ON"),
        ("trusted_schema", "OFF"),
        ("temp_store", "MEMORY"),
        ("cache_size", "-16384"),
        ("synchronous", synchronous),
        // Without these a Mac's disk says "done" before it is.
        ("fullfsync", "ON"),
        ("checkpoint_fullfsync", "ON"),
        // A large commit must not leave its log behind at full size.
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
            rusqlite::Error::QueryReturnedNoRows => Ok(()),
            error => Err(error),
        })
}

/// Switches to the write-ahead log. SQLite does not wait for the lock that this needs, so it is asked
/// again until the time is up.
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
            Ok(_) | Err(_) => thread::sleep(Duration::from_millis(2)),
        }
    }
}

fn log_of(path: &Path) -> bool {
    fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0)
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// The address of a file with the settings of a way, every unusual byte escaped.
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
