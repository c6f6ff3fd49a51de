//! A user with a machine of their own: a folder, a store, an empty environment, and the real program.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with a store, and the program that works on it.
pub(crate) struct World {
    folder: TempDir,
    environment: Vec<(String, String)>,
}

/// How a run of the program ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            environment: Vec::new(),
        }
    }

    /// A world whose memory has three bullets, applied as the delta `d1`.
    pub(crate) fn seeded() -> Self {
        let world = Self::new();
        world.apply(&json!({"id": "d1", "operations": [
            {"op": "ADD", "content": "prime the pump before you start the engine", "tags": ["pump"]},
            {"op": "ADD", "content": "close the valve after every run", "section": "SHUTDOWN"},
            {"op": "ADD", "content": "fractions need a shared denominator", "topic": "arithmetic"},
        ]}));
        world
    }

    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file and gives its path as an argument.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    pub(crate) fn store(&self) -> String {
        self.path("memory.db").to_str().unwrap().to_owned()
    }

    /// The program with the world's store and environment.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(crate::PROGRAM);
        command.env_clear().env("HOME", self.folder.path());
        command.env("HINDLORE_STORE", self.store());
        // A pager on a terminal waits for a key.
        command.env("PAGER", "cat");
        command.envs(self.environment.iter().cloned());
        command.current_dir(self.folder.path());
        command
    }

    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Ran {
        let mut command = self.command();
        let output = command.args(arguments).stdin(Stdio::null()).output();
        Ran::of(output.unwrap())
    }

    pub(crate) fn run_with<S: AsRef<OsStr>>(
        &self,
        arguments: &[S],
        stdin: impl AsRef<[u8]>,
    ) -> Ran {
        self.feed(self.command().args(arguments), stdin.as_ref())
    }

    /// Runs a command that reads `stdin`.
    pub(crate) fn feed(&self, command: &mut Command, stdin: &[u8]) -> Ran {
        command.stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that has seen enough may close its end early.
        let _ = child.stdin.take().unwrap().write_all(stdin);
        Ran::of(child.wait_with_output().unwrap())
    }

    /// The JSON answer of a command that must succeed; `words` are split at blanks.
    pub(crate) fn json(&self, words: &str) -> Value {
        let mut arguments: Vec<&str> = words.split(' ').collect();
        arguments.push("--json");
        let ran = self.run(&arguments);
        assert_eq!(ran.code, 0, "{words}: {ran:?}");
        ran.document()
    }

    /// Applies a delta that must be accepted.
    pub(crate) fn apply(&self, delta: &Value) -> Value {
        self.apply_to(delta, &[])
    }

    pub(crate) fn apply_to(&self, delta: &Value, options: &[&str]) -> Value {
        let arguments = [&["delta", "apply", "-", "--json"], options].concat();
        let ran = self.run_with(&arguments, delta.to_string());
        assert_eq!(ran.code, 0, "{ran:?}");
        ran.document()
    }

    pub(crate) fn digest(&self) -> Value {
        self.json("digest")
    }

    /// Runs a command in JSON mode that must be refused with `code`, and leave the memory as it is.
    pub(crate) fn refused<S: AsRef<OsStr>>(
        &self,
        arguments: &[S],
        stdin: &[u8],
        code: &str,
    ) -> String {
        let before = self.digest();
        let mut all: Vec<&OsStr> = arguments.iter().map(AsRef::as_ref).collect();
        all.push(OsStr::new("--json"));
        let ran = self.run_with(&all, stdin);
        let message = ran.problem(code);
        assert_eq!(self.digest(), before, "{all:?}");
        message
    }
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The one JSON document on stdout.
    pub(crate) fn document(&self) -> Value {
        assert_eq!(self.out.lines().count(), 1, "{self:?}");
        serde_json::from_str(&self.out).unwrap()
    }

    /// Message and hint of the problem that the run ended with.
    pub(crate) fn problem(&self, code: &str) -> String {
        assert_eq!((self.code, self.out.as_str()), (2, ""), "{self:?}");
        let document: Value = serde_json::from_str(&self.err).unwrap();
        let error = &document["error"];
        assert_eq!(error["code"], code, "{self:?}");
        assert!(error.get("hint").is_some());
        let message = error["message"].as_str().unwrap();
        assert!(
            !message.is_empty() && (!message.ends_with('.') || message.ends_with(">...")),
            "{message}"
        );
        format!("{message} {}", error["hint"].as_str().unwrap_or_default())
    }
}

/// The texts under a field in a list of objects.
pub(crate) fn texts(list: &Value, field: &str) -> Vec<String> {
    let items = list.as_array().unwrap().iter();
    items
        .map(|item| item[field].as_str().unwrap().to_owned())
        .collect()
}

/// Demands that an object has these fields.
pub(crate) fn has_fields(object: &Value, fields: &str) {
    for field in fields.split(' ') {
        assert!(object.get(field).is_some(), "no `{field}` in {object}");
    }
}
