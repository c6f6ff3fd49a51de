//! The process that remains when a command has ended but a process that it started still writes.
//!
//! It is this program again, in its own session, with the open stream as stdin and the stream's destination
//! as stdout. It ends with the stream and needs neither store nor settings.

use std::env;
use std::ffi::{OsStr, OsString};
use std::process::{Command, ExitCode, Stdio};

use rustix::io;
use rustix::process::setsid;
use rustix::stdio::{stdin, stdout};

use super::pump::Pump;
use super::screen::duplicate;

/// Argument that starts a relay; never a user's command.
const ARGUMENT: &str = "__pass-on";

/// Hands a stream over to a relay process.
pub(super) fn leave(pump: Pump) -> std::io::Result<()> {
    // Finds our program even if its file was replaced meanwhile.
    let itself = if cfg!(target_os = "linux") {
        "/proc/self/exe".into()
    } else {
        env::current_exe()?
    };
    let mut relay = Command::new(itself);
    // Off the current folder, which would otherwise stay busy for as long as the relay runs.
    relay.arg(ARGUMENT).current_dir("/").env_clear();
    relay.stdin(pump.from).stdout(pump.to).stderr(Stdio::null());
    relay.spawn().map(drop)
}

/// True if the arguments start a relay.
pub fn is_meant(arguments: &[OsString]) -> bool {
    arguments.len() == 2 && arguments[1] == OsStr::new(ARGUMENT)
}

/// Copies stdin to stdout until it ends.
pub fn run() -> ExitCode {
    // Our terminal's signals and hang-up must not reach the relay.
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

/// Closes descriptors 0 and 1, so that the duplicates in the pump are the only ones left: a reader sees the
/// end, and a writer the broken pipe, as soon as the pump drops them.
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
