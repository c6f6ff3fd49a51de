//! A terminal of a test, with a program in a session of its own.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};

use crate::world::World;

pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The end of a terminal at which a person sits.
pub(crate) struct Terminal {
    master: File,
    slave: File,
    seen: Arc<Mutex<Vec<u8>>>,
}

impl Terminal {
    pub(crate) fn new() -> Self {
        let master =
            openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let slave = File::from(open(name, flags, Mode::empty()).unwrap());
        let master = File::from(master);
        let seen: Arc<Mutex<Vec<u8>>> = Arc::default();
        let (mut from, to) = (master.try_clone().unwrap(), seen.clone());
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = from.read(&mut buffer) {
                to.lock().unwrap().extend_from_slice(&buffer[..read]);
            }
        });
        let terminal = Self {
            master,
            slave,
            seen,
        };
        terminal.resize(40, 100);
        terminal
    }

    /// One more descriptor of the side at which programs run.
    pub(crate) fn side(&self) -> File {
        self.slave.try_clone().unwrap()
    }

    /// Starts words on the terminal: all three streams, and the terminal that signals come from.
    pub(crate) fn start(&self, world: &World, words: &[&str]) -> Child {
        let side = || Stdio::from(self.side());
        self.start_with(world, words, (side(), side(), side()))
    }

    /// A session with streams of its own; stdin must be the terminal.
    pub(crate) fn start_with(
        &self,
        world: &World,
        words: &[&str],
        (stdin, stdout, stderr): (Stdio, Stdio, Stdio),
    ) -> Child {
        // `setsid -c` takes its stdin as the terminal of its session, which this test could not without unsafe code.
        let mut command = Command::new("setsid");
        command.arg("-c").args(words);
        let of_world = world.command();
        command.env_clear().current_dir(world.path(""));
        let all = of_world.get_envs();
        command.envs(all.filter_map(|(name, value)| Some((name, value?))));
        command.env("PATH", std::env::var_os("PATH").unwrap());
        command.stdin(stdin).stdout(stdout).stderr(stderr);
        command.spawn().unwrap()
    }

    pub(crate) fn type_in(&self, keys: &[u8]) {
        (&self.master).write_all(keys).unwrap();
    }

    pub(crate) fn resize(&self, rows: u16, columns: u16) {
        let size = Winsize {
            ws_row: rows,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&self.master, size).unwrap();
    }

    pub(crate) fn modes(&self) -> Termios {
        tcgetattr(&self.slave).unwrap()
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.seen.lock().unwrap()).into_owned()
    }

    /// Waits until the screen shows a text; gives all of it.
    pub(crate) fn shows(&self, text: &str) -> String {
        wait_for(|| Some(self.text()).filter(|seen| seen.contains(text)))
    }
}

/// Waits until something is there.
pub(crate) fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "waited in vain");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Sends a signal to a process, or with a minus to a group.
pub(crate) fn send(signal: &str, to: &str) {
    let sent = Command::new("kill").args(["-s", signal, "--", to]).status();
    assert!(sent.unwrap().success(), "{signal} to {to}");
}

/// The state of a process as one letter: T is stopped, S asleep.
pub(crate) fn state(pid: &str) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit(") ").next()?.chars().next()
}
