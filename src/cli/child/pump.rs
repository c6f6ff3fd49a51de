//! Copies one stream of a command through, unchanged and at once, and keeps a part of it.
//!
//! A reader that has gone is noticed without a write, and the command's end is then closed, so that it meets what
//! it would have met without us. When the command is over, what it wrote is copied to the end; what it left
//! running may hold the stream open, and somebody else goes on with it.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{self, Errno};

use super::kept::Kept;
use super::screen::Screen;

/// Bytes that are copied at once.
const BUFFER: usize = 64 << 10;
/// How often the modes of a terminal are looked at while nothing is written.
const LOOK: Duration = Duration::from_millis(100);
/// How long a stream is followed after the command has ended, when what it left running keeps writing.
const FOLLOW: Duration = Duration::from_millis(200);

/// A stream on its way.
pub(super) struct Pump {
    pub(super) from: OwnedFd,
    pub(super) to: OwnedFd,
    /// The terminal in front, where the stream is one.
    pub(super) screen: Option<Arc<Screen>>,
    /// Absent when nothing is kept of it.
    pub(super) kept: Option<Arc<Mutex<Kept>>>,
}

/// What whoever waits for the command asks of a pump: each byte that comes asks it to say when nothing is left to
/// copy, the end says that the command is over.
pub(super) struct Orders {
    pub(super) from: OwnedFd,
    pub(super) copied: Sender<()>,
}

/// What a look at the descriptors found.
#[derive(Default)]
struct Found {
    readable: bool,
    reader_gone: bool,
    ordered: bool,
}

impl Pump {
    /// Copies until the stream ends, its reader goes, or the command is over. Gives itself back when the stream is
    /// still open then.
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
                // Whoever asked may have stopped waiting.
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

    /// Waits until there is something to do; `at_once` only looks.
    fn look(&self, orders: Option<&Orders>, at_once: bool) -> Found {
        let timeout = match (at_once, &self.screen) {
            (true, _) => Some(Duration::ZERO),
            (false, Some(_)) => Some(LOOK),
            (false, None) => None,
        };
        let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
        let mut looked = vec![
            PollFd::new(&self.from, PollFlags::IN),
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

    /// Copies what is there; false at the end of the stream, or when nobody takes it any more.
    fn copy(&self, buffer: &mut [u8]) -> bool {
        let read = match io::read(&self.from, &mut *buffer) {
            Ok(0) => return false,
            Ok(read) => read,
            Err(Errno::INTR | Errno::AGAIN) => return true,
            // A terminal that nobody holds any more.
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

/// Takes one order; false when there is none to come any more.
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

/// Writes all of it, also where the reader's end does not block.
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
