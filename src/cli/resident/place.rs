//! Where a resident process listens: a socket in a folder that only its user may enter.
//!
//! Its name is derived from the program and from the environment that a command reads, so that a call meets a process
//! that would act exactly as it does itself. A new build or another environment has another socket; the old process
//! idles out.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::process::{Pid, Signal, geteuid, kill_process};
use sha2::{Digest, Sha256};

use hindlore_primitives::identity::hex;

const FOLDER: &str = "hindlore";
/// Longest path of a socket on all systems, in bytes.
const PATH_MAX: usize = 100;

/// The socket for this program and environment; absent where none can be kept.
pub(super) fn socket(environment: &[(OsString, OsString)]) -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let built = fs::metadata(&program).ok()?;
    let mut hash = Sha256::new();
    hash.update(program.as_os_str().as_encoded_bytes());
    hash.update(built.mtime().to_be_bytes());
    hash.update(built.mtime_nsec().to_be_bytes());
    hash.update(built.size().to_be_bytes());
    let mut read: Vec<_> = environment
        .iter()
        .filter(|(name, _)| is_read(&name.to_string_lossy()))
        .collect();
    read.sort();
    for (name, value) in read {
        for text in [name, value] {
            hash.update(text.as_encoded_bytes());
            hash.update([0]);
        }
    }
    let name = hex(&hash.finalize()[..12]);
    let socket = folder(environment).join(format!("{name}.sock"));
    (socket.as_os_str().len() <= PATH_MAX).then_some(socket)
}

/// True for a variable that a command reads, here or in a library.
fn is_read(name: &str) -> bool {
    const BEGINNINGS: [&str; 10] = [
        "HINDLORE_",
        "ACE_",
        "NEO4J_",
        "GEMINI_",
        "OPENAI_",
        "ANTHROPIC_",
        "OLLAMA_",
        "TRAJECTORY_",
        "PLAYBOOK_",
        "XDG_",
    ];
    const NAMES: [&str; 5] = ["HOME", "HOSTNAME", "COMPUTERNAME", "TMPDIR", "TZ"];
    BEGINNINGS.iter().any(|begin| name.starts_with(begin)) || NAMES.contains(&name)
}

fn folder(environment: &[(OsString, OsString)]) -> PathBuf {
    let of = |name: &str| {
        let found = environment.iter().find(|(other, _)| other == name);
        found
            .map(|(_, value)| PathBuf::from(value))
            .filter(|path| path.is_absolute())
    };
    match of("XDG_RUNTIME_DIR") {
        Some(folder) => folder.join(FOLDER),
        None => {
            let temporary = of("TMPDIR").unwrap_or_else(|| PathBuf::from("/tmp"));
            temporary.join(format!("{FOLDER}-{}", geteuid().as_raw()))
        }
    }
}

/// True if a socket is in a folder that only this user may enter.
pub(super) fn is_ours(socket: &Path) -> bool {
    let about = socket
        .parent()
        .and_then(|folder| fs::symlink_metadata(folder).ok());
    about.is_some_and(|about| {
        about.is_dir()
            && about.uid() == geteuid().as_raw()
            && about.permissions().mode() & 0o077 == 0
    })
}

/// Makes the folder of a socket.
pub(super) fn make_folder(socket: &Path) -> std::io::Result<()> {
    if let Some(folder) = socket.parent() {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)?;
    }
    if is_ours(socket) {
        Ok(())
    } else {
        Err(std::io::ErrorKind::PermissionDenied.into())
    }
}

/// Takes the place at a socket; absent if another process has it. The file also names the process.
pub(super) fn take(socket: &Path) -> std::io::Result<Option<File>> {
    let file = File::options()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .open(socket.with_extension("pid"))?;
    match file.try_lock() {
        Ok(()) => {
            file.set_len(0)?;
            std::io::Write::write_all(&mut &file, std::process::id().to_string().as_bytes())?;
            Ok(Some(file))
        }
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        Err(fs::TryLockError::Error(error)) => Err(error),
    }
}

/// The resident processes of this user in the folder of this environment.
pub(crate) fn running(environment: &[(OsString, OsString)]) -> Vec<u32> {
    let folder = folder(environment);
    if !is_ours(&folder.join("any")) {
        return Vec::new();
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "pid"));
    let mut found: Vec<u32> = files.filter_map(|path| holder(&path)).collect();
    found.sort_unstable();
    found
}

/// The process that holds a place.
fn holder(file: &Path) -> Option<u32> {
    let open = File::open(file).ok()?;
    match open.try_lock_shared() {
        Err(fs::TryLockError::WouldBlock) => fs::read_to_string(file).ok()?.trim().parse().ok(),
        _ => None,
    }
}

/// Asks a resident process to end.
pub(crate) fn stop(process: u32) -> bool {
    let id = i32::try_from(process).ok().and_then(Pid::from_raw);
    id.is_some_and(|id| kill_process(id, Signal::TERM).is_ok())
}
