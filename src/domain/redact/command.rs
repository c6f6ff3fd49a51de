//! Secrets in command lines: behind options whose names say it, and at places that only the program knows.
//!
//! A line is read as a shell would: words, quotes, and signs that part commands. What stands in quotes and has
//! blanks is read as lines of its own, since `sh -c '…'` is a command in a command.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::header;
use super::lists;
use super::looks::is_placeholder;
use super::name::{self, Says};
use super::shell::{Word, inner, line_end, next_word};
use super::span::Span;
use super::value::{Form, is_secret};

const RULE: &str = "command-option";

/// The table. It is data: a new program is a new line.
const TABLE: &str = include_str!("commands.txt");

static PROGRAMS: LazyLock<HashMap<&'static str, Vec<Entry>>> = LazyLock::new(|| read(TABLE));

/// How deep commands in commands are followed.
const DEPTH_MAX: u8 = 4;
/// Entries of a line: those of the programs that it names.
const ENTRIES_MAX: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Next,
    Glued,
    Pair,
    Percent,
    Comma,
    Pass,
    Cookie,
    /// The n-th plain word behind a sub-command.
    Place(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
    kind: Kind,
    option: &'static str,
}

fn read(table: &'static str) -> HashMap<&'static str, Vec<Entry>> {
    let mut programs: HashMap<&'static str, Vec<Entry>> = HashMap::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split_whitespace();
        let (Some(names), Some(kind), Some(option)) =
            (columns.next(), columns.next(), columns.next())
        else {
            continue;
        };
        let place = columns
            .next()
            .and_then(|place| place.parse().ok())
            .unwrap_or(1);
        let kind = match kind {
            "glued" => Kind::Glued,
            "pair" => Kind::Pair,
            "percent" => Kind::Percent,
            "comma" => Kind::Comma,
            "pass" => Kind::Pass,
            "cookie" => Kind::Cookie,
            "place" => Kind::Place(place),
            _ => Kind::Next,
        };
        for name in names.split(',') {
            programs
                .entry(name)
                .or_default()
                .push(Entry { kind, option });
        }
    }
    programs
}

/// Finds secrets in every line; `is_command` tells that the text is known to be a command.
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
    while start < range.end {
        let end = line_end(text, start, range.end);
        let line = &text.as_bytes()[start..end];
        // A line without any of these has nothing of a command.
        let is_worth =
            is_command || line.contains(&b'-') || line.contains(&b'/') || has_place(line);
        let is_typed = is_command || line.starts_with(b"$ ") || line.starts_with(b"+ ");
        if is_worth {
            let mut segment = Segment {
                is_typed,
                ..Segment::default()
            };
            let mut at = start;
            while let Some((next, word)) = next_word(text, at, end) {
                at = next;
                let Some(word) = word else {
                    segment = Segment {
                        is_typed,
                        ..Segment::default()
                    };
                    continue;
                };
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
    /// What the next word is.
    next: Option<Awaited>,
    /// A sub-command and the plain words that are still to come.
    places: Vec<usize>,
    has_setter: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Awaited {
    Value(Kind),
    /// The value of an option or a setting whose name says it.
    Named(Says),
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
            Some(Awaited::Named(says)) if !plain.starts_with("--") => {
                let form = if self.is_typed {
                    Form::Command
                } else {
                    Form::Option
                };
                let is_word = plain
                    .chars()
                    .all(|c| c.is_alphabetic() || ".,:;".contains(c));
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
        self.note_program(plain);
        self.option(text, word, found);
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
        let is_user = matches!(plain, "-u" | "--user" | "--proxy-user" | "--auth" | "-auth");
        if is_user && !self.names_groups {
            self.next = Some(Awaited::Value(Kind::Pair));
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
            // What has a value of its own is seen where names are looked at.
            if !name.contains(['=', ':']) {
                self.next = name::says(name.as_bytes()).map(Awaited::Named);
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

/// Takes the secret part of a word, from `skip` characters of its plain text on.
fn secret(text: &str, word: &Word<'_>, skip: usize, kind: Kind, found: &mut Vec<Span<'static>>) {
    let plain = &word.text[skip.min(word.text.len())..];
    let part = |sign: char| {
        let (user, secret) = plain.split_once(sign)?;
        let is_time = user.starts_with(['+', '%', '-']) || secret.starts_with("//");
        let is_number = secret.bytes().all(|b| b.is_ascii_digit())
            && (secret.len() <= 5 || user.bytes().all(|b| b.is_ascii_digit()));
        (!is_time && !is_number && !secret.is_empty()).then_some((user.len() + 1, secret))
    };
    let taken = match kind {
        Kind::Pair => part(':'),
        Kind::Percent => part('%'),
        Kind::Comma => part(','),
        Kind::Pass => plain.strip_prefix("pass:").map(|secret| (5, secret)),
        Kind::Cookie => {
            let raw = &text[word.range.clone()];
            if raw.contains('=') {
                header::cookies(text, inner_of(text, word), usize::MAX, found);
            }
            None
        }
        Kind::Next | Kind::Glued | Kind::Place(_) => Some((0, plain)),
    };
    let Some((at, secret)) = taken else {
        return;
    };
    if secret.len() >= 3 && !is_placeholder(secret) {
        push(text, word, skip + at, found);
    }
}

fn inner_of(text: &str, word: &Word<'_>) -> Range<usize> {
    if text[word.range.clone()].contains(['\'', '"']) {
        inner(text, &word.range)
    } else {
        word.range.clone()
    }
}

/// Marks what of the written word stands behind `skip` bytes of its plain text.
fn push(text: &str, word: &Word<'_>, skip: usize, found: &mut Vec<Span<'static>>) {
    let raw = &text[word.range.clone()];
    let is_framed = raw.len() == word.text.len() + 2 && raw.starts_with(['\'', '"']);
    let (lead, tail) = match (is_framed, raw.len() == word.text.len()) {
        (true, _) => (1, 1),
        // An odd quote belongs to what stands around.
        (false, true) => (
            0,
            usize::from(raw.len() > skip + 3 && raw.ends_with(['\'', '"', ',', ')'])),
        ),
        (false, false) => {
            let bare = raw
                .find(&word.text[skip.min(word.text.len())..])
                .map(|at| at.saturating_sub(skip));
            (bare.unwrap_or(0), 0)
        }
    };
    let start = word.range.start + lead + skip;
    let end = word.range.end - tail;
    let is_inside = text.is_char_boundary(start.min(text.len())) && text.is_char_boundary(end);
    if start < end && is_inside {
        found.push(Span::new(start..end, RULE));
    }
}
