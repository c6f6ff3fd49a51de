//! Secrets in command lines: after options with telling names, and at places that only the program knows.
//!
//! A line is read as a shell would: words, quotes, and signs that separate commands. A quoted text with blanks is read
//! as lines of its own, because `sh -c '…'` is a command in a command.

mod input;
mod programs;
mod shell;
mod taken;

use std::ops::Range;

use self::input::{Input, Piped};
use self::programs::{Entry, Kind, PROGRAMS};
use self::shell::{Word, inner, line_end, next_word};
use self::taken::{push, secret, secret_pair};
use super::span::Span;
use super::value::false_positives::is_placeholder;
use super::value::lists;
use super::value::name;
use super::value::name::Says;
use super::value::traits::Traits;
use super::value::{Form, is_secret};
use hindlore_primitives::steps;

/// How deep commands in commands are followed.
const DEPTH_MAX: u8 = 4;
/// Entries of a line: those of the programs that it names.
const ENTRIES_MAX: usize = 64;

/// Finds secrets in every line; `is_command` is true if the text is known to be a command.
pub(super) fn lines(text: &str, is_command: bool, found: &mut Vec<Span<'static>>) {
    part(text, 0..text.len(), (is_command, 0), found);
}

fn part(
    text: &str,
    range: Range<usize>,
    (is_command, depth): (bool, u8),
    found: &mut Vec<Span<'static>>,
) {
    let mut start = range.start;
    let mut input = Input::default();
    while start < range.end {
        let end = line_end(text, start, range.end);
        let line = &text.as_bytes()[start..end];
        steps::add(line.len());
        if input.takes_line(text, start..end, found) {
            start = end + 1;
            continue;
        }
        // A line without any of these has nothing of a command.
        let is_worth =
            is_command || line.contains(&b'-') || line.contains(&b'/') || has_place(line);
        let is_typed = is_command || line.starts_with(b"$ ") || line.starts_with(b"+ ");
        if is_worth {
            let mut segment = Segment {
                is_typed,
                ..Segment::default()
            };
            let mut piped = Piped::default();
            let mut at = start;
            while let Some((next, word)) = next_word(text, at, end) {
                at = next;
                let Some(word) = word else {
                    piped.part(&text.as_bytes()[..at]);
                    segment = Segment {
                        is_typed,
                        ..Segment::default()
                    };
                    continue;
                };
                if let Some((word, kind)) = piped.take(&word) {
                    secret(text, &word, 0, kind, found);
                }
                if word.text.contains([' ', '\n']) && word.range.len() > 4 && depth < DEPTH_MAX {
                    let inner = inner(text, &word.range);
                    part(text, inner, (is_command, depth + 1), found);
                }
                let ends = !text[at..end].contains(|c: char| !c.is_whitespace())
                    || text[at..end]
                        .trim_start()
                        .starts_with(['-', '|', ';', '&', '\'', '"', '`', ')']);
                segment.take(text, &word, ends, found);
            }
            input.begin(&text[start..end]);
        }
        start = end + 1;
    }
}

/// Words with a place of their own need no option.
fn has_place(line: &[u8]) -> bool {
    let words = [
        &b"login "[..],
        b"auth ",
        b"AUTH ",
        b"add_user",
        b"passphrase",
        b"set ",
        b"config",
        b"setx ",
        b"<<",
        b"passwd",
    ];
    words
        .iter()
        .any(|word| line.windows(word.len()).any(|part| part == *word))
}

/// One command of a line, as far as it was read.
#[derive(Default)]
struct Segment {
    is_typed: bool,
    entries: Vec<Entry>,
    names_groups: bool,
    has_program: bool,
    /// The kind of the next word.
    next: Option<Awaited>,
    /// A sub-command and the plain words that are still to come.
    places: Vec<usize>,
    has_setter: bool,
    /// How far `net use \\\\host\\share` was read.
    share: Share,
}

/// `net use` takes a password anywhere after the share.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Share {
    #[default]
    None,
    Net,
    Use,
    Named,
    /// `net user` takes a name and a password.
    User,
    Login,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Awaited {
    Value(Kind),
    /// The value of an option or a setting with a telling name.
    Named(Says),
    /// The value of `--auth`: a token, or `user:secret`.
    Login,
}

impl Segment {
    fn take(&mut self, text: &str, word: &Word<'_>, ends: bool, found: &mut Vec<Span<'static>>) {
        let plain = word.text.as_ref();
        match self.next.take() {
            Some(Awaited::Value(kind))
                if !plain.starts_with('-') || kind == Kind::Next && plain.len() > 8 =>
            {
                return secret(text, word, 0, kind, found);
            }
            Some(Awaited::Login) if secret_pair(plain) => {
                return secret(text, word, 0, Kind::Pair, found);
            }
            Some(awaited @ (Awaited::Named(_) | Awaited::Login)) if !plain.starts_with("--") => {
                let says = match awaited {
                    Awaited::Named(says) => says,
                    _ => Says::Secret,
                };
                let form = if self.is_typed {
                    Form::Command
                } else {
                    Form::Option
                };
                let is_word = plain
                    .chars()
                    .all(|c| c.is_alphabetic() || ".,:;".contains(c));
                let plain = plain.trim_end_matches("&.").trim_end_matches("\\&.");
                let is_speech = lists::has("speech", plain.trim_end_matches(['.', ',', ':']))
                    || plain.starts_with('-');
                let is_plain = is_word && !self.is_typed && !self.has_program && !ends;
                if !is_speech && !is_plain && is_secret(says, plain, form) {
                    push(text, word, 0, found);
                }
                return;
            }
            _ => {}
        }
        if let Some(place) = self
            .places
            .iter()
            .position(|left| *left == 0)
            .filter(|_| !plain.starts_with('-'))
        {
            self.places.remove(place);
            if !is_placeholder(plain) && plain.len() >= 4 {
                push(text, word, 0, found);
            }
            return;
        }
        if !plain.starts_with('-') {
            self.places
                .iter_mut()
                .for_each(|left| *left = left.saturating_sub(1));
        }
        if self.shares(text, word, found) {
            return;
        }
        self.note_program(plain);
        self.option(text, word, found);
    }

