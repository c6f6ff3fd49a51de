//! Secrets that a command reads from its input: `echo X | docker login --password-stdin`, `chpasswd <<EOF`.
//!
//! The secret comes before the word that announces it, or on lines below it; this is the memory between them.

use std::ops::Range;

use super::programs::Kind;
use super::shell::Word;
use crate::span::Span;
use crate::value::false_positives::is_placeholder;
use crate::value::lists;

const RULE: &str = "command-input";

/// Lines of a text that is put in.
const LINES_MAX: usize = 200;

/// A text that follows a command on lines of its own.
#[derive(Default)]
pub(super) struct Input {
    /// The word that ends it, while one is open.
    end: Option<String>,
    lines: usize,
    is_pairs: bool,
}

impl Input {
    /// Notes that a line opens a text for a command that reads secrets.
    pub(super) fn begin(&mut self, line: &str) {
        let Some((_, rest)) = line.split_once("<<").filter(|_| line.len() <= 1_024) else {
            return;
        };
        let word = rest.trim_start_matches('-').split_whitespace().next();
        let word = word.unwrap_or_default().trim_matches(['\'', '"']);
        let is_word = !word.is_empty()
            && word.len() <= 32
            && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let mut words = line.split_whitespace();
        let reads = words.find(|word| lists::has("input-readers", word));
        if let Some(reads) = reads.filter(|_| is_word) {
            *self = Self {
                end: Some(word.to_owned()),
                lines: 0,
                is_pairs: reads == "chpasswd",
            };
        }
    }

    /// Reads a line of an open text; false when none is open.
    pub(super) fn takes_line(
        &mut self,
        text: &str,
        line: Range<usize>,
        found: &mut Vec<Span<'static>>,
    ) -> bool {
        let Some(end) = &self.end else {
            return false;
        };
        let written = text[line.clone()].trim_end();
        if written.trim() == end || self.lines >= LINES_MAX {
            self.end = None;
            return written.trim().len() <= 32;
        }
        self.lines += 1;
        let secret = if self.is_pairs {
            written.split_once(':').map_or("", |(_, secret)| secret)
        } else {
            written.trim_start()
        };
        if secret.len() >= 4 && !secret.contains(' ') && !is_placeholder(secret) {
            let end = line.start + written.len();
            found.push(Span::new(end - secret.len()..end, RULE));
        }
        true
    }
}

/// The input of a command from a pipe or a here-string.
#[derive(Default)]
pub(super) struct Piped<'t> {
    /// The program of the part that is read is one that prints its words.
    prints: bool,
    has_begun: bool,
    is_sudo: bool,
    /// The last word that was printed.
    last: Option<Word<'t>>,
    /// The input after a pipe.
    piped: Option<Word<'t>>,
    /// The command reads a secret from its input.
    reads: Option<Kind>,
    /// The next word is the input.
    here: bool,
}

impl<'t> Piped<'t> {
    /// Notes a sign that separates commands, the last byte read.
    pub(super) fn part(&mut self, read: &[u8]) {
        let last = self.last.take();
        let is_pipe = read.ends_with(b"|");
        *self = Self {
            piped: last.filter(|_| is_pipe && self.prints),
            ..Self::default()
        };
    }

    /// Reads a word; gives the one that is a secret, once it is known to be.
    pub(super) fn take(&mut self, word: &Word<'t>) -> Option<(Word<'t>, Kind)> {
        let plain = word.text.as_ref();
        if !self.has_begun {
            self.is_sudo |= plain == "sudo";
            self.has_begun =
                !(plain.contains('=') || plain == "sudo" || plain == "$" || plain == "+");
            self.prints = matches!(plain, "echo" | "printf" | "print");
        } else if self.prints {
            self.last = Some(word.clone()).filter(|_| !plain.starts_with('>'));
        }
        if self.here {
            self.here = false;
            return self.reads.map(|kind| (word.clone(), kind));
        }
        if let Some(rest) = plain.strip_prefix("<<<") {
            self.here = rest.is_empty();
            return None;
        }
        let kind = match plain {
            "chpasswd" => Kind::Pair,
            "-S" | "-kS" | "-Sk" if self.is_sudo => Kind::Next,
            _ if lists::has("input-readers", plain) => Kind::Next,
            _ => return None,
        };
        self.reads = Some(kind);
        self.piped.take().map(|word| (word, kind))
    }
}
