//! One pass over an error text: what may differ between two occurrences of one error becomes a mask.
//!
//! A piece is what stands between blanks, brackets, commas and quotes. A piece without a digit is split
//! into words. A piece with a digit is masked as a whole, because the letters around a digit are as
//! volatile as the digit (`blk_-75`, `task_2008_m_3`); of `key=value` and `key: value` written together
//! only the value, and of a name with `::` in it each part by itself. A word with a number in brackets behind it
//! (`sshd[4711]`, `LOCAL(0)`) is one piece, unless the text says nothing else. The price: a constant that holds
//! a digit is masked too (`ssh2`), and is not missed, because the words around it differ.
//!
//! The text has been folded before: lower case, NFKC, and outside ASCII nothing but letters.

use super::super::class::{BREAK, CLASS, COLON, DIGIT, DOT, EQUALS, LETTER, OTHER, SLASH};
use super::super::cut::{Brackets, Cutter, Piece, key_before_colon};
use super::super::lists::is_principal;
use super::super::mask::Mask;
use super::super::shape::{
    is_email, is_file_name, is_hex, is_host, is_numbered_name, is_rooted, is_scoped, of_digits,
    of_slashes,
};
use super::sink::Sink;

/// Quoted spans longer than this are two stray quotes.
const QUOTED_MAX_BYTES: usize = 1_024;

/// Whether quoted text is kept or masked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Quotes {
    Keep,
    Mask,
}

/// Puts the pieces of a folded text into the sink.
pub(super) fn scan(text: &str, quotes: Quotes, sink: &mut Sink) {
    let mut scanner = Scanner {
        text,
        bytes: text.as_bytes(),
        quotes,
        unclosed: [usize::MAX; 3],
        cut: Cutter::new(text.as_bytes(), Brackets::All),
    };
    let was_empty = sink.text().is_empty();
    scanner.run(sink);
    if was_empty && scanner.cut.indexed && !sink.has_words() {
        // `KeyError(12)` alone: the word is all that there is.
        sink.clear();
        scanner.cut.joins = false;
        scanner.run(sink);
    }
}

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    quotes: Quotes,
    /// Per kind of quote the place up to which no closing one will be found, so that none is sought twice.
    unclosed: [usize; 3],
    cut: Cutter<'t>,
}