    /// Reads `net use`; true when the word was its password.
    fn shares(&mut self, text: &str, word: &Word<'_>, found: &mut Vec<Span<'static>>) -> bool {
        let plain = word.text.as_ref();
        self.share = match (self.share, plain) {
            (Share::None, "net" | "net.exe") => Share::Net,
            (Share::Net, "use") => Share::Use,
            (Share::Net, "user") => Share::User,
            (Share::User, plain) if !plain.starts_with(['/', '-']) => Share::Login,
            (Share::Login, plain) if Traits::of(plain).is_mixed() => {
                push(text, word, 0, found);
                return true;
            }
            (Share::Use, plain)
                if plain.starts_with("\\\\") || text[word.range.clone()].starts_with("\\\\") =>
            {
                Share::Named
            }
            (Share::Use, plain) if plain.ends_with(':') || plain == "*" => Share::Use,
            (Share::Named, plain) => {
                let is_other =
                    plain.starts_with(['/', '*', '-', '\\', '>']) || plain.starts_with("2>");
                let is_one = plain.len() >= 4 && !is_other;
                if is_one && !is_placeholder(plain) {
                    push(text, word, 0, found);
                    return true;
                }
                Share::Named
            }
            _ => Share::None,
        };
        false
    }

    fn note_program(&mut self, plain: &str) {
        let name = plain.rsplit(['/', '\\', '(']).next().unwrap_or(plain);
        let name = name.strip_suffix(".exe").unwrap_or(name);
        if let Some(entries) = PROGRAMS.get(name) {
            self.has_program = true;
            if self.entries.len() < ENTRIES_MAX
                && !entries.iter().any(|one| self.entries.contains(one))
            {
                self.entries.extend(entries);
            }
        }
        self.names_groups |= lists::has("group-programs", name);
        self.has_setter |= lists::has("setters", plain);
    }

    fn option(&mut self, text: &str, word: &Word<'_>, found: &mut Vec<Span<'static>>) {
        let plain = word.text.as_ref();
        for entry in &self.entries {
            if entry.kind == Kind::Slash {
                secret(text, word, 0, Kind::Slash, found);
                continue;
            }
            if let Kind::Place(place) = entry.kind {
                if plain == entry.option && self.places.len() < 8 {
                    self.places.push(place - 1);
                }
                continue;
            }
            let Some(rest) = plain.strip_prefix(entry.option) else {
                continue;
            };
            match (entry.kind, rest.is_empty()) {
                (Kind::Glued, false) => {
                    return secret(text, word, entry.option.len(), Kind::Glued, found);
                }
                (Kind::Glued, true) => {}
                (kind, true) => {
                    self.next = Some(Awaited::Value(kind));
                    return;
                }
                (kind, false)
                    if rest.starts_with('=') || kind != Kind::Next && entry.option.len() == 2 =>
                {
                    let equals = usize::from(rest.starts_with('='));
                    return secret(text, word, entry.option.len() + equals, kind, found);
                }
                (_, false) => {}
            }
        }
        let is_user = matches!(plain, "-u" | "--user" | "--proxy-user");
        if is_user && !self.names_groups {
            self.next = Some(Awaited::Value(Kind::Pair));
            return;
        }
        if matches!(plain, "--auth" | "-auth") {
            self.next = Some(Awaited::Login);
            return;
        }
        if let Some(rest) = plain
            .strip_prefix("--user=")
            .or_else(|| plain.strip_prefix("--proxy-user="))
        {
            if !self.names_groups {
                secret(text, word, plain.len() - rest.len(), Kind::Pair, found);
            }
            return;
        }
        if let Some(name) = plain.strip_prefix('-') {
            let name = name.trim_start_matches('-');
            // A word with a value of its own is found where names are looked at.
            if !name.contains(['=', ':']) {
                let says = name::says(name.as_bytes());
                let weak = || lists::has("weak-options", name).then_some(Says::Key);
                self.next = says.or_else(weak).map(Awaited::Named);
            }
            return;
        }
        if self.has_setter && !plain.contains(['=', ' ']) {
            let name = plain.rsplit([':', '/']).next().unwrap_or(plain);
            self.next = name::says(name.as_bytes())
                .filter(|says| *says > Says::Key)
                .map(Awaited::Named);
        }
    }
}
