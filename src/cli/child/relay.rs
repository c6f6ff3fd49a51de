//! The process that stays behind when a command has ended and something that it left running still writes.
//!
//! It is this program once more, in a session of its own, with the open stream as its stdin and the place where the
//! stream goes as its stdout. It ends with the stream, and needs no store and no settings.

use std::env;
use std::ffi::{OsStr, OsString};
use std::process::{Command, ExitCode, Stdio};

use rustix::io;
use rustix::process::setsid;
use rustix::stdio::{stdin, stdout};

use super::pump::Pump;
use super::screen::duplicate;

/// The argument that asks for it; no command of a user.
const ARGUMENT: &str = "__pass-on";

/// Leaves a stream to a process of its own.
pub(super) fn leave(pump: Pump) -> std::io::Result<()> {
    // This also finds a program whose file was replaced meanwhile.
    let itself = if cfg!(target_os = "linux") {
        "/proc/self/exe".into()
    } else {
        env::current_exe()?
    };
    let mut relay = Command::new(itself);
    relay.arg(ARGUMENT).current_dir("/").env_clear();
    relay.stdin(pump.from).stdout(pump.to).stderr(Stdio::null());
    relay.spawn().map(drop)
}

/// True when the arguments ask for it.
pub(crate) fn is_meant(arguments: &[OsString]) -> bool {
    arguments.len() == 2 && arguments[1] == OsStr::new(ARGUMENT)
}

/// Passes stdin on to stdout until it ends.
pub(crate) fn run() -> ExitCode {
    // What a terminal sends to the group that began it is not meant for it.
    let _ = setsid();
    let streams = || -> io::Result<Pump> {
        Ok(Pump {
            from: duplicate(stdin())?,
            to: duplicate(stdout())?,
            screen: None,
            kept: None,
        })
    };
    match streams() {
        Ok(pump) => {
            close_standard_streams();
            pump.run(None);
            ExitCode::SUCCESS
        }
        Err(_) => ExitCode::FAILURE,
    }
}

/// Gives up the first descriptors, so that the stream ends when the copies do.
fn close_standard_streams() {
    let Ok(nothing) = std::fs::File::options()
        .read(true)
        .write(true)
        .open("/dev/null")
    else {
        return;
    };
    let _ = rustix::stdio::dup2_stdin(&nothing);
    let _ = rustix::stdio::dup2_stdout(&nothing);
}
