//! The curves of a report as files.

use std::fs;
use std::path::Path;

use crate::api::problem::Problem;
use crate::eval::{Report, svg};

/// Writes each curve as a picture named after it.
pub(super) fn write(report: &Report, folder: &Path) -> Result<(), Problem> {
    let refused = |error: std::io::Error| {
        let message = format!(
            "no pictures can be written to `{}`: {error}",
            folder.display()
        );
        Problem::new("cannot_write", message).with_hint("name another folder with --svg")
    };
    fs::create_dir_all(folder).map_err(refused)?;
    for curve in &report.curves {
        let path = folder.join(format!("{}.svg", curve.name));
        fs::write(path, svg(curve)).map_err(refused)?;
    }
    Ok(())
}
