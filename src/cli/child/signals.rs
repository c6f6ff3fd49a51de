//! Signals that are sent to this process while a command runs.
//!
//! A terminal sends to the whole group, so the command has those already; what somebody sends to this process alone
//! is passed on. What a user had ignored stays ignored, here and in the command. Once the command is over, signals
//! do to this process what they always do.

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

/// Signals that are passed on.
const PASSED: [i32; 17] = [
    SIGABRT, SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP,
    SIGTSTP, SIGURG, SIGUSR1, SIGUSR2, SIGVTALRM, SIGWINCH,
];
/// A signal that is noticed this soon after the end of the command was sent before it.
const LATE: Duration = Duration::from_millis(100);

/// Whom a signal is for.
enum Aim {
    Child(Pid),
    /// Nobody else, since this moment.
    Ourselves(Instant),
}

struct Shared {
    aim: Mutex<Aim>,
    /// Somebody asked this process to stop.
    told_to_stop: AtomicBool,
    screens: Vec<Arc<Screen>>,
}

/// The signals of this process, from now on.
pub(super) struct Signals(Arc<Shared>);

impl Signals {
    /// Starts a command while no signal can get lost.
    pub(super) fn start(
        screens: Vec<Arc<Screen>>,
        spawn: impl FnOnce() -> std::io::Result<Pid>,
    ) -> std::io::Result<(Self, Pid)> {
        let shared = Arc::new(Shared {
            aim: Mutex::new(Aim::Ourselves(Instant::now())),
            told_to_stop: AtomicBool::new(false),
            screens,
        });
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

    /// The command is over. Its id is given back while no signal can be sent to whoever has it next.
    pub(super) fn over<T>(&self, give_back: impl FnOnce() -> T) -> T {
        let mut aim = self.0.aim.lock().unwrap_or_else(PoisonError::into_inner);
        let given = give_back();
        *aim = Aim::Ourselves(Instant::now());
        given
    }

    /// Stops this process since the command has stopped, where somebody can tell it to go on.
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

/// Signals that this process was started to ignore.
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
                // An error leaves us running, as the signal would where it is ignored.
                let _ = emulate_default_handler(origin.signal);
            }
        }
    }

    fn pass_on(&self, child: Pid, origin: &Origin) {
        let signal = origin.signal;
        if signal == SIGTSTP {
            self.told_to_stop.store(true, Ordering::Relaxed);
        }
        if matches!(signal, SIGCONT | SIGWINCH) {
            self.screens.iter().for_each(|screen| screen.fit());
        }
        let sender = origin.process.map(|process| process.pid);
        let is_ours = sender == Some(getpid().as_raw_nonzero().get());
        if is_ours && signal == SIGABRT {
            let _ = emulate_default_handler(signal);
        }
        // What the command sends to its group, it has sent to itself.
        let is_of_child = sender == Some(child.as_raw_nonzero().get());
        let has_it = is_ours || is_of_child || self.is_of_terminal(origin);
        if let (false, Some(signal)) = (has_it, Signal::from_named_raw(signal)) {
            let _ = kill_process(child, signal);
        }
    }

    /// True for what a terminal has sent to the whole group.
    fn is_of_terminal(&self, origin: &Origin) -> bool {
        if origin.cause != Cause::Kernel {
            return false;
        }
        match origin.signal {
            SIGCONT => false,
            // The command would be the first of its session without us, and only that one is told.
            SIGHUP => getsid(None).is_ok_and(|session| session != getpid()),
            // The size in front was set just now, and nobody else tells of it.
            SIGWINCH => self.screens.is_empty(),
            _ => true,
        }
    }
}

/// Ends this process as a signal does; comes back where that is impossible.
pub(super) fn die_of(signal: i32) {
    // What the command left behind as its core is worth more than ours.
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
