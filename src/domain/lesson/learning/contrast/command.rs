//! Whether one command line can be the cure of another.
//!
//! Of a line of several commands only the one that failed counts; if it is unknown, nothing is learned. Two lines of
//! one program that differ only in the names of files or records are no evidence about the use of the program; neither
//! is a switch that turns a check off, unless the program itself advised it. Between programs of an unknown language,
//! every difference may matter.

use super::answers::{TAKES_TEXT, is_known_program, runs_user_code};
use super::phrases::{QUOTING, says};
use super::step_view::StepView;
use crate::lesson::learning::pattern::Difference;
use hindlore_errors::action::has_subcommands;
use hindlore_errors::shell::{self, is_wrapper};

/// Programs of people's machines, in addition to those with sub-commands.
#[rustfmt::skip]
const PROGRAMS: &[&str] = &[
    "awk", "bat", "bun", "cat", "chmod", "chown", "clang", "cmake", "cp", "curl", "cut", "df", "diff", "dig",
    "du", "echo", "egrep", "find", "fd", "g++", "gcc", "grep", "gunzip", "gzip", "head", "htop", "jest", "jq", "kill",
    "less", "ln", "ls", "lsof", "mkdir", "mv", "mypy", "mysql", "node", "nvm", "pgrep", "ping", "pipx", "psql", "pytest",
    "python", "python2", "python3", "rg", "rm", "rsync", "ruby", "ruff", "scp", "sed", "sort", "sqlite3", "ssh",
    "tail", "tar", "tee", "touch", "tr", "tsc", "tsx", "unzip", "vim", "vitest", "wc", "wget", "which", "xargs", "zip",
    "redis-cli", "mongosh", "ffmpeg", "java", "javac", "perl", "php", "deno", "black", "eslint", "prettier", "ansible",
    "ansible-playbook", "vagrant", "ninja", "gmake", "tox", "rustc", "apk", "snap", "flutter", "dart", "mix", "rake",
    "code", "dir", "ipconfig", "ifconfig", "cd", "source", "export", "test", "type", "file", "stat", "sh", "bash", "zsh",
    "powershell", "pwsh", "cmd", "open", "edit", "goto", "scroll_down", "scroll_up", "search_file", "search_dir",
    "find_file", "submit", "create",
];

/// Parts of options that ask for less checking: right only where the program itself names them.
#[rustfmt::skip]
const LESS_CHECKING: &[&str] = &["--skip-", "--ignore-", "--allow-", "--disable-", "--quiet", "--silent"];

/// Maximum lines of a complaint about the use of a program; a longer text is a report.
const COMPLAINT_MAX_LINES: usize = 8;

/// Tokens in which a try and its cure may differ; with more it is another command.
const DIFFERING_MAX: usize = 14;

/// Returns true if a step is a line for a shell, and not of a language of its own.
pub(super) fn is_shell_line(step: &StepView) -> bool {
    if step.is_tool_call() || step.text.is_empty() {
        return false;
    }
    let program = bare_program(step);
    let is_option = |word: &String| {
        let letters = word.trim_start_matches('-');
        letters.len() < word.len() && letters.starts_with(|c: char| c.is_ascii_alphabetic())
    };
    has_subcommands(program)
        || PROGRAMS.contains(&program)
        || is_known_program(program)
        || step.program().starts_with("./")
        || ["&&", "||", "$("]
            .iter()
            .any(|mark| step.text.contains(mark))
        || step.words.iter().skip(1).any(is_option)
}

/// The two comparable commands of two lines: those in which the lines differ.
pub(super) fn comparable(failed: &StepView, worked: &StepView) -> Option<(StepView, StepView)> {
    if let Some(filter) = complaining_filter(failed) {
        let other = worked.with_command(last_of_pipe(&worked.raw)?);
        let filter = failed.with_command(filter);
        return (filter.program() == other.program()).then_some((filter, other));
    }
    let only = |own: &StepView, other: &StepView| -> Vec<String> {
        let commands = own.known_commands().into_iter();
        commands
            .filter(|command| !other.commands.contains(command))
            .collect()
    };
    let blamed = blamed(failed, only(failed, worked))?;
    let others = only(worked, failed);
    let failed = failed.with_command(&blamed);
    let mut likely: Vec<StepView> = others
        .iter()
        .map(|command| worked.with_command(command))
        .collect();
    if likely.len() > 1 {
        likely.retain(|one| one.program() == failed.program());
    }
    let worked = likely.pop().filter(|_| likely.is_empty())?;
    Some((failed, worked))
}

/// The filter at the end of a pipe, where the message is its own: `… | cat -A` with "cat: illegal option".
fn complaining_filter(failed: &StepView) -> Option<&str> {
    let last = last_of_pipe(&failed.raw)?;
    let message = &failed.failure.as_ref()?.message;
    let (speaker, _) = message.trim_start().split_once(':')?;
    (speaker == shell::program(last)).then_some(last)
}

/// The last command of a pipe; absent for a line without one.
fn last_of_pipe(line: &str) -> Option<&str> {
    let (_, last) = line.rsplit_once(" | ")?;
    let last = last.split(" 2>").next().unwrap_or(last).trim();
    (!last.contains(['"', '\''])).then_some(last)
}

/// Of the commands of a line the one that failed.
fn blamed(failed: &StepView, mut commands: Vec<String>) -> Option<String> {
    if commands.len() > 1 {
        let is_told = |command: &String| failed.is_told(failed.with_command(command).program());
        commands.retain(is_told);
    }
    commands.pop().filter(|_| commands.is_empty())
}

/// The one faulty command of the failed line; the line itself if it is unknown.
pub(super) fn to_blame(failed: &StepView) -> Option<StepView> {
    let one = blamed(failed, failed.commands.clone())?;
    Some(failed.with_command(&one))
}

