//! Where a piece begins and ends.
//!
//! Nothing here decides the kind of a piece; the signs that end one are those of `class`, with the exceptions for
//! numbers in brackets.

use super::class::{BREAK, CLASS, COLON, DIGIT, LETTER, SLASH};
use super::shape::is_file_name;

/// Keys before colons, and parts between double ones, that are split off one piece.
const KEYS_MAX: u8 = 4;

/// The text between two breaks.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    /// Where it begins.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
    /// The classes of its bytes.
    pub(super) seen: u8,
    /// How many more keys may be split off, so that no text can make the scanner go deep.
    pub(super) keys: u8,
}

/// Cuts pieces out of a text.
pub(super) struct Cutter<'t> {
    bytes: &'t [u8],
    /// Whether a number in brackets was joined to the word before it.
    pub(super) indexed: bool,
    /// Whether such numbers are joined.
    pub(super) joins: bool,
}

impl<'t> Cutter<'t> {
    /// Returns a cutter that joins numbers in brackets, except codes, to the word before them.
    pub(super) fn new(bytes: &'t [u8]) -> Self {
        Self {
            bytes,
            indexed: false,
            joins: true,
        }
    }

    /// The piece that begins here.
    pub(super) fn piece(&mut self, start: usize) -> Piece {
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
            if self.bytes[start] == b'/' && self.begins_query(at) {
                at = self.url_end(at);
                break;
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
        // A piece is never empty: a sign that breaks at its first byte is dropped with it.
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

    /// Whether the query of a path begins here, as in `/users?page=2`.
    fn begins_query(&self, at: usize) -> bool {
        let Some(query) = self.bytes[at..].strip_prefix(b"?") else {
            return false;
        };
        let is_name = |b: &&u8| b.is_ascii_alphanumeric() || b"_-.".contains(b);
        let name = query.iter().take_while(is_name).count();
        name > 0 && query.get(name) == Some(&b'=')
    }

    /// The end of a number in brackets that belongs to the word before it: `sshd[4711]`, `local(0)`; in square brackets
    /// it may be a range: `node-[40-63]`; after a file it is its line and column: `a.ts(12,5)`.
    fn index_end(&mut self, start: usize, at: usize) -> Option<usize> {
        let word = &self.bytes[start..at];
        let (close, signs): (u8, &[u8]) = match self.bytes[at] {
            b'(' if at > start && is_file_name(word) => (b')', b","),
            b'(' if at > start => (b')', b""),
            b'[' if at > start => (b']', b"-:,."),
            _ => return None,
        };
        // Brackets after these words hold a code.
        let announces = [
            &b"error"[..],
            b"warning",
            b"sqlstate",
            b"exited",
            b"status",
            b"code",
        ];
        if !self.joins
            || announces.contains(&word)
            || !self.bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
        {
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

    /// Cuts signs off both ends that belong to no path and no number.
    pub(super) fn trim(&self, mut start: usize, mut end: usize) -> (usize, usize) {
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

    /// A part of a piece as a piece of its own.
    pub(super) fn part(&self, start: usize, end: usize, keys: u8) -> Piece {
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
}

/// Where the key of `key:value` ends: two letters or more, followed by a value.
pub(super) fn key_before_colon(piece: &[u8]) -> Option<usize> {
    let colon = piece.iter().position(|byte| *byte == b':')?;
    let is_key = colon >= 2
        && piece[..colon]
            .iter()
            .all(|b| CLASS[usize::from(*b)] == LETTER || *b == b'-');
    (is_key && piece.len() > colon + 1 && &piece[..colon] != b"localhost").then_some(colon)
}
