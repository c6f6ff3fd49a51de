//! Commands under the names that people type, in one table: those of the original programs, and the first guesses.
//!
//! Each is another name of a command here, not a command of its own.

use std::ffi::OsString;

use super::{SWITCHES, VALUED};

/// Words that people type, and the words of the command here.
const NAMES: &[(&str, &str)] = &[
    ("about", "--version"),
    ("api", "serve"),
    ("ask", "recall"),
    ("clean", "memory clear"),
    ("completion", "completions"),
    ("daemon", "serve"),
    ("diff", "delta log"),
    ("dump", "export"),
    ("info", "status"),
    ("load", "import"),
    ("memories", "memory list"),
    ("notes", "bullets list"),
    ("pin", "bullets pin"),
    ("repair", "doctor repair"),
    ("reset", "memory clear"),
    ("start", "serve"),
    ("tail", "memory events"),
    ("train", "learn"),
    ("verify", "doctor verify"),
    ("watch", "memory events"),
    ("web", "serve"),
    ("clear", "memory clear"),
    ("config list", "config show"),
    ("delete", "forget"),
    ("edit", "bullets edit"),
    ("find", "retrieve"),
    ("history", "delta log"),
    ("init", "install"),
    ("list", "bullets list"),
    ("log", "delta log"),
    ("ls", "bullets list"),
    ("note", "remember"),
    ("query", "retrieve"),
    ("reject", "bullets reject"),
    ("remove", "forget"),
    ("rm", "forget"),
    ("save", "remember"),
    ("search", "retrieve"),
    ("server", "serve"),
    ("settings", "config show"),
    ("setup", "install"),
    ("show", "bullets show"),
    ("stats", "status"),
    ("undo", "delta undo"),
    ("update", "bullets edit"),
    ("upgrade", "migrate apply"),
    ("memory trajectory", "trajectory"),
    ("memory playbook", "playbook"),
    ("memory reflect", "reflect"),
    ("reflect --batch", "reflection batch"),
    ("trajectory get", "trajectory show"),
    ("trajectory query", "trajectory list"),
    ("playbook get", "playbook show"),
    ("consolidate", "memory consolidate"),
    ("memory store", "add"),
    ("memory query", "retrieve"),
    ("memory search", "bullets search"),
    ("trajectory rate", "trajectory feedback"),
    ("lessons import", "import --format classic-lessons"),
];

/// Groups of commands, and the one that a group typed alone means.
const ALONE: &[(&str, &str)] = &[
    ("bullets", "list"),
    ("config", "show"),
    ("conflicts", "list"),
    ("delta", "log"),
    ("errors", "list"),
    ("key", "list"),
    ("lessons", "list"),
    ("memory", "list"),
    ("playbook", "list"),
    ("policy", "show"),
    ("reflection", "list"),
    ("runs", "list"),
    ("trajectory", "list"),
];

/// Puts the names of this program in place of those of the original programs.
pub(super) fn with_own_names(mut raw: Vec<OsString>) -> Vec<OsString> {
    let Some(at) = place_of_command(&raw) else {
        return raw;
    };
    // A name may lead to another one: `memory reflect --batch`.
    while let Some((old, new)) = NAMES.iter().find(|(old, _)| begins(&raw[at..], old)) {
        let count = old.split(' ').count();
        raw.splice(at..at + count, new.split(' ').map(OsString::from));
    }
    let rest = &raw[at + 1..];
    let is_alone = rest
        .iter()
        .all(|word| SWITCHES.iter().any(|switch| word == switch));
    let meant = ALONE
        .iter()
        .find(|(group, _)| raw[at] == *group && is_alone);
    if let Some((_, command)) = meant {
        raw.insert(at + 1, OsString::from(*command));
    }
    raw
}

fn begins(words: &[OsString], name: &str) -> bool {
    let mut words = words.iter();
    name.split(' ')
        .all(|part| words.next().is_some_and(|word| word == part))
}

/// The place of the first word that is neither an option nor the value of one.
pub(super) fn place_of_command(raw: &[OsString]) -> Option<usize> {
    let mut words = raw.iter().enumerate().skip(1);
    while let Some((at, word)) = words.next() {
        let word = word.to_str()?;
        if VALUED.contains(&word) {
            words.next();
        } else if !word.starts_with('-') {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_names_of_the_originals_lead_to_our_commands() {
        for (typed, read) in [
            ("m memory trajectory start t", "m trajectory start t"),
            ("m memory trajectory query", "m trajectory list"),
            ("m memory reflect T1", "m reflect T1"),
            ("m memory reflect --batch", "m reflection batch"),
            ("m reflect --batch --json", "m reflection batch --json"),
            (
                "m --store x memory playbook get",
                "m --store x playbook show",
            ),
            ("m consolidate --dry-run", "m memory consolidate --dry-run"),
            ("m memory consolidate", "m memory consolidate"),
            ("m memory search tea", "m bullets search tea"),
            ("m lessons", "m lessons list"),
            (
                "m --store x lessons --json",
                "m --store x lessons list --json",
            ),
            ("m lessons --help", "m lessons --help"),
            ("m lessons show x", "m lessons show x"),
            ("m lessons import f", "m import --format classic-lessons f"),
            ("m add memory reflect", "m add memory reflect"),
            ("m learn -- consolidate", "m learn -- consolidate"),
        ] {
            assert_eq!(with_own_names(words(typed)), words(read), "{typed}");
        }
    }
}
