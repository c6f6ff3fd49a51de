//! Whether one command line can be the cure of another.
//!
//! Two lines of one program that differ only in whose file or which record they name say nothing about how
//! the program is used. Between programs that nobody knows, everything that differs may matter.

use super::step_view::StepView;
use crate::lesson::action::has_subcommands;
use crate::lesson::pattern::Difference;

/// Programs of people's machines beside those with sub-commands.
#[rustfmt::skip]
const PROGRAMS: &[&str] = &[
    "awk", "bat", "bun", "cat", "chmod", "chown", "clang", "cmake", "cp", "curl", "cut", "df", "diff", "dig",
    "du", "echo", "egrep", "find", "fd", "g++", "gcc", "grep", "gunzip", "gzip", "head", "htop", "jest", "jq", "kill",
    "less", "ln", "ls", "lsof", "mkdir", "mv", "mypy", "mysql", "node", "nvm", "pgrep", "ping", "pipx", "psql", "pytest",
    "python", "python2", "python3", "rg", "rm", "rsync", "ruby", "ruff", "scp", "sed", "sort", "sqlite3", "ssh",
    "tail", "tar", "tee", "touch", "tr", "tsc", "tsx", "unzip", "vim", "vitest", "wc", "wget", "which", "xargs", "zip",
    "redis-cli", "mongosh", "ffmpeg", "java", "javac", "perl", "php", "deno", "black", "eslint", "prettier", "ansible",
    "ansible-playbook", "vagrant", "ninja", "gmake", "tox", "rustc", "apk", "snap", "flutter", "dart", "mix", "rake",
];

/// Tokens in which a try and its cure may differ; with more it is another command.
const DIFFERING_MAX: usize = 14;

/// Tells whether a line of the same intent that worked shows what was wrong with the one that failed.
pub(super) fn is_cure(failed: &StepView, worked: &StepView) -> bool {
    let Some(difference) = Difference::of(&failed.text, &worked.text) else {
        // Scripts of many lines are compared by the lines that differ.
        return true;
    };
    if difference.is_empty() || difference.is_of_case_values() {
        return false;
    }
    let program = failed.program();
    if !has_subcommands(program) && !PROGRAMS.contains(&program) {
        return true;
    }
    if difference.len() > DIFFERING_MAX {
        return false;
    }
    let is_told = difference.words().any(|word| failed.is_told(word));
    let shares_more_than_its_program = difference.common > 1 || difference.len() <= 4;
    is_told
        || difference.is_misspelt()
        || (shares_more_than_its_program && (difference.is_of_form() || difference.is_insertion()))
}
