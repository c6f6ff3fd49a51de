//! A process from its start to its end: wall time, CPU time, page faults and peak memory.
//!
//! The kernel keeps the counts of an ended process until its parent fetches its exit code, so they are read in between
//! and cost the process nothing. Only its memory is gone by then, and is looked at once a millisecond while it runs.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::{failed, median};
use crate::error::EvalError;

/// Ticks of a second in `/proc`, on every Linux.
const TICKS: f64 = 100.0;
/// Time between two looks at the memory of a process.
const LOOK: Duration = Duration::from_millis(1);

/// The costs of one process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spent {
    /// Seconds from start to end.
    pub(super) seconds: f64,
    /// Seconds of CPU, its own and the kernel's for it.
    pub(super) cpu: f64,
    /// Page faults that needed no disk.
    pub(super) faults: f64,
    /// Highest resident memory in megabytes; 0 unless it was watched.
    pub(super) peak: f64,
}

impl Spent {
    /// The median of one figure of several processes.
    pub(super) fn median(all: &[Self], figure: fn(&Self) -> f64) -> f64 {
        median(&all.iter().map(figure).collect::<Vec<_>>())
    }
}

/// Whether the memory of a process is watched, which takes a little of another core.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Memory {
    Watched,
    Unwatched,
}

/// Runs a command, which may end with 0 or with one of the codes given.
pub(super) fn run(
    command: &mut Command,
    memory: Memory,
    codes: &[i32],
) -> Result<Spent, EvalError> {
    let began = Instant::now();
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let id = child.id();
    let is_over = AtomicBool::new(false);
    let (peak, ended, complaint) = thread::scope(|scope| {
        let watcher =
            (memory == Memory::Watched).then(|| scope.spawn(|| watched_peak(id, &is_over)));
        let mut complaint = Vec::new();
        // Its stderr is closed when it ends.
        let read = child
            .stderr
            .take()
            .map(|mut stderr| stderr.read_to_end(&mut complaint));
        let counts = read
            .transpose()
            .map_err(failed)
            .and_then(|_| last_counts(id));
        let ended = counts.map(|counts| (counts, began.elapsed().as_secs_f64()));
        is_over.store(true, Ordering::Relaxed);
        let peak = watcher.and_then(|watcher| watcher.join().ok());
        (peak.unwrap_or_default(), ended, complaint)
    });
    let status = child.wait().map_err(failed)?;
    let is_expected = status.success() || status.code().is_some_and(|it| codes.contains(&it));
    if !is_expected {
        let complaint = String::from_utf8_lossy(&complaint);
        let line = complaint.lines().next().unwrap_or_default();
        return Err(failed(format!("{command:?} ended with {status}: {line}")));
    }
    let (counts, seconds) = ended?;
    Ok(Spent {
        seconds,
        cpu: at_least_half_a_tick(counts.cpu()),
        faults: counts.faults,
        peak,
    })
}

/// The counts of a process or thread at one moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    ticks: f64,
    faults: f64,
    has_ended: bool,
}

impl Counts {
    /// The counts of a process that runs, or that has ended and was not waited for.
    pub(super) fn of_process(id: u32) -> Result<Self, EvalError> {
        Self::of(&format!("/proc/{id}/stat"))
    }

    /// The counts at a path of `/proc` that ends in `stat`.
    pub(super) fn of(path: &str) -> Result<Self, EvalError> {
        let text = fs::read_to_string(path).map_err(failed)?;
        Self::read(&text).ok_or_else(|| failed(format!("`{path}` has another form")))
    }

    /// Seconds of CPU so far.
    pub(super) fn cpu(self) -> f64 {
        self.ticks / TICKS
    }

    /// Reads the line of a process: its name, in parentheses, may hold anything; the fields after it do not.
    fn read(text: &str) -> Option<Self> {
        let (_, fields) = text.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let number = |at: usize| fields.get(at)?.parse::<f64>().ok();
        Some(Self {
            ticks: number(11)? + number(12)?,
            faults: number(7)?,
            has_ended: fields.first() == Some(&"Z"),
        })
    }
}

/// Seconds of CPU between two looks, at least half of a tick: no work takes nothing.
pub(super) fn at_least_half_a_tick(cpu: f64) -> f64 {
    cpu.max(0.5 / TICKS)
}

fn last_counts(id: u32) -> Result<Counts, EvalError> {
    loop {
        let counts = Counts::of_process(id)?;
        if counts.has_ended {
            return Ok(counts);
        }
        thread::sleep(Duration::from_micros(20));
    }
}

/// Highest resident memory of a running process, in megabytes.
pub(super) fn peak(id: u32) -> Option<f64> {
    let text = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024.0 / 1e6)
}

fn watched_peak(id: u32, is_over: &AtomicBool) -> f64 {
    let mut highest = 0.0_f64;
    while !is_over.load(Ordering::Relaxed) {
        highest = highest.max(peak(id).unwrap_or_default());
        thread::sleep(LOOK);
    }
    highest
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "7 (a) b) Z 1 7 7 0 -1 4194304 380 2 0 0 150 25 0 0 20 0 1 0 9 0 0";

    #[test]
    fn counts_are_read_after_the_name() {
        let counts = Counts::read(LINE).unwrap();
        assert_eq!((counts.cpu(), counts.faults), (1.75, 380.0));
        assert!(counts.has_ended);
        assert!(Counts::read("7 (a").is_none());
        assert_eq!(at_least_half_a_tick(0.0), 0.005);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_is_counted_and_its_exit_code_is_checked() {
        let mut command = Command::new("sh");
        command.args(["-c", "read -r line < /proc/self/status; exit 3"]);
        let spent = run(&mut command, Memory::Watched, &[3]).unwrap();
        assert!(spent.cpu > 0.0 && spent.faults > 0.0 && spent.seconds > 0.0);
        let mut command = Command::new("sh");
        command.args(["-c", "echo no room >&2; exit 4"]);
        let error = run(&mut command, Memory::Unwatched, &[3]).unwrap_err();
        assert!(error.message.ends_with("no room"), "{}", error.message);
    }
}
