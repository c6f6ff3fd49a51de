//! A user with a home of their own, the program, and memories of generated texts.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::json;

use super::child::{self, Memory, Spent};
use super::failed;
use crate::error::EvalError;
use crate::memory::Texts;
use crate::programs::next_to_this;

/// The program and a home.
pub(super) struct User {
    program: PathBuf,
    pub(super) home: PathBuf,
}

impl User {
    /// A user of the program given, or of the one in the folder of this program.
    pub(super) fn new(home: &Path, program: Option<&Path>) -> Result<Self, EvalError> {
        let program = match program {
            Some(program) => program.canonicalize().map_err(|error| {
                failed(format!("`{}` cannot be run: {error}", program.display()))
            })?,
            None => next_to_this("hindlore")?,
        };
        let home = home.to_owned();
        Ok(Self { program, home })
    }

    /// A call of the program as it is delivered, with nothing in its environment but a home and a store.
    pub(super) fn command(&self, store: &Path, words: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.env_clear().current_dir(&self.home);
        command.env("HOME", &self.home);
        command.env("XDG_RUNTIME_DIR", &self.home);
        command.env("HINDLORE_STORE", store);
        command.args(words).stdin(Stdio::null());
        command
    }

    /// Runs a call that is not measured.
    pub(super) fn call(&self, store: &Path, words: &[&str]) -> Result<Spent, EvalError> {
        child::run(&mut self.command(store, words), Memory::Unwatched, &[])
    }

    /// A new store whose memory has room for as many bullets as any row needs.
    pub(super) fn new_store(&self, name: &str) -> Result<PathBuf, EvalError> {
        let store = self.home.join(format!("{name}.db"));
        remove_store(&store);
        self.call(&store, &["policy", "set", "max_bullets=5000000"])?;
        Ok(store)
    }

    /// A store with a memory of this many texts, which is made once.
    pub(super) fn filled(&self, size: u64) -> Result<PathBuf, EvalError> {
        let store = self.home.join(format!("filled-{size}.db"));
        if !store.exists() {
            let texts = self.texts(size)?;
            // Named when it is whole, so that a row after one that failed meets no half of it.
            let half = self.new_store("half")?;
            self.call(&half, &["import", &texts.to_string_lossy()])?;
            fs::rename(&half, &store).map_err(failed)?;
        }
        Ok(store)
    }

    /// A copy of a filled store, to be written to.
    pub(super) fn copied(&self, size: u64, name: &str) -> Result<PathBuf, EvalError> {
        let copy = self.home.join(format!("{name}.db"));
        remove_store(&copy);
        fs::copy(self.filled(size)?, &copy).map_err(failed)?;
        Ok(copy)
    }

    /// A file with this many texts as a JSON list, which is written once.
    pub(super) fn texts(&self, size: u64) -> Result<PathBuf, EvalError> {
        let path = self.home.join(format!("texts-{size}.json"));
        if !path.exists() {
            write_texts(&path, size).map_err(failed)?;
        }
        Ok(path)
    }

    /// Ends the resident processes that calls left.
    pub(super) fn end_residents(&self, store: &Path) -> Result<(), EvalError> {
        let mut command = self.command(store, &["resident", "--stop"]);
        child::run(&mut command, Memory::Unwatched, &[1]).map(drop)
    }
}

/// Removes a store with the files that SQLite keeps next to it.
pub(super) fn remove_store(store: &Path) {
    for end in ["", "-wal", "-shm"] {
        let mut name = store.as_os_str().to_owned();
        name.push(end);
        let _ = fs::remove_file(name);
    }
}

/// The questions that the memories of this size are asked.
pub(super) fn questions(size: u64, count: usize) -> Vec<String> {
    let mut source = Texts::new(size ^ 0x5eed);
    (0..count).map(|_| source.question()).collect()
}

fn write_texts(path: &Path, size: u64) -> std::io::Result<()> {
    let mut source = Texts::new(size);
    let mut file = BufWriter::new(File::create(path)?);
    for number in 0..size {
        let sign = if number == 0 { '[' } else { ',' };
        write!(file, "{sign}\n{}", json!(source.text()))?;
    }
    file.write_all(b"]\n")?;
    file.flush()
}
