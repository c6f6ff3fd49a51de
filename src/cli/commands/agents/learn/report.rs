//! The results of a call, as one JSON document at a place of its own: both streams belong to the command.

use std::fs::OpenOptions;
use std::io::{Write, stdout};
use std::path::Path;

use serde::Serialize;

use super::hint;
use super::ingest_result::{Fate, Learned};
use hindlore_child::{End, Ended};

/// The document.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    run: &'a str,
    exit_code: u8,
    /// The signal that killed the command.
    signal: Option<i32>,
    /// The store was busy: the next call that can write takes it in.
    waits: bool,
    /// Why it is lost.
    problem: Option<String>,
    #[serde(flatten)]
    learned: Option<&'a Learned>,
}

impl<'a> Report<'a> {
    /// The report of a call.
    pub(super) fn of(run: &'a str, ended: &Ended, fate: &'a Fate) -> Self {
        Self {
            run,
            exit_code: ended.exit_code(),
            signal: match ended.end() {
                End::Code(_) => None,
                End::Signal(signal) => Some(signal),
            },
            waits: matches!(fate, Fate::Waits),
            problem: match fate {
                Fate::Lost(problem) => Some(problem.to_string()),
                Fate::Learned(_) | Fate::Waits => None,
            },
            learned: match fate {
                Fate::Learned(learned) => Some(learned),
                Fate::Waits | Fate::Lost(_) => None,
            },
        }
    }
}

/// Writes the document to a file, or after the command's stdout.
pub(super) fn write(file: &Path, report: &Report<'_>) {
    let written = serde_json::to_string(report)
        .map_err(std::io::Error::from)
        .and_then(|text| {
            if file.as_os_str() == "-" {
                writeln!(stdout(), "{text}").and_then(|()| stdout().flush())
            } else {
                let mut options = OpenOptions::new();
                options.write(true).create(true).truncate(true);
                #[cfg(unix)]
                std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
                writeln!(options.open(file)?, "{text}")
            }
        });
    if let Err(error) = written {
        hint::say(&format!(
            "learn: no report was written to {}: {error}",
            file.display()
        ));
    }
}
