//! Values after names: one pass over the words of a text.
//!
//! Each word is looked at once. The text after it is a value when a sign ties the two, and the requirements on it
//! depend on how clearly the name means "secret" and on the tie.

use super::header;
use super::shapes::Scan;
use super::span::Span;
use super::value::assignment::{BLANKS_MAX, Name, Reader, Tie};
use super::value::ends::{BARE_MAX, bare_end, bare_rest, quoted_end};
use super::value::false_positives::{is_placeholder, is_sentence};
use super::value::lists;
use super::value::name;
use super::value::name::Says;
use super::value::traits::Traits;
use super::value::{Form, is_secret};
use hindlore_primitives::steps;

/// The rules of this pass.
pub(super) const PASSWORD: &str = "password";
const SECRET: &str = "token";
const KEY: &str = "key";

/// Blanks and dashes that may precede a name that is the first on its line.
const INDENT_MAX: usize = 64;

/// A value in the text.
pub(super) struct Value {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) is_quoted: bool,
}

/// Finds shapes, headers and values after names.
pub(super) fn words(text: &str, is_command: bool, found: &mut Vec<Span<'static>>) {
    let bytes = text.as_bytes();
    let is_word = |at: usize| {
        bytes
            .get(at)
            .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
    };
    let mut shapes = Scan::new(bytes);
    steps::add(bytes.len());
    let (mut at, mut name_start, mut before) = (0, 0, usize::MAX);
    while at < bytes.len() {
        if !is_word(at) {
            if bytes[at] == b'$' {
                at = shapes.at_word(at, found).unwrap_or(at + 1);
                continue;
            }
            at += 1;
            continue;
        }
        let goes_on = before.checked_add(1) == Some(at) && matches!(bytes[before], b'.' | b'-');
        if !goes_on {
            name_start = at;
        }
        if let Some(end) = shapes.at_word(at, found) {
            (at, before) = (end, usize::MAX);
            continue;
        }
        let start = at;
        while is_word(at) {
            at += 1;
        }
        before = at;
        if matches!(bytes.get(at), Some(b'.' | b'-')) && is_word(at + 1) {
            continue;
        }
        let names = [
            Name {
                start: name_start,
                end: at,
            },
            Name { start, end: at },
        ];
        let reader = Reader {
            text,
            bytes,
            is_command,
        };
        if let Some(end) = reader.behind(names[0], found) {
            (at, before) = (end.max(at), usize::MAX);
        }
    }
}

