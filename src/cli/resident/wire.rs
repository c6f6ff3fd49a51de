//! The protocol of the socket: frames of a length and bytes, a request in one and an answer in three.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};

/// Maximum size of a frame in bytes; a larger call works on its own.
pub(super) const FRAME_MAX: usize = 64 << 20;

/// A command line to run.
#[derive(Serialize, Deserialize)]
pub(super) struct Call {
    /// The arguments, the program's name first.
    pub(super) words: Vec<String>,
    /// The text on stdin, if the command reads it.
    pub(super) stdin: Option<String>,
}

/// How it ended.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) enum Ended {
    /// With an exit code; the frames of stdout and stderr follow.
    Exit(u8),
    /// It was not run: the caller does it on its own.
    Declined,
}

/// Writes a frame.
pub(super) fn write(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).map_err(|_| io::ErrorKind::InvalidData)?;
    to.write_all(&length.to_be_bytes())?;
    to.write_all(bytes)
}

/// Reads a frame.
pub(super) fn read(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let length = usize::try_from(u32::from_be_bytes(length)).unwrap_or(usize::MAX);
    if length > FRAME_MAX {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}
