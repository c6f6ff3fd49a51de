//! Explains unknown words and options by their probable meaning, never by mere likeness of spelling.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use hindlore_api::problem::Problem;

/// Words that people try, each with the right command.
const MEANT: &[(&str, &str)] = &[
    (
        "search",
        "`retrieve QUERY` ranks bullets by use; `bullets search WORDS` looks for words",
    ),
    (
        "find",
        "`retrieve QUERY` ranks bullets by use; `bullets search WORDS` looks for words",
    ),
    (
        "query",
        "`retrieve QUERY` ranks bullets by use; `bullets search WORDS` looks for words",
    ),
    (
        "list",
        "`bullets list`, `lessons list`, `runs list`, `errors list` or `memory list`",
    ),
    ("ls", "`bullets list`, `lessons list` or `memory list`"),
    (
        "show",
        "`bullets show ID`, `lessons show ID`, `runs show ID` or `config show`",
    ),
    (
        "store",
        "`hindlore add TEXT` puts one text in; --store names the file of the memory",
    ),
    ("edit", "`bullets edit ID TEXT` changes a bullet"),
    ("update", "`bullets edit ID TEXT` changes a bullet"),
    (
        "remove",
        "`bullets remove ID` archives a bullet, `bullets reject ID --reason R` keeps its text from coming back",
    ),
    (
        "rm",
        "`bullets remove ID` archives a bullet, `bullets reject ID --reason R` keeps its text from coming back",
    ),
    (
        "delete",
        "`bullets remove ID` archives a bullet, `bullets reject ID --reason R` keeps its text from coming back",
    ),
    ("clear", "`memory clear` archives all bullets of a memory"),
    (
        "undo",
        "`delta undo ID` takes a delta back; `delta log` shows the ids",
    ),
    (
        "log",
        "`delta log` lists the changes; `-v` shows what a command does",
    ),
    ("history", "`delta log` lists the changes of a memory"),
    (
        "status",
        "`doctor` checks the store; `digest` tells where a memory stands; `migrate status` its schema",
    ),
    (
        "stats",
        "`analyze` has the figures of a memory; `health` those of the lessons",
    ),
    (
        "init",
        "nothing need be made: the first write makes the store",
    ),
    ("server", "`hindlore serve` serves the memory over HTTP"),
    (
        "settings",
        "`config show` lists the settings and who set them",
    ),
    ("version", "`hindlore --version` tells it"),
    (
        "run",
        "`learn -- COMMAND` runs a command and learns from how it fails",
    ),
    (
        "exec",
        "`learn -- COMMAND` runs a command and learns from how it fails",
    ),
    (
        "backup",
        "`export` writes a memory to a file; the whole store is one file that can be copied",
    ),
    (
        "restore",
        "`import --format hindlore FILE` brings an export back",
    ),
    ("upgrade", "`migrate apply` brings a store up to date"),
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
            if word == "help" {
                let behind = raw.iter().skip_while(|it| *it != "help").skip(1);
                let rest: Vec<String> = behind
                    .map(|it| it.to_string_lossy().into_owned())
                    .filter(|it| !it.starts_with('-'))
                    .collect();
                let blank = if rest.is_empty() { "" } else { " " };
                return problem(
                    message,
                    format!("`hindlore {}{blank}--help` does that", rest.join(" ")),
                );
            }
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

/// The first word that is neither an option nor the value of one.
fn command_of(raw: &[OsString]) -> &str {
    let with_value = [
        "--store",
        "--tenant",
        "--learner",
        "--scope",
        "--author",
        "--color",
    ];
    let mut words = raw.iter().skip(1).filter_map(|word| word.to_str());
    while let Some(word) = words.next() {
        if with_value.contains(&word) {
            words.next();
        } else if !word.starts_with('-') {
            return word;
        }
    }
    ""
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
