//! Commands printed for the user to type: quoted for the shell, with the typed store and learner.

use super::args::CommonOptions;
use hindlore_api::command_words::{option_of, words_of};
use hindlore_api::hint::{HintFormatter, worded};
use hindlore_api::problem::Problem;

/// Characters without a meaning in a shell.
const PLAIN: &str = "-_./:=@%+,";

/// A word quoted for the shell.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || PLAIN.contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Adds the typed store and learner to commands in backquotes within a hint.
pub(crate) fn complete(
    problem: Problem,
    typed: &CommonOptions,
    program: &clap::Command,
) -> Problem {
    let Some(hint) = &problem.hint else {
        return problem;
    };
    let hint = worded(hint, &Commands);
    let names: Vec<&str> = program
        .get_subcommands()
        .map(|one| one.get_name())
        .collect();
    let mut said = String::new();
    for (place, part) in hint.split('`').enumerate() {
        if place > 0 {
            said.push('`');
        }
        let is_quoted = place % 2 == 1;
        let words = part.strip_prefix("hindlore ").unwrap_or(part);
        let first = words.split_whitespace().next().unwrap_or_default();
        let is_command = is_quoted && names.contains(&first) && !words.contains("--store");
        let (own, behind) = match part.find(" -- ") {
            Some(at) => part.split_at(at),
            None => (part, ""),
        };
        said.push_str(own);
        if is_command {
            said.push_str(&flags(typed, words));
        }
        // Text after the dashes belongs to another program.
        said.push_str(behind);
    }
    problem.with_hint(said)
}

/// Words verbs as commands, and fields and the subject as options.
struct Commands;

impl HintFormatter for Commands {
    fn verb(&self, name: &str, behind: &str) -> String {
        format!("`{}{behind}`", words_of(name).join(" "))
    }

    fn field(&self, name: &str) -> String {
        option_of(name)
    }

    fn subject(&self, part: &str) -> String {
        format!("--{part}")
    }
}

/// Words verbs as whole commands, for an independent text.
#[derive(Clone, Debug)]
pub(crate) struct Spoken {
    /// Options to add, with a blank before each.
    flags: String,
}

impl Spoken {
    /// Commands without options.
    pub(crate) fn plain() -> Self {
        Self::with_flags(String::new())
    }

    /// Commands with these options.
    pub(crate) fn with_flags(flags: String) -> Self {
        Self { flags }
    }
}

impl HintFormatter for Spoken {
    fn verb(&self, name: &str, behind: &str) -> String {
        let words = words_of(name).join(" ");
        format!("`hindlore {words}{behind}{}`", self.flags)
    }

    fn field(&self, name: &str) -> String {
        option_of(name)
    }

    fn subject(&self, part: &str) -> String {
        format!("--{part}")
    }
}

/// Options to add to a printed command.
fn flags(typed: &CommonOptions, command: &str) -> String {
    // A command that lists all learners must not be restricted to the unknown one.
    let learner = if command.starts_with("memory list") {
        &None
    } else {
        &typed.learner
    };
    let named = [
        ("--store", &typed.store),
        ("--tenant", &typed.tenant),
        ("--learner", learner),
        ("--scope", &typed.scope),
    ];
    let flags = named.into_iter().filter_map(|(flag, value)| {
        let value = value.as_deref().filter(|_| !command.contains(flag))?;
        Some(format!(" {flag} {}", quoted(value)))
    });
    flags.collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Arguments, PROGRAM, command_of};
    use crate::commands::Command;

    #[test]
    fn a_word_is_quoted_where_a_shell_would_read_more_into_it() {
        for (word, text) in [
            ("demo.db", "demo.db"),
            ("neo4j://host:7687", "neo4j://host:7687"),
            ("my demo", "'my demo'"),
            ("my demo's $x.db", "'my demo'\\''s $x.db'"),
            ("", "''"),
            ("a<1>", "'a<1>'"),
        ] {
            assert_eq!(quoted(word), text);
        }
    }

    #[test]
    fn a_command_in_a_hint_carries_what_was_typed() {
        let words = [
            "hindlore",
            "--store",
            "my x.db",
            "--learner",
            "agnet",
            "digest",
        ];
        let typed = Arguments::<Command>::parse_from(words).common;
        let hint = "`hindlore doctor verify` names it; <verb:memory.list> shows all; <verb:store.health> tells; \
                    check `--learner`, `floor`, `learn --run ID -- ls /x`";
        let problem = complete(
            Problem::new("x", "y").with_hint(hint),
            &typed,
            &command_of::<Command>(PROGRAM),
        );
        assert_eq!(
            problem.hint.unwrap(),
            "`hindlore doctor verify --store 'my x.db' --learner agnet` names it; \
             `memory list --store 'my x.db'` shows all; `health --store 'my x.db' --learner agnet` tells; \
             check `--learner`, `floor`, \
             `learn --run ID --store 'my x.db' --learner agnet -- ls /x`"
        );
    }
}
