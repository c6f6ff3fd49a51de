//! The part of a command that an error blames: the program, a flag, a script, a folder or a sub-command.
//!
//! The part decides how wide a lesson is: "command not found" holds for the program wherever it is called, an unknown
//! flag for that program and that flag. The shapes of messages are one table for many tools, and a message counts only
//! if the part that it names is in the command: an output quotes many other names.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use crate::fingerprint::{bounded, without_terminal};
use crate::shell;

/// The part of a command that failed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FailingPart {
    /// The program does not exist on the machine, as written in the command.
    Program(String),
    /// The program does not know the flag.
    Flag {
        /// The name of the program without its folder.
        program: String,
        /// The flag as the command has it, without a value.
        flag: String,
    },
    /// The runner has no such script, task, target or recipe.
    Script {
        /// The name of the runner without its folder.
        program: String,
        /// The name of the script.
        script: String,
    },
    /// The folder to change to does not exist.
    Folder(String),
    /// The program has no such sub-command.
    Subcommand {
        /// The name of the program without its folder.
        program: String,
        /// The name of the sub-command.
        name: String,
    },
}

/// The kind of part that a message names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Folder,
    Flag,
    Script,
    /// The program of a command.
    Program,
    /// The program of a command, if the name is at its beginning: the message has no word for programs.
    File,
    /// A program by its place in the command, else a sub-command.
    Command,
    Subcommand,
}

/// The shapes of messages in the order in which they are tried; `{name}` is the name, in quotes or without them, and
/// `{path}` one that may hold blanks.
#[rustfmt::skip]
const SHAPES: &[(Kind, &str)] = &[
    (Kind::Folder, r"\b(?:cd|chdir|pushd|set-location)(?: ?\d+)?: (?:line \d+: )?(?:the directory )?{path}(?:: (?:no such file or directory|not a directory)| does not exist)"),
    (Kind::Folder, r"\b(?:cd|chdir|pushd): (?:no such file or directory|not a directory): {name}"),
    (Kind::Folder, r"can't cd to {name}"),
    (Kind::Folder, r"cannot find path {name} because it does not exist"),

    (Kind::Flag, r"\b(?:unknown|unrecogni[sz]ed|invalid|illegal|unexpected|unsupported|undefined|bad|no such|unknown or unexpected) (?:[\w-]+ )?(?:option|argument|flag|switch|parameter|predicate|config)(?:s|\(s\))?(?: name)?:?(?: --)? {name}"),
    (Kind::Flag, r"\bunknown shorthand flag: {name}"),
    (Kind::Flag, r"\b(?:flag|option) (?:provided but )?not (?:defined|found|recogni[sz]ed): {name}"),
    (Kind::Flag, r"\b(?:option|argument|flag|switch|parameter) {name}(?: (?:(?:is|was) )?|: is )(?:not|unknown|un?recogni[sz]ed|ambiguous|invalid|which wasn't expected|does not exist|isn't)"),
    (Kind::Flag, r"\bmatches parameter name {name}"),
    (Kind::Flag, r"{name} is not an? (?:valid|known|recogni[sz]ed) (?:option|argument|flag|switch|parameter)"),
    (Kind::Flag, r"{name}: (?:unknown|unrecogni[sz]ed|invalid|illegal) (?:option|argument|flag|switch)"),

    (Kind::Script, r"\bmissing script:? {name}"),
    (Kind::Script, r"\bscript not found:? {name}"),
    (Kind::Script, r"\b(?:find|found|know|locate) (?:an? |the )?(?:script|task|target|recipe)(?: named| called)? {name}"),
    (Kind::Script, r"\bno rule to make target {name}"),
    (Kind::Script, r"\bdon't know how to (?:make|build) (?:task |target )?{name}"),
    (Kind::Script, r"\b(?:not contain|no|unknown|no such) (?:recipe|target|task|script)s?(?: named| called| specified)?:? {name}"),
    (Kind::Script, r"\b(?:script|task|target|recipe|session)s?(?: with name| named)? {name} (?:(?:is|was|does|do|could|has|are) )?(?:not\b|undefined|unknown|missing)"),
    (Kind::Script, r"\b(?:task|target|recipe|script|session)s? not found:? {name}"),
    (Kind::Script, r"{name} is not an? (?:valid |known )?(?:task|target|recipe|script)\b"),
    (Kind::Script, r"\bno idea what {name} is"),

    (Kind::Program, r"{name}: (?:command|program|executable file) not found"),
    (Kind::Program, r"\b(?:command|program) not found: {name}"),
    (Kind::Program, r"\bfish: unknown command:? {name}"),
    (Kind::Program, r"{name} is not recogni[sz]ed as an?\b"),
    (Kind::Program, r"\bthe term {name} is not recogni[sz]ed"),
    (Kind::Program, r"\bexec(?:vp?)?(?: failed)?:? {name}:? (?:executable file not found|no such file)"),
    (Kind::Program, r"\bspawn {name} enoent"),
    (Kind::Program, r"\b(?:could not|cannot|can't|failed to|unable to) (?:execute|run) (?:the )?(?:command|program|executable):? {name}"),
    (Kind::Program, r"\benv: {name}: no such file or directory"),
    (Kind::File, r"{name}: (?:not found|no such file or directory|cannot execute)"),
    (Kind::File, r"\bno such file or directory: {name}"),
    (Kind::File, r"\bcannot find the (?:file|program|path) {name}"),

    (Kind::Command, r"\b(?:command|program) {name} (?:(?:is|was|does|could|has) )?(?:not\b|unknown|un?recogni[sz]ed|undefined)"),
    (Kind::Command, r"\b(?:could not|cannot|can't|unable to) (?:find|locate) (?:the )?(?:command|program|executable):? {name}"),
    (Kind::Subcommand, r"\b(?:unknown|unrecogni[sz]ed|invalid|not a valid|no such|undefined|unsupported|no) (?:sub-?|sub )?(?:command|operation|verb|action|lifecycle phase)(?: verb)?(?: named)?:? {name}"),
    (Kind::Subcommand, r"\bargument [^-\s]\S*: invalid choice: {name}"),
    (Kind::Subcommand, r"{name} is not an? (?:\S+ )?(?:sub-?)?command"),
    (Kind::Subcommand, r"\bsub-?command {name} (?:(?:is|was|does|could|has) )?(?:not\b|unknown|un?recogni[sz]ed|undefined)"),
    (Kind::Subcommand, r"{name}: (?:unknown|unrecogni[sz]ed|invalid) (?:sub-?)?command"),
];

