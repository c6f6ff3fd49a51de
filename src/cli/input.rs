//! Reads a user's file, or stdin as `-`: whole, bounded, with clear errors.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use hindlore_api::problem::Problem;
use hindlore_config::{Links, open_regular_file, read_regular_file};

/// Maximum input size in bytes.
const INPUT_MAX: u64 = 256 << 20;

/// Reads a file or stdin.
pub(crate) async fn bytes(path: &Path) -> Result<Vec<u8>, Problem> {
    let path: PathBuf = path.to_owned();
    // Reading blocks, on stdin perhaps for ever, so it stays off the runtime's threads.
    let reading = tokio::task::spawn_blocking(move || {
        if path.as_os_str() == "-" {
            read("stdin", io::stdin().lock())
        } else {
            file(&path)
        }
    });
    reading.await.unwrap_or_else(|_| {
        Err(Problem::new(
            "unreadable_input",
            "reading stopped before its end",
        ))
    })
}

/// An input that is read as it is needed, if it is a file; a stream is held whole, because it can be read only once.
pub(crate) enum Opened {
    File(File),
    Bytes(Vec<u8>),
}

/// Opens a file, or reads a stream. Blocks.
pub(crate) fn open(path: &Path) -> Result<Opened, Problem> {
    let name = name(path);
    if path.as_os_str() == "-" {
        return read(&name, io::stdin().lock()).map(Opened::Bytes);
    }
    if is_open_already(path) {
        return file(path).map(Opened::Bytes);
    }
    let opened = open_regular_file(path, Links::Follow);
    opened
        .map(Opened::File)
        .map_err(|error| refused(&name, &error))
}

/// Reads a file or stdin as text.
pub(crate) async fn text(path: &Path) -> Result<String, Problem> {
    String::from_utf8(bytes(path).await?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Problem::new(
            "not_text",
            format!(
                "{} is not UTF-8 text: an invalid byte at byte offset {at}",
                name(path)
            ),
        )
        .with_hint("save it as UTF-8, or check that it is the right file")
    })
}

/// Reads a file.
pub(crate) fn file(path: &Path) -> Result<Vec<u8>, Problem> {
    let name = name(path);
    if is_open_already(path) {
        let file = File::open(path).map_err(|error| refused(&name, &error))?;
        return read(&name, file);
    }
    read_regular_file(path, INPUT_MAX, Links::Follow).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => too_large(&name),
        _ => refused(&name, &error),
    })
}

/// True for a stream that the shell has opened for this process, as in `import <(command)`: its writer exists, so it ends.
fn is_open_already(path: &Path) -> bool {
    let folders = ["/dev/fd", "/proc/self/fd"];
    path == Path::new("/dev/stdin")
        || folders
            .iter()
            .any(|folder| path.parent() == Some(Path::new(folder)))
}

fn read(name: &str, source: impl Read) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    let mut limited = source.take(INPUT_MAX + 1);
    limited
        .read_to_end(&mut bytes)
        .map_err(|error| refused(name, &error))?;
    if bytes.len() as u64 > INPUT_MAX {
        return Err(too_large(name));
    }
    Ok(bytes)
}

fn too_large(name: &str) -> Problem {
    Problem::new(
        "input_too_large",
        format!("{name} has more than {INPUT_MAX} bytes"),
    )
    .with_hint("split it into several files")
}

fn name(path: &Path) -> String {
    if path.as_os_str() == "-" {
        "stdin".to_owned()
    } else {
        format!("`{}`", path.display())
    }
}

fn refused(name: &str, error: &io::Error) -> Problem {
    let (code, what, hint) = match error.kind() {
        ErrorKind::NotFound => ("no_file", "does not exist", "check the path"),
        ErrorKind::IsADirectory => (
            "unreadable_input",
            "is a folder",
            "name a file in it, or `-` for stdin",
        ),
        ErrorKind::PermissionDenied => (
            "unreadable_input",
            "may not be read",
            "allow this user to read it",
        ),
        ErrorKind::InvalidInput => (
            "unreadable_input",
            "cannot be read",
            "name a file; a pipe is read as `-`, from stdin",
        ),
        _ => (
            "unreadable_input",
            "cannot be read",
            "check the path and the disk",
        ),
    };
    let message = match error.kind() {
        ErrorKind::NotFound | ErrorKind::IsADirectory => format!("{name} {what}"),
        _ => format!("{name} {what}: {error}"),
    };
    Problem::new(code, message).with_hint(hint)
}
