//! A folder with a store, and the program that works on it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder, a store in it, and an environment with nothing else.
pub(crate) struct World {
    pub(crate) folder: TempDir,
    environment: Vec<(&'static str, String)>,
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
            environment: Vec::new(),
        }
    }

    pub(crate) fn set(&mut self, name: &'static str, value: &str) {
        self.environment.push((name, value.to_owned()));
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name).to_str().unwrap().to_owned()
    }

    pub(crate) fn command(&self) -> Command {
        self.program(crate::PROGRAM)
    }

    /// Another program in the same surroundings.
    pub(crate) fn program(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("HOME", self.folder.path());
        command.env("PATH", std::env::var_os("PATH").unwrap());
        command.env("HINDLORE_STORE", self.path("m.db"));
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        command.current_dir(self.folder.path());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str], stdin: &str) -> Output {
        let mut command = self.command();
        command.args(arguments).stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
        child.wait_with_output().unwrap()
    }

    /// The JSON answer of a command.
    pub(crate) fn json(&self, arguments: &[&str], stdin: &str) -> Value {
        let ran = self.run(&[arguments, &["--json"]].concat(), stdin);
        let out = String::from_utf8_lossy(&ran.stdout).into_owned();
        serde_json::from_str(&out).unwrap_or_else(|_| panic!("{arguments:?}: {ran:?}"))
    }

    /// Returns true if any file of the store holds a text.
    pub(crate) fn keeps(&self, text: &str) -> bool {
        holds(self.folder.path(), "m.db", text)
    }
}

/// Returns true if a file whose name begins so holds a text.
pub(crate) fn holds(folder: &Path, start: &str, text: &str) -> bool {
    let files = fs::read_dir(folder).unwrap().flatten();
    let mut ours = files.filter(|file| file.file_name().to_string_lossy().starts_with(start));
    ours.any(|file| {
        let bytes = fs::read(file.path()).unwrap();
        bytes
            .windows(text.len())
            .any(|part| part == text.as_bytes())
    })
}
