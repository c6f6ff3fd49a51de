//! Starts a command and waits for it, passing its streams and signals meanwhile.

use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::io::{self, Errno};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, WaitId, WaitIdOptions, WaitIdStatus, waitid};

use super::pump::{Orders, Pump};
use super::signals::Signals;
use super::streams::{Ends, Streams};
use super::{End, Look, relay};

/// How long to delay our own stop until the output written before the command's stop is copied.
const COPIED: Duration = Duration::from_millis(200);
/// Runs a script without an interpreter line.
const SHELL: &str = "/bin/sh";

/// A running pump.
struct Working {
    pump: JoinHandle<Option<Pump>>,
    orders: OwnedFd,
    copied: Receiver<()>,
}

/// Runs a command; returns its end and its complaint.
pub(super) fn run(
    program: &OsStr,
    arguments: &[OsString],
    look: Look,
) -> std::io::Result<(End, String)> {
    let Streams {
        ends,
        pumps,
        screens,
        said,
    } = Streams::lay(look);
    // `move`: the command's ends must be closed here after the start, or the streams would never end.
    let (signals, child) = Signals::start(screens, move || spawn(program, arguments, &ends))?;
    let working: Vec<Working> = pumps.into_iter().filter_map(work).collect();
    let end = wait(child, &signals, &working)?;
    for pump in working {
        drop(pump.orders);
        if let Ok(Some(open)) = pump.pump.join() {
            // Without a relay, the remaining process meets a closed pipe; no reader is left for a report.
            let _ = relay::leave(open);
        }
    }
    Ok((end, said.text()))
}

fn spawn(program: &OsStr, arguments: &[OsString], ends: &Ends) -> std::io::Result<Pid> {
    let started = |command: &mut Command| {
        ends.give(command)?;
        command.args(arguments).spawn()
    };
    let child = match started(&mut Command::new(program)) {
        // A script without an interpreter line; shells run such a script themselves, too.
        Err(error) if error.raw_os_error() == Some(Errno::NOEXEC.raw_os_error()) => {
            started(Command::new(SHELL).arg(program))?
        }
        started => started?,
    };
    Ok(Pid::from_child(&child))
}

fn work(pump: Pump) -> Option<Working> {
    let (from, orders) = pipe_with(PipeFlags::CLOEXEC).ok()?;
    let (said, copied) = channel();
    let orders_taken = Orders { from, copied: said };
    let pump = thread::spawn(move || pump.run(Some(&orders_taken)));
    Some(Working {
        pump,
        orders,
        copied,
    })
}

fn wait(child: Pid, signals: &Signals, working: &[Working]) -> std::io::Result<End> {
    let status = |options| waitid(WaitId::Pid(child), options);
    loop {
        // `NOWAIT` leaves a dead child unreaped: until `over` reaps it under the lock, its id cannot be
        // reused.
        let seen = WaitIdOptions::EXITED | WaitIdOptions::STOPPED | WaitIdOptions::NOWAIT;
        match status(seen) {
            Ok(Some(now)) if now.stopped() => {
                // Consume the stop, or the next wait would return at once.
                let _ = status(WaitIdOptions::STOPPED | WaitIdOptions::NOHANG);
                signals.stop(|| {
                    working.iter().for_each(Working::finish);
                    // Continued in the meantime: then we must not stop either.
                    let gone_on = WaitIdOptions::CONTINUED | WaitIdOptions::NOHANG;
                    !matches!(status(gone_on), Ok(Some(_)))
                });
            }
            Ok(Some(_)) => break,
            Ok(None) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let ended = signals.over(|| status(WaitIdOptions::EXITED))?;
    Ok(end_of(ended.as_ref()))
}

impl Working {
    /// Waits briefly until the available output is copied.
    fn finish(&self) {
        if io::write(&self.orders, b".").is_ok() {
            let _ = self.copied.recv_timeout(COPIED);
        }
    }
}

fn end_of(status: Option<&WaitIdStatus>) -> End {
    let signal = status.and_then(WaitIdStatus::terminating_signal);
    let code = status.and_then(WaitIdStatus::exit_status);
    match (signal, code) {
        (Some(signal), _) => End::Signal(signal),
        (None, Some(code)) => End::Code(u8::try_from(code & 0xFF).unwrap_or(1)),
        (None, None) => End::Code(1),
    }
}
