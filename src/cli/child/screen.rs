//! A terminal of our own in front of the real one, for a stream whose bytes are looked at on their way.
//!
//! The command finds a terminal with the size and the modes of the real one. Bytes pass unchanged: this one does
//! not process what is written to it, the real one does. What the command sets here, such as single keys without
//! echo, is set there too, since its keys come from there.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Mutex, PoisonError};

use rustix::fs::{Mode, OFlags};
use rustix::io;
use rustix::process::getpgrp;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{
    OptionalActions, OutputModes, Termios, tcgetattr, tcgetpgrp, tcgetwinsize, tcsetattr,
    tcsetwinsize,
};

/// A real terminal, and what is known of the one in front of it.
pub(super) struct Screen {
    real: OwnedFd,
    /// Our end of the terminal in front.
    front: OwnedFd,
    /// The modes of the terminal in front when they were last looked at.
    seen: Mutex<Termios>,
}

impl Screen {
    /// Puts a terminal in front of a real one. Gives it, the end that is read from, and the command's end.
    pub(super) fn before(real: BorrowedFd<'_>) -> io::Result<(Self, OwnedFd, OwnedFd)> {
        let front = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
        grantpt(&front)?;
        unlockpt(&front)?;
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let commands = rustix::fs::open(ptsname(&front, Vec::new())?, flags, Mode::empty())?;
        let mut modes = tcgetattr(real)?;
        modes.output_modes.remove(OutputModes::OPOST);
        tcsetattr(&commands, OptionalActions::Now, &modes)?;
        let screen = Self {
            real: duplicate(real)?,
            front: duplicate(front.as_fd())?,
            seen: Mutex::new(tcgetattr(&front)?),
        };
        screen.fit();
        Ok((screen, front, commands))
    }

    /// Gives the terminal in front the size of the real one.
    pub(super) fn fit(&self) {
        if let Ok(size) = tcgetwinsize(&self.real) {
            // A size that cannot be set leaves the old one.
            let _ = tcsetwinsize(&self.front, size);
        }
    }

    /// Sets on the real terminal what the command has changed on the one in front.
    pub(super) fn follow(&self) {
        let Ok(now) = tcgetattr(&self.front) else {
            return;
        };
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = now.input_modes == seen.input_modes
            && now.output_modes == seen.output_modes
            && now.local_modes == seen.local_modes;
        // To set modes from the background would stop us.
        let in_front = || tcgetpgrp(&self.real).is_ok_and(|group| group == getpgrp());
        if is_same || !in_front() {
            return;
        }
        if let Ok(mut real) = tcgetattr(&self.real) {
            let (input, output) = (
                now.input_modes ^ seen.input_modes,
                now.output_modes ^ seen.output_modes,
            );
            let local = now.local_modes ^ seen.local_modes;
            real.input_modes = (real.input_modes - input) | (now.input_modes & input);
            real.output_modes = (real.output_modes - output) | (now.output_modes & output);
            real.local_modes = (real.local_modes - local) | (now.local_modes & local);
            real.special_codes = now.special_codes.clone();
            let _ = tcsetattr(&self.real, OptionalActions::Now, &real);
        }
        *seen = now;
    }
}

/// A second descriptor of the same, which the command does not inherit.
pub(super) fn duplicate(fd: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    rustix::io::fcntl_dupfd_cloexec(fd, 3)
}
