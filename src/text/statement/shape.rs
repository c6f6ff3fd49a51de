//! The shape of a value: a number, a piece of code, a name, or plain words.

use super::Word;
use super::tables::{CLAUSES, DAYS, IN_NAMES};

/// Maximum words of a value: of a name, of a number with its unit, and in plain words.
const NAME_MAX: usize = 8;
const AMOUNT_MAX: usize = 5;
const PLAIN_MAX: usize = 3;

/// The shape of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    Number,
    Code,
    Name,
    Plain,
}

/// Returns the shape of a value; `None` for lists, clauses and long texts.
pub(super) fn shape(value: &[Word]) -> Option<Shape> {
    let first = value.first()?;
    let inner = &value[..value.len() - 1];
    let commas = inner.iter().filter(|word| word.ends_part).count();
    let has = |list: &[&str]| value.iter().any(|word| list.contains(&word.form.as_str()));
    // "Washington, D.C." is one place, "Ada, Bob and Carol" are several people.
    if commas > 1 || (commas == 1 && (has(&["and", "or"]) || !value.iter().all(Word::is_capital))) {
        return None;
    }
    if is_number(first) {
        let is_short = value.len() <= AMOUNT_MAX && !has(&["and", "or"]);
        return is_short.then_some(Shape::Number);
    }
    let is_day = |word: &Word| DAYS.contains(&word.form.trim_end_matches('s'));
    if value.len() == 1 && first.is_code && !first.is_capital() {
        return Some(Shape::Code);
    }
    let in_name =
        |word: &Word| word.is_capital() || is_day(word) || IN_NAMES.contains(&word.form.as_str());
    if (first.is_capital() || is_day(first)) && value.iter().all(in_name) {
        return (value.len() <= NAME_MAX && !has(&["or"])).then_some(Shape::Name);
    }
    let is_adverb = first.form.ends_with("ly") || first.form.ends_with("ing");
    (value.len() <= PLAIN_MAX && !has(CLAUSES) && !is_adverb).then_some(Shape::Plain)
}

/// Returns true if a word is an amount, a version or a time.
pub(super) fn is_number(word: &Word) -> bool {
    let bare = word.form.trim_start_matches(['$', '€', '£', '~', '+', 'v']);
    bare.starts_with(|c: char| c.is_ascii_digit())
}
