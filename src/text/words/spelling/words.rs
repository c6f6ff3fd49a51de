//! The weight of the capitals of one word, by its signs, digits, hyphens and humps.
//!
//! When in doubt, a rule returns the greater weight: a kept case costs a missed merge, a folded one a name.

use super::tables::is_unit;
use super::{Weight, has_capital};

/// Weighs a word with a sign of code; `None` for a word without.
pub(super) fn signs_weight(core: &str) -> Option<Weight> {
    if !core.contains(is_code_sign) {
        return None;
    }
    // "Yes/No" is two words of prose.
    let is_plain = |part: &str| !part.is_empty() && part.chars().all(char::is_alphabetic);
    let is_styled = core.split('/').all(|part| {
        is_plain(part) && (is_capitalised(part) || part.chars().all(char::is_uppercase))
    });
    Some(if is_styled {
        Weight::Style
    } else {
        Weight::Meaning
    })
}

/// Weighs a word with digits: `UTF-8` is an abbreviation, `SHA256` is written in two ways, `aB3x` is code.
pub(super) fn digits_weight(core: &str) -> Weight {
    let is_number = |part: &str| part.chars().all(char::is_numeric);
    let is_capitals = |part: &str| part.chars().all(char::is_uppercase);
    let mut parts = core.split('-');
    if core.contains('-') && parts.all(|part| is_number(part) || is_capitals(part)) {
        return Weight::None;
    }
    let unit = core.trim_start_matches(|c: char| c.is_numeric());
    if unit.len() < core.len() && is_unit(unit) {
        return Weight::Meaning;
    }
    let letters: String = core.chars().filter(|c| c.is_alphabetic()).collect();
    if is_capitals(&letters) || is_capitalised(&letters) {
        Weight::Style
    } else {
        Weight::Meaning
    }
}

/// Weighs a word with hyphens. Only a capital after one of them is more than the start of a sentence.
pub(super) fn hyphens_weight(core: &str) -> Weight {
    let is_capitals = |part: &str| part.chars().count() > 1 && part.chars().all(char::is_uppercase);
    let mut parts = core.split('-');
    let begins = parts
        .next()
        .is_some_and(|part| !has_capital(rest(part)) || is_capitals(part));
    let is_plain = |part: &str| !has_capital(part) || is_capitals(part);
    if begins && parts.all(is_plain) {
        Weight::None
    } else {
        Weight::Style
    }
}

/// Weighs a word with inner capitals: `GitHub` is a name in style, `getUrl` and `YWJj` are code.
pub(super) fn humps_weight(core: &str) -> Weight {
    let (mut short, mut humps) = (0, 0);
    let mut chars = core.chars().peekable();
    while let Some(c) = chars.next() {
        if !c.is_uppercase() {
            return Weight::Meaning;
        }
        humps += 1;
        let mut length = 1;
        let is_shouted = chars.peek().is_some_and(|next| next.is_uppercase());
        while chars
            .next_if(|next| next.is_lowercase() || (is_shouted && next.is_uppercase()))
            .is_some()
        {
            length += 1;
        }
        short += usize::from(length == 1);
    }
    if humps > 1 && short < 2 {
        Weight::Style
    } else {
        Weight::Meaning
    }
}

fn is_code_sign(c: char) -> bool {
    "_/.:\\@$%+=#&~^()[]{}<>*|!?`".contains(c)
}

/// Returns all letters but the first.
fn rest(word: &str) -> &str {
    let mut letters = word.chars();
    letters.next();
    letters.as_str()
}

/// Returns true if only the first letter of a word is a capital.
fn is_capitalised(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && !has_capital(rest(word))
}
