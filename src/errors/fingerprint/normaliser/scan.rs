//! One pass over the text of a cause: pieces that may differ between two occurrences of one error become masks.
//!
//! A piece is the text between blanks, brackets, commas and quotes. A piece without a digit is split into words. A
//! piece with a digit is masked as a whole, because the letters around a digit are as volatile as the digit
//! (`blk_-75`), unless it is a code or, on the fine level, a name; of `key=value` and `key: value` written together
//! only the value, and of a name with `::` in it each part by itself. A number in brackets belongs to the word before
//! it (`sshd[4711]`), unless the text has no other word.

use std::ops::Range;

use super::super::Level;
use super::super::class::{BREAK, CLASS, COLON, DIGIT, DOT, EQUALS, LETTER, OTHER, SLASH};
use super::super::cut::{Cutter, Piece, key_before_colon};
use super::super::lists::is_principal;
use super::super::mask::Mask;
use super::super::shape::{
    is_email, is_file_name, is_hex, is_host, is_numbered_name, is_rooted, is_scoped, of_digits,
    of_slashes,
};
use super::fold::Folded;
use super::literal::{Literal, after_name, announces_option, is_place, literal, quoted, sign};
use super::names::{class_of_object, is_drawn, is_name_of_absent, is_scheduled, is_temporary};
use super::quotes::{Quoted, Quotes};
use super::sink::{Neighbours, Sink};
use hindlore_primitives::steps;

/// The names that a message holds, by their places in the text in lower case, ascending.
#[derive(Default, Debug)]
pub(super) struct Names {
    /// Unquoted names of the program at hand, masked on both levels.
    pub(super) of_program: Vec<Range<usize>>,
    /// Names of missing objects, in quotes or not, masked on the coarse level.
    pub(super) absent: Vec<Range<usize>>,
    /// Quoted text is a name of the program at hand.
    pub(super) quoted_are_chance: bool,
}

/// How a text is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading<'n> {
    /// The level that is written.
    pub(super) level: Level,
    /// The names in the text.
    pub(super) names: &'n Names,
}

/// Puts the pieces of a text into the sink; returns whether the levels may differ.
pub(super) fn scan(text: &Folded, reading: Reading<'_>, sink: &mut Sink) -> bool {
    let mut scanner = Scanner {
        text: text.lower(),
        cased: text.cased(),
        bytes: text.lower().as_bytes(),
        reading,
        quotes: Quotes::new(text.lower().as_bytes()),
        differs: false,
        cut: Cutter::new(text.lower().as_bytes()),
    };
    let was_empty = sink.text().is_empty();
    scanner.run(sink);
    if was_empty && scanner.cut.indexed && !sink.has_words() {
        // `KeyError(12)` alone: the word is all that there is.
        sink.clear();
        scanner.cut.joins = false;
        scanner.run(sink);
    }
    scanner.differs
}

struct Scanner<'t> {
    text: &'t str,
    cased: &'t str,
    bytes: &'t [u8],
    reading: Reading<'t>,
    quotes: Quotes<'t>,
    /// Something was read that the two levels read differently.
    differs: bool,
    cut: Cutter<'t>,
}

