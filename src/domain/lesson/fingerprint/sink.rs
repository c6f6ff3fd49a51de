//! Where the pieces of a normalised text are put: one blank between them, no stop word, no piece twice
//! in a row.
//!
//! Three rules need what was put before, so they live here: a calendar date is one `<time>`, a unit
//! belongs to its number, and the code of an HTTP answer or of a process is part of what went wrong.

use super::lists::{is_month, is_stop_word, is_unit, is_weekday, is_zone};

/// What stands in a normalised text for a volatile piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mask {
    Uuid,
    Hex,
    Quoted,
    Url,
    Path,
    Time,
    Address,
    Number,
    Name,
    Mixed,
}

impl Mask {
    fn text(self, form: Form) -> &'static str {
        match self {
            // These say what kind of thing was meant.
            Self::Quoted => "<str>",
            Self::Path => "<path>",
            Self::Url => "<url>",
            _ if form == Form::Identity => "<*>",
            Self::Uuid => "<uuid>",
            Self::Hex => "<hex>",
            Self::Time => "<time>",
            Self::Address => "<addr>",
            Self::Number => "<num>",
            Self::Name => "<name>",
            Self::Mixed => "<*>",
        }
    }
}

/// Which masks are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// One sign for every volatile value: what is hashed. Which kind a value is of is chance (`10` or
    /// `10.5.1`, a session number with a letter in it or without), and must not split an error.
    Identity,
    /// The typed masks: what is shown.
    Shown,
}

/// The normalised text so far.
pub(super) struct Sink {
    form: Form,
    out: String,
    last: usize,
    before: usize,
    last_mask: Option<Mask>,
    names_follow: bool,
}

impl Sink {
    /// An empty one.
    pub(super) fn new(form: Form) -> Self {
        Self {
            form,
            out: String::new(),
            last: 0,
            before: 0,
            last_mask: None,
            names_follow: false,
        }
    }

    /// The pieces put so far, a blank between any two.
    pub(super) fn text(&self) -> &str {
        &self.out
    }

    /// Forgets all pieces and keeps the room.
    pub(super) fn clear(&mut self) {
        self.out.clear();
        (self.last, self.before, self.last_mask, self.names_follow) = (0, 0, None, false);
    }

    /// The piece put last, empty without one.
    pub(super) fn last(&self) -> &str {
        &self.out[self.last..]
    }

    /// The piece put before the last.
    pub(super) fn before(&self) -> &str {
        self.out[self.before..self.last].trim_end()
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
        let after_number = matches!(self.last_mask, Some(Mask::Number | Mask::Mixed));
        if after_number && is_unit(word) || self.last_mask == Some(Mask::Time) && is_zone(word) {
            return;
        }
        self.put(word, None);
    }

    /// Puts a mask.
    pub(super) fn mask(&mut self, mask: Mask) {
        if self.last_mask == Some(mask) {
            return;
        }
        if matches!(mask, Mask::Number | Mask::Time)
            && self.last_mask.is_none()
            && is_month(self.last())
        {
            self.drop_last();
            if is_weekday(self.last()) {
                self.drop_last();
            }
            return self.put_mask(Mask::Time);
        }
        self.put_mask(mask);
    }

    fn put_mask(&mut self, mask: Mask) {
        let text = mask.text(self.form);
        if self.form == Form::Identity && self.last() == text {
            self.last_mask = Some(mask);
            return;
        }
        self.put(text, Some(mask));
    }

    /// Puts a standalone number: a mask, unless it says which error it is.
    pub(super) fn number(&mut self, digits: &str) {
        if self.last_mask.is_none() && self.is_code(digits) {
            return self.put(digits, None);
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
            "status" | "code" => {
                (400..600).contains(&number)
                    || (number < 256 && matches!(self.before(), "exit" | "exited" | "returned"))
            }
            "errno" => true,
            _ => false,
        }
    }

    fn put(&mut self, piece: &str, mask: Option<Mask>) {
        if !self.out.is_empty() {
            self.out.push(' ');
        }
        self.before = self.last;
        self.last = self.out.len();
        self.out.push_str(piece);
        self.last_mask = mask;
        self.names_follow = matches!(piece, "user" | "password");
    }

    fn drop_last(&mut self) {
        self.out.truncate(self.last.saturating_sub(1));
        self.last = self.out.rfind(' ').map_or(0, |at| at + 1);
        self.before = self.out[..self.last.saturating_sub(1)]
            .rfind(' ')
            .map_or(0, |at| at + 1);
        self.last_mask = None;
    }
}
