//! Files that a test makes and runs.
//!
//! Another process writes them. A file open for writing here is inherited by processes that concurrent tests start at
//! that moment, and as long as one of these holds it the file cannot be run ("text file busy").
#![cfg(unix)]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Puts a copy of the program at `path`.
pub(crate) fn copy_program(path: &Path) {
    let copied = Command::new("cp").arg(crate::PROGRAM).arg(path).status();
    assert!(copied.unwrap().success());
}

/// Writes a script that may be run to `path`.
pub(crate) fn write_script(path: &Path, text: &str) {
    let mut shell = Command::new("sh")
        .args(["-c", "cat >\"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = shell.stdin.take().unwrap();
    input.write_all(text.as_bytes()).unwrap();
    drop(input);
    assert!(shell.wait().unwrap().success());
}
