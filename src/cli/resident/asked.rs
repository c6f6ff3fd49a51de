//! A command line that a resident process may answer: finds the process, passes the call over, and starts one for the
//! next.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, IsTerminal};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::place;
use super::wire::{self, Call, Ended};
use crate::args::{REPOSITORY_SCOPE, VALUED};
use crate::repository::scope_of_project;
use hindlore_config::{PlaceKind, Settings, kind_of_place, names_a_place};

/// Commands that are handed over: those that agents call again and again, and that need a loaded memory.
const COMMANDS: [&[&str]; 3] = [&["hook"], &["retrieve"], &["lessons", "retrieve"]];
/// Variables that make a process log, which it does on its own.
const LOGS: &str = "HINDLORE_LOG";
/// A command line that may be handed over.
pub(crate) struct Asked {
    words: Vec<String>,
    environment: Vec<(OsString, OsString)>,
    socket: PathBuf,
}

/// The answer of a resident process.
pub(crate) struct Handed {
    pub(crate) code: u8,
    pub(crate) out: Vec<u8>,
    pub(crate) err: Vec<u8>,
}

/// The context of a call in addition to its own words.
#[derive(Default)]
pub(crate) struct Luggage {
    /// The scope of its repository.
    pub(crate) scope: Option<String>,
    /// Further words.
    pub(crate) words: Vec<String>,
    /// The text on stdin.
    pub(crate) stdin: Option<String>,
    /// How long the answer is waited for.
    pub(crate) patience: Option<Duration>,
}

impl Asked {
    /// Reads a command line; absent if it works on its own in any case.
    pub(crate) fn read(raw: &[OsString], environment: &[(OsString, OsString)]) -> Option<Self> {
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
                || (name == "HINDLORE_RESIDENT" && is_no(value))
                || (!value.is_empty() && names_a_place(&variable) && is_relative(&text))
        };
        if !is_known || environment.iter().any(is_off) || !is_for_programs(&words) {
            return None;
        }
        Some(Self {
            socket: place::socket(environment)?,
            environment: environment.to_vec(),
            words,
        })
    }

    /// The repository of this process, which the resident one does not share.
    pub(crate) fn luggage(&self) -> Luggage {
        let settings = Settings::read(self.environment.iter().cloned());
        let is_given = settings.is_ok_and(|settings| settings.is_given("scope"));
        let folders = Vec::from_iter(std::env::current_dir());
        Luggage {
            scope: (!is_given).then(|| scope_of_project(&folders)).flatten(),
            ..Luggage::default()
        }
    }

    /// Hands the call to a resident process; absent if the caller does it on its own.
    pub(crate) fn hand_over(&self, luggage: impl FnOnce() -> Luggage) -> Option<Handed> {
        if !place::is_ours(&self.socket) {
            return None;
        }
        let stream = UnixStream::connect(&self.socket).ok()?;
        // A process that ended in the middle may have recorded the call; asked again, it counts again.
        self.ask(stream, luggage()).ok().flatten()
    }

    fn ask(&self, mut stream: UnixStream, luggage: Luggage) -> io::Result<Option<Handed>> {
        stream.set_read_timeout(luggage.patience)?;
        let (program, words) = self.words.split_at(1);
        let scope = luggage
            .scope
            .map(|scope| [REPOSITORY_SCOPE.to_owned(), scope]);
        let scope = scope.as_ref().map_or(&[][..], |words| words);
        let call = Call {
            words: [program, scope, words, &luggage.words].concat(),
            stdin: luggage.stdin,
        };
        wire::write(&mut stream, &serde_json::to_vec(&call)?)?;
        match serde_json::from_slice(&wire::read(&mut stream)?)? {
            Ended::Declined => Ok(None),
            Ended::Exit(code) => Ok(Some(Handed {
                code,
                out: wire::read(&mut stream)?,
                err: wire::read(&mut stream)?,
            })),
        }
    }

    /// Starts a process for the next call, if the store is a large file and the settings allow it.
    pub(crate) fn leave_one(&self) {
        let Ok(mut settings) = Settings::read(self.environment.iter().cloned()) else {
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
