//! A command as a child process: stdin and stdout are those of this one, stderr passes through and is kept in part.
//!
//! The beginning and the end of stderr are kept, since tools name the cause first or last; the middle is counted.
//! Signals that a terminal sends reach the child by themselves, those sent to this process are passed on; this
//! process waits, so that it can tell how the child ended.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{ErrorKind, Read, Write, stderr};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Bytes of the beginning of stderr that are kept.
const HEAD_MAX: usize = 32 << 10;
/// Bytes of its end that are kept.
const TAIL_MAX: usize = 96 << 10;
/// How long stderr is waited for after the command has ended: what it left running may hold it open.
const DRAIN: Duration = Duration::from_secs(1);
/// Exit code for a command that is not found.
const NOT_FOUND: u8 = 127;
/// Exit code for a command that cannot be started.
const NOT_STARTED: u8 = 126;
/// Added to the number of the signal that killed a command.
const KILLED: i32 = 128;

/// How a command ended.
pub(super) struct Ended {
    status: Option<ExitStatus>,
    code: u8,
    said: Said,
    /// Why it did not start.
    pub(super) not_started: Option<String>,
}

/// What is kept of stderr.
#[derive(Clone, Debug, Default)]
struct Said {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: u64,
}

/// Runs a command to its end.
pub(super) async fn run(command: &[OsString]) -> Ended {
    let Some((program, arguments)) = command.split_first() else {
        return Ended::not_started(NOT_STARTED, "no command was named".to_owned());
    };
    // Listened for before there is a child, or an early signal would end this process alone.
    let signals = Signals::listen();
    let mut spawning = Command::new(program);
    spawning.args(arguments).stderr(Stdio::piped());
    let child = match spawning.spawn() {
        Ok(child) => child,
        Err(error) => {
            let code = match error.kind() {
                ErrorKind::NotFound => NOT_FOUND,
                _ => NOT_STARTED,
            };
            let name = program.to_string_lossy();
            let why = format!("`{}` cannot be started: {error}", name.escape_debug());
            return Ended::not_started(code, why);
        }
    };
    let passing = tokio::spawn(signals.pass_on(child.id()));
    let waited = tokio::task::spawn_blocking(move || wait(child)).await;
    passing.abort();
    waited.unwrap_or_else(|_| {
        Ended::not_started(
            NOT_STARTED,
            "the command could not be waited for".to_owned(),
        )
    })
}

/// The signals that would end this process. Once listened for they do not end it any more.
#[cfg(unix)]
struct Signals(Option<[tokio::signal::unix::Signal; 3]>);

#[cfg(unix)]
impl Signals {
    fn listen() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [
            SignalKind::interrupt(),
            SignalKind::terminate(),
            SignalKind::hangup(),
        ];
        let [Ok(interrupt), Ok(end), Ok(hang_up)] = kinds.map(signal) else {
            return Self(None);
        };
        Self(Some([interrupt, end, hang_up]))
    }

    /// Passes a request to end on to the child; an interrupt reaches it from the terminal by itself.
    async fn pass_on(self, child: u32) {
        let Some([mut interrupt, mut end, mut hang_up]) = self.0 else {
            return;
        };
        loop {
            let name = tokio::select! {
                _ = interrupt.recv() => continue,
                _ = end.recv() => "TERM",
                _ = hang_up.recv() => "HUP",
            };
            // The standard library has no way to send these.
            let _ = Command::new("kill")
                .args(["-s", name, &child.to_string()])
                .stdin(Stdio::null())
                .status();
        }
    }
}

/// An interrupt, which a console sends to the child as well.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> Self {
        Self
    }

    async fn pass_on(self, _: u32) {
        while tokio::signal::ctrl_c().await.is_ok() {}
    }
}

