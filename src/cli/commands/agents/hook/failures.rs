//! Failures of hooks: silent for the agent, shown by `doctor agents`. The newest lines of one bounded file.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use hindlore::clock::{SystemClock, WallClock};
use hindlore_config::{Links, data_folder, read_regular_file};

/// Above this size the older half of the file goes.
const BYTES_MAX: u64 = 64 << 10;
/// Characters of one line.
const LINE_MAX: usize = 500;

fn file() -> Option<PathBuf> {
    Some(data_folder()?.join("hook-failures.log"))
}

/// Writes a failure down; one that cannot be written is lost.
pub(super) fn note(event: Option<&str>, what: &str) {
    let Some(file) = file() else {
        return;
    };
    match fs::symlink_metadata(&file) {
        Ok(about) if !about.is_file() => return,
        Ok(about) if about.len() > BYTES_MAX => halve(&file),
        _ => {}
    }
    let what: String = what
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .take(LINE_MAX)
        .collect();
    let line = format!(
        "{} {}: {what}\n",
        SystemClock.now(),
        event.unwrap_or("hook")
    );
    if let Some(folder) = file.parent() {
        let _ = fs::create_dir_all(folder);
    }
    // One write, so that lines of several processes do not mix.
    let _ = to_append()
        .open(&file)
        .and_then(|mut open| open.write_all(line.as_bytes()));
}

/// The newest failures, oldest first, at most `most`.
pub(crate) fn newest(most: usize) -> Vec<String> {
    let text = file().and_then(|file| text_of(&file)).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(most)..]
        .iter()
        .map(|line| (*line).to_owned())
        .collect()
}

/// Options for a file that only its user may read.
fn to_append() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// More than the limit, since several processes may write at once.
fn text_of(file: &Path) -> Option<String> {
    let bytes = read_regular_file(file, 4 * BYTES_MAX, Links::Refuse).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn halve(file: &Path) {
    let Some(text) = text_of(file) else {
        return;
    };
    let from = text[text.len() / 2..]
        .find('\n')
        .map_or(text.len(), |at| text.len() / 2 + at + 1);
    let _ = fs::write(file, &text[from..]);
}
