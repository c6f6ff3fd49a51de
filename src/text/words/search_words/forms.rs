//! The forms under which a word is a term: whole, in other spellings, shortened, and by its parts.

use unicode_normalization::char::is_combining_mark;

use super::short_forms::short_form;
use crate::words::folding::folded;
use crate::words::identifier_parts;
use crate::words::stop_words::is_stop_word;

/// The forms of a raw word that are terms.
#[derive(Default)]
pub(super) struct Forms {
    /// The whole word; absent for a stop word.
    pub(super) whole: Option<String>,
    /// The whole word with its ä, ö and ü as ae, oe and ue, if it has any.
    pub(super) spelled_out: Option<String>,
    /// The short form of an id or a number, if it has one.
    pub(super) short: Option<String>,
    /// The parts of an identifier, at least two before stop words and single letters are left out.
    pub(super) parts: Vec<String>,
}

impl Forms {
    /// Returns the forms of a word.
    pub(super) fn of(word: &str) -> Self {
        let lower = word.to_lowercase();
        if is_stop_word(&lower) {
            return Self::default();
        }
        if !word.contains(char::is_alphabetic) {
            return Self {
                short: short_form(&lower),
                whole: Some(lower.replace(',', "")),
                ..Self::default()
            };
        }
        let bare = word
            .strip_suffix("'s")
            .or_else(|| word.strip_suffix("'S"))
            .unwrap_or(word);
        let mut parts = identifier_parts(bare);
        if parts.len() < 2 {
            parts.clear();
        }
        let parts = parts.into_iter().map(|part| folded(part).into_owned());
        // Single characters are indices and initials: they would match everything.
        let parts = parts.filter(|part| part.chars().nth(1).is_some() && !is_stop_word(part));
        Self {
            whole: Some(folded(&without_separators(bare)).into_owned()),
            spelled_out: spelled_out(bare),
            short: short_form(&lower),
            parts: parts.collect(),
        }
    }
}

/// Returns a folded word with the letters that replace umlauts; absent without dots.
fn spelled_out(word: &str) -> Option<String> {
    let lower = word.to_lowercase();
    let dotted = ['ä', 'ö', 'ü'];
    lower.contains(dotted).then(|| {
        let spelled = lower
            .replace('ä', "ae")
            .replace('ö', "oe")
            .replace('ü', "ue");
        folded(&spelled).into_owned()
    })
}

/// Returns an identifier without its separators, so that its spellings match. Digits stay apart: 1.12 is not 11.2.
pub(super) fn without_separators(word: &str) -> String {
    let chars: Vec<char> = word.chars().collect();
    let is_digit = |at: Option<usize>| {
        at.and_then(|at| chars.get(at))
            .is_some_and(|c| c.is_numeric())
    };
    let kept = chars.iter().enumerate().filter(|(at, c)| {
        let is_letter = c.is_alphanumeric() || is_combining_mark(**c);
        is_letter || (is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)))
    });
    kept.map(|(_, c)| *c).collect()
}
