//! The file that a pass writes: rows that are done stay, rows that failed are tried again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::agent::clbench::Row;
use crate::agent::clbench::row::read;
use crate::api::problem::Problem;
use crate::cli::input;
use crate::cli::output::{CommandResult, Outcome, Tone};
use crate::cli::session::Session;

/// Reads rows of a file.
pub(super) async fn rows(file: &Path) -> Result<Vec<Row>, Problem> {
    let text = input::text(file).await?;
    read(&text).map_err(|why| {
        Problem::new(
            "invalid_json",
            format!("{} has a line that is no row: {why}", file.display()),
        )
        .with_hint("a row is a JSON object with `messages`, `rubrics` and `metadata`, one a line")
    })
}

/// A pass under way.
pub(super) struct Pass {
    out: PathBuf,
    done: BTreeMap<usize, Row>,
    /// What came of it.
    pub(super) tally: Tally,
}

/// What came of a pass.
#[derive(Clone, Copy, Default, Serialize)]
pub(super) struct Tally {
    /// Rows in the file.
    pub(super) rows: usize,
    /// Rows that were done before.
    pub(super) kept: usize,
    /// Rows that were done now.
    pub(super) done: usize,
    /// Rows that failed; the same command tries them again.
    pub(super) failed: usize,
    /// Rows that nobody could decide without a model.
    pub(super) undecided: usize,
}

impl Pass {
    /// Begins, or goes on with what is in the file.
    pub(super) async fn begin(out: &Path, rows: usize) -> Result<Self, Problem> {
        let there = if out.exists() {
            self::rows(out).await?
        } else {
            Vec::new()
        };
        let done = there.into_iter().filter(|row| row.error.is_none());
        let done: BTreeMap<usize, Row> = done.filter_map(|row| Some((row.idx?, row))).collect();
        Ok(Self {
            out: out.to_owned(),
            tally: Tally {
                rows,
                kept: done.len(),
                ..Tally::default()
            },
            done,
        })
    }

    /// The row of a place, if it is done.
    pub(super) fn done(&self, row: &Row) -> Option<&Row> {
        self.done.get(&row.idx?)
    }

    /// Takes a row in, and writes the file anew so that it is there whole or not at all.
    pub(super) fn take(&mut self, row: Row) -> Result<(), Problem> {
        match row.error {
            Some(_) => self.tally.failed += 1,
            None => self.tally.done += 1,
        }
        self.done.insert(row.idx.unwrap_or(usize::MAX), row);
        let failed = |error: std::io::Error| {
            Problem::new(
                "unwritable_file",
                format!("{} cannot be written: {error}", self.out.display()),
            )
            .with_hint("name another file by --out; rows that are done stay in the old one")
        };
        let mut text = String::new();
        for row in self.done.values() {
            text.push_str(&serde_json::to_string(row).map_err(|error| failed(error.into()))?);
            text.push('\n');
        }
        let beside = self.out.with_extension("part");
        std::fs::write(&beside, text)
            .and_then(|()| std::fs::rename(&beside, &self.out))
            .map_err(failed)
    }

    /// Shows what came of it.
    pub(super) fn end(self, session: &Session) -> CommandResult {
        let tally = self.tally;
        session.output.show(&tally, |page| {
            page.line(
                Tone::Good,
                format_args!(
                    "{} of {} rows are done",
                    tally.kept + tally.done,
                    tally.rows
                ),
            );
            for (name, count) in [("failed", tally.failed), ("undecided", tally.undecided)] {
                if count > 0 {
                    page.field(name, count);
                }
            }
        })?;
        Ok(if tally.failed > 0 {
            Outcome::Unfinished
        } else {
            Outcome::Done
        })
    }
}
