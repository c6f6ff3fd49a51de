//! Connects the streams of a command, and keeps part of them.
//!
//! | our stream | the command's | what is kept |
//! | --- | --- | --- |
//! | a terminal | a terminal in front of it | on its way |
//! | a file | the file itself | read from the file afterwards |
//! | a pipe, a socket | a pipe | on its way |
//! | anything else | itself; stderr a pipe | of stderr, on its way |
//!
//! If both of our streams are one place, the command gets one stream as well, so that its output keeps its
//! order; both are then kept together.

use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::{FileType, OFlags, fcntl_getfl, fstat, tell};
use rustix::io;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::stdio::{stderr, stdout};
use rustix::termios::isatty;

use super::Look;
use super::kept::Kept;
use super::pump::Pump;
use super::screen::{Screen, duplicate};

/// The streams of a command about to start.
pub(super) struct Streams {
    pub(super) ends: Ends,
    pub(super) pumps: Vec<Pump>,
    pub(super) screens: Vec<Arc<Screen>>,
    pub(super) said: Said,
}

/// The command's own ends; where absent, it inherits ours.
pub(super) struct Ends {
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
}

/// Sources of the command's text after it ended.
pub(super) struct Said {
    complaints: Source,
    output: Source,
}

enum Source {
    Nothing,
    Kept(Arc<Mutex<Kept>>),
    File(Written),
}

/// The part of a file written from now on.
struct Written {
    file: File,
    /// Shares its file position with the command.
    shared: OwnedFd,
    from: u64,
    kept: Kept,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Terminal,
    File,
    Pipe,
    Other,
}

/// The command's end of a stream, and our side of it.
struct Way {
    end: Option<OwnedFd>,
    pump: Option<Pump>,
    source: Source,
}

impl Streams {
    /// Connects the streams. One that cannot be watched is left to the command.
    pub(super) fn lay(look: Look) -> Self {
        if look == Look::Leave {
            return Self::from_ways(Way::left(), Way::left());
        }
        let (out, err) = (stdout(), stderr());
        let (out_kind, err_kind) = (kind(out), kind(err));
        let one_place = is_one_place(out, err) && matches!(err_kind, Kind::Terminal | Kind::Pipe);
        if one_place && let Ok((way, second)) = both(err, err_kind) {
            let second = Way {
                end: Some(second),
                pump: None,
                source: Source::Nothing,
            };
            return Self::from_ways(second, way);
        }
        let output = match out_kind {
            _ if one_place => Ok(Way::left()),
            Kind::Terminal => terminal(out, Kept::output()),
            Kind::File => file(out, Kept::output()),
            Kind::Pipe => pipe(out, Kept::output()),
            Kind::Other => Ok(Way::left()),
        };
        let complaints = match err_kind {
            _ if one_place => Ok(Way::left()),
            Kind::Terminal => terminal(err, Kept::complaints()),
            Kind::File => file(err, Kept::complaints()),
            Kind::Pipe | Kind::Other => pipe(err, Kept::complaints()),
        };
        let or_left = |way: io::Result<Way>| way.unwrap_or_else(|_| Way::left());
        Self::from_ways(or_left(output), or_left(complaints))
    }

    fn from_ways(output: Way, complaints: Way) -> Self {
        let pumps: Vec<Pump> = output.pump.into_iter().chain(complaints.pump).collect();
        Self {
            ends: Ends {
                stdout: output.end,
                stderr: complaints.end,
            },
            screens: pumps
                .iter()
                .filter_map(|pump| pump.screen.clone())
                .collect(),
            pumps,
            said: Said {
                complaints: complaints.source,
                output: output.source,
            },
        }
    }
}

impl Ends {
    /// Gives the ends to a command.
    pub(super) fn give(&self, command: &mut Command) -> std::io::Result<()> {
        if let Some(end) = &self.stdout {
            command.stdout(end.try_clone()?);
        }
        if let Some(end) = &self.stderr {
            command.stderr(end.try_clone()?);
        }
        Ok(())
    }
}

impl Way {
    fn left() -> Self {
        Self {
            end: None,
            pump: None,
            source: Source::Nothing,
        }
    }

    fn through(end: OwnedFd, from: OwnedFd, to: OwnedFd, kept: Kept) -> Self {
        let kept = Arc::new(Mutex::new(kept));
        Self {
            end: Some(end),
            pump: Some(Pump {
                from,
                to,
                screen: None,
                kept: Some(kept.clone()),
            }),
            source: Source::Kept(kept),
        }
    }

