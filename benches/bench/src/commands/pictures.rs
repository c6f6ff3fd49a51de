//! The curves of a report as files.

use std::io;
use std::path::Path;

use crate::{Report, svg};
use hindlore_api::problem::Problem;
use hindlore_cli::program::file;

/// Makes the folder, before anything is measured that could then not be drawn.
pub(super) fn prepare(folder: &Path) -> Result<(), Problem> {
    file::writable_folder(folder).map_err(|error| refused(folder, &error))
}

/// Writes each curve as a picture named after it.
pub(super) fn write(report: &Report, folder: &Path) -> Result<(), Problem> {
    for curve in &report.curves {
        let path = folder.join(format!("{}.svg", curve.name));
        file::replace(&path, svg(curve).as_bytes())?;
    }
    Ok(())
}

fn refused(folder: &Path, error: &io::Error) -> Problem {
    let message = format!(
        "no pictures can be written to `{}`: {error}",
        folder.display()
    );
    Problem::new("cannot_write", message).with_hint("name another folder with --svg")
}
