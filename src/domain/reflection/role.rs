//! The purpose of an action, by whole words of its name: it lists, reads, searches, writes, tests, installs, or queries
//! version control.

use super::step_action::StepAction;
use hindlore_errors::action::Action;
use hindlore_errors::shell::{deciding, program, words as shell_words};

/// The purpose of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Shows existing contents.
    List,
    /// Shows contents.
    Read,
    /// Looks for something.
    Search,
    /// Changes contents.
    Write,
    /// Runs tests.
    Test,
    /// Installs dependencies.
    Install,
    /// Queries the state of version control.
    Status,
    /// Changes the contents of version control.
    Record,
    /// Anything else.
    Other,
}

#[rustfmt::skip]
const PROGRAMS: &[(Role, &[&str])] = &[
    (Role::List, &["ls", "dir", "tree", "ll"]),
    (Role::Read, &["cat", "head", "tail", "less", "more", "bat", "type", "get-content", "nl"]),
    (Role::Search, &["grep", "rg", "ag", "ack", "find", "fd", "locate", "egrep", "findstr", "select-string"]),
    (Role::Write, &["tee", "patch", "touch", "set-content", "dd"]),
    (Role::Test, &["pytest", "jest", "vitest", "tox", "nosetests", "rspec", "phpunit", "ctest", "nextest"]),
];

/// The purpose of a program with a sub-command.
#[rustfmt::skip]
const COMMANDS: &[(Role, &str, &[&str])] = &[
    (Role::Test, "cargo", &["test", "nextest"]),
    (Role::Test, "npm", &["test"]),
    (Role::Test, "pnpm", &["test"]),
    (Role::Test, "yarn", &["test"]),
    (Role::Test, "go", &["test"]),
    (Role::Test, "make", &["test", "check"]),
    (Role::Test, "mvn", &["test", "verify"]),
    (Role::Test, "gradle", &["test", "check"]),
    (Role::Test, "dotnet", &["test"]),
    (Role::Test, "mix", &["test"]),
    (Role::Test, "rails", &["test"]),
    (Role::Install, "pip", &["install"]),
    (Role::Install, "pip3", &["install"]),
    (Role::Install, "npm", &["install", "ci", "i"]),
    (Role::Install, "pnpm", &["install", "add"]),
    (Role::Install, "yarn", &["install", "add"]),
    (Role::Install, "apt", &["install"]),
    (Role::Install, "apt-get", &["install"]),
    (Role::Install, "brew", &["install"]),
    (Role::Install, "cargo", &["add", "install"]),
    (Role::Install, "go", &["get", "install"]),
    (Role::Install, "poetry", &["install", "add"]),
    (Role::Install, "uv", &["sync", "add"]),
    (Role::Install, "bundle", &["install"]),
    (Role::Install, "gem", &["install"]),
    (Role::Install, "composer", &["install", "require"]),
    (Role::Install, "conda", &["install"]),
    (Role::Status, "git", &["status", "diff", "log", "show"]),
    (Role::Status, "hg", &["status", "diff"]),
    (Role::Status, "svn", &["status", "diff"]),
    (Role::Record, "git", &["commit", "push", "merge", "rebase", "add", "pull", "checkout", "reset", "stash"]),
    (Role::Record, "hg", &["commit", "push"]),
    (Role::Record, "svn", &["commit"]),
    (Role::Search, "git", &["grep"]),
];

/// Words of tool names, the first that fits.
#[rustfmt::skip]
const TOOL_WORDS: &[(Role, &[&str])] = &[
    (Role::List, &["list", "ls", "tree"]),
    (Role::Search, &["search", "grep", "glob", "find"]),
    (Role::Write, &["write", "edit", "create", "update", "replace", "insert", "patch", "modify", "append", "delete"]),
    (Role::Test, &["test", "tests", "pytest"]),
    (Role::Install, &["install"]),
    (Role::Read, &["read", "view", "open", "cat", "get", "fetch", "show"]),
];

/// The purpose of an action.
pub(super) fn of(one: &StepAction<'_>) -> Role {
    match &one.action {
        Action::Tool { name, .. } => of_tool(name),
        Action::Command(line) => deciding(line)
            .iter()
            .map(|command| of_command(command))
            .find(|role| *role != Role::Other)
            .unwrap_or(Role::Other),
        Action::Other(_) | Action::None => Role::Other,
    }
}

fn of_tool(name: &str) -> Role {
    let words = words(name);
    let has = |of: &&(Role, &[&str])| of.1.iter().any(|word| words.iter().any(|own| own == word));
    TOOL_WORDS
        .iter()
        .find(has)
        .map_or(Role::Other, |(role, _)| *role)
}

fn of_command(command: &str) -> Role {
    let name = program(command).to_lowercase();
    let second = shell_words(command)
        .into_iter()
        .skip(1)
        .find(|word| !word.starts_with('-'))
        .unwrap_or_default();
    let in_place = name == "sed"
        && command
            .split_whitespace()
            .any(|word| word.starts_with("-i"));
    if in_place || command.contains(" > ") || command.contains(" >> ") {
        return Role::Write;
    }
    let of_pair = COMMANDS
        .iter()
        .find(|(_, program, subs)| *program == name && subs.contains(&second));
    if let Some((role, _, _)) = of_pair {
        return *role;
    }
    let lone = PROGRAMS
        .iter()
        .find(|(_, names)| names.contains(&name.as_str()));
    lone.map_or(Role::Other, |(role, _)| *role)
}

/// The words of a name in any style, in lower case: `readFile`, `read_file` and `fs.read-file` have the word read.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        let starts = !c.is_alphanumeric() || (c.is_uppercase() && was_lower);
        if starts {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(last) = words.last_mut()
        {
            last.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase() || c.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_told_by_whole_words_of_their_names() {
        for (name, role) in [
            ("read_file", Role::Read),
            ("ReadFile", Role::Read),
            ("Read", Role::Read),
            ("fs.list-dir", Role::List),
            ("Edit", Role::Write),
            ("str_replace_editor", Role::Write),
            ("thread_pool", Role::Other),
            ("spreadsheet", Role::Other),
            ("Grep", Role::Search),
            ("get_user_details", Role::Read),
            ("think", Role::Other),
        ] {
            assert_eq!(of_tool(name), role, "{name}");
        }
    }

    #[test]
    fn commands_are_told_by_program_and_sub_command() {
        for (line, role) in [
            ("ls -la src", Role::List),
            ("cat Cargo.toml", Role::Read),
            ("rg -n foo", Role::Search),
            ("sed -i s/a/b/ x", Role::Write),
            ("sed -n 1,5p x", Role::Other),
            ("echo a > b", Role::Write),
            ("cargo test --workspace", Role::Test),
            ("cargo build", Role::Other),
            ("npm ci", Role::Install),
            ("sudo apt-get install -y gcc", Role::Install),
            ("git status", Role::Status),
            ("git commit -m x", Role::Record),
            ("catalog", Role::Other),
        ] {
            assert_eq!(of_command(line), role, "{line}");
        }
    }
}
