//! A pseudo-terminal in front of the real one, for a stream whose bytes are kept on their way.
//!
//! The command finds a terminal of the same size and modes. Bytes pass unchanged: only the real terminal
//! processes output. Modes the command sets here, such as single keys without echo, are set on the real
//! terminal as well, because that is where its keys come from.

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

/// A real terminal, and the state of the pseudo-terminal in front of it.
pub(super) struct Screen {
    real: OwnedFd,
    /// Our end of the pseudo-terminal.
    front: OwnedFd,
    /// The pseudo-terminal's modes when last checked.
    seen: Mutex<Termios>,
}

impl Screen {
    /// Puts a pseudo-terminal in front of a real one. Returns the screen, the end to read from, and the
    /// command's end.
    pub(super) fn before(real: BorrowedFd<'_>) -> io::Result<(Self, OwnedFd, OwnedFd)> {
        // `NOCTTY`: opening a terminal must not make it our controlling one.
        let front = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
        grantpt(&front)?;
        unlockpt(&front)?;
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let commands = rustix::fs::open(ptsname(&front, Vec::new())?, flags, Mode::empty())?;
        let mut modes = tcgetattr(real)?;
        // Output is processed once, by the real terminal.
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

    /// Copies the real terminal's size to the pseudo-terminal.
    pub(super) fn fit(&self) {
        if let Ok(size) = tcgetwinsize(&self.real) {
            // On failure the old size stays.
            let _ = tcsetwinsize(&self.front, size);
        }
    }

    /// Applies the command's mode changes to the real terminal.
    pub(super) fn follow(&self) {
        let Ok(now) = tcgetattr(&self.front) else {
            return;
        };
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = now.input_modes == seen.input_modes
            && now.output_modes == seen.output_modes
            && now.local_modes == seen.local_modes;
        // Setting modes from a background group raises SIGTTOU, which would stop us.
        let in_front = || tcgetpgrp(&self.real).is_ok_and(|group| group == getpgrp());
        if is_same || !in_front() {
            return;
        }
        if let Ok(mut real) = tcgetattr(&self.real) {
            // Only the changed bits: the two differ on purpose, for one in output processing.
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

/// Duplicates a descriptor for us: close-on-exec, so the command does not inherit it, and above the standard
/// streams.
pub(super) fn duplicate(fd: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    rustix::io::fcntl_dupfd_cloexec(fd, 3)
}