impl Scanner<'_> {
    fn run(&mut self, sink: &mut Sink) {
        let mut at = 0;
        while at < self.bytes.len() {
            let byte = self.bytes[at];
            if self.quotes == Quotes::Mask
                && matches!(byte, b'"' | b'`' | b'\'')
                && let Some(end) = self.closing(at)
            {
                sink.mask(Mask::Quoted);
                at = end + 1;
                continue;
            }
            if CLASS[usize::from(byte)] == BREAK || byte == b'\'' {
                at += 1;
                continue;
            }
            let piece = self.cut.piece(at);
            self.put(piece, sink);
            at = piece.end;
        }
    }

    /// The closing quote of a span that opens here, on the same line.
    fn closing(&mut self, open: usize) -> Option<usize> {
        let quote = self.bytes[open];
        let slot = match quote {
            b'"' => 0,
            b'`' => 1,
            _ => 2,
        };
        let word = |at: usize| {
            self.bytes
                .get(at)
                .is_some_and(|b| CLASS[usize::from(*b)] & (LETTER | DIGIT) != 0)
        };
        if quote == b'\'' && open > 0 && word(open - 1) {
            return None;
        }
        if self.unclosed[slot] != usize::MAX && open < self.unclosed[slot] {
            return None;
        }
        let limit = self.bytes.len().min(open + 1 + QUOTED_MAX_BYTES);
        let mut at = open + 1;
        while at < limit && self.bytes[at] != b'\n' {
            if self.bytes[at] == quote && (quote != b'\'' || !word(at + 1)) {
                return Some(at);
            }
            at += 1;
        }
        self.unclosed[slot] = at;
        None
    }

    fn put(&self, piece: Piece, sink: &mut Sink) {
        let seen = piece.seen;
        if seen & !(LETTER | OTHER | COLON) == 0 {
            return self.words(piece.start, piece.end, sink);
        }
        let (start, end) = self.cut.trim(piece.start, piece.end);
        if start >= end {
            return;
        }
        let bytes = &self.bytes[start..end];
        let url = seen & SLASH != 0 && bytes.windows(3).any(|part| part == b"://");
        let piece = Piece {
            start,
            end,
            ..piece
        };
        if seen & EQUALS != 0 && !url {
            return self.put_pairs(piece, sink);
        }
        if url {
            return sink.mask(Mask::Url);
        }
        if seen & SLASH != 0
            && seen & COLON != 0
            && piece.keys > 0
            && let Some(colon) = key_before_colon(bytes)
            && is_rooted(&bytes[colon + 1..])
        {
            return self.put_keyed(piece, colon, sink);
        }
        if seen & SLASH != 0
            && let Some(mask) = of_slashes(bytes)
        {
            return sink.mask(mask);
        }
        if seen & DIGIT != 0 {
            return self.put_digits(piece, sink);
        }
        if is_email(bytes) || (seen & DOT != 0 && is_host(bytes)) {
            return sink.mask(Mask::Address);
        }
        if seen & DOT != 0 && is_file_name(bytes) {
            return sink.mask(Mask::Path);
        }
        self.words(start, end, sink);
    }

    /// Puts `key=value` as the key and the value on its own; of a numbered key (`r24=`) the name counts.
    fn put_pairs(&self, piece: Piece, sink: &mut Sink) {
        let mut start = piece.start;
        let mut parts = self.bytes[piece.start..piece.end]
            .split(|byte| *byte == b'=')
            .peekable();
        while let Some(part) = parts.next() {
            let end = start + part.len();
            let is_key = parts.peek().is_some_and(|value| !value.is_empty());
            if is_key && let Some(letters) = is_numbered_name(part) {
                self.words(start, start + letters, sink);
                sink.mask(Mask::Mixed);
            } else if !part.is_empty() {
                self.put(self.cut.part(start, end, piece.keys), sink);
            }
            start = end + 1;
        }
    }

    fn put_digits(&self, piece: Piece, sink: &mut Sink) {
        let bytes = &self.bytes[piece.start..piece.end];
        if piece.keys > 0
            && let Some(colon) = key_before_colon(bytes)
        {
            return self.put_keyed(piece, colon, sink);
        }
        if piece.keys > 0
            && piece.seen & COLON != 0
            && let Some(at) = is_scoped(bytes)
        {
            let rest = piece.start + at;
            self.put(self.cut.part(piece.start, rest, piece.keys - 1), sink);
            return self.put(self.cut.part(rest + 2, piece.end, piece.keys - 1), sink);
        }
        match of_digits(bytes) {
            Mask::Number => sink.number(&self.text[piece.start..piece.end]),
            mask => sink.mask(mask),
        }
    }

    /// Puts `key:value` as the words of the key and the value on its own.
    fn put_keyed(&self, piece: Piece, colon: usize, sink: &mut Sink) {
        let value = piece.start + colon + 1;
        self.words(piece.start, value - 1, sink);
        self.put(self.cut.part(value, piece.end, piece.keys - 1), sink);
    }

    /// Puts the words of a stretch; an apostrophe between letters belongs to its word.
    fn words(&self, start: usize, end: usize, sink: &mut Sink) {
        let mut at = start;
        while at < end {
            let from = at;
            while at < end
                && (CLASS[usize::from(self.bytes[at])] & (LETTER | DIGIT) != 0
                    || self.bytes[at] == b'\'')
            {
                at += 1;
            }
            if from < at {
                self.word(from, at, sink);
            }
            at += 1;
        }
    }

    fn word(&self, start: usize, end: usize, sink: &mut Sink) {
        let bytes = &self.bytes[start..end];
        if bytes.len() >= 8 && bytes[0] <= b'f' && is_hex(bytes) {
            return sink.mask(Mask::Hex);
        }
        let word = &self.text[start..end];
        if sink.names_follow() {
            let around = (&self.bytes[..start], &self.bytes[end..]);
            if is_principal(sink.last(), sink.before(), word, around) {
                return sink.mask(Mask::Name);
            }
        }
        sink.word(word);
    }
}