fn wait(mut child: Child) -> Ended {
    let said: Arc<Mutex<Said>> = Arc::default();
    let drained = child.stderr.take().map(|source| pump(source, said.clone()));
    let status = child.wait();
    if let Some(drained) = drained {
        // An end of the channel is the end of stderr.
        let _ = drained.recv_timeout(DRAIN);
    }
    let said = said.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match status {
        Ok(status) => Ended {
            code: code_of(status),
            status: Some(status),
            said,
            not_started: None,
        },
        Err(error) => Ended::not_started(NOT_STARTED, format!("it cannot be waited for: {error}")),
    }
}

/// Copies stderr through, unchanged and at once, and keeps its ends.
fn pump(mut source: ChildStderr, said: Arc<Mutex<Said>>) -> Receiver<()> {
    let (ended, drained) = channel();
    thread::spawn(move || {
        let _ended = ended;
        let mut buffer = [0; 8 << 10];
        let mut out = stderr();
        loop {
            let read = match source.read(&mut buffer) {
                Ok(0) => return,
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => return,
            };
            // The command goes on when nobody reads its complaints.
            let _ = out.write_all(&buffer[..read]).and_then(|()| out.flush());
            let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
            said.take(&buffer[..read]);
        }
    });
    drained
}

impl Said {
    fn take(&mut self, bytes: &[u8]) {
        let room = HEAD_MAX.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        self.tail.extend(&bytes[room..]);
        let beyond = self.tail.len().saturating_sub(TAIL_MAX);
        self.tail.drain(..beyond);
        self.left_out += beyond as u64;
    }

    /// The text, without what only colours it.
    fn text(&self) -> String {
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        let gap = match self.left_out {
            0 => String::new(),
            bytes => format!("\n[{bytes} bytes left out]\n"),
        };
        let bytes = [&self.head, gap.as_bytes(), &tail].concat();
        let text = String::from_utf8_lossy(&bytes);
        let plain = anstream::adapter::strip_str(&text).to_string();
        plain.trim().to_owned()
    }
}

impl Ended {
    fn not_started(code: u8, why: String) -> Self {
        Self {
            status: None,
            code,
            said: Said::default(),
            not_started: Some(why),
        }
    }

    /// The exit code that a shell would give.
    pub(super) fn exit_code(&self) -> u8 {
        self.code
    }

    /// It did not end well.
    pub(super) fn failed(&self) -> bool {
        self.code != 0
    }

    /// What it complained about.
    pub(super) fn error(&self) -> String {
        match &self.not_started {
            Some(why) => why.clone(),
            None => self.said.text(),
        }
    }

    /// Why it counts as failed; empty for one that worked.
    pub(super) fn reason(&self) -> String {
        if !self.failed() {
            return String::new();
        }
        match self.status.and_then(signal_of) {
            Some(signal) => format!("killed by signal {signal}"),
            None => format!("exit code {}", self.code),
        }
    }
}

#[cfg(unix)]
fn signal_of(status: ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt;
    status.signal()
}

#[cfg(not(unix))]
fn signal_of(_: ExitStatus) -> Option<i32> {
    None
}

fn code_of(status: ExitStatus) -> u8 {
    let code = match (status.code(), signal_of(status)) {
        (Some(code), _) => code,
        (None, Some(signal)) => KILLED + signal,
        (None, None) => i32::from(NOT_STARTED),
    };
    // Codes of other systems may be larger; that it failed must not get lost.
    u8::try_from(code).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_long_complaint_are_kept_in_bounded_room() {
        let mut said = Said::default();
        for line in 0..2_000_000_u32 {
            said.take(format!("line {line}\n").as_bytes());
        }
        assert_eq!((said.head.len(), said.tail.len()), (HEAD_MAX, TAIL_MAX));
        let text = said.text();
        assert!(text.starts_with("line 0\n") && text.ends_with("line 1999999"));
        assert!(text.contains(&format!("[{} bytes left out]", said.left_out)));
    }

    #[test]
    fn colours_and_broken_text_do_not_get_in_the_way() {
        let mut said = Said::default();
        said.take(b"\x1b[31merror\x1b[0m: no \xff\xfe\n");
        assert_eq!(said.text(), "error: no \u{FFFD}\u{FFFD}");
    }
}
