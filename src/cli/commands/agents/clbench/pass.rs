//! The file that a pass writes: rows that are done stay, rows that failed are tried again.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::input;
use crate::output::words::plural;
use crate::output::{CommandResult, Outcome, Tone, file};
use crate::session::Session;
use hindlore_agents::agent::clbench::Row;
use hindlore_agents::agent::clbench::row::read;
use hindlore_api::problem::Problem;

/// Reasons that are shown.
const REASONS_MAX: usize = 5;

/// Reads rows of a file.
pub(super) async fn rows(file: &Path) -> Result<Vec<Row>, Problem> {
    let text = input::text(file).await?;
    read(&text).map_err(|why| no_row(file, &why))
}

fn no_row(file: &Path, why: &str) -> Problem {
    let message = format!("{} has a line that is no row: {why}", file.display());
    Problem::new("invalid_json", message)
        .with_hint("a row is a JSON object with `messages`, `rubrics` and `metadata`, one a line")
}

fn unwritable(out: &Path, error: &std::io::Error) -> Problem {
    let message = format!("{} cannot be written: {error}", out.display());
    Problem::new("unwritten_output", message)
        .with_hint("name another file by --out; rows that are done stay in the old one")
}

/// Writes all rows in their order, so that the file is there whole or not at all, and opens it for more.
fn written(out: &Path, rows: &BTreeMap<usize, Row>) -> Result<File, Problem> {
    let mut text = String::new();
    for row in rows.values() {
        text.push_str(&line(row).map_err(|error| unwritable(out, &error))?);
    }
    file::replace(out, text.as_bytes())?;
    let opened = OpenOptions::new().append(true).open(out);
    opened.map_err(|error| unwritable(out, &error))
}

fn line(row: &Row) -> std::io::Result<String> {
    Ok(serde_json::to_string(row)? + "\n")
}

/// A pass under way.
pub(super) struct Pass {
    out: PathBuf,
    file: File,
    done: BTreeMap<usize, Row>,
    /// The result.
    pub(super) tally: Tally,
}

/// The result of a pass.
#[derive(Clone, Default, Serialize)]
pub(super) struct Tally {
    /// Rows in the file.
    pub(super) rows: usize,
    /// Rows that were done before.
    pub(super) kept: usize,
    /// Rows that were done now.
    pub(super) done: usize,
    /// Rows that failed; the same command tries them again.
    pub(super) failed: usize,
    /// Rows that only a model could decide.
    pub(super) undecided: usize,
    /// Why rows failed, the commonest reason first.
    pub(super) reasons: Vec<Reason>,
}

/// Why rows failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Reason {
    /// The reason.
    pub(super) reason: String,
    /// Rows that failed for it.
    pub(super) rows: usize,
}

/// Groups the reasons of failed rows.
fn reasons<'r>(errors: impl Iterator<Item = &'r str>) -> Vec<Reason> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for error in errors {
        // The number of a requirement differs from row to row.
        let bare = error.strip_prefix("requirement ");
        let bare = bare.and_then(|rest| rest.split_once(": "));
        *counts
            .entry(bare.map_or(error, |(_, reason)| reason))
            .or_default() += 1;
    }
    let mut reasons: Vec<Reason> = counts
        .into_iter()
        .map(|(reason, rows)| Reason {
            reason: reason.to_owned(),
            rows,
        })
        .collect();
    reasons.sort_by_key(|one| std::cmp::Reverse(one.rows));
    reasons.truncate(REASONS_MAX);
    reasons
}

impl Pass {
    /// Begins, or resumes from the rows in the file.
    pub(super) async fn begin(out: &Path, rows: usize) -> Result<Self, Problem> {
        let there = if out.exists() {
            let mut bytes = input::bytes(out).await?;
            // A process that was killed leaves half a line, which is of a row to do again.
            let end = bytes.iter().rposition(|byte| *byte == b'\n');
            bytes.truncate(end.unwrap_or_default());
            read(&String::from_utf8_lossy(&bytes)).map_err(|why| no_row(out, &why))?
        } else {
            Vec::new()
        };
        let done = there.into_iter().filter(|row| row.error.is_none());
        let done: BTreeMap<usize, Row> = done.filter_map(|row| Some((row.idx?, row))).collect();
        let file = written(out, &done)?;
        Ok(Self {
            out: out.to_owned(),
            file,
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

    /// Takes a row in: it is at the end of the file before the next one begins.
    pub(super) fn take(&mut self, row: Row) -> Result<(), Problem> {
        match row.error {
            Some(_) => self.tally.failed += 1,
            None => self.tally.done += 1,
        }
        line(&row)
            .and_then(|line| self.file.write_all(line.as_bytes()))
            .map_err(|error| unwritable(&self.out, &error))?;
        self.done.insert(row.idx.unwrap_or(usize::MAX), row);
        Ok(())
    }

    /// Shows the result.
    pub(super) fn end(self, session: &Session) -> CommandResult {
        let errors = self.done.values().filter_map(|row| row.error.as_deref());
        let tally = Tally {
            reasons: reasons(errors),
            ..self.tally
        };
        written(&self.out, &self.done)?;
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
            for one in &tally.reasons {
                let rows = plural(one.rows, "row");
                page.line(Tone::Bad, format_args!("{rows}: {}", one.reason));
            }
        })?;
        Ok(if tally.failed > 0 {
            Outcome::Unfinished
        } else {
            Outcome::Done
        })
    }
}
