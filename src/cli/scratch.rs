//! Stores that nobody keeps: a folder of their own for the time of one command.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::api::problem::Problem;
use crate::backend::embedded::{EmbeddedOptions, EmbeddedStore};
use crate::engine::clock::SystemClock;
use crate::engine::{Engine, EngineOptions};

/// Times that a folder is tried to be made, or to be taken away.
const TRIES: u32 = 5;

/// The folders of this process that are still there. An interrupt ends it without dropping what its tasks hold.
static THERE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Takes all folders away, whoever is still at work in them.
pub(super) fn clear() {
    for folder in std::mem::take(&mut *there()) {
        remove(&folder);
    }
}

fn there() -> MutexGuard<'static, Vec<PathBuf>> {
    THERE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A store that is just closing takes its own files away at the same time, and one at work makes some.
fn remove(folder: &Path) {
    for _ in 0..TRIES {
        if fs::remove_dir_all(folder).is_ok() || !folder.exists() {
            return;
        }
    }
}

/// Makes a folder for its owner alone; one that is there already is somebody else's.
fn private(folder: &Path) -> std::io::Result<()> {
    let mut making = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut making, 0o700);
    making.create(folder)
}

/// A folder that is gone, with all that is in it, when this is dropped.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    /// Makes a folder where this machine keeps such things.
    pub fn new() -> Result<Self, Problem> {
        let base = std::env::temp_dir();
        let mut refused = None;
        for _ in 0..TRIES {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            let moment = now.unwrap_or_default().as_nanos();
            let name = format!("mnemograph-{}-{moment:x}", std::process::id());
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

    /// Where the folder is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// An engine over a store of its own in this folder.
    pub fn engine(&self, name: &str, options: EngineOptions) -> Result<Engine, Problem> {
        let how = EmbeddedOptions {
            // What is thrown away need not survive a power cut.
            durable: false,
            ..EmbeddedOptions::default()
        };
        let store = EmbeddedStore::open(self.folder.join(name), how)?;
        Ok(Engine::new(Arc::new(store), Arc::new(SystemClock), options))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        there().retain(|folder| *folder != self.folder);
        remove(&self.folder);
    }
}
