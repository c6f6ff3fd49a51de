//! What the first normaliser puts: no stop word, no piece twice in a row.
//!
//! Three rules need what was put before, so they live here: a calendar date is one `<time>`, a unit
//! belongs to its number, and the code of an HTTP answer or of a process is part of what went wrong.

use super::super::lists::{is_month, is_stop_word, is_unit, is_weekday, is_zone};
use super::super::mask::{Form, Mask};
use super::super::pieces::Pieces;

/// Pieces of the longest record whose repetition is seen.
const RECORD_MAX: usize = 3;

/// The normalised text so far.
pub(super) struct Sink {
    pieces: Pieces,
    names_follow: bool,
}

impl Sink {
    /// An empty one.
    pub(super) fn new(form: Form) -> Self {
        Self {
            pieces: Pieces::new(form, RECORD_MAX),
            names_follow: false,
        }
    }

    /// The pieces put so far, a blank between any two.
    pub(super) fn text(&self) -> &str {
        self.pieces.text()
    }

    /// Forgets all pieces and keeps the room.
    pub(super) fn clear(&mut self) {
        self.pieces.clear();
        self.names_follow = false;
    }

    /// Tells whether anything but masks was put.
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

    /// Tells whether the piece put last may have a name behind it.
    pub(super) fn names_follow(&self) -> bool {
        self.names_follow
    }

    /// Puts a word in lower case.
    pub(super) fn word(&mut self, word: &str) {
        if is_stop_word(word) || word == self.last() {
            return;
        }
        let after_number = matches!(self.pieces.last_mask(), Some(Mask::Number | Mask::Mixed));
        if after_number && is_unit(word)
            || self.pieces.last_mask() == Some(Mask::Time) && is_zone(word)
        {
            return;
        }
        self.put(word);
    }

    /// Puts a mask.
    pub(super) fn mask(&mut self, mask: Mask) {
        if self.pieces.last_mask() == Some(mask) {
            return;
        }
        if matches!(mask, Mask::Number | Mask::Time)
            && self.pieces.last_mask().is_none()
            && is_month(self.last())
        {
            self.pieces.drop_last();
            if is_weekday(self.last()) {
                self.pieces.drop_last();
            }
            return self.put_mask(Mask::Time);
        }
        self.put_mask(mask);
    }

    /// Puts a standalone number: a mask, unless it says which error it is.
    pub(super) fn number(&mut self, digits: &str) {
        if self.pieces.last_mask().is_none() && self.is_code(digits) {
            return self.put(digits);
        }
        self.mask(Mask::Number);
    }

    /// Tells whether a number after these words is the code of an HTTP error or of a process.
    fn is_code(&self, digits: &str) -> bool {
        let Ok(number) = digits.parse::<u16>() else {
            return false;
        };
        match self.last() {
            "http" => (400..600).contains(&number),
            // Behind a volatile value it is a field of a record, as in the log of a server.
            "status" if self.is_volatile(self.before()) => false,
            "status" | "code" => {
                (400..600).contains(&number)
                    || (number < 256 && matches!(self.before(), "exit" | "exited" | "returned"))
            }
            "errno" => true,
            _ => false,
        }
    }

    fn is_volatile(&self, piece: &str) -> bool {
        piece.starts_with('<') && !matches!(piece, "<str>" | "<path>" | "<url>")
    }

    fn put(&mut self, word: &str) {
        self.pieces.put_word(word);
        self.names_follow = matches!(word, "user" | "password");
    }

    fn put_mask(&mut self, mask: Mask) {
        self.pieces.put_mask(mask);
        self.names_follow = false;
    }
}
