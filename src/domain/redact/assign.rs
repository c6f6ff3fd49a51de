//! Values behind names: one pass over the words of a text.
//!
//! Each word is looked at once. What stands behind it is a value when a sign ties the two, and how much it has to
//! show depends on how clearly the name says "secret" and on how the two are tied.

use super::ends::{bare_end, quoted_end};
use super::header;
use super::lists;
use super::looks::{is_placeholder, is_sentence};
use super::name::{self, Says};
use super::shapes;
use super::span::Span;
use super::tie::{BLANKS_MAX, Name, Reader, Tie};
use super::traits::Traits;
use super::value::{Form, is_secret};

/// The rules of this pass.
const PASSWORD: &str = "password";
const SECRET: &str = "token";
const KEY: &str = "key";

/// A value in the text.
struct Value {
    start: usize,
    end: usize,
    is_quoted: bool,
}

/// Finds shapes, headers and values behind names.
pub(super) fn words(text: &str, is_command: bool, found: &mut Vec<Span<'static>>) {
    let bytes = text.as_bytes();
    let is_word = |at: usize| {
        bytes
            .get(at)
            .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
    };
    let (mut at, mut name_start, mut before) = (0, 0, usize::MAX);
    while at < bytes.len() {
        if !is_word(at) {
            if bytes[at] == b'$' {
                at = shapes::at_word(bytes, at, found).unwrap_or(at + 1);
                continue;
            }
            at += 1;
            continue;
        }
        let goes_on = before.checked_add(1) == Some(at) && matches!(bytes[before], b'.' | b'-');
        if !goes_on {
            name_start = at;
        }
        if let Some(end) = shapes::at_word(bytes, at, found) {
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
    /// Looks behind a name; gives the end of a secret that was found there.
    fn behind(&self, name: Name, found: &mut Vec<Span<'static>>) -> Option<usize> {
        let word = &self.bytes[name.start..name.end];
        if let Some(end) = header::loose(self.text, word, name.end, found) {
            return Some(end);
        }
        if word.eq_ignore_ascii_case(b"identified") {
            return self.identified(name, found);
        }
        let next = *self.bytes.get(name.end)?;
        if next.is_ascii_alphanumeric() {
            return None;
        }
        let kind = header::kind(word);
        let says = match kind {
            None => Some(name::says(word)?),
            Some(_) => None,
        };
        let (tie, spaced, at) = self.tie(name).or_else(|| self.apart(name))?;
        if let Some(kind) = kind {
            return header::value(self.text, kind, at, found);
        }
        let says = says?;
        let mut value = self.value(at)?;
        let mut is_held = self.holds(says, name, (tie, spaced), &value);
        if !is_held && tie == Tie::Colon && !value.is_quoted {
            // `name: type = "value"`.
            if let Some(typed) = self.behind_type(value.end) {
                is_held = self.holds(says, name, (Tie::Equals, true), &typed);
                value = typed;
            }
        }
        if !is_held {
            return None;
        }
        let rule = match says {
            Says::Password => PASSWORD,
            Says::Secret => SECRET,
            Says::Key => KEY,
        };
        found.push(Span::new(value.start..value.end, rule));
        Some(value.end)
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

    /// How a bare value stands.
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
        let line = before
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |at| at + 1);
        let is_first =
            name.start - line <= 64 && before[line..].iter().all(|b| b" \t-".contains(b));
        let is_last = matches!(self.bytes.get(value.end), None | Some(b'\n' | b'\r'));
        if is_first && is_last && spaced {
            Form::Line
        } else {
            Form::Colon
        }
    }

    /// `IDENTIFIED BY 'x'`.
    fn identified(&self, name: Name, found: &mut Vec<Span<'static>>) -> Option<usize> {
        let rest = &self.bytes[name.end..self.bytes.len().min(name.end + 80)];
        let quote = rest.iter().position(|b| matches!(b, b'\'' | b'"'))?;
        let between = rest[..quote].to_ascii_uppercase();
        if !between.starts_with(b" BY") && !between.starts_with(b" WITH") {
            return None;
        }
        let value = self.value(name.end + quote)?;
        if is_placeholder(&self.text[value.start..value.end]) {
            return None;
        }
        found.push(Span::new(value.start..value.end, PASSWORD));
        Some(value.end)
    }

    fn behind_type(&self, from: usize) -> Option<Value> {
        let end = self.bytes.len().min(from + BLANKS_MAX);
        let rest = &self.bytes[from..end];
        let line = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        let sign = rest[..line].windows(2).position(|pair| pair == b"= ")?;
        let value = self.value(self.skip_prefix(self.skip_blanks(from + sign + 1)))?;
        value.is_quoted.then_some(value)
    }

    /// The value that begins here.
    fn value(&self, at: usize) -> Option<Value> {
        let bytes = self.bytes;
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
        let end = bare_end(bytes, start);
        (end > start).then_some(Value {
            start,
            end,
            is_quoted: false,
        })
    }
}
