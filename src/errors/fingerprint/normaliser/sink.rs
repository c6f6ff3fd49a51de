//! Where the normaliser puts its pieces: no article, no piece twice in a row, one form for one and many.
//!
//! Decisions that need the pieces before are made here: a date in any language is one `<time>`, a unit belongs to its
//! number, and a number that identifies an error stays.

use std::borrow::Cow;

use super::super::lists::{is_unit, is_zone};
use super::super::mask::{Form, Mask};
use super::super::pieces::Pieces;
use super::codes::{Around, is_code, is_code_number, is_rule};
use super::dates::{is_month, is_weekday, joins_dates};

/// Words after a number that are in the plural when it is more than one.
const COUNTED_WORDS: u8 = 2;

/// The place of a piece in its line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbours {
    /// Nothing ends the phrase between the piece before and it.
    pub(super) is_adjacent: bool,
    /// A colon precedes it.
    pub(super) behind_colon: bool,
    /// Nothing but signs follows in the line.
    pub(super) ends_line: bool,
}

/// The normalised text so far.
#[derive(Clone)]
pub(super) struct Sink {
    pieces: Pieces,
    names_follow: bool,
    /// How many words after a number are still counted by it.
    counted: u8,
}

impl Sink {
    /// Returns an empty one.
    pub(super) fn new(form: Form) -> Self {
        Self {
            pieces: Pieces::new(form),
            names_follow: false,
            counted: 0,
        }
    }

    /// The pieces put so far, a blank between any two.
    pub(super) fn text(&self) -> &str {
        self.pieces.text()
    }

    /// Forgets all pieces and keeps the room.
    pub(super) fn clear(&mut self) {
        self.pieces.clear();
        (self.names_follow, self.counted) = (false, 0);
    }

    /// Whether anything but masks was put.
    pub(super) fn has_words(&self) -> bool {
        self.pieces.has_words()
    }

    /// The piece put last, empty without one.
    pub(super) fn last(&self) -> &str {
        self.pieces.last()
    }

    /// The piece put before the last.
    pub(super) fn before(&self) -> &str {
        self.pieces.before()
    }

    /// Whether a name may follow the last piece.
    pub(super) fn names_follow(&self) -> bool {
        self.names_follow
    }

    /// Puts a piece as it is, since it is a name, a sign or a code.
    pub(super) fn literal(&mut self, piece: &str) {
        if piece != self.last() {
            self.put(piece);
        }
        self.counted = 0;
    }

    /// Puts a word in lower case; `digit_follows` returns whether a number is next, which makes a month of a name.
    pub(super) fn word(&mut self, word: &str, digit_follows: impl Fn() -> bool) {
        let after = self.pieces.last_mask();
        let is_repeated = word == self.last();
        if is_article(word) || is_repeated {
            return;
        }
        match after {
            Some(Mask::Number | Mask::Mixed) if is_unit(word) || is_long_unit(word) => return,
            Some(Mask::Time) if is_zone(word) => return,
            Some(Mask::Time) if joins_dates(word) && digit_follows() => return,
            // `3 previous errors` and `previous error` are one message.
            Some(Mask::Number) if word == "previous" => self.pieces.drop_last(),
            _ => {}
        }
        if self.counted > 0 && self.makes_date(word, digit_follows) {
            return;
        }
        if self.counted == 0 {
            return self.put(word);
        }
        self.counted -= 1;
        let counted = self.counted;
        self.put(&singular(word));
        self.counted = counted;
    }

    /// Makes a date of a number and the month after it: `3. Juni 2025`, `3 de junio de 2025`.
    fn makes_date(&mut self, word: &str, digit_follows: impl Fn() -> bool) -> bool {
        let is_joined = joins_dates(self.last()) && self.before().starts_with('<');
        let is_after_number = self.pieces.last_mask() == Some(Mask::Number);
        if !(is_joined || is_after_number) || !is_month(word) || !digit_follows() {
            return false;
        }
        if is_joined {
            self.pieces.drop_last();
        }
        self.pieces.drop_last();
        self.put_date();
        true
    }

