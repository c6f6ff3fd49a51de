//! The audit record of every call, passed to the owner of an audit log.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::problem::Problem;
use super::verb::Effect;
use hindlore_domain::memory::key::MemoryKey;

/// A call of a verb.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deed {
    /// The holder of the credential, such as `key:ci` or `user:ada`; absent where none was needed.
    pub holder: Option<String>,
    /// As whom it was called, such as `agent:planner`.
    pub caller: Option<String>,
    /// The verb; empty if the caller was admitted to none.
    pub verb: &'static str,
    /// Its effect.
    pub effect: Effect,
    /// The id of the request, which the answer and the log have, too.
    pub request: Option<String>,
    /// The memory that it was about.
    pub key: MemoryKey,
}

/// Keeps an audit log.
pub trait Auditor: Send + Sync {
    /// Notes a deed: before a change begins, without an outcome; and when it has ended, with `done` or the code of its
    /// problem.
    ///
    /// `audit_unwritable`. A call that cannot be recorded is not carried out.
    fn note(&self, deed: &Deed, outcome: Option<&str>) -> Result<(), Problem>;

    /// Counts a request that was refused, by the holder of its credential, the verb if it got so far, and the code.
    ///
    /// # Errors
    /// `audit_unwritable`.
    fn refused(
        &self,
        holder: Option<&str>,
        verb: &'static str,
        code: &'static str,
    ) -> Result<(), Problem>;

    /// Writes the counts that are still in process.
    ///
    /// # Errors
    /// `audit_unwritable`.
    fn flush(&self) -> Result<(), Problem>;
}

/// The numbers of the parts of a log that were put aside, in their order.
///
/// # Errors
/// Those of the folder.
pub fn parts(place: &Path) -> io::Result<Vec<u64>> {
    let folder = place
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let mut found = Vec::new();
    for entry in fs::read_dir(folder.unwrap_or(Path::new(".")))? {
        let entry = entry?.file_name();
        let entry = entry.to_string_lossy();
        let number = entry
            .strip_prefix(&*name)
            .and_then(|rest| rest.strip_prefix('.'));
        found.extend(number.and_then(|number| number.parse::<u64>().ok()));
    }
    found.sort_unstable();
    Ok(found)
}

/// The file of a part.
pub fn part(place: &Path, number: u64) -> PathBuf {
    let mut name = place.as_os_str().to_owned();
    name.push(format!(".{number}"));
    name.into()
}

/// An auditor, shared between threads.
pub type SharedAuditor = Arc<dyn Auditor>;
