//! Explains unknown words and options by their probable meaning, never by mere likeness of spelling.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::originals;
use hindlore_api::problem::Problem;

/// Words that people try, each with the right command.
const MEANT: &[(&str, &str)] = &[
    (
        "store",
        "`hindlore add TEXT` puts one text in; --store names the file of the memory",
    ),
    ("version", "`hindlore --version` prints it"),
    (
        "run",
        "`learn -- COMMAND` runs a command and learns from how it fails",
    ),
    (
        "exec",
        "`learn -- COMMAND` runs a command and learns from how it fails",
    ),
    (
        "ui",
        "`analyze html FILE` writes a page about a memory; `browser` is for a Neo4j",
    ),
    (
        "dashboard",
        "`analyze html FILE` writes a page about a memory; `browser` is for a Neo4j",
    ),
    (
        "explain",
        "`bullets show ID` and `lessons explain ID` give the reasons",
    ),
    (
        "why",
        "`bullets show ID` and `lessons explain ID` give the reasons",
    ),
    (
        "fix",
        "`doctor` names what is wrong, `doctor repair` mends a memory",
    ),
    (
        "tags",
        "`bullets list` shows the tags, `retrieve --tag T` asks for one",
    ),
    (
        "login",
        "no account is needed; `key create` makes a key for a server",
    ),
    (
        "sync",
        "`import FILE --sync` keeps a file and a memory alike; `serve` shares a memory",
    ),
];

/// A better message for a usage error where clap's own would mislead.
pub(crate) fn meant(error: &clap::Error, raw: &[OsString]) -> Option<Problem> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let command = command_of(raw);
    let problem = |message: String, hint: String| {
        Some(Problem::new("invalid_usage", message).with_hint(hint))
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = text(ContextKind::InvalidSubcommand)?;
            let message = format!("there is no command `{}`", word.escape_debug());
            let (_, hint) = MEANT
                .iter()
                .find(|(tried, _)| *tried == word && command == word)?;
            problem(message, (*hint).to_owned())
        }
        ErrorKind::UnknownArgument if command == "learn" => {
            let word = text(ContextKind::InvalidArg)?;
            let message = format!("`{}` is no option of `learn`", word.escape_debug());
            problem(
                message,
                "put the command after `--`: `learn --run ID -- COMMAND`".to_owned(),
            )
        }
        ErrorKind::UnknownArgument if takes_words(command) => {
            let word = text(ContextKind::InvalidArg)?;
            let message = format!("there is no option `{}`", word.escape_debug());
            problem(
                message,
                "words after `--` are text, also those that begin with a dash".to_owned(),
            )
        }
        ErrorKind::MissingSubcommand if command.is_empty() => problem(
            "no command was named".to_owned(),
            "`hindlore demo` shows what this is for, `hindlore --help` lists the commands"
                .to_owned(),
        ),
        _ => None,
    }
}

/// Heading of the options of every command in a help.
const COMMON: &str = "Options of every command:";

/// The help of a command without the options of every command; that of the program has them.
pub(crate) fn without_common_options(help: &str, raw: &[OsString]) -> String {
    let of_program = match command_of(raw) {
        "" => true,
        "help" => raw.last().is_some_and(|word| word == "help"),
        _ => false,
    };
    if of_program {
        return help.to_owned();
    }
    let mut shown = String::new();
    let mut is_common = false;
    for line in help.lines() {
        if line.contains(COMMON) {
            is_common = true;
        } else if is_common && !line.is_empty() && !line.starts_with(' ') {
            is_common = false;
        }
        if !is_common {
            shown.push_str(line);
            shown.push('\n');
        }
    }
    let shown = shown.trim_end();
    format!("{shown}\n\nCommon options: `hindlore --help`, such as --store\n")
}

/// The first word that is neither an option nor the value of one.
fn command_of(raw: &[OsString]) -> &str {
    let at = originals::place_of_command(raw);
    at.and_then(|at| raw[at].to_str()).unwrap_or_default()
}

/// True if a command takes free text.
fn takes_words(command: &str) -> bool {
    matches!(
        command,
        "retrieve" | "remember" | "recall" | "forget" | "bullets" | "lessons" | "analyze"
    )
}

/// Joins `--prompt` and a following form into one argument: the form is optional, and the next word may be
/// the query. A query that begins with such a word goes after `--`.
pub(crate) fn with_prompt_form(raw: &[OsString]) -> Vec<OsString> {
    let is_form = |word: &OsString| {
        ["numbered", "playbook", "context"]
            .iter()
            .any(|form| word == form)
    };
    let mut joined: Vec<OsString> = Vec::with_capacity(raw.len());
    let mut words = raw.iter().peekable();
    let mut is_text = command_of(raw) != "retrieve";
    while let Some(word) = words.next() {
        is_text |= word == "--";
        match words.next_if(|next| !is_text && word == "--prompt" && is_form(next)) {
            Some(form) => {
                let mut both = word.clone();
                both.push("=");
                both.push(form);
                joined.push(both);
            }
            None => joined.push(word.clone()),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn a_form_behind_prompt_belongs_to_it() {
        for (typed, read) in [
            (
                "m retrieve --prompt playbook q",
                "m retrieve --prompt=playbook q",
            ),
            (
                "m --store x retrieve --prompt q",
                "m --store x retrieve --prompt q",
            ),
            (
                "m retrieve --prompt -- context q",
                "m retrieve --prompt -- context q",
            ),
            (
                "m retrieve -- --prompt context",
                "m retrieve -- --prompt context",
            ),
            (
                "m bullets search --prompt context",
                "m bullets search --prompt context",
            ),
        ] {
            assert_eq!(with_prompt_form(&words(typed)), words(read));
        }
    }

    #[test]
    fn the_command_is_the_first_word_that_is_no_option() {
        for (typed, command) in [
            ("m --store list search", "search"),
            ("m -v learn x", "learn"),
            ("m --json", ""),
        ] {
            assert_eq!(command_of(&words(typed)), command);
        }
    }
}
