//! Runs a command as a child process that behaves as if it ran without us.
//!
//! The child keeps our process group, our controlling terminal, and our stdin. Its output reaches our stdout
//! and stderr unchanged, and part of it is kept; a stream that is a terminal stays one. Signals sent only to
//! this process are passed on; signals from a terminal reach the child directly. We stop when it stops and
//! end as it ended. Anything it leaves running keeps its streams after we have exited.
//!
//! # Example
//!
//! ```
//! # #[cfg(unix)] {
//! use hindlore_child::{End, Look, run};
//!
//! let command = ["sh", "-c", "echo no such file >&2; exit 3"].map(Into::into);
//! let ended = run(&command, Look::Watch);
//! assert_eq!(ended.end(), End::Code(3));
//! assert_eq!(ended.error().trim_end(), "no such file");
//! # }
//! ```

mod kept;
#[cfg(not(unix))]
mod plain;
#[cfg(unix)]
mod pump;
#[cfg(unix)]
mod relay;
#[cfg(unix)]
mod screen;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod streams;
#[cfg(unix)]
mod wait;

use std::ffi::OsString;
use std::io;
use std::path::Path;

#[cfg(not(unix))]
use plain as system;
#[cfg(unix)]
use wait as system;

#[cfg(unix)]
pub use relay::{is_meant as is_relay, run as run_relay};

/// Exit code for a command that is not found.
const NOT_FOUND: u8 = 127;
/// Exit code for a command that cannot be started.
const NOT_STARTED: u8 = 126;
/// Added by shells to the number of the signal that killed a command.
const KILLED: i32 = 128;
/// Full-screen programs. They get the terminal itself, because their drawing is no message worth keeping.
const FULL_SCREEN: &[&str] = &[
    "btop", "emacs", "htop", "joe", "less", "lynx", "man", "mc", "micro", "more", "most", "mutt",
    "nano", "nvim", "screen", "tig", "tmux", "top", "vi", "view", "vim", "watch",
];

/// How a command ended, and its complaint.
#[derive(Clone, Debug)]
pub struct Ended {
    end: End,
    said: String,
    /// Why it did not start; absent if it did.
    pub not_started: Option<String>,
}

/// The end of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// It exited with this code.
    Code(u8),
    /// This signal killed it.
    Signal(i32),
}

/// Whether to watch a command's streams.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// Keep part of both.
    Watch,
    /// Leave both to the command.
    Leave,
}

/// Runs a command to its end; blocks the thread meanwhile.
pub fn run(command: &[OsString], look: Look) -> Ended {
    let Some((program, arguments)) = command.split_first() else {
        return Ended::not_started(NOT_STARTED, "no command was named".to_owned());
    };
    let look = if takes_the_terminal(program) {
        Look::Leave
    } else {
        look
    };
    match system::run(program, arguments, look) {
        Ok((end, said)) => Ended {
            end,
            said,
            not_started: None,
        },
        Err(error) => {
            let code = match error.kind() {
                io::ErrorKind::NotFound => NOT_FOUND,
                _ => NOT_STARTED,
            };
            let name = program.to_string_lossy();
            let why = format!("`{}` cannot be started: {error}", name.escape_debug());
            Ended::not_started(code, why)
        }
    }
}

/// Kills this process with a signal; returns the exit code to use if that is impossible.
pub fn end_by(signal: i32) -> u8 {
    #[cfg(unix)]
    signals::die_of(signal);
    // Exit codes of other systems may exceed a byte; the failure must not be lost.
    u8::try_from(KILLED + signal).unwrap_or(1)
}

fn takes_the_terminal(program: &OsString) -> bool {
    let name = Path::new(program)
        .file_name()
        .and_then(|name| name.to_str());
    name.is_some_and(|name| FULL_SCREEN.contains(&name))
}

impl Ended {
    fn not_started(code: u8, why: String) -> Self {
        Self {
            end: End::Code(code),
            said: String::new(),
            not_started: Some(why),
        }
    }

    /// How it ended.
    pub fn end(&self) -> End {
        self.end
    }

    /// The exit code that a shell would report.
    pub fn exit_code(&self) -> u8 {
        match self.end {
            End::Code(code) => code,
            End::Signal(signal) => u8::try_from(KILLED + signal).unwrap_or(1),
        }
    }

    /// True unless it exited with code 0.
    pub fn failed(&self) -> bool {
        self.end != End::Code(0)
    }

    /// Its complaint: stderr, else the end of stdout; both together if they go to one place.
    pub fn error(&self) -> &str {
        self.not_started.as_deref().unwrap_or(&self.said)
    }

    /// Why it counts as failed; empty if it succeeded.
    pub fn reason(&self) -> String {
        match self.end {
            End::Code(0) => String::new(),
            End::Code(code) => format!("exit code {code}"),
            End::Signal(signal) => format!("killed by signal {signal}"),
        }
    }
}
