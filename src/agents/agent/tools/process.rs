//! Runs a command of the shell with a text on stdin. It ends within its time, and only the beginning of its output is
//! kept, whatever the command does.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Bytes of a stream that are kept; the rest is read and dropped, so that the command does not block.
const KEPT_MAX: usize = 64 * 1024;
/// Pause between two looks at the command.
const PAUSE: Duration = Duration::from_millis(5);
/// How long output is waited for after the end, when a child of the command keeps the stream open.
const TAIL: Duration = Duration::from_millis(300);

/// A command for the shell of the system.
pub fn shell(command: &str) -> Command {
    let (shell, flag) = if cfg!(windows) {
        ("cmd", "/C")
    } else {
        ("sh", "-c")
    };
    let mut made = Command::new(shell);
    made.args([flag, command]);
    made
}

/// Runs a command to its end; returns its stdout.
///
/// # Errors
/// Its stderr with its exit status, or why it did not run to its end, in words.
pub(super) fn run(command: &str, input: String, limit: Duration) -> Result<String, String> {
    let mut child = shell(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("the command cannot be started: {error}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        // On a thread, because a command that never reads would block this one; it may also end without reading.
        thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    }
    let (out, err) = (Kept::of(child.stdout.take()), Kept::of(child.stderr.take()));
    let until = Instant::now() + limit;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < until => thread::sleep(PAUSE),
            Ok(None) | Err(_) => {
                // It may have ended meanwhile.
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("the command did not end within {limit:?}"));
            }
        }
    };
    let out = out.text();
    if status.success() {
        return Ok(out.trim_end().to_owned());
    }
    let err = err.text();
    let reason = if err.trim().is_empty() { out } else { err };
    Err(format!("{status}: {}", reason.trim()))
}

/// The beginning of a stream, read on a thread of its own.
struct Kept {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
}

impl Kept {
    fn of(stream: Option<impl Read + Send + 'static>) -> Self {
        let bytes: Arc<Mutex<Vec<u8>>> = Arc::default();
        let kept = bytes.clone();
        let reader = stream.map(|mut stream| {
            thread::spawn(move || {
                let mut part = [0; 8 * 1024];
                while let Ok(count @ 1..) = stream.read(&mut part) {
                    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                    let room = KEPT_MAX.saturating_sub(kept.len()).min(count);
                    kept.extend_from_slice(&part[..room]);
                }
            })
        });
        Self { bytes, reader }
    }

    fn text(self) -> String {
        let until = Instant::now() + TAIL;
        let is_open = |reader: &JoinHandle<()>| !reader.is_finished();
        while self.reader.as_ref().is_some_and(is_open) && Instant::now() < until {
            thread::sleep(PAUSE);
        }
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
