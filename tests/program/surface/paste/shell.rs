//! One shell on a terminal of 80 columns, in a folder that looks like a fresh clone.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::block::Block;

/// The separator between the answers of two blocks; no program prints it.
const END: &str = "\u{1}end of block";

/// A shell in a folder of its own.
pub(crate) struct Shell {
    folder: TempDir,
    environment: Vec<(String, String)>,
}

/// The answer of a block.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) code: i32,
    pub(crate) text: String,
}

impl Shell {
    /// A shell that finds the program of this build where an installation would have put it.
    pub(crate) fn new() -> Self {
        let shell = Self::bare();
        let installed = shell.home().join(".cargo/bin");
        fs::create_dir_all(&installed).unwrap();
        symlink(crate::PROGRAM, installed.join("hindlore")).unwrap();
        shell
    }

    /// A shell with the toolchain that runs these tests, and nothing installed.
    pub(crate) fn with_toolchain() -> Self {
        let mut shell = Self::bare();
        let home = PathBuf::from(env::var_os("HOME").unwrap());
        for (name, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            let path = env::var_os(name).map_or_else(|| home.join(folder), PathBuf::from);
            shell.set(name, path.to_str().unwrap());
        }
        let root = shell.home().join(".cargo");
        shell.set("CARGO_INSTALL_ROOT", root.to_str().unwrap());
        let own = env::var("PATH").unwrap();
        shell.set("PATH", &format!("{}/bin:{own}", root.display()));
        shell
    }

    fn bare() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clone = folder.path().join("hindlore");
        fs::create_dir_all(&clone).unwrap();
        for entry in fs::read_dir(crate::ROOT).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap();
            if name != ".git" {
                symlink(&path, clone.join(name)).unwrap();
            }
        }
        let home = folder.path().join("home");
        fs::create_dir_all(&home).unwrap();
        let path = format!("{}/.cargo/bin:/usr/local/bin:/usr/bin:/bin", home.display());
        let mut shell = Self {
            folder,
            environment: Vec::new(),
        };
        shell.set("HOME", home.to_str().unwrap());
        shell.set("PATH", &path);
        for (name, value) in [
            ("NO_COLOR", "1"),
            ("TERM", "dumb"),
            ("LC_ALL", "C.UTF-8"),
            ("SHELL", "/bin/bash"),
        ] {
            shell.set(name, value);
        }
        shell
    }

    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.environment.retain(|(known, _)| known != name);
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn clone_folder(&self) -> PathBuf {
        self.folder.path().join("hindlore")
    }

    /// Pastes blocks one after the other into one session; returns their answers.
    pub(crate) fn paste(&self, blocks: &[Block]) -> Vec<Told> {
        let scripts = self.folder.path().join("blocks");
        fs::create_dir_all(&scripts).unwrap();
        let mut session = String::from("stty cols 80 rows 40 -echo -opost\n");
        for (at, block) in blocks.iter().enumerate() {
            let script = scripts.join(at.to_string());
            fs::write(&script, format!("{}\n", block.commands)).unwrap();
            session.push_str(&format!(
                ". {}\nprintf '%s %d\\n' '{END}' $?\n",
                script.display()
            ));
        }
        let whole = scripts.join("session");
        fs::write(&whole, session).unwrap();
        let said = self.on_a_terminal(&whole);
        let answers: Vec<Told> = told(&said);
        assert_eq!(
            answers.len(),
            blocks.len(),
            "the session broke off:\n{said}"
        );
        answers
    }

    /// The output of a script on a terminal, which `script` of util-linux lends it.
    fn on_a_terminal(&self, script: &Path) -> String {
        let mut command = Command::new("script");
        command.args([
            "-qec",
            &format!("bash --norc {}", script.display()),
            "/dev/null",
        ]);
        command.env_clear().envs(self.environment.iter().cloned());
        command
            .current_dir(self.clone_folder())
            .stdin(Stdio::null());
        // `script` is part of util-linux, which every Debian has.
        let output = command.output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }
}

/// Cuts a session into the answers of its blocks.
fn told(said: &str) -> Vec<Told> {
    let mut answers = Vec::new();
    let mut text = String::new();
    for line in said.lines() {
        let line = line.trim_end_matches('\r');
        match line.split_once(END) {
            Some((rest, code)) => {
                text.push_str(rest);
                let code = code.trim().parse().unwrap();
                answers.push(Told {
                    code,
                    text: std::mem::take(&mut text),
                });
            }
            None => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    answers
}
