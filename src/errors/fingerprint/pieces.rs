//! The pieces of a normalised text as they are put: one blank between them, and of records that follow each
//! other in one form (`node <*> ok node <*> ok`) only the first.

use super::mask::{Form, Mask};

/// Remembered places of pieces: twice a record, and those that folding takes back.
const PLACES: usize = 16;
/// Pieces of the longest record whose repetition is seen, words of direction among them; at most half of [`PLACES`].
const RECORD_MAX: usize = 5;

/// The pieces put so far.
#[derive(Clone)]
pub(super) struct Pieces {
    form: Form,
    out: String,
    /// Where the latest pieces begin, by their number.
    places: [usize; PLACES],
    count: usize,
    last: usize,
    before: usize,
    last_mask: Option<Mask>,
    /// The number of the latest mask; 0 before there is one.
    masked_at: usize,
    has_words: bool,
}

impl Pieces {
    /// Returns an empty buffer that writes masks in one form.
    pub(super) fn new(form: Form) -> Self {
        Self {
            form,
            out: String::new(),
            places: [0; PLACES],
            count: 0,
            last: 0,
            before: 0,
            last_mask: None,
            masked_at: 0,
            has_words: false,
        }
    }

    /// The pieces put so far, a blank between any two.
    pub(super) fn text(&self) -> &str {
        &self.out
    }

    /// Forgets all pieces and keeps the room.
    pub(super) fn clear(&mut self) {
        self.out.clear();
        (self.last, self.before, self.last_mask) = (0, 0, None);
        (self.count, self.masked_at, self.has_words) = (0, 0, false);
    }

    /// Whether anything but masks was put.
    pub(super) fn has_words(&self) -> bool {
        self.has_words
    }

    /// The piece put last, empty without one.
    pub(super) fn last(&self) -> &str {
        &self.out[self.last..]
    }

    /// The piece put before the last.
    pub(super) fn before(&self) -> &str {
        self.out[self.before..self.last].trim_end()
    }

    /// The piece at a position from the end, 1 being the last; empty before the first.
    pub(super) fn back(&self, number: usize) -> &str {
        if number == 0 || number > self.count.min(PLACES) {
            return "";
        }
        let start = self.place(number);
        let piece = self.out[start..].split(' ').next();
        piece.unwrap_or_default()
    }

    /// The mask put last; absent when a word was.
    pub(super) fn last_mask(&self) -> Option<Mask> {
        self.last_mask
    }

    /// Puts a mask; in the hashed form a mask after an equal one is the same mask.
    pub(super) fn put_mask(&mut self, mask: Mask) {
        let text = mask.text(self.form);
        if self.form == Form::Identity && self.last() == text {
            self.last_mask = Some(mask);
            return;
        }
        self.put(text, Some(mask));
    }

    /// Puts a word.
    pub(super) fn put_word(&mut self, word: &str) {
        self.put(word, None);
    }

    fn put(&mut self, piece: &str, mask: Option<Mask>) {
        if !self.out.is_empty() {
            self.out.push(' ');
        }
        self.before = self.last;
        self.last = self.out.len();
        self.places[self.count % PLACES] = self.last;
        self.count += 1;
        self.out.push_str(piece);
        self.last_mask = mask;
        match mask {
            Some(_) => self.masked_at = self.count,
            None => self.has_words = true,
        }
        if self.masked_at + RECORD_MAX > self.count {
            self.fold_records();
        }
    }

    /// Takes the last pieces away where they repeat those before them, a volatile value among them.
    fn fold_records(&mut self) {
        for length in 2..=RECORD_MAX {
            if self.count < 2 * length || self.masked_at + length <= self.count {
                continue;
            }
            let (first, second) = (self.place(2 * length), self.place(length));
            let end = second.saturating_sub(1);
            let is_again = self.out.get(first..end) == self.out.get(second..);
            if end > first && is_again {
                self.out.truncate(end);
                self.count -= length;
                self.masked_at -= length;
                (self.last, self.before) = (self.place(1), self.place(2));
                return;
            }
        }
    }

    /// Where the piece begins that is `back` from the end; 0 before the first.
    fn place(&self, back: usize) -> usize {
        match self.count.checked_sub(back) {
            Some(number) => self.places[number % PLACES],
            None => 0,
        }
    }

    /// Takes the last piece back.
    pub(super) fn drop_last(&mut self) {
        self.out.truncate(self.last.saturating_sub(1));
        self.count -= 1;
        (self.last, self.before) = (self.place(1), self.place(2));
        self.last_mask = None;
    }
}
