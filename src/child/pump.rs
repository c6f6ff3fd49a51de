//! Copies one stream of a command, unchanged and immediately, and keeps part of it.
//!
//! A reader that is gone is noticed without a write. The command's end is then closed, so the command meets
//! the broken pipe it would have met without us. When the command has ended, its output is copied to the end.
//! A process it left running may hold the stream open; the pump is then returned, for a relay to continue.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{self, Errno};

use super::kept::Kept;
use super::screen::Screen;

/// Bytes copied per read.
const BUFFER: usize = 64 << 10;
/// How often a terminal's modes are checked while no output arrives.
const LOOK: Duration = Duration::from_millis(100);
/// How long to follow a stream after the command ended, if a process it left keeps writing.
const FOLLOW: Duration = Duration::from_millis(200);

/// A stream being copied.
pub(super) struct Pump {
    pub(super) from: OwnedFd,
    pub(super) to: OwnedFd,
    /// Our pseudo-terminal in front of the real one, if the stream is a terminal.
    pub(super) screen: Option<Arc<Screen>>,
    /// Absent if nothing is kept.
    pub(super) kept: Option<Arc<Mutex<Kept>>>,
}

/// Orders from the thread that waits for the command: each byte asks for a reply once nothing is left to copy; end of
/// file means that the command has ended.
pub(super) struct Orders {
    pub(super) from: OwnedFd,
    pub(super) copied: Sender<()>,
}

/// Result of one poll.
#[derive(Default)]
struct Found {
    readable: bool,
    reader_gone: bool,
    ordered: bool,
}

impl Pump {
    /// Copies until the stream ends, its reader is gone, or the command has ended. Returns itself if the
    /// stream is still open then.
    pub(super) fn run(self, orders: Option<&Orders>) -> Option<Self> {
        let mut buffer = vec![0; BUFFER];
        let mut orders = orders;
        let (mut until, mut asked) = (None::<Instant>, false);
        loop {
            let found = self.look(orders, asked || until.is_some());
            self.follow();
            if found.ordered {
                if orders.is_some_and(take_order) {
                    asked = true
                } else {
                    until = Some(Instant::now() + FOLLOW);
                    orders = None;
                }
                continue;
            }
            if found.readable && until.is_none_or(|until| Instant::now() < until) {
                if !self.copy(&mut buffer) {
                    return None;
                }
                continue;
            }
            if found.reader_gone {
                return None;
            }
            if until.is_some() {
                return Some(self);
            }
            if let (true, Some(orders)) = (asked, orders) {
                // The asking thread waits only for a limited time and may be gone.
                let _ = orders.copied.send(());
                asked = false;
            }
        }
    }

    fn follow(&self) {
        if let Some(screen) = &self.screen {
            screen.follow();
        }
    }

    /// Polls; with `at_once` without waiting.
    fn look(&self, orders: Option<&Orders>, at_once: bool) -> Found {
        let timeout = match (at_once, &self.screen) {
            (true, _) => Some(Duration::ZERO),
            (false, Some(_)) => Some(LOOK),
            (false, None) => None,
        };
        let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
        let mut looked = vec![
            PollFd::new(&self.from, PollFlags::IN),
            // No events requested: poll reports errors anyway, which is how a reader that is gone shows up.
            PollFd::new(&self.to, PollFlags::empty()),
        ];
        looked.extend(orders.map(|orders| PollFd::new(&orders.from, PollFlags::IN)));
        match poll(&mut looked, timeout.as_ref()) {
            Ok(_) => {
                let any =
                    |one: Option<&PollFd<'_>>| one.is_some_and(|one| !one.revents().is_empty());
                Found {
                    readable: any(looked.first()),
                    reader_gone: any(looked.get(1)),
                    ordered: any(looked.get(2)),
                }
            }
            Err(_) => Found::default(),
        }
    }

    /// Copies available bytes; false at the end of the stream, or if the reader is gone.
    fn copy(&self, buffer: &mut [u8]) -> bool {
        let read = match io::read(&self.from, &mut *buffer) {
            Ok(0) => return false,
            Ok(read) => read,
            Err(Errno::INTR | Errno::AGAIN) => return true,
            // Linux reports EIO on a pseudo-terminal once its last holder closed it.
            Err(_) => return false,
        };
        let bytes = &buffer[..read];
        if let Some(kept) = &self.kept {
            kept.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take(bytes);
        }
        write_all(&self.to, bytes).is_ok()
    }
}

/// Takes one order; false at the end of orders.
fn take_order(orders: &Orders) -> bool {
    let mut order = [0; 1];
    loop {
        match io::read(&orders.from, &mut order) {
            Ok(read) => return read > 0,
            Err(Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}

/// Writes everything, even to a non-blocking descriptor: it may be shared with a reader who set that flag.
fn write_all(to: &OwnedFd, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match io::write(to, bytes) {
            Ok(written) => bytes = &bytes[written..],
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => {
                let to = to.as_fd();
                poll(&mut [PollFd::from_borrowed_fd(to, PollFlags::OUT)], None)?;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
