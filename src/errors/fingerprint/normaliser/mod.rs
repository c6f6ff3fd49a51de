//! The normaliser: codes and names decide, frames and noise go.
//!
//! First the cause is found ([`cause`]), then its text is cut into pieces ([`scan`]). The fine level keeps the details
//! that an engineer would look for when offered a cure: codes, the names of missing or wrong things, signs that decide.
//! The coarse level masks quoted text and pieces with a digit, as logs want it.
//!
//! An error that names its place in the source is about the program at hand, whose names are chance; its code and its
//! template remain. A missing object (a variable, a module, a header, a command) keeps its name on the fine level,
//! because the cure is another one for each; the coarse level masks that name, quoted or not.

mod cause;
mod codes;
mod dates;
mod escape;
mod fold;
mod lazy_rule;
mod lines;
mod literal;
mod names;
mod quotes;
mod scan;
mod shapes;
mod sink;
mod templates;

#[cfg(test)]
mod outputs;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use self::cause::diagnostics;
use self::cause::{cause, without_tags};
use self::escape::without_terminal;
use self::fold::Folded;
use self::scan::{Names, Reading, scan};
use self::shapes::missing;
use self::sink::Sink;
use self::templates::{names_chosen_outside, names_of_program};
use super::Level;
use super::mask::{Form, Mask};

/// Of a longer text the beginning and the end are read: tools name the cause first or last.
const TEXT_MAX_BYTES: usize = 16 * 1_024;

/// The two normalised texts of one error.
pub(super) struct Normaliser {
    folded: Folded,
    fine: Sink,
    coarse: Sink,
    /// Both levels are one so far, and only the fine one was written: most lines of logs quote nothing.
    is_one: bool,
}

impl Normaliser {
    /// The version of the rules, a part of each fingerprint.
    pub(super) const VERSION: u8 = 3;

    /// Returns an empty normaliser that writes masks in one form.
    pub(super) fn new(form: Form) -> Self {
        Self {
            folded: Folded::default(),
            fine: Sink::new(form),
            coarse: Sink::new(form),
            is_one: false,
        }
    }

    /// Forgets all pieces.
    pub(super) fn clear(&mut self) {
        self.fine.clear();
        self.coarse.clear();
        self.is_one = false;
    }

    /// Puts a text, of the error or of another part.
    pub(super) fn put_text(&mut self, text: &str) {
        let seen = without_terminal(text);
        let inner = without_tags(&seen);
        let cause = cause(&inner);
        if cause.has_place {
            self.mask(Mask::Path);
        }
        self.folded.read(&bounded(&cause.text));
        let message = self.folded.lower();
        let absent = missing(message);
        let of_program = if cause.located {
            names_of_program(message)
        } else {
            Vec::new()
        };
        let names = Names {
            quoted_are_chance: cause.located && absent.is_empty() && !names_chosen_outside(message),
            of_program,
            absent,
        };
        self.scan(&names);
    }

    /// Puts a value that the coarse level masks.
    pub(super) fn put_quoted(&mut self, text: &str) {
        self.part();
        self.folded.read(&bounded(text));
        let names = Names::default();
        let fine = Reading {
            level: Level::Fine,
            names: &names,
        };
        scan(&self.folded, fine, &mut self.fine);
        self.coarse.mask(Mask::Quoted);
    }

    /// Puts a mask for a value that distinguishes occurrences.
    pub(super) fn put_identifier(&mut self) {
        self.mask(Mask::Mixed);
    }

    /// Returns the pieces of the fine level.
    pub(super) fn fine(&self) -> &str {
        self.fine.text()
    }

    /// Returns the pieces of the coarse level.
    pub(super) fn coarse(&self) -> &str {
        if self.is_one {
            return self.fine.text();
        }
        self.coarse.text()
    }

    fn scan(&mut self, names: &Names) {
        let fine = Reading {
            level: Level::Fine,
            names,
        };
        let coarse = Reading {
            level: Level::Coarse,
            names,
        };
        self.part();
        let was_empty = self.fine.text().is_empty();
        let differs = scan(&self.folded, fine, &mut self.fine);
        if was_empty && !differs {
            self.is_one = true;
            return;
        }
        scan(&self.folded, coarse, &mut self.coarse);
    }

    /// Makes the coarse level one of its own.
    fn part(&mut self) {
        if self.is_one {
            self.coarse.clone_from(&self.fine);
            self.is_one = false;
        }
    }

    fn mask(&mut self, mask: Mask) {
        self.part();
        self.fine.mask(mask);
        self.coarse.mask(mask);
    }
}

/// Returns the first cause of an output in lower case, without the terminal and the harness around it.
pub(super) fn message_of(text: &str) -> String {
    let seen = without_terminal(text);
    let inner = without_tags(&seen);
    let mut folded = Folded::default();
    folded.read(&bounded(&cause(&inner).text));
    folded.lower().to_owned()
}

/// Returns the part of a text that is read.
fn bounded(text: &str) -> Cow<'_, str> {
    if text.len() <= TEXT_MAX_BYTES {
        return Cow::Borrowed(text);
    }
    let half = TEXT_MAX_BYTES / 2;
    let head = text.floor_char_boundary(half);
    let tail = text.ceil_char_boundary(text.len() - half);
    Cow::Owned(format!("{}\n{}", &text[..head], &text[tail..]))
}