/// A name in quotes, or without them up to a blank or a sign that ends it.
const NAME: &str = concat!(
    r#"(?:"([^"\n]+)"|'([^'\n]+)'|`([^`'\n]+)[`']|"#,
    r#"([^\s"'`,;()=<>\[\]{}|]*[^\s"'`,;:()=<>\[\]{}|.!?]))"#
);

/// A folder, with blanks in its name or without.
const PATH: &str = r#"["'`]?([^\n:"'`]+)["'`]?"#;

/// Runners whose scripts are their sub-commands.
const RUN_BY_NAME: &[&str] = &["bun", "composer", "pdm", "pnpm", "rye", "yarn"];
/// Programs that change the folder.
const CHANGE_FOLDER: &[&str] = &["cd", "chdir", "pushd", "set-location", "sl"];

/// Names that one shape may find in an error.
const NAMES_MAX: usize = 16;

static RULES: LazyLock<Vec<(Kind, Regex)>> = LazyLock::new(|| {
    let rule = |(kind, shape): &(Kind, &str)| {
        let source = format!(
            "(?im){}",
            shape.replace("{name}", NAME).replace("{path}", PATH)
        );
        Some((*kind, Regex::new(&source).ok()?))
    };
    SHAPES.iter().filter_map(rule).collect()
});

/// Returns the part of a command that its error blames; absent where the error names no part of the command.
pub fn failing_part(command: &str, error: &str) -> Option<FailingPart> {
    let seen = without_terminal(error);
    let read = bounded(&seen);
    let error = plain(&read);
    let calls = calls(command);
    RULES.iter().find_map(|(kind, rule)| {
        let mut found = rule.captures_iter(&error).take(NAMES_MAX);
        found.find_map(|found| {
            let name = found.iter().skip(1).flatten().next()?;
            blamed(*kind, name.as_str().trim(), &calls)
        })
    })
}

/// One command of a line, by its words without quotes.
struct Call<'c> {
    line: &'c str,
    words: Vec<&'c str>,
}

impl<'c> Call<'c> {
    fn first(&self) -> &'c str {
        self.words.first().copied().unwrap_or_default()
    }

    /// The name of the program without its folder.
    fn program(&self) -> String {
        let name = self.first().rsplit(['/', '\\']).next();
        name.unwrap_or_default().to_owned()
    }

    fn arguments(&self) -> impl Iterator<Item = &'c str> {
        self.words.iter().skip(1).copied()
    }
}

