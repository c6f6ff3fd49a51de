//! Our present parts in the files of a runtime.

use std::io;
use std::path::{Path, PathBuf};

use super::files::{read, real_path};
use super::pieces::{Part, Piece};
use super::records::Records;

/// The state of one piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// Nothing of ours.
    Absent,
    /// Exactly the piece of this version.
    Current,
    /// A piece of ours, but not that of this version.
    Other,
    /// A file of ours that the person changed since the install, which therefore stays so.
    Edited,
    /// The file cannot be read or edited, and why.
    Unreadable(String),
}

/// Looks at the file of a piece, which may not lead out of a folder.
pub(crate) fn look(piece: &Piece, bounds: Option<&Path>) -> (PathBuf, Found) {
    let file = match located(&piece.file, bounds) {
        Ok(file) => file,
        Err(error) => return (piece.file.clone(), Found::Unreadable(error.to_string())),
    };
    let found = match read(&file) {
        Err(error) => Found::Unreadable(error.to_string()),
        Ok(None) => Found::Absent,
        Ok(Some(text)) => match piece.part.put_into(Some(&text)) {
            Err(fault) => Found::Unreadable(fault),
            Ok(_) if !piece.part.is_in(&text) => Found::Absent,
            Ok(wanted) if wanted == text => Found::Current,
            Ok(_) if is_edited(piece, &file, &text) => Found::Edited,
            Ok(_) => Found::Other,
        },
    };
    (file, found)
}

fn is_edited(piece: &Piece, file: &Path, text: &str) -> bool {
    let record = Records::of_this_person().and_then(|records| records.find(file));
    matches!(piece.part, Part::Whole(_))
        && record.is_ok_and(|record| record.is_some_and(|record| !record.wrote(text)))
}

/// Where a file is when all links are followed.
///
/// # Errors
/// Those of the file system; a file that leads out of its folder.
pub(crate) fn located(file: &Path, bounds: Option<&Path>) -> io::Result<PathBuf> {
    let real = real_path(file)?;
    let is_inside = match bounds {
        Some(bounds) => real.starts_with(real_path(bounds)?),
        None => true,
    };
    if is_inside {
        return Ok(real);
    }
    Err(io::Error::other(format!(
        "a link leads it out of the folder, to {}",
        real.display()
    )))
}
