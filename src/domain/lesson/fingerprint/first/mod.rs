//! The first normaliser, kept as it was: rows written under its rules are found by it.
//!
//! It masks every piece that holds a digit and drops every sign. Nothing here changes any more: a changed rule
//! would give an error another fingerprint than the one it is stored under.

mod fold;
mod scan;
mod sink;

#[cfg(test)]
mod tests;

use self::scan::{Quotes, scan};
use self::sink::Sink;
use super::mask::{Form, Mask};
use super::reading::{Normaliser, bounded};

/// The two normalised texts of one error under the first rules.
pub(super) struct First {
    folded: String,
    fine: Sink,
    coarse: Sink,
}

impl Normaliser for First {
    const VERSION: u8 = 1;

    fn new(form: Form) -> Self {
        Self {
            folded: String::new(),
            fine: Sink::new(form),
            coarse: Sink::new(form),
        }
    }

    fn clear(&mut self) {
        self.fine.clear();
        self.coarse.clear();
    }

    fn put_error(&mut self, text: &str) {
        self.put_text(text);
    }

    fn put_text(&mut self, text: &str) {
        fold::fold_into(&bounded(text), &mut self.folded);
        scan(&self.folded, Quotes::Keep, &mut self.fine);
        scan(&self.folded, Quotes::Mask, &mut self.coarse);
    }

    fn put_quoted(&mut self, text: &str) {
        fold::fold_into(&bounded(text), &mut self.folded);
        scan(&self.folded, Quotes::Keep, &mut self.fine);
        self.coarse.mask(Mask::Quoted);
    }

    fn put_identifier(&mut self) -> bool {
        false
    }

    fn fine(&self) -> &str {
        self.fine.text()
    }

    fn coarse(&self) -> &str {
        self.coarse.text()
    }
}