/// Returns true if a command of the same intent that worked shows the fault of the one that failed.
pub(super) fn is_cure(failed: &StepView, worked: &StepView) -> bool {
    if TAKES_TEXT.contains(&failed.program()) && failed.text.contains('\n') {
        return false;
    }
    if requoted(failed, &failed.text, &worked.text).is_some() {
        return true;
    }
    let Some(difference) = Difference::of(&failed.text, &worked.text) else {
        // Scripts of many lines are compared by the lines that differ.
        return !is_shell_line(failed);
    };
    if difference.is_empty() || difference.is_of_case_values() {
        return false;
    }
    if !is_shell_line(failed) && !is_shell_line(worked) {
        // Two lines that share their first word alone may be about anything.
        let mut told = difference.words().filter(|word| failed.is_told(word));
        return difference.common > 1 || difference.len() == 1 || told.next().is_some();
    }
    if difference.len() > DIFFERING_MAX {
        return false;
    }
    let is_told = |word: &&str| failed.is_told(word);
    let (wrong_options, right_options) = difference.options();
    let checks_less = |option: &&&str| LESS_CHECKING.iter().any(|part| option.starts_with(part));
    let mut less = right_options.iter().filter(checks_less);
    if less.any(|option| !is_told(option)) {
        return false;
    }
    if difference.is_misspelt() || is_requoted(&failed.text, &worked.text) {
        return true;
    }
    let (wrong_words, right_words) = difference.foreign_words();
    let names_a_part = difference.names_a_part();
    let is_explained = |word: &&str| is_wrapper(word) || failed.is_told(word);
    if !right_words.iter().all(is_explained) {
        return false;
    }
    let is_suggested = right_words.iter().any(is_told) || right_options.iter().any(is_told);
    // Where one option is blamed, an exchange of others is another call.
    let is_blamed = !wrong_options.is_empty() && wrong_options.iter().all(is_told);
    if is_suggested || is_blamed {
        return true;
    }
    // The user's code failed, and an option of its runner is no cure of that.
    if runs_user_code(failed) && !difference.is_reordered() {
        return false;
    }
    let shares_more_than_its_program = difference.common > 1 || difference.len() <= 4;
    // With other options it is another question, unless the program advised so. An omitted or exchanged option may have
    // been at fault where the program printed little: a long report is no complaint about its use.
    let is_report = failed
        .failure
        .as_ref()
        .is_some_and(|failure| failure.message.lines().count() > COMPLAINT_MAX_LINES);
    let is_exchange = !wrong_options.is_empty()
        && !difference.is_reordered()
        && (is_report || difference.len() > 1);
    (wrong_words.is_empty() || names_a_part)
        && !is_exchange
        && !difference.has_other_values()
        && shares_more_than_its_program
        && (difference.is_of_form() || difference.is_insertion())
}

/// The two forms of an action whose cure consists of quotes around words, or of none, where the message speaks of
/// quotes: `LOAD a.csv` → `LOAD "a.csv"` gives `LOAD <word>` and `LOAD "<word>"`.
pub(super) fn requoted(failed: &StepView, old: &str, new: &str) -> Option<(String, String)> {
    let said = failed.failure.as_ref()?;
    if !is_requoted(old, new) || !says(&QUOTING, &said.message) {
        return None;
    }
    let (mut wrong, mut right) = (String::new(), String::new());
    let (mut old, mut new) = (old, new);
    while !(old.is_empty() && new.is_empty()) {
        let (a, b) = (old.chars().next(), new.chars().next());
        if a == b {
            let c = a?;
            wrong.push(c);
            right.push(c);
            (old, new) = (&old[c.len_utf8()..], &new[c.len_utf8()..]);
            continue;
        }
        let word = quoted_word(new).or_else(|| quoted_word(old))?;
        let (left, rest_old) = side_of(old, word)?;
        let (correct, rest_new) = side_of(new, word)?;
        if left == correct {
            return None;
        }
        wrong.push_str(&left);
        right.push_str(&correct);
        (old, new) = (rest_old, rest_new);
    }
    (wrong != right).then_some((wrong, right))
}

/// The word that begins a text in quotes. An element of a list of words has the quotes of the list
/// around its own.
fn quoted_word(text: &str) -> Option<&str> {
    let mark = text.get(..1).filter(|mark| matches!(*mark, "\"" | "'"))?;
    let inside = text[1..].split(mark).next()?;
    let word = inside.trim_matches(['"', '\'']);
    let is_word = !word.is_empty() && !word.contains(char::is_whitespace);
    is_word.then_some(word)
}

/// The form of one side that begins with a word, bare or in quotes, and the text after it.
fn side_of<'a>(text: &'a str, word: &str) -> Option<(String, &'a str)> {
    if let Some(rest) = text.strip_prefix(word) {
        return Some(("<word>".to_owned(), rest));
    }
    ["'\"", "\"'", "\"", "'"].iter().find_map(|marks| {
        let end: String = marks.chars().rev().collect();
        let rest = text.strip_prefix(marks)?.strip_prefix(word)?;
        let mark = marks.chars().last()?;
        Some((format!("{mark}<word>{mark}"), rest.strip_prefix(&end)?))
    })
}

/// The line with quotes around one of its words.
pub(super) fn is_requoted(failed: &str, worked: &str) -> bool {
    let bare = |text: &str| text.replace(['"', '\''], "");
    failed != worked && bare(failed) == bare(worked)
}

fn bare_program(step: &StepView) -> &str {
    let program = step.program();
    let file = program.rsplit(['/', '\\']).next().unwrap_or(program);
    file.strip_suffix(".exe").unwrap_or(file)
}
