//! The files of an audit log: the one that is written to, and the parts that were put aside.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

pub(super) use hindlore_api::audit::{part, parts};

/// How much is read at once from the end of a file.
const STEP_BYTES: u64 = 64 << 10;
/// Longest line that is looked for.
const LINE_BYTES_MAX: u64 = 1 << 20;

/// Opens the file that is written to, for this process alone.
pub(super) fn opened(place: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(place)?;
    if !fs::metadata(place)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    file.try_lock()
        .map_err(|_| io::Error::other("another process writes to it"))?;
    Ok(file)
}

/// The last whole line of a file, if there is one, and where it ends.
pub(super) fn last_line(mut file: &File) -> io::Result<(Option<String>, u64)> {
    let length = file.metadata()?.len();
    let mut size = STEP_BYTES;
    loop {
        let begin = length.saturating_sub(size);
        file.seek(SeekFrom::Start(begin))?;
        let mut bytes = Vec::new();
        file.take(length - begin).read_to_end(&mut bytes)?;
        let mut ends = bytes
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, byte)| **byte == b'\n');
        let last = ends.next().map(|(at, _)| at);
        let before = ends
            .next()
            .map(|(at, _)| at + 1)
            .or((begin == 0).then_some(0));
        match (last, before) {
            (Some(last), Some(before)) => {
                let line = String::from_utf8_lossy(&bytes[before..last]);
                return Ok((Some(line.into_owned()), begin + last as u64 + 1));
            }
            (None, _) if begin == 0 => return Ok((None, 0)),
            _ if size > LINE_BYTES_MAX => {
                return Err(io::Error::other(
                    "its last line has no end that could be found",
                ));
            }
            _ => size *= 4,
        }
    }
}
