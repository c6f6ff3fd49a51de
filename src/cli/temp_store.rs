//! Temporary stores: a folder that lives as long as one command.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use hindlore::clock::SystemClock;
use hindlore::{Engine, EngineOptions};
use hindlore_api::problem::Problem;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};

/// Attempts to create or remove a folder.
const TRIES: u32 = 5;

/// Existing folders of this process. An interrupt ends it without dropping the values of its tasks, so `clear` needs
/// them.
static THERE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes all folders, even while tasks use them.
pub(super) fn clear() {
    for folder in std::mem::take(&mut *there()) {
        remove(&folder);
    }
}

fn there() -> MutexGuard<'static, Vec<PathBuf>> {
    THERE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Retried, because a closing store removes its own files at the same time, and a running one creates more.
fn remove(folder: &Path) {
    for _ in 0..TRIES {
        if fs::remove_dir_all(folder).is_ok() || !folder.exists() {
            return;
        }
    }
}

/// Creates a folder for its owner only; an existing one belongs to someone else.
fn private(folder: &Path) -> std::io::Result<()> {
    let mut making = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut making, 0o700);
    making.create(folder)
}

/// A folder for temporary stores, removed with its contents when dropped.
#[derive(Debug)]
pub struct TempStore {
    folder: PathBuf,
}

impl TempStore {
    /// Creates a folder in the machine's temporary folder.
    pub fn new() -> Result<Self, Problem> {
        let base = std::env::temp_dir();
        let mut refused = None;
        for _ in 0..TRIES {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            let moment = now.unwrap_or_default().as_nanos();
            let name = format!("hindlore-{}-{moment:x}", std::process::id());
            let folder = base.join(name);
            match private(&folder) {
                Ok(()) => {
                    there().push(folder.clone());
                    return Ok(Self { folder });
                }
                Err(error) => refused = Some(error),
            }
        }
        let why = refused.map(|error| format!(": {error}"));
        let message = format!(
            "no folder can be made in `{}`{}",
            base.display(),
            why.unwrap_or_default()
        );
        Err(Problem::new("no_scratch_folder", message)
            .with_hint("set TMPDIR to a folder that may be written to"))
    }

    /// Path of the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// An engine over its own store in this folder.
    pub fn engine(&self, name: &str, options: EngineOptions) -> Result<Engine, Problem> {
        let how = EmbeddedOptions {
            // Temporary data need not survive a power cut.
            durable: false,
            ..EmbeddedOptions::default()
        };
        let store = EmbeddedStore::open(self.folder.join(name), how)?;
        Ok(Engine::new(Arc::new(store), Arc::new(SystemClock), options))
    }
}

impl Drop for TempStore {
    fn drop(&mut self) {
        there().retain(|folder| *folder != self.folder);
        remove(&self.folder);
    }
}
