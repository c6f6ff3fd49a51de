//! An embedded store in its own folder, removed when dropped.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use hindlore_api::problem::Problem;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use hindlore_store::{Store, StoreResult};

/// Attempts to remove the folder.
const TRIES: u32 = 5;

/// A place for one embedded store during a test.
#[derive(Debug)]
pub struct TemporaryStore {
    folder: TempDir,
    options: EmbeddedOptions,
}

impl TemporaryStore {
    /// A place whose store does not wait for the disk, because no test survives a power cut.
    ///
    /// # Errors
    ///
    /// If there is no temporary folder.
    pub fn new() -> Result<Self, Problem> {
        let options = EmbeddedOptions {
            durable: false,
            ..EmbeddedOptions::default()
        };
        Self::with(options)
    }

    /// A place whose store is opened with `options`.
    ///
    /// # Errors
    ///
    /// If there is no temporary folder.
    pub fn with(options: EmbeddedOptions) -> Result<Self, Problem> {
        let folder = TempDir::with_prefix("hindlore-").map_err(|error| {
            Problem::new(
                "no_scratch_folder",
                format!("no temporary folder can be made: {error}"),
            )
            .with_hint("set TMPDIR to a folder that may be written to")
        })?;
        Ok(Self { folder, options })
    }

    /// The folder, for other files of the test.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The file of the store.
    pub fn path(&self) -> PathBuf {
        self.folder().join("memory.db")
    }

    /// Opens the store; a second time for another handle on the same data, as another process would have.
    pub fn open(&self) -> StoreResult<EmbeddedStore> {
        EmbeddedStore::open(self.path(), self.options)
    }

    /// Opens the store for an engine.
    pub fn store(&self) -> StoreResult<Arc<dyn Store>> {
        Ok(Arc::new(self.open()?))
    }
}

impl Drop for TemporaryStore {
    fn drop(&mut self) {
        // A closing store removes its own files at the same time.
        for _ in 0..TRIES {
            if fs::remove_dir_all(self.folder()).is_ok() || !self.folder().exists() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_handles_share_the_data_and_nothing_stays() {
        let place = TemporaryStore::new().unwrap();
        let folder = place.folder().to_owned();
        let (one, two) = (place.open().unwrap(), place.store().unwrap());
        assert!(place.path().is_file());
        drop((one, two));
        drop(place);
        assert!(!folder.exists());
    }
}
