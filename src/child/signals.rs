//! Handles signals sent to this process while a command runs.
//!
//! A terminal signals the whole process group, so the command has those already; signals sent to this process
//! alone are passed on. Signals that the user ignores stay ignored, here and in the command. Once the command
//! has ended, signals have their default effect on this process again.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::io;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getpid, getrlimit, getsid, kill_process, setrlimit,
};
use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP,
    SIGTSTP, SIGURG, SIGUSR1, SIGUSR2, SIGVTALRM, SIGWINCH,
};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::origin::WithOrigin;
use signal_hook::low_level::emulate_default_handler;
use signal_hook::low_level::siginfo::{Cause, Origin};

use super::screen::Screen;

/// Signals passed on.
const PASSED: [i32; 17] = [
    SIGABRT, SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP,
    SIGTSTP, SIGURG, SIGUSR1, SIGUSR2, SIGVTALRM, SIGWINCH,
];
/// Signals handled within this time after the command ended were sent while it ran, and are dropped.
const LATE: Duration = Duration::from_millis(100);

/// The process that signals are for.
enum Aim {
    Child(Pid),
    /// The command is not running, since this moment.
    Ourselves(Instant),
}

struct Shared {
    aim: Mutex<Aim>,
    /// Someone asked this process, not only the command, to stop.
    told_to_stop: AtomicBool,
    screens: Vec<Arc<Screen>>,
}

/// Handles the signals of this process from now on.
pub(super) struct Signals(Arc<Shared>);

impl Signals {
    /// Starts a command without losing a signal.
    pub(super) fn start(
        screens: Vec<Arc<Screen>>,
        spawn: impl FnOnce() -> std::io::Result<Pid>,
    ) -> std::io::Result<(Self, Pid)> {
        let shared = Arc::new(Shared {
            aim: Mutex::new(Aim::Ourselves(Instant::now())),
            told_to_stop: AtomicBool::new(false),
            screens,
        });
        // Held until the child is known: a signal that arrives first makes the listening thread wait here.
        let mut aim = shared.aim.lock().unwrap_or_else(PoisonError::into_inner);
        listen(shared.clone());
        let spawned = spawn();
        *aim = match spawned {
            Ok(child) => Aim::Child(child),
            Err(_) => Aim::Ourselves(Instant::now()),
        };
        drop(aim);
        Ok((Self(shared), spawned?))
    }

    /// Ends passing on; `give_back` reaps the command under the lock, so that no signal can hit a process
    /// that reuses its id.
    pub(super) fn over<T>(&self, give_back: impl FnOnce() -> T) -> T {
        let mut aim = self.0.aim.lock().unwrap_or_else(PoisonError::into_inner);
        let given = give_back();
        *aim = Aim::Ourselves(Instant::now());
        given
    }

    /// Stops this process after the command stopped, if anyone can continue it: the sender of the stop, or a
    /// shell on the terminal.
    pub(super) fn stop(&self, before: impl FnOnce() -> bool) {
        let told = self.0.told_to_stop.swap(false, Ordering::Relaxed);
        let has_terminal = || fs::File::open("/dev/tty").is_ok();
        if (told || has_terminal()) && before() {
            let _ = kill_process(getpid(), Signal::STOP);
        }
    }
}

fn listen(shared: Arc<Shared>) {
    let ignored = ignored();
    let passed = PASSED.iter().filter(|signal| !ignored.contains(signal));
    let Ok(mut signals) = SignalsInfo::<WithOrigin>::new(passed) else {
        return;
    };
    thread::spawn(move || {
        for origin in signals.forever() {
            shared.take(&origin);
        }
    });
}

/// Signals this process was started to ignore. Read from `/proc`, because a safe `sigaction` does not exist;
/// on systems without it none counts as ignored.
fn ignored() -> Vec<i32> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let mask = mask.unwrap_or_default();
    (1..64)
        .filter(|signal| mask >> (signal - 1) & 1 == 1)
        .collect()
}

impl Shared {
    fn take(&self, origin: &Origin) {
        let aim = self.aim.lock().unwrap_or_else(PoisonError::into_inner);
        match *aim {
            Aim::Child(child) => self.pass_on(child, origin),
            Aim::Ourselves(since) if since.elapsed() < LATE => {}
            Aim::Ourselves(_) => {
                // On failure we keep running, as if the signal were ignored.
                let _ = emulate_default_handler(origin.signal);
            }
        }
    }

    fn pass_on(&self, child: Pid, origin: &Origin) {
        let signal = origin.signal;
        if signal == SIGTSTP {
            self.told_to_stop.store(true, Ordering::Relaxed);
        }
        // The terminal may have changed its size while we were stopped.
        if matches!(signal, SIGCONT | SIGWINCH) {
            self.screens.iter().for_each(|screen| screen.fit());
        }
        let sender = origin.process.map(|process| process.pid);
        let is_ours = sender == Some(getpid().as_raw_nonzero().get());
        // Our own `abort`: it must end this process.
        if is_ours && signal == SIGABRT {
            let _ = emulate_default_handler(signal);
        }
        // A command that signals its group has signalled itself already.
        let is_of_child = sender == Some(child.as_raw_nonzero().get());
        let has_it = is_ours || is_of_child || self.is_of_terminal(origin);
        if let (false, Some(signal)) = (has_it, Signal::from_named_raw(signal)) {
            let _ = kill_process(child, signal);
        }
    }

    /// True for signals a terminal sent to the whole group.
    fn is_of_terminal(&self, origin: &Origin) -> bool {
        if origin.cause != Cause::Kernel {
            return false;
        }
        match origin.signal {
            SIGCONT => false,
            // Without us the command would lead the session, and the kernel signals only the leader.
            SIGHUP => getsid(None).is_ok_and(|session| session != getpid()),
            // With a pseudo-terminal, the command may have read the old size just before `fit`: send the signal again.
            SIGWINCH => self.screens.is_empty(),
            _ => true,
        }
    }
}

/// Kills this process by a signal; returns if that is impossible.
pub(super) fn die_of(signal: i32) {
    // No core of ours: it could overwrite the command's, which is the interesting one.
    let maximum = getrlimit(Resource::Core).maximum;
    let none = Rlimit {
        current: Some(0),
        maximum,
    };
    let _: io::Result<()> = setrlimit(Resource::Core, none);
    if emulate_default_handler(signal).is_err()
        && let Some(signal) = Signal::from_named_raw(signal)
    {
        let _ = kill_process(getpid(), signal);
    }
}