    /// Puts a date, and takes the day of the week before it along.
    fn put_date(&mut self) {
        if is_weekday(self.last()) {
            self.pieces.drop_last();
        }
        if self.pieces.last_mask() != Some(Mask::Time) {
            self.put_mask(Mask::Time);
        }
    }

    /// Puts a mask.
    pub(super) fn mask(&mut self, mask: Mask) {
        let after = self.pieces.last_mask();
        if after == Some(mask) || (after == Some(Mask::Time) && mask == Mask::Number) {
            return;
        }
        if matches!(mask, Mask::Number | Mask::Time) && after.is_none() && is_month(self.last()) {
            self.pieces.drop_last();
            return self.put_date();
        }
        self.put_mask(mask);
        if mask == Mask::Number {
            self.counted = COUNTED_WORDS;
        }
    }

    /// Puts a standalone number: a mask, unless it identifies an error.
    pub(super) fn number(&mut self, digits: &str, place: Neighbours) {
        let may_be_code = digits.len() <= 10 && self.pieces.last_mask().is_none();
        if may_be_code && is_code_number(digits, self.around(place)) {
            return self.put(digits);
        }
        self.mask(Mask::Number);
    }

    /// Whether a piece of letters and digits identifies an error.
    pub(super) fn is_code(&self, piece: &str) -> bool {
        // A linter names its rule right after the place.
        is_code(piece, self.last()) || (self.text() == "<path>" && is_rule(piece))
    }

    /// The context of the next number; `a status of 404` announces it as `status 404` does.
    fn around(&self, place: Neighbours) -> Around<'_> {
        let joins = matches!(self.last(), "of" | "is" | "was" | "as" | "to");
        let (before, last) = if joins {
            (self.pieces.back(3), self.before())
        } else {
            (self.before(), self.last())
        };
        Around {
            before,
            last,
            is_adjacent: place.is_adjacent,
            behind_colon: place.behind_colon,
            ends_line: place.ends_line,
        }
    }

    fn put(&mut self, word: &str) {
        let follows_for = word == "for" && self.last() == "password";
        self.pieces.put_word(word);
        self.names_follow = follows_for || matches!(word, "user" | "password");
        self.counted = 0;
    }

    fn put_mask(&mut self, mask: Mask) {
        self.pieces.put_mask(mask);
        (self.names_follow, self.counted) = (false, 0);
    }
}

/// Words without meaning for an error. Words of direction have one: a copy to a device fails otherwise than one from
/// it.
fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the" | "and")
}

/// Units in full, which programs choose by size as they do the short ones.
fn is_long_unit(word: &str) -> bool {
    let one = word.strip_suffix('s').unwrap_or(word);
    matches!(
        one,
        "millisecond"
            | "second"
            | "minute"
            | "hour"
            | "day"
            | "week"
            | "month"
            | "year"
            | "byte"
            | "hr"
            | "h"
            | "m"
            | "d"
            | "w"
            | "milli"
            | "msec"
            | "sekunde"
            | "sekunden"
            | "minuten"
            | "stunde"
            | "stunden"
    )
}

/// The singular of a counted word.
fn singular(word: &str) -> Cow<'_, str> {
    if word.len() < 4 || !word.is_ascii() {
        return Cow::Borrowed(word);
    }
    if let Some(stem) = word.strip_suffix("ies") {
        return Cow::Owned(format!("{stem}y"));
    }
    let hisses = ["ses", "xes", "zes", "ches", "shes"];
    if hisses.iter().any(|end| word.ends_with(end)) {
        return Cow::Borrowed(&word[..word.len() - 2]);
    }
    let is_plural =
        word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    Cow::Borrowed(if is_plural {
        &word[..word.len() - 1]
    } else {
        word
    })
}
