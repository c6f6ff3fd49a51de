//! Reads files of unknown origin: regular ones of a bounded size, and nothing else.
//!
//! A repository, an unpacked archive and a path typed by mistake can hold a named pipe, which waits for a writer for
//! ever, a device without an end, or a link to one. So the type is checked before the file is opened and again on the
//! open file, opening never waits, and reading stops at the limit for any claimed size.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Whether the last part of a path may be a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Links {
    /// It may: the user names the file.
    Follow,
    /// It may not: the file belongs to a repository, and the link may lead out of it.
    Refuse,
}

/// Reads a regular file of at most `bytes_max` bytes.
///
/// # Errors
///
/// Those of the file system; `IsADirectory` for a folder, `InvalidInput` for anything else that is no regular file
/// (also for a link that is refused), `FileTooLarge` for a larger file.
pub fn read_regular_file(path: &Path, bytes_max: u64, links: Links) -> io::Result<Vec<u8>> {
    let file = open_regular_file(path, links)?;
    let size = file.metadata()?.len();
    if size > bytes_max {
        return Err(ErrorKind::FileTooLarge.into());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    // The file may grow while it is read.
    file.take(bytes_max.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        return Err(ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

/// Opens a regular file for reading; never waits.
///
/// # Errors
///
/// As [`read_regular_file`], but for the size.
pub fn open_regular_file(path: &Path, links: Links) -> io::Result<File> {
    // Opening a device may already have an effect, so look first; the second look is at the file that was opened.
    let about = match links {
        Links::Follow => fs::metadata(path)?,
        Links::Refuse => fs::symlink_metadata(path)?,
    };
    must_be_regular(&about)?;
    let file = without_waiting(links).open(path)?;
    must_be_regular(&file.metadata()?)?;
    Ok(file)
}

fn must_be_regular(about: &fs::Metadata) -> io::Result<()> {
    if about.is_file() {
        return Ok(());
    }
    if about.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    Err(io::Error::new(
        ErrorKind::InvalidInput,
        "it is no regular file",
    ))
}

#[cfg(unix)]
fn without_waiting(links: Links) -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;

    let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    if links == Links::Refuse {
        flags |= OFlags::NOFOLLOW;
    }
    let mut options = OpenOptions::new();
    options.read(true);
    if let Ok(flags) = i32::try_from(flags.bits()) {
        options.custom_flags(flags);
    }
    options
}

#[cfg(not(unix))]
fn without_waiting(_: Links) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_the_limit_and_no_further() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "12345").unwrap();
        let read = |limit| read_regular_file(&file, limit, Links::Refuse);
        assert_eq!(read(5).unwrap(), b"12345");
        assert_eq!(read(4).unwrap_err().kind(), ErrorKind::FileTooLarge);
        let kind = |path: &Path| {
            read_regular_file(path, 9, Links::Follow)
                .unwrap_err()
                .kind()
        };
        assert_eq!(kind(folder.path()), ErrorKind::IsADirectory);
        assert_eq!(kind(&folder.path().join("none")), ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn pipes_devices_and_links_are_refused_at_once() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        rustix::fs::mknodat(
            rustix::fs::CWD,
            at("pipe"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
            0,
        )
        .unwrap();
        symlink("/dev/zero", at("endless")).unwrap();
        symlink(at("pipe"), at("to-pipe")).unwrap();
        fs::write(at("file"), "text").unwrap();
        symlink(at("file"), at("to-file")).unwrap();
        for name in ["pipe", "endless", "to-pipe"] {
            for links in [Links::Follow, Links::Refuse] {
                let refused = read_regular_file(&at(name), 1 << 20, links).unwrap_err();
                assert_eq!(refused.kind(), ErrorKind::InvalidInput, "{name} {links:?}");
            }
        }
        let refused = read_regular_file(&at("to-file"), 9, Links::Refuse).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::InvalidInput);
        let followed = read_regular_file(&at("to-file"), 9, Links::Follow);
        assert_eq!(followed.unwrap(), b"text");
    }
}