impl Scanner<'_> {
    fn run(&mut self, sink: &mut Sink) {
        let mut at = 0;
        while at < self.bytes.len() {
            let byte = self.bytes[at];
            if let Some(next) = self.put_unquoted(at, sink) {
                at = next;
                continue;
            }
            if matches!(byte, b'"' | b'`' | b'\'')
                && let Some(span) = self.quotes.closing(at)
                && let Some(next) = self.put_quoted(at, span, sink)
            {
                at = next;
                continue;
            }
            if CLASS[usize::from(byte)] == BREAK || byte == b'\'' {
                at += match sign(self.bytes, at, sink.last()) {
                    0 => 1,
                    length => {
                        sink.literal(&self.text[at..at + length]);
                        length
                    }
                };
                continue;
            }
            let piece = self.cut.piece(at);
            steps::add(piece.end - at);
            self.put(piece, sink);
            at = piece.end;
        }
    }

    /// Puts a quoted span; absent when it is read like any other text.
    fn put_quoted(&mut self, open: usize, span: Quoted, sink: &mut Sink) -> Option<usize> {
        self.differs = true;
        let inner = open + 1..span.end;
        let is_chance = self.reading.names.quoted_are_chance || span.has_lines;
        self.put_span(inner, is_chance, sink)
            .then_some(span.end + 1)
    }

    /// Puts a name without quotes that begins here, as if it were in quotes.
    fn put_unquoted(&mut self, at: usize, sink: &mut Sink) -> Option<usize> {
        let names = self.reading.names;
        let of_program = beginning(&names.of_program, at);
        let is_chance = of_program.is_some();
        let place = of_program.or_else(|| beginning(&names.absent, at))?;
        self.differs = true;
        let end = place.end;
        self.put_span(place, is_chance, sink).then_some(end)
    }

    /// Puts the text of a name; false when it is read like any other text.
    fn put_span(&self, inner: Range<usize>, is_chance: bool, sink: &mut Sink) -> bool {
        if self.reading.level == Level::Coarse {
            sink.mask(Mask::Quoted);
            return true;
        }
        match quoted(&self.text[inner.clone()], &self.cased[inner.clone()]) {
            // A sign decides even where names are chance.
            Literal::Sign(sign) => sink.literal(sign),
            _ if is_chance => sink.mask(Mask::Quoted),
            Literal::Name(name) => sink.literal(name),
            Literal::None if self.is_absent(&inner) => sink.literal(&self.cased[inner]),
            Literal::None => return false,
        }
        true
    }

    /// Whether a text that is no name elsewhere is that of a missing object.
    fn is_absent(&self, name: &Range<usize>) -> bool {
        is_name_of_absent(&self.text[name.clone()])
            && beginning(&self.reading.names.absent, name.start).is_some()
    }

    fn put(&mut self, piece: Piece, sink: &mut Sink) {
        let seen = piece.seen;
        if self.bytes[piece.start] == b'-' && announces_option(sink.last()) {
            let option = self.text[piece.start..piece.end].trim_end_matches([':', '.']);
            return sink.literal(option);
        }
        if seen & !(LETTER | OTHER | COLON) == 0 {
            return self.words(piece, sink);
        }
        let (start, end) = self.cut.trim(piece.start, piece.end);
        if start >= end {
            return self.signs(piece, sink);
        }
        let bytes = &self.bytes[start..end];
        // The query of a path is part of the one request.
        if bytes[0] == b'/'
            && let Some(path) = bytes.iter().position(|b| *b == b'?')
        {
            return self.put(self.cut.part(start, start + path, piece.keys), sink);
        }
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
        if seen & DIGIT != 0 && sink.is_code(&self.text[start..end]) {
            return sink.literal(&self.text[start..end]);
        }
        if seen & (DIGIT | SLASH | DOT) != 0 && self.put_name(piece, sink) {
            return;
        }
        if seen & (SLASH | COLON) != 0 && is_place(bytes) {
            return sink.mask(Mask::Path);
        }
        self.put_shape(piece, sink);
    }

    /// Puts a piece by its shape alone, as both levels read it.
    fn put_shape(&mut self, piece: Piece, sink: &mut Sink) {
        let bytes = &self.bytes[piece.start..piece.end];
        let seen = piece.seen;
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
        if seen & DOT != 0 && is_temporary(&self.text[piece.start..piece.end]) {
            return sink.mask(Mask::Mixed);
        }
        self.words(piece, sink);
    }

    /// Puts a piece that is a name on the fine level; false when it is none.
    fn put_name(&mut self, piece: Piece, sink: &mut Sink) -> bool {
        let text = &self.text[piece.start..piece.end];
        if let Some(class) = class_of_object(text) {
            self.differs |= class.bytes().any(|b| b.is_ascii_digit());
            for part in class.split(['.', '$']).filter(|part| !part.is_empty()) {
                sink.literal(part);
            }
            sink.mask(Mask::Hex);
            return true;
        }
        let behind = &self.bytes[piece.end..];
        let name = literal(text, sink.before(), sink.last(), after_name(behind));
        let Some(name) = name else { return false };
        self.differs = true;
        if self.reading.level == Level::Coarse {
            return false;
        }
        sink.literal(name);
        true
    }

    /// Puts a standalone operator between two operands.
    fn signs(&self, piece: Piece, sink: &mut Sink) {
        let length = sign(self.bytes, piece.start, sink.last());
        if length > 0 {
            sink.literal(&self.text[piece.start..piece.start + length]);
        }
    }

    /// Puts `key=value` as the key and the value on its own; of a numbered key (`r24=`) the name counts.
    fn put_pairs(&mut self, piece: Piece, sink: &mut Sink) {
        let mut start = piece.start;
        let bytes = self.bytes;
        let mut parts = bytes[piece.start..piece.end]
            .split(|byte| *byte == b'=')
            .peekable();
        while let Some(part) = parts.next() {
            let end = start + part.len();
            let is_key = parts.peek().is_some_and(|value| !value.is_empty());
            if is_key && let Some(letters) = is_numbered_name(part) {
                self.words(self.cut.part(start, start + letters, 0), sink);
                sink.mask(Mask::Mixed);
            } else if !part.is_empty() {
                self.put(self.cut.part(start, end, piece.keys), sink);
            }
            start = end + 1;
        }
    }

    fn put_digits(&mut self, piece: Piece, sink: &mut Sink) {
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
            Mask::Number => {
                let place = self.neighbours(piece);
                sink.number(&self.text[piece.start..piece.end], place);
            }
            mask => sink.mask(mask),
        }
    }

    /// The context of a piece in its line.
    fn neighbours(&self, piece: Piece) -> Neighbours {
        let before = self.bytes[..piece.start].trim_ascii_end();
        let is_sign = |b: &&u8| **b != b'\n' && CLASS[usize::from(**b)] & (LETTER | DIGIT) == 0;
        let signs = self.bytes[piece.end..].iter().take_while(is_sign).count();
        steps::add(signs);
        let next = self.bytes.get(piece.end + signs);
        Neighbours {
            is_adjacent: !before.last().is_some_and(|b| b";,.!?".contains(b)),
            behind_colon: before.ends_with(b":"),
            ends_line: next.is_none_or(|b| *b == b'\n'),
        }
    }

    /// Puts `key:value` as the words of the key and the value on its own.
    fn put_keyed(&mut self, piece: Piece, colon: usize, sink: &mut Sink) {
        let value = piece.start + colon + 1;
        self.words(self.cut.part(piece.start, value - 1, 0), sink);
        self.put(self.cut.part(value, piece.end, piece.keys - 1), sink);
    }

    /// Puts the words of a stretch; an apostrophe between letters belongs to its word.
    fn words(&self, piece: Piece, sink: &mut Sink) {
        let (mut at, end) = (piece.start, piece.end);
        let is_long = end - at >= 12;
        if is_long && (is_drawn(&self.cased[at..end]) || is_scheduled(&self.text[at..end])) {
            return sink.mask(Mask::Mixed);
        }
        let mut said = false;
        while at < end {
            let from = at;
            while at < end
                && (CLASS[usize::from(self.bytes[at])] & (LETTER | DIGIT) != 0
                    || self.bytes[at] == b'\'')
            {
                at += 1;
            }
            if from < at {
                said = true;
                self.word(from, at, sink);
            }
            at += 1;
        }
        if !said {
            self.signs(piece, sink);
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
            // `password for root`: the word that announces the name is the one before.
            let (last, before) = match (sink.last(), sink.before()) {
                ("for", before) => (before, ""),
                both => both,
            };
            if is_principal(last, before, word, around) {
                return sink.mask(Mask::Name);
            }
        }
        sink.word(word, || digit_follows(&self.bytes[end..]));
    }
}

/// Returns the name that begins at a place.
fn beginning(names: &[Range<usize>], at: usize) -> Option<Range<usize>> {
    let found = names.binary_search_by_key(&at, |name| name.start);
    found.ok().and_then(|number| names.get(number)).cloned()
}

/// Whether a number is next, with or without a word that joins dates between.
fn digit_follows(rest: &[u8]) -> bool {
    let blank = |rest: &[u8]| rest.iter().take_while(|b| b" .,".contains(b)).count();
    let rest = &rest[blank(rest)..];
    let word = rest.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let rest = if word <= 3 { &rest[word..] } else { rest };
    rest[blank(rest)..].first().is_some_and(u8::is_ascii_digit)
}
