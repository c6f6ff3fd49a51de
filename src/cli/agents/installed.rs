//! What of ours is in the files of a runtime now.

use std::path::PathBuf;

use super::pieces::Piece;
use super::write::read;

/// What is there of one piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// Nothing of ours.
    Absent,
    /// What this version would put there.
    Current,
    /// Something of ours, but not what this version would put there.
    Other,
    /// The file cannot be read or edited, and why.
    Unreadable(String),
}

/// Looks at the file of a piece.
pub(crate) fn look(piece: &Piece) -> (PathBuf, Found) {
    let found = match read(&piece.file) {
        Err(error) => Found::Unreadable(error.to_string()),
        Ok(None) => Found::Absent,
        Ok(Some(text)) => match piece.part.put_into(Some(&text)) {
            Err(fault) => Found::Unreadable(fault),
            Ok(_) if !piece.part.is_in(&text) => Found::Absent,
            Ok(wanted) if wanted == text => Found::Current,
            Ok(_) => Found::Other,
        },
    };
    (piece.file.clone(), found)
}
