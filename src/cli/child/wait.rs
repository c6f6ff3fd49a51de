//! Starts a command and waits for it, with everything that happens meanwhile.

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

/// How long this process waits with stopping for what the command wrote before it stopped.
const COPIED: Duration = Duration::from_millis(200);
/// What runs a script that does not say what runs it.
const SHELL: &str = "/bin/sh";

/// A pump at work.
struct Working {
    pump: JoinHandle<Option<Pump>>,
    orders: OwnedFd,
    copied: Receiver<()>,
}

/// Runs a command; gives its end and what it complained about.
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
    // The ends go with the call, or their streams would never end.
    let (signals, child) = Signals::start(screens, move || spawn(program, arguments, &ends))?;
    let working: Vec<Working> = pumps.into_iter().filter_map(work).collect();
    let end = wait(child, &signals, &working)?;
    for pump in working {
        drop(pump.orders);
        if let Ok(Some(open)) = pump.pump.join() {
            // Without it, what writes on meets a closed pipe; there is nobody to tell.
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
        // A script that does not say what runs it; shells run it themselves.
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
        let seen = WaitIdOptions::EXITED | WaitIdOptions::STOPPED | WaitIdOptions::NOWAIT;
        match status(seen) {
            Ok(Some(now)) if now.stopped() => {
                let _ = status(WaitIdOptions::STOPPED | WaitIdOptions::NOHANG);
                signals.stop(|| {
                    working.iter().for_each(Working::finish);
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
    /// Waits a moment until what is there is copied.
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
