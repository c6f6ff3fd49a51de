//! Hub messages: texts that hundreds of unrelated failures share, such as "permission denied".
//!
//! A lesson found by such a text alone is a false alarm, so a caller asks for the same program or tool as well. A
//! message is a hub if its phrase and general words are all that it holds: one word about its own object makes it
//! specific, and a program or a path in front of the phrase does not.

use std::sync::LazyLock;

use regex::Regex;

use super::normaliser::message_of;
use super::shape::{is_file_name, is_host};

/// Phrases about files and about the end of a process; quotes next to them hold a file or a command.
const OF_FILES: &str = r"(?x)\b(?:
    no\ such\ file(?:\ or\ directory)? | no\ such\ directory
  | (?:file|directory)(?:\ or\ directory)?\ (?:(?:was\ )?not\ found|does(?:\ not|n't)\ exist)
  | permission\ denied | access\ (?:is\ |was\ )?denied | operation\ not\ permitted | file\ exists | already\ exists
  | (?:is\ )?(?:not\ )?a\ directory | directory\ (?:is\ )?not\ empty | (?:text\ )?file\ busy | device\ or\ resource\ busy
  | read-only\ file\ system | no\ space\ left\ on\ device | disk\ quota\ exceeded | too\ many\ open\ files
  | bad\ file\ descriptor | input/output\ error | broken\ pipe | exec\ format\ error | argument\ list\ too\ long
  | address\ already\ in\ use | invalid\ argument | cannot\ allocate\ memory | out\ of\ memory | resource\ temporarily\ unavailable
  | bad\ interpreter | cannot\ execute(?:\ binary\ file)?
  | (?:cannot|can't|could\ not)\ find\ the\ (?:file|path|program)\ specified
  | e(?:noent|acces|perm|exist|isdir|notdir|notempty|mfile|nospc|busy|rofs|inval|io|pipe|nomem)\b
  | (?:command|process|job|step|script|program)?\ ?(?:failed|exit(?:ed)?|returned|terminated|finished|completed)
    (?:\ with)?(?:\ an?)?(?:\ non-?zero)?(?:\ (?:error|exit|return))?\ ?(?:code|status|value)?[:\ =]*-?\d+
  | (?:non-?zero\ )?(?:exit|return)\ ?(?:code|status)[:\ =]*-?\d+ | non-?zero\ (?:exit\ )?(?:code|status)(?:[:\ =]*-?\d+)?
  | error\ \d{1,3}$ | command\ failed:?(?:\ .*)? | (?:killed|terminated)\ by\ signal\ \w+ | signal[:\ ]+\d+
  | killed | aborted | terminated | segmentation\ fault | bus\ error | illegal\ instruction | core\ dumped
)";

/// Other phrases; a name in quotes next to them is the object of the error.
const OF_ANY: &str = r"(?x)\b(?:
    (?:command\ |was\ |could\ not\ be\ |cannot\ be\ )?not\ found | does(?:\ not|n't)\ exist
  | (?:unknown|unexpected|internal|general|unhandled|fatal|generic)\ (?:server\ )?error | error\ occurred
  | something\ went\ wrong | syntax\ error | invalid\ (?:input|request|value) | bad\ request | unauthori[sz]ed
  | forbidden | service\ unavailable | bad\ gateway | gateway\ time-?out | too\ many\ requests | method\ not\ allowed
  | (?:connection|request|operation|read|write)\ (?:refused|reset(?:\ by\ peer)?|closed|timed\ out|aborted|failed)
  | timed\ out | time-?out | no\ route\ to\ host | network\ is\ unreachable | cancell?ed | interrupted
  | fail(?:ed|ure)
)\b";

/// Words that say nothing about the object of an error, sorted.
#[rustfmt::skip]
const GENERAL: &[&str] = &[
    "a", "an", "as", "at", "because", "build", "but", "by", "call", "can't", "cannot", "cd", "code", "command",
    "could", "couldn't", "detail", "did", "directory", "done", "during", "error", "executing", "execution", "exit",
    "failed", "false", "fatal", "file", "folder", "for", "from", "has", "host", "http", "https", "in", "is", "it",
    "item", "job", "line", "localhost", "message", "not", "null", "object", "of", "on", "operation", "path", "port",
    "process", "program", "regular", "request", "requested", "resource", "returned", "script", "server", "status",
    "step", "stop", "success", "symbolic", "system", "task", "the", "this", "to", "tool", "true", "type", "unable",
    "url", "was", "with", "working",
];

/// Words that a file or a program follows, sorted.
#[rustfmt::skip]
const VERBS: &[&str] = &[
    "access", "chdir", "chmod", "chown", "connect", "copy", "copyfile", "create", "creating", "delete", "exec",
    "execute", "executing", "find", "link", "load", "lstat", "make", "mkdir", "move", "open", "opening", "overwrite",
    "read", "reading", "remove", "removing", "rename", "rmdir", "run", "running", "save", "scandir", "spawn",
    "start", "stat", "touch", "unlink", "write", "writing",
];

/// Text in brackets: the number of an error, the target of a build.
const BRACKETS: &str = r"\[[^\[\]\n]*\]";
/// Text in quotes.
const QUOTES: &str = r#""[^"\n]*"|\B'[^'\n]*'|`[^`'\n]*[`']"#;

static FILES: LazyLock<Option<Regex>> = LazyLock::new(|| rule(OF_FILES));
static ANY: LazyLock<Option<Regex>> = LazyLock::new(|| rule(OF_ANY));
static IN_BRACKETS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(BRACKETS).ok());
static IN_QUOTES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(QUOTES).ok());

