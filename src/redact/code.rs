//! Values at a place of their own in code: a call's second text, a fallback, a typed declaration.

use super::assign::{PASSWORD, Value};
use super::span::Span;
use super::value::assignment::{BLANKS_MAX, Name, Reader};
use super::value::false_positives::is_placeholder;
use super::value::lists;
use super::value::name::Says;
use super::value::traits::Traits;
use super::value::{Form, is_secret};

/// The longest name that is looked up in a list.
const WORD_MAX: usize = 16;

impl Reader<'_> {
    /// `IDENTIFIED BY 'x'`.
    pub(super) fn identified(&self, name: Name, found: &mut Vec<Span<'static>>) -> Option<usize> {
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

    /// `name: type = "value"`.
    pub(super) fn behind_type(&self, from: usize) -> Option<Value> {
        let end = self.bytes.len().min(from + BLANKS_MAX);
        let rest = &self.bytes[from..end];
        let line = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        let sign = rest[..line].windows(2).position(|pair| pair == b"= ")?;
        let value = self.value(self.skip_prefix(self.skip_blanks(from + sign + 1)))?;
        value.is_quoted.then_some(value)
    }

    /// `other || "value"`, `other ?? "value"`, `other or "value"`, `getenv("NAME", "value")`.
    pub(super) fn fallback(&self, from: usize) -> Option<Value> {
        let end = self.bytes.len().min(from + 2 * BLANKS_MAX);
        let near = &self.bytes[from..end];
        let line = near.iter().position(|b| *b == b'\n').unwrap_or(near.len());
        let near = &near[..line];
        let after = [&b"|| "[..], b"?? ", b" or ", b"\", ", b"', ", b"?: "]
            .iter()
            .find_map(|sign| {
                Some(near.windows(sign.len()).position(|part| part == *sign)? + sign.len())
            })?;
        let value = self.value(self.skip_blanks(from + after))?;
        value.is_quoted.then_some(value)
    }

    /// The second of two texts between brackets.
    pub(super) fn of_pair(&self, open: usize) -> Option<Value> {
        if self.bytes.get(open) != Some(&b'(') {
            return None;
        }
        let first = self.value(self.skip_blanks(open + 1))?;
        let comma = self.skip_blanks(first.end + 1);
        if !first.is_quoted || first.end - first.start > 128 || self.bytes.get(comma) != Some(&b',')
        {
            return None;
        }
        let second = self.value(self.skip_prefix(self.skip_blanks(comma + 1)))?;
        second.is_quoted.then_some(second)
    }

    /// `login("name", "value")`.
    pub(super) fn of_call(&self, name: Name) -> Option<Value> {
        if self.bytes.get(name.end) != Some(&b'(') {
            return None;
        }
        let word = self
            .text
            .get(name.start..name.end)?
            .rsplit(['.', '-'])
            .next()?;
        if word.len() > WORD_MAX || !lists::has("login-calls", &word.to_ascii_lowercase()) {
            return None;
        }
        let value = self.of_pair(name.end)?;
        let text = &self.text[value.start..value.end];
        let traits = Traits::of(text);
        let is_one = (traits.is_mixed() || traits.has_odd_signs()) && !traits.is_numbered_word();
        (is_one && is_secret(Says::Password, text, Form::Quoted)).then_some(value)
    }

    /// `requirepass value`, a line of settings.
    pub(super) fn of_setting(&self, name: Name) -> Option<Value> {
        let is_near = self.bytes.get(name.end) == Some(&b' ')
            && (8..=WORD_MAX).contains(&(name.end - name.start));
        let word = self.text.get(name.start..name.end).filter(|_| is_near)?;
        if !lists::has("settings", word) {
            return None;
        }
        let value = self.value(self.skip_blanks(name.end))?;
        let text = &self.text[value.start..value.end];
        let is_one =
            text.len() >= 5 && (Traits::of(text).is_mixed() || Traits::of(text).symbols > 0);
        (is_one && !is_placeholder(text)).then_some(value)
    }
}
