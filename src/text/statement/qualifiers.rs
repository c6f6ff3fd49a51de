//! Where, for whom and when a statement holds: "in production", "for logs", "on the replica", "at night".
//!
//! These words belong to the statement and not to its value, wherever they are in the sentence. Two statements with
//! other qualifiers are both true. Articles and the order of the qualifiers mean nothing.

use super::places::{ARTICLES, DETERMINERS, ENVIRONMENTS, PLACES, SINCE, SPANS, TIME_UNITS};
use super::{Word, is_number};

/// Characters that separate a value from a remark on it.
const DASHES: &[&str] = &["-", "–", "—"];

/// A value and the qualifiers after it. `has_titles` keeps a possible name together, as "Alice in Wonderland".
pub(super) fn split(value: &[Word], has_titles: bool) -> (&[Word], &[Word]) {
    // The first word is the value, or a relation's own place.
    let is_begin = |at: &usize| begins(value, *at) && !(has_titles && is_in_name(value, *at));
    let at = (1..value.len()).find(is_begin);
    value.split_at(at.unwrap_or(value.len()))
}

/// Returns true if a small word may belong to a name, between two of its capitals.
fn is_in_name(words: &[Word], at: usize) -> bool {
    let is_name =
        |word: Option<&Word>| word.is_some_and(|word| word.is_capital() && !is_number(word));
    let next = words.get(at + 1);
    let is_environment = |word: &Word| {
        ENVIRONMENTS
            .iter()
            .any(|(short, long)| word.form == *short || word.form == *long)
    };
    is_name(words.first()) && is_name(next) && !next.is_some_and(is_environment)
}

/// Returns true if a qualifier begins at a word.
fn begins(words: &[Word], at: usize) -> bool {
    let (word, next) = (&words[at], words.get(at + 1));
    let form = word.form.as_str();
    if word.written.starts_with('(') || DASHES.contains(&form) {
        return true;
    }
    // "8080 locally": an adverb of place, if the value before it is complete.
    if form.len() > 4 && form.ends_with("ly") && is_number(&words[at - 1]) {
        return true;
    }
    let Some(next) = next else {
        return false;
    };
    // "9:30 am" is a time of the day.
    if form == "am" && is_number(&words[at - 1]) {
        return false;
    }
    // "100 requests per minute" is a value, "3 seats per user" one of many.
    if form == "per" || form == "pro" {
        return !TIME_UNITS.contains(&next.form.as_str());
    }
    // "Monday at 9:30" is one value; "5 in 2024" has a year.
    if is_number(next) {
        return SPANS.contains(&form);
    }
    PLACES.contains(&form) || SPANS.contains(&form)
}

/// Splits a sentence into a qualifier before it and the rest: `In production, the API …`, `For reads the …`.
pub(super) fn leading(words: &[Word]) -> (&[Word], &[Word]) {
    let none = words.split_at(0);
    let Some(first) = words.first() else {
        return none;
    };
    let form = first.form.as_str();
    if !PLACES.contains(&form) && !SPANS.contains(&form) {
        return none;
    }
    let inner = words.len().saturating_sub(1);
    let comma = (1..inner).find(|at| words[*at].ends_part).map(|at| at + 1);
    let subject = (2..inner).find(|at| DETERMINERS.contains(&words[*at].form.as_str()));
    comma.or(subject).map_or(none, |at| words.split_at(at))
}

/// Splits a subject into its topic and the place that is named within it: `the port | in production`.
pub(super) fn within(subject: &[Word]) -> (&[Word], &[Word]) {
    let is_place = |at: &usize| PLACES.contains(&subject[*at].form.as_str());
    let at = (1..subject.len().saturating_sub(1)).find(is_place);
    subject.split_at(at.unwrap_or(subject.len()))
}

/// The form in which qualifiers are compared: sorted, without articles. The start time of a value is left out, because
/// it is the new part.
pub(super) fn form(parts: &[&[Word]]) -> String {
    let mut found: Vec<String> = Vec::new();
    for part in parts {
        let mut phrase: Vec<&str> = Vec::new();
        for (at, word) in part.iter().enumerate() {
            let is_new = at > 0 && begins_phrase(word);
            if is_new {
                take(&mut found, &phrase);
                phrase.clear();
            }
            phrase.push(&word.form);
        }
        take(&mut found, &phrase);
    }
    found.sort_unstable();
    found.dedup();
    found.join(" ")
}

fn begins_phrase(word: &Word) -> bool {
    let form = word.form.as_str();
    PLACES.contains(&form) || SPANS.contains(&form)
}

fn take(found: &mut Vec<String>, phrase: &[&str]) {
    if phrase.first().is_some_and(|first| SINCE.contains(first)) {
        return;
    }
    let is_article = |at: usize, word: &str| at > 0 && ARTICLES.contains(&word);
    let words = phrase.iter().enumerate();
    let words = words.filter(|(at, word)| !is_article(*at, word) && !DASHES.contains(word));
    let plain = |(_, word): (usize, &&str)| {
        let known = ENVIRONMENTS.iter().find(|(short, _)| short == word);
        known.map_or(*word, |(_, long)| *long).to_owned()
    };
    let words: Vec<String> = words.map(plain).collect();
    if !words.is_empty() {
        found.push(words.join(" "));
    }
}