/// A phrase and the single word after its colon: `zsh: permission denied: ./run`.
fn rule(phrases: &str) -> Option<Regex> {
    Regex::new(&format!(r"(?m)(?:{phrases})(?::\s*\S+\s*$)?")).ok()
}

/// Returns true if a message is too general to identify a failure without its program or tool.
pub fn is_hub(message: &str) -> bool {
    holds_only_general_words(message).unwrap_or(false)
}

fn holds_only_general_words(message: &str) -> Option<bool> {
    let mut text = message_of(message);
    if text.trim_start().starts_with('{') {
        // The quotes of JSON are around the message.
        text = text.replace(['"', ',', '{', '}'], " ");
    }
    let mut rest = IN_BRACKETS.as_ref()?.replace_all(&text, " ").into_owned();
    let about_files = FILES.as_ref()?.is_match(&rest);
    if about_files {
        rest = IN_QUOTES.as_ref()?.replace_all(&rest, " / ").into_owned();
        rest = FILES.as_ref()?.replace_all(&rest, " , ").into_owned();
    }
    let is_general = ANY.as_ref()?.is_match(&rest);
    let rest = ANY.as_ref()?.replace_all(&rest, " , ");
    let has_phrase = about_files || is_general;
    let pieces: Vec<&str> = rest.split_whitespace().collect();
    let mut follows_verb = false;
    for (at, piece) in pieces.iter().enumerate() {
        let word = piece.trim_matches(is_sign);
        let is_verb = VERBS.binary_search(&word).is_ok();
        let is_known = is_verb || GENERAL.binary_search(&word).is_ok();
        // A program or a path in front of the phrase ends with a colon.
        let is_front = has_phrase && piece.ends_with(':') && !piece.contains(['\'', '"', '`']);
        let ends = pieces.get(at + 1).is_none_or(|next| *next == ",");
        if !(is_known || is_front || (follows_verb && ends) || is_place(word)) {
            return Some(false);
        }
        follows_verb = is_verb || (follows_verb && is_known);
    }
    Some(!pieces.is_empty())
}

fn is_sign(c: char) -> bool {
    c.is_ascii_punctuation() && !matches!(c, '\'' | '"' | '`' | '/')
}

