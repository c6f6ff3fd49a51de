//! The machine's own Python: a process that everyone has started, and SQLite with its full-text search.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Run;

/// Options for a Python of its own standard library: packages that hook into each start differ from machine to machine.
const ALONE: [&str; 2] = ["-I", "-S"];
/// An empty process.
pub(super) const NOTHING: &str = "python3 -I -S -c 0";
/// The full-text search of SQLite, called from Python.
pub(super) const FTS5: &str = "sqlite-fts5";

/// The interpreter.
pub(super) struct Python {
    program: PathBuf,
}

impl Python {
    /// Finds the interpreter itself: `python3` may be a script that looks for it at each call.
    pub(super) fn find() -> Result<Self, String> {
        let output = Command::new("python3")
            .args(["-c", "import sys; print(sys.executable)"])
            .stdin(Stdio::null())
            .output()
            .map_err(|_| "there is no python3 on this machine".to_owned())?;
        let program = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if !output.status.success() || program.is_empty() {
            return Err("the python3 of this machine does not run".to_owned());
        }
        let program = program.into();
        Ok(Self { program })
    }

    /// A process that starts and ends.
    pub(super) fn nothing(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(ALONE).args(["-c", "0"]).stdin(Stdio::null());
        command
    }
}

/// A full-text index in a file, each call a process.
pub(super) struct Fts5 {
    pub(super) python: Python,
    script: PathBuf,
}

impl Fts5 {
    /// The index as a peer; the reason if there is none.
    pub(super) fn find(run: &Run<'_>) -> Result<Self, String> {
        let python = Python::find()?;
        let script = run.plan.peers.script(FTS5)?;
        Ok(Self { python, script })
    }

    /// Loads a JSON list of texts into a new file.
    pub(super) fn load(&self, file: &Path, texts: &Path) -> Command {
        let mut command = self.call("load", file);
        command.arg(texts);
        command
    }

    /// Prints the ten texts of a file that answer a question best.
    pub(super) fn ask(&self, file: &Path, question: &str) -> Command {
        let mut command = self.call("ask", file);
        command.arg(question);
        command
    }

    fn call(&self, verb: &str, file: &Path) -> Command {
        let mut command = Command::new(&self.python.program);
        command.args(ALONE).arg(&self.script).arg(verb).arg(file);
        command.stdin(Stdio::null());
        command
    }
}
