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
use super::super::lists::is_principal;
use super::super::mask::Mask;
use super::super::shape::{
    is_email, is_file_name, is_hex, is_host, is_numbered_name, is_rooted, is_scoped, of_digits,
    of_slashes,
};
use super::sink::Sink;

/// Quoted spans longer than this are two stray quotes.
const QUOTED_MAX_BYTES: usize = 1_024;

/// Keys before colons, and parts between double ones, that are split off one piece.
const KEYS_MAX: u8 = 4;

/// Whether quoted text is kept or masked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Quotes {
    Keep,
    Mask,
}

/// Puts the pieces of a folded text into the sink; tells whether it holds a quoted span.
pub(super) fn scan(text: &str, quotes: Quotes, sink: &mut Sink) -> bool {
    let mut scanner = Scanner {
        text,
        bytes: text.as_bytes(),
        quotes,
        unclosed: [usize::MAX; 3],
        quoted: false,
        indexed: false,
        joins: true,
    };
    let was_empty = sink.text().is_empty();
    scanner.run(sink);
    if was_empty && scanner.indexed && !sink.has_words() {
        // `KeyError(12)` alone: the word is all that there is.
        sink.clear();
        scanner.joins = false;
        scanner.run(sink);
    }
    scanner.quoted
}

/// What stands between two breaks.
#[derive(Clone, Copy)]
struct Piece {
    start: usize,
    end: usize,
    /// The classes of its bytes.
    seen: u8,
    /// How many more keys may be split off, so that no text can make the scanner go deep.
    keys: u8,
}

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    quotes: Quotes,
    /// Per kind of quote the place up to which no closing one will be found, so that none is sought twice.
    unclosed: [usize; 3],
    quoted: bool,
    /// Whether a number in brackets was joined to the word before it.
    indexed: bool,
    /// Whether such numbers are joined.
    joins: bool,
}

impl Scanner<'_> {
    fn run(&mut self, sink: &mut Sink) {
        let mut at = 0;
        while at < self.bytes.len() {
            let byte = self.bytes[at];
            if matches!(byte, b'"' | b'`' | b'\'')
                && let Some(end) = self.closing(at)
            {
                self.quoted = true;
                if self.quotes == Quotes::Mask {
                    sink.mask(Mask::Quoted);
                    at = end + 1;
                    continue;
                }
            }
            if CLASS[usize::from(byte)] == BREAK || byte == b'\'' {
                at += 1;
                continue;
            }
            let piece = self.piece(at);
            self.put(piece, sink);
            at = piece.end;
        }
    }

    fn piece(&mut self, start: usize) -> Piece {
        let (mut at, mut seen) = (start, 0);
        while at < self.bytes.len() {
            let class = CLASS[usize::from(self.bytes[at])];
            if class & (LETTER | DIGIT) != 0 {
                seen |= class;
                at += 1;
                continue;
            }
            if class == COLON && at > start && self.bytes[at..].starts_with(b"://") {
                return Piece {
                    start,
                    end: self.url_end(at),
                    seen: seen | COLON | SLASH,
                    keys: 0,
                };
            }
            if class == BREAK || self.breaks(start, at) {
                match self.index_end(start, at) {
                    Some(end) => {
                        seen |= DIGIT;
                        at = end;
                        continue;
                    }
                    None => break,
                }
            }
            seen |= class;
            at += 1;
        }
        // A piece never is empty: what breaks at its first byte is dropped with it.
        Piece {
            start,
            end: at.max(start + 1),
            seen,
            keys: KEYS_MAX,
        }
    }

    /// Addresses of resources hold signs that end any other piece.
    fn url_end(&self, from: usize) -> usize {
        let ends = |byte: &u8| *byte <= b' ' || b"\"'`<>)]},".contains(byte);
        self.bytes[from..]
            .iter()
            .position(ends)
            .map_or(self.bytes.len(), |length| from + length)
    }

    /// Where a number in brackets ends that belongs to the word before it: `sshd[4711]`, `local(0)`; in square
    /// ones it may be a range: `node-[40-63]`.
    fn index_end(&mut self, start: usize, at: usize) -> Option<usize> {
        let (close, signs): (u8, &[u8]) = match self.bytes[at] {
            b'(' if at > start => (b')', b""),
            b'[' if at > start => (b']', b"-:,."),
            _ => return None,
        };
        if !self.joins || !self.bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
            return None;
        }
        let number = |b: &&u8| b.is_ascii_digit() || signs.contains(b);
        let end = at + 1 + self.bytes[at + 1..].iter().take_while(number).count();
        let closed = self.bytes.get(end) == Some(&close);
        self.indexed |= closed;
        closed.then_some(end + 1)
    }

    /// An apostrophe at the edge of a word, and three of one sign in a row, end a piece.
    fn breaks(&self, start: usize, at: usize) -> bool {
        let byte = self.bytes[at];
        let next = self.bytes.get(at + 1).copied().unwrap_or(b' ');
        if byte == b'\'' {
            let inside =
                at > start && CLASS[usize::from(self.bytes[at - 1])] & (LETTER | DIGIT) != 0;
            return !(inside && CLASS[usize::from(next)] & (LETTER | DIGIT) != 0);
        }
        byte == next && self.bytes.get(at + 2) == Some(&byte)
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
        let (start, end) = self.trim(piece.start, piece.end);
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

    /// Cuts signs off both ends that belong to no path and no number.
    fn trim(&self, mut start: usize, mut end: usize) -> (usize, usize) {
        let keeps_front = |b: u8| CLASS[usize::from(b)] & (LETTER | DIGIT | SLASH) != 0;
        let path_sign = |at: usize| {
            let next = |by: usize| {
                self.bytes
                    .get(at + by)
                    .is_some_and(|b| CLASS[usize::from(*b)] == SLASH)
            };
            match self.bytes[at] {
                b'~' => next(1),
                b'.' => next(1) || (self.bytes.get(at + 1) == Some(&b'.') && next(2)),
                _ => false,
            }
        };
        while start < end && !keeps_front(self.bytes[start]) && !path_sign(start) {
            start += 1;
        }
        let keeps_back = |b: u8| CLASS[usize::from(b)] & (LETTER | DIGIT | SLASH) != 0 || b == b'%';
        while end > start && !keeps_back(self.bytes[end - 1]) {
            end -= 1;
        }
        (start, end)
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
                self.put(self.part(start, end, piece.keys), sink);
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
            self.put(self.part(piece.start, rest, piece.keys - 1), sink);
            return self.put(self.part(rest + 2, piece.end, piece.keys - 1), sink);
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
        self.put(self.part(value, piece.end, piece.keys - 1), sink);
    }

    /// A part of a piece as a piece of its own.
    fn part(&self, start: usize, end: usize, keys: u8) -> Piece {
        let seen = self.bytes[start..end]
            .iter()
            .fold(0, |seen, byte| seen | CLASS[usize::from(*byte)]);
        Piece {
            start,
            end,
            seen,
            keys,
        }
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

/// Where the key of `key:value` ends: two letters or more, and a value behind it.
fn key_before_colon(piece: &[u8]) -> Option<usize> {
    let colon = piece.iter().position(|byte| *byte == b':')?;
    let is_key = colon >= 2
        && piece[..colon]
            .iter()
            .all(|b| CLASS[usize::from(*b)] == LETTER || *b == b'-');
    (is_key && piece.len() > colon + 1 && &piece[..colon] != b"localhost").then_some(colon)
}
