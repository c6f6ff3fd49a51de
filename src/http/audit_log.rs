//! The audit log of a server: one file, written by one process at a time, only ever longer.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value, json};

use crate::api::audit::{Auditor, Deed};
use crate::api::problem::Problem;
use crate::api::verb::Effect;
use crate::domain::sharing::audit_chain::AuditChain;
use crate::engine::clock::{SystemClock, WallClock};

/// A file that is appended to.
pub(super) struct AuditLog {
    place: PathBuf,
    state: Mutex<(File, AuditChain)>,
}

impl AuditLog {
    /// Goes on with a log, or begins one.
    ///
    /// # Errors
    /// `audit_unwritable` if the file cannot be used, or another process writes to it; `audit_damaged` if what is there is
    /// no sound log.
    pub(super) fn open(place: &Path) -> Result<Self, Problem> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options
            .open(place)
            .map_err(|error| unwritable(place, &error))?;
        if file.try_lock().is_err() {
            let held = io::Error::other("another process writes to it");
            return Err(unwritable(place, &held));
        }
        let chain = read(place, &file)?;
        Ok(Self {
            place: place.to_owned(),
            state: Mutex::new((file, chain)),
        })
    }
}

impl Auditor for AuditLog {
    fn note(&self, deed: &Deed, outcome: Option<&str>) -> Result<(), Problem> {
        let effect = match deed.effect {
            Effect::Reads => "reads",
            Effect::Writes => "writes",
            Effect::Destroys => "destroys",
        };
        let fields = json!({
            "at": SystemClock.now().to_string(),
            "request": deed.request,
            "holder": deed.holder,
            "caller": deed.caller,
            "verb": deed.verb,
            "effect": effect,
            "tenant": deed.key.tenant(),
            "learner": deed.key.learner(),
            "scope": deed.key.scope(),
            "outcome": outcome.unwrap_or("begun"),
        });
        let fields: Map<String, Value> = fields.as_object().cloned().unwrap_or_default();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, chain) = &mut *state;
        let mut next = chain.clone();
        let line = next.line(fields) + "\n";
        let before = file.stream_position().unwrap_or_default();
        if let Err(error) = file.write_all(line.as_bytes()) {
            // Half a line would stand in the way of all that come after.
            let _ = file.set_len(before);
            return Err(unwritable(&self.place, &error));
        }
        *chain = next;
        Ok(())
    }
}

/// Reads the whole log, and takes away half a line that a crash left at its end.
fn read(place: &Path, file: &File) -> Result<AuditChain, Problem> {
    let mut chain = AuditChain::default();
    let mut lines = BufReader::new(file);
    let mut whole = 0;
    loop {
        let mut line = String::new();
        let read = lines
            .read_line(&mut line)
            .map_err(|error| unwritable(place, &error))?;
        let Some(line) = line.strip_suffix('\n') else {
            if read > 0 {
                file.set_len(whole)
                    .map_err(|error| unwritable(place, &error))?;
            }
            return Ok(chain);
        };
        chain.follow(line).map_err(|why| {
            let message = format!(
                "the audit log {} is not sound: entry {}: {why}",
                place.display(),
                chain.number + 1
            );
            Problem::new("audit_damaged", message)
                .with_hint("keep it as evidence, and begin another file; nobody was served")
        })?;
        whole += read as u64;
    }
}

fn unwritable(place: &Path, error: &io::Error) -> Problem {
    let message = format!(
        "the audit log {} cannot be written: {error}",
        place.display()
    );
    Problem::new("audit_unwritable", message)
        .with_hint("nothing was done; make room for it, or give another file with --audit")
}