/// Whether a word is a path, a host, a number or a sign.
fn is_place(word: &str) -> bool {
    let word = word.trim_matches(['\'', '"', '`']);
    let bytes = word.as_bytes();
    word.contains(['/', '\\'])
        || !word.contains(char::is_alphabetic)
        || is_file_name(bytes)
        || is_host(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HUBS: &[&str] = &[
        "No such file or directory",
        "bash: ./run.sh: No such file or directory",
        "bash: line 3: ./run.sh: Permission denied",
        "ls: cannot access 'notes': No such file or directory",
        "cat: notes.txt: No such file or directory",
        "mkdir: cannot create directory ‘out’: File exists",
        "mkdir: out: File exists",
        "rm: cannot remove 'build': Is a directory",
        "cat: src: Is a directory",
        "zsh: no such file or directory: ./run",
        "zsh: permission denied: run",
        "open /x/y.txt: permission denied",
        "stat out/a.o: no such file or directory",
        "FileNotFoundError: [Errno 2] No such file or directory: '/x/y.csv'",
        "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    open(p)\nPermissionError: [Errno 13] Permission denied: 'x'",
        "Error: ENOENT: no such file or directory, open '/w/package.json'",
        "Error: spawn git ENOENT",
        "java.io.FileNotFoundException: /x/y (No such file or directory)",
        "bash: alpha: command not found",
        "not found",
        "404 Not Found",
        "Exit code 1",
        "exit status 2",
        "Process exited with code 137",
        "error Command failed with exit code 1.",
        "Command failed: git push origin main",
        "make: *** [Makefile:3: all] Error 1",
        "Command '['make', 'all']' returned non-zero exit status 2.",
        "Segmentation fault (core dumped)",
        "Killed",
        "Access is denied.",
        "The system cannot find the path specified.",
        "cp: error writing '/x/y': No space left on device",
        "Error: Internal Server Error",
        "connect ECONNREFUSED: connection refused",
        "build failed",
        "operation timed out",
        "python: can't open file '/w/a.py': [Errno 2] No such file or directory",
        "ln: failed to create symbolic link 'a': File exists",
        "ssh: connect to host x.example.com port 22: Connection refused",
        "OSError: [Errno 98] Address already in use",
        "{\"error\": \"not found\", \"status\": 404}",
        "Error",
        "HTTP 500",
        "<tool_use_error>File does not exist.</tool_use_error>",
    ];

    const SPECIFIC: &[&str] = &[
        "ModuleNotFoundError: No module named 'yaml'",
        "git@github.com: Permission denied (publickey).",
        "ERROR: permission denied for table users",
        "manifest for shop/api:1.9 not found: manifest unknown",
        "error: pathspec 'x' did not match any file(s) known to git",
        "npm error Missing script: \"biuld\"",
        "Error: table 'orders' not found",
        "tar: unrecognized option '--gzipp'",
        "fatal: not a git repository (or any of the parent directories): .git",
        "error[E0308]: mismatched types",
        "assertion failed: rows.is_empty()",
        "ImportError: libz.so.1: cannot open shared object file: No such file or directory",
        "a.c:1:10: fatal error: png.h file not in the include list",
        "File has not been read yet. Read it first before writing to it.",
        "fatal: destination path 'x' already exists and is not an empty directory.",
        "docker: permission denied while trying to connect to the Docker daemon socket",
        "'build' does not exist",
        "KeyError: 12",
        "{\"error\": \"cart not found\"}",
        "rate limit reached for requests",
        "",
    ];

    #[test]
    fn a_hub_is_a_phrase_with_nothing_but_programs_and_places() {
        for message in HUBS {
            assert!(is_hub(message), "{message}");
        }
    }

    #[test]
    fn a_word_about_the_object_makes_a_message_specific() {
        for message in SPECIFIC {
            assert!(!is_hub(message), "{message}");
        }
    }

    #[test]
    fn the_tables_are_sound() {
        assert!(FILES.is_some() && ANY.is_some() && IN_BRACKETS.is_some() && IN_QUOTES.is_some());
        assert!(GENERAL.is_sorted() && VERBS.is_sorted());
    }
}
