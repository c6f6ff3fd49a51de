//! Runs a command on a system without Unix signals and terminals: its stdin and stdout are ours, its stderr
//! passes through and is kept in part.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write, stderr};
use std::process::{Command, Stdio};

use super::kept::Kept;
use super::{End, Look};

/// Runs a command; returns its end and its complaint.
pub(super) fn run(
    program: &OsStr,
    arguments: &[OsString],
    look: Look,
) -> io::Result<(End, String)> {
    let mut command = Command::new(program);
    command.args(arguments);
    if look == Look::Watch {
        command.stderr(Stdio::piped());
    }
    let mut child = command.spawn()?;
    let mut kept = Kept::complaints();
    if let Some(mut from) = child.stderr.take() {
        let mut buffer = vec![0; 64 << 10];
        while let Ok(read @ 1..) = from.read(&mut buffer) {
            // The command continues even if nothing reads its complaints.
            let _ = stderr().write_all(&buffer[..read]);
            kept.take(&buffer[..read]);
        }
    }
    let code = child
        .wait()?
        .code()
        .and_then(|code| u8::try_from(code).ok());
    Ok((End::Code(code.unwrap_or(1)), kept.text()))
}
