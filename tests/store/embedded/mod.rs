//! The embedded store and its file: the files that it opens, those that it refuses, and the faults that it survives.
//!
//! The contract proves the promises of every store; here are only those of the file and the system around it. Other
//! processes are this test binary, started again for one ignored test.

mod checkpoints;
mod disks;
mod erasing;
mod files;
#[cfg(unix)]
mod gone;
mod growth;
mod images;
mod processes;

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use hindlore_contract::{Backend, Subject};
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use hindlore_store::{ErrorKind, Store, StoreError};

/// A store on a file that the test names.
struct OnFile(std::path::PathBuf);

#[async_trait]
impl Backend for OnFile {
    async fn open(&self) -> Arc<dyn Store> {
        Arc::new(open(&self.0).unwrap())
    }
}

async fn subject_on(path: &Path) -> Subject {
    Subject::of(OnFile(path.to_owned())).await
}

fn open(path: &Path) -> Result<EmbeddedStore, StoreError> {
    EmbeddedStore::open(path, EmbeddedOptions::default())
}

/// Asserts that a file is refused for a reason, in a message that names it and is fit to be read.
fn refused(path: &Path, kind: ErrorKind) {
    let error = open(path).unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    let message = error.to_string();
    assert!(message.contains(path.to_str().unwrap()), "{message}");
    assert!(
        !message.ends_with('.') && message.starts_with(char::is_lowercase),
        "{message}"
    );
}