    fn behind(mut self, screen: Screen) -> Self {
        if let Some(pump) = &mut self.pump {
            pump.screen = Some(Arc::new(screen));
        }
        self
    }
}

fn kind(fd: BorrowedFd<'_>) -> Kind {
    let mode = fstat(fd).map(|found| FileType::from_raw_mode(found.st_mode));
    match mode {
        Ok(FileType::RegularFile) => Kind::File,
        Ok(FileType::Fifo | FileType::Socket) => Kind::Pipe,
        Ok(FileType::CharacterDevice) if isatty(fd) => Kind::Terminal,
        _ => Kind::Other,
    }
}

fn is_one_place(a: BorrowedFd<'_>, b: BorrowedFd<'_>) -> bool {
    let (Ok(a), Ok(b)) = (fstat(a), fstat(b)) else {
        return false;
    };
    (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino)
}

fn terminal(real: BorrowedFd<'_>, kept: Kept) -> io::Result<Way> {
    let (screen, from, end) = Screen::before(real)?;
    Ok(Way::through(end, from, duplicate(real)?, kept).behind(screen))
}

fn pipe(to: BorrowedFd<'_>, kept: Kept) -> io::Result<Way> {
    let (from, end) = pipe_with(PipeFlags::CLOEXEC)?;
    Ok(Way::through(end, from, duplicate(to)?, kept))
}

/// One stream for stdout and stderr, and the command's second end of it.
fn both(to: BorrowedFd<'_>, kind: Kind) -> io::Result<(Way, OwnedFd)> {
    let (screen, from, end) = match kind {
        Kind::Terminal => {
            let (screen, from, end) = Screen::before(to)?;
            (Some(screen), from, end)
        }
        Kind::File | Kind::Pipe | Kind::Other => {
            let (from, end) = pipe_with(PipeFlags::CLOEXEC)?;
            (None, from, end)
        }
    };
    let second = duplicate(end.as_fd())?;
    let way = Way::through(end, from, duplicate(to)?, Kept::complaints());
    let way = match screen {
        Some(screen) => way.behind(screen),
        None => way,
    };
    Ok((way, second))
}

/// Leaves the file to the command, and reads its output from there afterwards.
fn file(fd: BorrowedFd<'_>, kept: Kept) -> io::Result<Way> {
    // Opened again: our descriptor may be write-only, and reading through it would move the command's position.
    let number = match std::os::fd::AsRawFd::as_raw_fd(&fd) {
        1 => "/dev/fd/1",
        _ => "/dev/fd/2",
    };
    // An appending descriptor writes at the end, at any position.
    let from = if fcntl_getfl(fd)?.contains(OFlags::APPEND) {
        u64::try_from(fstat(fd)?.st_size).unwrap_or_default()
    } else {
        tell(fd)?
    };
    let source = match File::open(number) {
        Ok(file) => Source::File(Written {
            file,
            shared: duplicate(fd)?,
            from,
            kept,
        }),
        // The file is not readable.
        Err(_) => Source::Nothing,
    };
    Ok(Way {
        end: None,
        pump: None,
        source,
    })
}

impl Said {
    /// The complaint: stderr, else the end of stdout.
    pub(super) fn text(self) -> String {
        let complaints = self.complaints.text();
        if complaints.is_empty() {
            self.output.text()
        } else {
            complaints
        }
    }
}

impl Source {
    fn text(self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Kept(kept) => kept.lock().unwrap_or_else(PoisonError::into_inner).text(),
            Self::File(written) => written.text(),
        }
    }
}

impl Written {
    fn text(mut self) -> String {
        // The command shares this position, so it is where its output ended.
        let until = tell(&self.shared).unwrap_or_default();
        let length = until.saturating_sub(self.from);
        let (head, tail) = self.kept.limits();
        let (head, tail) = (head as u64, tail as u64);
        if length <= head + tail {
            self.read(self.from, length);
        } else {
            self.read(self.from, head);
            self.kept.skip(length - head - tail);
            self.read(until - tail, tail);
        }
        self.kept.text()
    }

    fn read(&mut self, from: u64, length: u64) {
        let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
        // A file truncated meanwhile yields less.
        if self.file.read_exact_at(&mut bytes, from).is_ok() {
            self.kept.take(&bytes);
        }
    }
}
