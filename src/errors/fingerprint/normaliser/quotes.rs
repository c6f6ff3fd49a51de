//! Where a quoted span ends: at the next sign of its kind on the same line, an apostrophe inside a word being none.
//!
//! Older GNU tools open with a backtick and close with an apostrophe. A span in backticks may run over lines, as
//! agents quote source. No closing sign is sought twice, so that no text is read in more than linear time.

use super::super::class::{CLASS, DIGIT, LETTER};
use hindlore_primitives::steps;

/// Quoted spans longer than this are two stray quotes.
const QUOTED_MAX_BYTES: usize = 1_024;

/// A quoted span, by its closing sign.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quoted {
    /// The place of the closing sign.
    pub(super) end: usize,
    /// It runs over lines: source that was repeated.
    pub(super) has_lines: bool,
}

/// The quotes of one text.
pub(super) struct Quotes<'t> {
    bytes: &'t [u8],
    /// Per kind of quote the place up to which no closing one will be found.
    unclosed: [usize; 3],
}

impl<'t> Quotes<'t> {
    /// Returns the quotes of a text of which nothing is known.
    pub(super) fn new(bytes: &'t [u8]) -> Self {
        Self {
            bytes,
            unclosed: [usize::MAX; 3],
        }
    }

    /// Finds where the span ends that opens here.
    pub(super) fn closing(&mut self, open: usize) -> Option<Quoted> {
        let quote = self.bytes[open];
        let slot = match quote {
            b'"' => 0,
            b'`' => 1,
            _ => 2,
        };
        if quote == b'\'' && open > 0 && self.is_word(open - 1) {
            return None;
        }
        if self.unclosed[slot] != usize::MAX && open < self.unclosed[slot] {
            return None;
        }
        let limit = self.bytes.len().min(open + 1 + QUOTED_MAX_BYTES);
        let mut at = open + 1;
        let mut has_lines = false;
        while at < limit {
            let byte = self.bytes[at];
            if byte == b'\n' {
                if quote != b'`' {
                    break;
                }
                has_lines = true;
            }
            if self.closes(quote, at) && !(has_lines && byte != quote) {
                steps::add(at - open);
                return Some(Quoted { end: at, has_lines });
            }
            at += 1;
        }
        steps::add(at - open);
        self.unclosed[slot] = at;
        None
    }

    fn closes(&self, quote: u8, at: usize) -> bool {
        match self.bytes[at] {
            b'\'' if quote == b'\'' || quote == b'`' => !self.is_word(at + 1),
            byte => byte == quote,
        }
    }

    fn is_word(&self, at: usize) -> bool {
        self.bytes
            .get(at)
            .is_some_and(|b| CLASS[usize::from(*b)] & (LETTER | DIGIT) != 0)
    }
}