fn calls(command: &str) -> Vec<Call<'_>> {
    let words = |line| {
        let words = shell::words(line).into_iter();
        words
            .map(|word| word.trim_matches(['"', '\'', '`', '(', ')']))
            .filter(|word| !word.is_empty())
            .collect()
    };
    let lines = shell::commands(command).into_iter();
    lines
        .map(|line| Call {
            line,
            words: words(line),
        })
        .filter(|call| !call.words.is_empty())
        .collect()
}

/// The part of the commands that a name of a kind means.
fn blamed(kind: Kind, name: &str, calls: &[Call<'_>]) -> Option<FailingPart> {
    match kind {
        Kind::Folder => calls.iter().find_map(|call| folder(call, name)),
        Kind::Flag => calls.iter().find_map(|call| flag(call, name)),
        Kind::Script => calls.iter().find_map(|call| {
            let script = call.arguments().find(|word| *word == name)?;
            Some(script_of(call, script))
        }),
        Kind::Program => {
            let mut words = calls.iter().flat_map(|call| call.words.iter());
            words
                .find(|word| names_program(word, name))
                .map(|word| FailingPart::Program((*word).to_owned()))
        }
        Kind::File => first_named(name, calls),
        Kind::Command => first_named(name, calls)
            .or_else(|| calls.iter().find_map(|call| subcommand(call, name))),
        Kind::Subcommand => calls.iter().find_map(|call| subcommand(call, name)),
    }
}

/// The program that is called by a name.
fn first_named(name: &str, calls: &[Call<'_>]) -> Option<FailingPart> {
    let mut programs = calls.iter().map(Call::first);
    let program = programs.find(|word| names_program(word, name))?;
    Some(FailingPart::Program(program.to_owned()))
}

/// A shell may print the whole path of a program that the command names without it.
fn names_program(word: &str, name: &str) -> bool {
    word == name || (name.rsplit('/').next() == Some(word) && !word.is_empty())
}

fn folder(call: &Call<'_>, name: &str) -> Option<FailingPart> {
    if !CHANGE_FOLDER.contains(&call.first().to_lowercase().as_str()) {
        return None;
    }
    let word = call.arguments().find(|word| !word.starts_with('-'))?;
    // The name of a folder may hold blanks.
    let after = call.line.split_once(call.first())?.1;
    let rest = after.trim_matches(|c: char| c.is_whitespace() || "\"'`()".contains(c));
    let is_named = |place: &&str| {
        // The shell prints the folder of the user in full.
        let below_home = place.strip_prefix('~').filter(|path| path.starts_with('/'));
        *place == name || below_home.is_some_and(|path| name.ends_with(path))
    };
    let place = [word, rest].into_iter().find(is_named)?;
    Some(FailingPart::Folder(place.to_owned()))
}

/// A flag of a call by the name that the message has, with or without its dashes.
fn flag(call: &Call<'_>, name: &str) -> Option<FailingPart> {
    let bare = name.trim_start_matches('-');
    let bare = bare.split('=').next().unwrap_or(bare);
    let is_letter = bare.chars().count() == 1;
    let written = call.arguments().find_map(|word| {
        let written = word.split(['=', ':']).next().unwrap_or(word);
        let plain = written.trim_start_matches(['-', '/']);
        if plain.len() == written.len() || bare.is_empty() {
            return None;
        }
        // Of letters after one dash the message names the one that is unknown.
        let is_among = is_letter
            && written.starts_with('-')
            && !written.starts_with("--")
            && plain.contains(bare);
        if plain == bare {
            return Some(written.to_owned());
        }
        is_among.then(|| format!("-{bare}"))
    })?;
    Some(FailingPart::Flag {
        program: call.program(),
        flag: written,
    })
}

/// The sub-command of a call: its first word that is no flag, or one of those that lead to it.
fn subcommand(call: &Call<'_>, name: &str) -> Option<FailingPart> {
    let word = call.arguments().find(|word| *word == name)?;
    if word.starts_with('-') {
        return None;
    }
    if RUN_BY_NAME.contains(&call.program().as_str()) {
        return Some(script_of(call, word));
    }
    Some(FailingPart::Subcommand {
        program: call.program(),
        name: word.to_owned(),
    })
}

fn script_of(call: &Call<'_>, script: &str) -> FailingPart {
    FailingPart::Script {
        program: call.program(),
        script: script.to_owned(),
    }
}

/// An error without typographic quotes.
fn plain(error: &str) -> Cow<'_, str> {
    if error.is_ascii() {
        return Cow::Borrowed(error);
    }
    Cow::Owned(error.replace(['‘', '’', '“', '”', '‹', '›', '«', '»'], "'"))
}

#[cfg(test)]
mod tests;
