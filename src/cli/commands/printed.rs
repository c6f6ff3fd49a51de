//! Every command that a text names: hints, errors, helps, and documents. A reader types them, so the real parser reads
//! them here, and an unknown command or option fails.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use hindlore_api::catalog;
use hindlore_api::command_words::{option_of, words_of};

use super::{Command, whole};
use crate::args::{PROGRAM, parse};

/// Folders and files with texts that users read.
const PLACES: &[&str] = &[
    "README.md",
    "docs",
    "src/api",
    "src/backend",
    "src/cli",
    "src/config",
    "src/engine",
    "src/server",
];

fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            files(&entry.unwrap().path(), found);
        }
    } else if path
        .extension()
        .is_some_and(|end| end == "rs" || end == "md")
    {
        found.push(path.to_owned());
    }
}

/// The text with joined lines of a literal, and with commands in place of the markers of verbs.
fn readable(text: &str, faults: &mut Vec<String>) -> String {
    let mut joined = String::with_capacity(text.len());
    for part in text.split("\\\n") {
        joined.push_str(if joined.is_empty() {
            part
        } else {
            part.trim_start()
        });
    }
    let mut out = String::with_capacity(joined.len());
    let mut rest = joined.as_str();
    while let Some((before, marked)) = rest.split_once("<verb:") {
        out.push_str(before);
        let (inner, after) = marked.split_once('>').unwrap_or((marked, ""));
        let (name, arguments) = inner.split_once(' ').unwrap_or((inner, ""));
        if catalog::find(name).is_ok() {
            out.push_str(&format!("`{} {arguments}`", words_of(name).join(" ")));
        } else if name
            .chars()
            .all(|letter| letter.is_ascii_lowercase() || letter == '.')
        {
            faults.push(format!("<verb:{inner}>"));
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The commands in a text: in backquotes, and in lines of a block that begin with the program.
fn commands(text: &str, names: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        let quoted = line.split('`').skip(1).step_by(2);
        found.extend(quoted.map(str::to_owned));
        let typed = line.trim_start().trim_start_matches("$ ");
        if typed.starts_with("hindlore ") {
            found.push(
                typed
                    .split(['#', '|', '>'])
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
            );
        }
    }
    found.retain(|command| {
        let words = command.strip_prefix("hindlore ").unwrap_or(command);
        let first = words.split_whitespace().next().unwrap_or_default();
        // `resident = false` is a setting.
        names.iter().any(|name| name == first) && !words.contains(" = ")
    });
    found
}

/// The words of a command, as a shell reads them: without redirections, pipes and the brackets of optional words.
fn shell_words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in command.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, ' ') => words.push(String::new()),
            (None, '[' | ']') => {}
            _ => words.last_mut().unwrap().push(letter),
        }
    }
    let ends = |word: &String| matches!(word.as_str(), "#" | "|" | ">" | "&" | "&&" | "<");
    let words = words.into_iter().take_while(|word| !ends(word));
    let is_word = |word: &String| !matches!(word.as_str(), "" | "…" | "..." | "\\");
    words.filter(is_word).collect()
}

/// The fault of a command: an unknown command, argument, or option.
fn fault(command: &str) -> Option<String> {
    let words = command.strip_prefix("hindlore ").unwrap_or(command);
    let words = shell_words(words).into_iter().map(Into::into);
    let raw: Vec<_> = std::iter::once("hindlore".into()).chain(words).collect();
    let error = parse::<Command>(PROGRAM, &raw).err()?;
    let is_unknown = matches!(
        error.kind(),
        ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument
    );
    let said = error.to_string();
    is_unknown.then(|| said.lines().next().unwrap_or_default().to_owned())
}

#[test]
fn every_command_in_a_text_is_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = whole();
    let names: Vec<String> = program
        .get_subcommands()
        .map(|one| one.get_name().to_owned())
        .collect();
    let mut paths = Vec::new();
    for place in PLACES {
        files(&root.join(place), &mut paths);
    }
    let (mut faults, mut read) = (Vec::new(), 0);
    for path in paths {
        let text = readable(&fs::read_to_string(&path).unwrap(), &mut faults);
        for command in commands(&text, &names) {
            read += 1;
            if let Some(fault) = fault(&command) {
                faults.push(format!("{}: `{command}`: {fault}", path.display()));
            }
        }
    }
    assert!(read > 300, "{read} commands");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_book_lists_every_command() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let chapter = fs::read_to_string(root.join("docs/book/src/commands.md")).unwrap();
    let mut missing = Vec::new();
    for command in whole().get_subcommands() {
        let name = command.get_name();
        let row = chapter
            .lines()
            .find(|line| line.starts_with(&format!("| `{name}` |")));
        let Some(row) = row else {
            missing.push(name.to_owned());
            continue;
        };
        let below = command.get_subcommands().map(clap::Command::get_name);
        let unlisted = below.filter(|below| !row.contains(&format!("`{below}`")));
        missing.extend(unlisted.map(|below| format!("{name} {below}")));
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_verb_has_a_command_of_its_words() {
    for verb in catalog::all() {
        let words = words_of(verb.name).join(" ");
        assert_eq!(fault(&words), None, "{}", verb.name);
    }
}

fn helps(command: &mut clap::Command, path: &str, found: &mut Vec<(String, String)>) {
    let help = command.render_long_help().to_string();
    found.push((path.to_owned(), help));
    for below in command.get_subcommands_mut() {
        let path = format!("{path} {}", below.get_name());
        if below
            .get_about()
            .is_none_or(|about| about.to_string().is_empty())
        {
            found.push((path.clone(), "<nothing:".to_owned()));
        }
        helps(below, &path, found);
    }
}

#[test]
fn every_help_has_a_description_and_no_marker() {
    let mut found = Vec::new();
    helps(&mut whole(), "hindlore", &mut found);
    assert!(found.len() > 100, "{} helps", found.len());
    for (path, help) in found {
        for marker in ["<verb:", "<field:", "<subject:", "<nothing:"] {
            assert!(!help.contains(marker), "{path}: {help}");
        }
    }
}

/// The long options of a command and of those below it.
fn options(command: &clap::Command, found: &mut BTreeSet<String>) {
    let own = command
        .get_arguments()
        .flat_map(|one| one.get_long_and_visible_aliases());
    found.extend(own.flatten().map(|name| format!("--{name}")));
    // A positional word is typed without its name.
    let words = command.get_arguments().filter(|one| one.is_positional());
    found.extend(words.map(|one| option_of(one.get_id().as_str())));
    for inner in command.get_subcommands() {
        options(inner, found);
    }
}

#[test]
fn every_field_in_a_hint_is_an_option() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut known = BTreeSet::new();
    options(&whole(), &mut known);
    let mut paths = Vec::new();
    for place in ["src/api", "src/engine", "src/backend"] {
        files(&root.join(place), &mut paths);
    }
    let (mut faults, mut read) = (Vec::new(), 0);
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        // Records are sent over HTTP and MCP; a command reads a file.
        let text = text.replace("<field:records>", "");
        for marked in text.split("<field:").skip(1) {
            let field = marked.split('>').next().unwrap_or_default();
            read += 1;
            if field
                .chars()
                .all(|one| one.is_ascii_lowercase() || one == '_')
                && !known.contains(&option_of(field))
            {
                faults.push(format!("{}: {field}", path.display()));
            }
        }
    }
    assert!(read > 20 && faults.is_empty(), "{read} fields; {faults:#?}");
}