impl Reader<'_> {
    /// Looks after a name; returns the end of a secret found there.
    fn behind(&self, name: Name, found: &mut Vec<Span<'static>>) -> Option<usize> {
        let word = &self.bytes[name.start..name.end];
        if let Some(end) = header::loose(self.text, word, name.end, found) {
            return Some(end);
        }
        if word.eq_ignore_ascii_case(b"identified") {
            return self.identified(name, found);
        }
        if let Some(value) = self.of_call(name).or_else(|| self.of_setting(name)) {
            found.push(Span::new(value.start..value.end, PASSWORD));
            return Some(value.end);
        }
        let next = *self.bytes.get(name.end)?;
        if next.is_ascii_alphanumeric() {
            return None;
        }
        let kind = header::kind(word);
        let says = match kind {
            None => Some(name::says(word).or_else(|| self.in_query(name))?),
            Some(_) => None,
        };
        if let Some(end) = says.and_then(|says| self.encoded(says, name, found)) {
            return Some(end);
        }
        let (tie, spaced, at) = self.tie(name).or_else(|| self.apart(name))?;
        if let Some(kind) = kind {
            return header::value(self.text, kind, at, found);
        }
        let says = says?;
        let mut value = self.value(at)?;
        let mut is_held = self.holds(says, name, (tie, spaced), &value);
        if !is_held && !value.is_quoted {
            // `name: type = "value"`, `name = other || "value"`, `auth = ("name", "value")`.
            let typed = (tie == Tie::Colon)
                .then(|| self.behind_type(value.end))
                .flatten();
            let other = typed.or_else(|| self.fallback(value.end));
            if let Some(other) = other.or_else(|| self.of_pair(at)) {
                is_held = self.holds(says, name, (Tie::Equals, true), &other);
                value = other;
            }
        }
        if !is_held {
            return None;
        }
        let mut end = value.end;
        if !value.is_quoted && end - value.start >= BARE_MAX {
            end = bare_rest(self.bytes, end);
        }
        found.push(Span::new(value.start..end, rule_of(says)));
        Some(end)
    }

    /// A name that is a secret's only in the query of an address: `?key=`, `&code=`.
    fn in_query(&self, name: Name) -> Option<Says> {
        let before = &self.bytes[..name.start];
        let is_query =
            before.ends_with(b"?") || before.ends_with(b"&") || before.ends_with(b"&amp;");
        let word = self.text.get(name.start..name.end)?;
        let is_name = is_query
            && word.len() <= 32
            && self.bytes[name.end] == b'='
            && lists::has("query-names", &word.to_ascii_lowercase());
        is_name.then_some(Says::Key)
    }

    /// JSON in an address: `%22token%22%3A%22…%22`.
    fn encoded(&self, says: Says, name: Name, found: &mut Vec<Span<'static>>) -> Option<usize> {
        let skip = |at: usize, codes: &[&[u8]]| {
            let rest = self.bytes.get(at..at + 3)?;
            codes
                .iter()
                .any(|code| rest.eq_ignore_ascii_case(code))
                .then_some(at + 3)
        };
        let blanks = |mut at: usize| {
            while let Some(next) = skip(at, &[b"%20"]).filter(|next| next - name.end < 24) {
                at = next;
            }
            at
        };
        let closed = skip(name.end, &[b"%22", b"%27"])?;
        let tied = skip(blanks(closed), &[b"%3A", b"%3D"])?;
        let start = skip(blanks(tied), &[b"%22", b"%27"])?;
        let rest = &self.bytes[start..self.bytes.len().min(start + 2 * BARE_MAX)];
        let is_end = |at: &usize| {
            let byte = rest[*at];
            byte.is_ascii_whitespace() || byte == b'&' || rest[*at..].starts_with(b"%22")
        };
        let end = start + (0..rest.len()).find(is_end)?;
        steps::add(end - start);
        let is_held = is_secret(says, self.text.get(start..end)?, Form::Quoted);
        is_held.then(|| {
            found.push(Span::new(start..end, rule_of(says)));
            end
        })
    }

    fn holds(&self, says: Says, name: Name, (tie, spaced): (Tie, bool), value: &Value) -> bool {
        let text = &self.text[value.start..value.end];
        let is_mixed = || Traits::of(text).is_mixed() && text.len() >= 5;
        match (tie, value.is_quoted) {
            (Tie::Gap, _) => {
                let word = &self.bytes[name.start..name.end];
                let is_loud = word.iter().all(|b| b.is_ascii_uppercase() || *b == b'_');
                says == Says::Password
                    && !text.contains(' ')
                    && !is_placeholder(text)
                    && (is_loud || is_mixed())
            }
            (Tie::Comma, true) => {
                !is_sentence(text) && is_mixed() && is_secret(says, text, Form::Quoted)
            }
            (Tie::Call, true) => {
                let words = name::words(&self.bytes[name.start..name.end]);
                let is_reader = words.first().is_some_and(|first| {
                    lists::has("readers", first) && !(first == "with" || first == "new")
                });
                let ends = matches!(self.bytes.get(value.end + 1), Some(b')' | b',' | b'.'));
                ends && !is_reader && is_secret(says, text, Form::Quoted)
            }
            (Tie::Comma | Tie::Call, false) => false,
            (Tie::Says, _) => is_secret(says, text, Form::Spaced),
            (Tie::Tag, _) => {
                let ends = self.bytes[value.end..].starts_with(b"</");
                ends && is_secret(says, text, Form::Quoted)
            }
            (_, true) => is_secret(says, text, Form::Quoted),
            (_, false) => is_secret(says, text, self.form(name, (tie, spaced), value)),
        }
    }

    /// The position of a bare value.
    fn form(&self, name: Name, (tie, spaced): (Tie, bool), value: &Value) -> Form {
        let before = &self.bytes[..name.start];
        if before.ends_with(b"-") {
            return if self.is_command {
                Form::Command
            } else {
                Form::Option
            };
        }
        if matches!(tie, Tie::Equals | Tie::Arrow) {
            if spaced {
                return Form::Spaced;
            }
            let is_argument =
                before.ends_with(b"(") || before.ends_with(b", ") || before.ends_with(b",\n");
            let is_alone = before
                .iter()
                .rev()
                .take(BLANKS_MAX)
                .take_while(|b| **b != b'\n')
                .all(|b| *b == b' ');
            let is_element =
                self.bytes.get(value.end) == Some(&b',') && is_alone && before.ends_with(b"  ");
            return if is_argument || is_element {
                Form::Call
            } else {
                Form::Tight
            };
        }
        let word = &self.bytes[name.start..name.end];
        let is_header = word.contains(&b'-')
            && (word[0].is_ascii_uppercase() || word.to_ascii_lowercase().starts_with(b"x-"));
        if is_header {
            return Form::Header;
        }
        let indent = before.iter().rev().take(INDENT_MAX + 1);
        let indent = indent.take_while(|b| b" \t-".contains(b)).count();
        let is_first = indent <= INDENT_MAX
            && before
                .len()
                .checked_sub(indent + 1)
                .is_none_or(|at| before[at] == b'\n');
        let is_last = matches!(self.bytes.get(value.end), None | Some(b'\n' | b'\r'));
        if is_first && is_last && spaced {
            Form::Line
        } else {
            Form::Colon
        }
    }

    /// The value that begins here.
    pub(super) fn value(&self, at: usize) -> Option<Value> {
        let bytes = self.bytes;
        let at = self.block_start(at).unwrap_or(at);
        let escapes = bytes
            .get(at..)?
            .iter()
            .take(3)
            .take_while(|b| **b == b'\\')
            .count();
        let open = at + escapes;
        if let Some(quote @ (b'"' | b'\'' | b'`')) = bytes.get(open).copied()
            && let Some(end) = quoted_end(bytes, open + 1, (quote, escapes))
        {
            return Some(Value {
                start: open + 1,
                end,
                is_quoted: true,
            });
        }
        let start = match bytes.get(open) {
            Some(b'"' | b'\'' | b'`') => open + 1,
            _ => at,
        };
        let end = self.text.floor_char_boundary(bare_end(bytes, start));
        (end > start).then_some(Value {
            start,
            end,
            is_quoted: false,
        })
    }
}

fn rule_of(says: Says) -> &'static str {
    match says {
        Says::Password => PASSWORD,
        Says::Secret => SECRET,
        Says::Key | Says::Pin => KEY,
    }
}
