//! A command line that a resident process may answer: finds it, hands the call over, and leaves one behind for the next.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, IsTerminal, Read, Write};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use super::place;
use super::wire::{self, Call, Ended};
use crate::config::{PlaceKind, Settings, kind_of_place, names_a_place};

/// Commands that are handed over: those that agents call again and again, and that need a loaded memory.
const COMMANDS: [&[&str]; 3] = [&["hook"], &["retrieve"], &["lessons", "retrieve"]];
/// Options of every command that are followed by a value.
const VALUED: [&str; 7] = [
    "--store",
    "--tenant",
    "--learner",
    "--scope",
    "--author",
    "--as",
    "--color",
];
/// Variables that make a process log, which it does on its own.
const LOGS: &str = "MNEMOGRAPH_LOG";
/// A hook gives up after its own limit; this only ends a wait for a process that hangs.
const HOOK_WAIT: Duration = Duration::from_secs(61);

/// A command line that may be handed over.
pub(in crate::cli) struct Asked {
    words: Vec<String>,
    environment: Vec<(OsString, OsString)>,
    socket: PathBuf,
    is_hook: bool,
}

/// What became of a call.
pub(in crate::cli) enum Handed {
    /// It was answered.
    Answered(ExitCode),
    /// The caller does it on its own, with what was read from stdin.
    NotAnswered(Option<String>),
}

impl Asked {
    /// Reads a command line; absent if it works on its own in any case.
    pub(in crate::cli) fn read(
        raw: &[OsString],
        environment: &[(OsString, OsString)],
    ) -> Option<Self> {
        let words: Option<Vec<String>> = raw
            .iter()
            .map(|word| word.to_str().map(str::to_owned))
            .collect();
        let words = words?;
        let command = command_of(&words[1..]);
        let is_known = COMMANDS.iter().any(|known| command.starts_with(known));
        let is_off = |(name, value): &(OsString, OsString)| {
            let (variable, text) = (name.to_string_lossy(), value.to_string_lossy());
            (name == LOGS && !value.is_empty())
                || (name == "MNEMOGRAPH_RESIDENT" && is_no(value))
                || (!value.is_empty() && names_a_place(&variable) && is_relative(&text))
        };
        if !is_known || environment.iter().any(is_off) || !is_for_programs(&words) {
            return None;
        }
        Some(Self {
            is_hook: command.first() == Some(&"hook"),
            socket: place::socket(environment)?,
            environment: environment.to_vec(),
            words,
        })
    }

    /// Hands the call to a resident process, if there is one.
    pub(in crate::cli) fn hand_over(&self) -> Handed {
        if !place::is_ours(&self.socket) {
            return Handed::NotAnswered(None);
        }
        let Ok(stream) = UnixStream::connect(&self.socket) else {
            return Handed::NotAnswered(None);
        };
        let mut stdin = None;
        if self.is_hook {
            let mut text = String::new();
            // What is no text is refused by the command itself, which reads the rest.
            let read = io::stdin().lock().read_to_string(&mut text);
            stdin = read.is_ok().then_some(text);
        }
        match self.ask(stream, stdin.as_deref()) {
            Ok(Some(code)) => Handed::Answered(ExitCode::from(code)),
            // A process that ended in the middle may have recorded the call; asked again, it counts again.
            Ok(None) | Err(_) => Handed::NotAnswered(stdin),
        }
    }

    fn ask(&self, mut stream: UnixStream, stdin: Option<&str>) -> io::Result<Option<u8>> {
        if self.is_hook {
            stream.set_read_timeout(Some(HOOK_WAIT))?;
        }
        let call = Call {
            words: self.words.clone(),
            stdin: stdin.map(str::to_owned),
        };
        wire::write(&mut stream, &serde_json::to_vec(&call)?)?;
        match serde_json::from_slice(&wire::read(&mut stream)?)? {
            Ended::Declined => Ok(None),
            Ended::Exit(code) => {
                let (out, err) = (wire::read(&mut stream)?, wire::read(&mut stream)?);
                // A reader who closed the pipe has seen enough.
                let mut stdout = io::stdout().lock();
                let _ = stdout.write_all(&out).and_then(|()| stdout.flush());
                let _ = io::stderr().write_all(&err);
                Ok(Some(code))
            }
        }
    }

    /// Starts a process for the next call, if the store is a large file and nobody forbade it.
    pub(in crate::cli) fn leave_one(self) {
        let Ok(mut settings) = Settings::read(self.environment) else {
            return;
        };
        if let Some(store) = stores(&self.words).next() {
            settings.set_flag("store", "--store", store.into());
        }
        let (Some(store), true) = (settings.text("store"), settings.switch("resident")) else {
            return;
        };
        let least = settings.whole("resident.above_bytes").unwrap_or(u64::MAX);
        let is_large = kind_of_place(store) == PlaceKind::File
            && fs::metadata(store).is_ok_and(|file| file.len() >= least);
        if is_large {
            // The next call tries again if it did not start.
            let _ = start(&self.socket);
        }
    }
}

/// Starts a resident process that outlives this one and holds none of its streams.
fn start(socket: &Path) -> io::Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args([
        OsStr::new("resident"),
        OsStr::new("--serve"),
        socket.as_os_str(),
    ]);
    command.current_dir("/").process_group(0);
    let streams = command.stdin(Stdio::null()).stdout(Stdio::null());
    streams.stderr(Stdio::null()).spawn().map(drop)
}

/// The words that are no options: those of the command first.
fn command_of(words: &[String]) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if VALUED.contains(&word.as_str()) {
            rest.next();
        } else if !word.starts_with('-') {
            found.push(word.as_str());
        }
    }
    found
}

/// True if the answer goes to a program and depends neither on this process's folder nor on its stdin.
fn is_for_programs(words: &[String]) -> bool {
    let is_of_this_process = |word: &String| {
        word == "-"
            || word == "--help"
            || word == "--verbose"
            || (word.starts_with('-') && !word.starts_with("--") && word.contains(['v', 'h']))
    };
    !words.iter().any(is_of_this_process)
        && !stores(words).any(is_relative)
        && !io::stdout().is_terminal()
}

/// The stores that a command line names.
fn stores(words: &[String]) -> impl Iterator<Item = &str> {
    let apart = words.iter().zip(words.iter().skip(1));
    let apart = apart.filter(|(word, _)| *word == "--store");
    let joined = words
        .iter()
        .filter_map(|word| word.strip_prefix("--store="));
    apart.map(|(_, place)| place.as_str()).chain(joined)
}

/// True for a file named from the folder of this process, which a resident process does not share.
fn is_relative(place: &str) -> bool {
    kind_of_place(place) == PlaceKind::File && !Path::new(place).is_absolute()
}

fn is_no(value: &OsStr) -> bool {
    let no = value.to_string_lossy().trim().to_ascii_lowercase();
    ["0", "false", "no", "off"].contains(&no.as_str())
}
