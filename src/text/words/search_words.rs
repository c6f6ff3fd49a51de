//! Search words: the terms that an index holds of a text, and the needs of a query.
//!
//! A text yields tokens, and a token its terms: stems in the language of the text, folded, identifiers also by their
//! parts, words with a hyphen also as one. Forms are matched in the query: it looks for each word in every language of
//! the index, joins pairs that may be one word, splits words that may be two, and counts a word once for all its forms
//! in a text. Nothing here decides the contents of a history, so it may change without a version.

mod forms;
mod short_forms;
mod variants;

pub use hindlore_topk::Need;
use unicode_normalization::char::is_combining_mark;

use self::forms::{Forms, without_separators};
use self::variants::{once_or_again, other_forms};
use super::common_words::is_common;
use super::folding::folded;
use super::language::Language;
use super::{fold, for_each_word_at, is_unspaced};
use crate::dates::named_times;

/// Weight of a function word relative to other words.
const LIGHT: f64 = 0.2;
/// Weight of a word of everyday language, which a small memory cannot know to be frequent.
const COMMON: f64 = 0.7;
/// Weight of a time that a question names: about that of the words that name it.
const TIME: f64 = 2.0;
/// Weight of a word for doing something again, in a text that names doing it, or the other way round.
const AGAIN: f64 = 0.7;
/// A word of fewer letters is not taken for two.
const SPLIT_MIN: usize = 6;
/// Minimum letters of each of two words in one.
const HALF_MIN: usize = 3;
/// Joins the two words of a token with a hyphen.
const JOIN: char = '-';

/// The look-ups of a query in an index: its terms, and whether there are any.
pub trait KnownTerms {
    /// Returns true if any text has a term.
    fn knows(&self, term: &str) -> bool;

    /// Returns the terms that hold a character, sorted. Reads all terms.
    fn containing(&self, c: char) -> Vec<String>;
}

/// A word of a query, and its equivalents.
#[derive(Clone, PartialEq, Debug)]
pub struct AskedWord {
    /// In lower case.
    pub word: String,
    /// The terms of the word itself, joined or not.
    pub need: Need,
}

/// One word or two that may be one, and the condition for a text to have it.
#[derive(Clone, PartialEq, Debug)]
pub struct Asked {
    /// The words that it shows.
    pub words: Vec<AskedWord>,
    /// The condition.
    pub need: Need,
    /// Whether all of it are function words, which carry no topic alone.
    pub is_light: bool,
    /// Whether it is a word of everyday language, such as "use" or "day", which names a topic only with others.
    pub is_common: bool,
}

/// Visits the tokens of a text; all are in its language.
pub fn for_each_token(text: &str, mut visit: impl FnMut(&str)) {
    let mark = Language::of(text).mark();
    let mut token = String::new();
    if let Some(mark) = mark {
        token.push(mark);
        // Alone, it shows queries that the index has texts in this language.
        visit(&token);
    }
    let folded = fold(text);
    let mut last: Option<(usize, &str)> = None;
    for_each_word_at(&folded, |at, word| {
        visit_marked(&mut token, mark, &[word], &mut visit);
        if let Some((end, before)) = last
            && is_hyphen(folded.get(end..at))
            && can_join(before, word)
        {
            visit_marked(&mut token, mark, &[before, "-", word], &mut visit);
        }
        last = Some((at + word.len(), word));
    });
}

fn visit_marked(
    token: &mut String,
    mark: Option<char>,
    pieces: &[&str],
    visit: &mut impl FnMut(&str),
) {
    if let (None, [word]) = (mark, pieces) {
        return visit(word);
    }
    token.clear();
    token.extend(mark);
    token.extend(pieces.iter().copied());
    visit(token);
}

/// Returns the terms of a token.
pub fn terms_of_token(token: &str) -> Vec<String> {
    let first = token.chars().next();
    let language = first.and_then(Language::of_mark);
    let (language, word) = match (language, first) {
        (Some(language), Some(mark)) => (language, &token[mark.len_utf8()..]),
        _ => (Language::English, token),
    };
    if word.is_empty() {
        return vec![token.to_owned()];
    }
    if let Some((a, b)) = word.split_once(JOIN) {
        return vec![term(language, &joined(a, b))];
    }
    let forms = Forms::of(word);
    let whole = forms.whole.as_ref();
    let short = forms.short.iter().filter(|short| Some(*short) != whole);
    let forms = whole.into_iter().chain(short).chain(&forms.parts);
    forms.map(|form| term(language, form)).collect()
}

/// Returns the needs of the words of a text, in order, then of the times that it names from the day `today`; a repeated
/// word counts once. A text meets a time by its date or by the words, so these are no words of their own.
pub fn asked_of(text: &str, today: i64, known: &impl KnownTerms) -> Vec<Asked> {
    let times = named_times(text, today);
    // Lower case may be of another length in a few scripts; then the places are not those of the text.
    if times.is_empty() || text.to_lowercase().len() != text.len() {
        return words_asked(text, known);
    }
    let mut rest = text.to_owned();
    for time in &times {
        // A comma keeps the words around it from becoming a pair.
        let blank = ",".repeat(time.range.len());
        rest.replace_range(time.range.clone(), &blank);
    }
    let mut asked = words_asked(&rest, known);
    asked.extend(times.into_iter().map(|time| {
        let words = words_asked(&time.words, known);
        let words: Vec<Need> = words.into_iter().map(|word| word.need).collect();
        let need = Need::Best(vec![
            Need::Label {
                labels: time.labels,
                weight: TIME,
            },
            Need::All(words),
        ]);
        let word = AskedWord {
            word: time.words,
            need: need.clone(),
        };
        Asked {
            words: vec![word],
            need,
            is_light: false,
            is_common: false,
        }
    }));
    asked
}

fn words_asked(text: &str, known: &impl KnownTerms) -> Vec<Asked> {
    let asking = Asking::new(text, known);
    let folded = fold(text);
    let mut words: Vec<(usize, &str)> = Vec::new();
    for_each_word_at(&folded, |at, word| words.push((at, word)));
    let mut asked: Vec<Asked> = Vec::new();
    let mut rest = words.as_slice();
    while let Some(((at, word), after)) = rest.split_first() {
        let pair = after.first().and_then(|(next, other)| {
            let between = folded.get(at + word.len()..*next);
            is_hyphen_or_blank(between)
                .then(|| asking.pair(word, other))
                .flatten()
        });
        rest = if pair.is_some() { &after[1..] } else { after };
        let one = pair.or_else(|| asking.single(word));
        asked.extend(one.filter(|one| !asked.contains(one)));
    }
    asked
}

/// Returns a term: the stem of a folded form, marked if the language determined the stem.
fn term(language: Language, form: &str) -> String {
    let stem = language.stem(form);
    match language.mark() {
        Some(mark) if form.bytes().all(|b| b.is_ascii_alphabetic()) => format!("{mark}{stem}"),
        _ => stem,
    }
}

fn joined(a: &str, b: &str) -> String {
    folded(&without_separators(&format!("{a}{b}"))).into_owned()
}

/// Returns true if two words with a hyphen between them may be one: not two numbers, not two scripts without blanks.
fn can_join(a: &str, b: &str) -> bool {
    let has_letters = |word: &str| word.contains(char::is_alphabetic);
    let has_run = |word: &str| word.chars().any(is_unspaced);
    has_letters(a) && !has_run(a) && !has_run(b)
}

fn is_hyphen(between: Option<&str>) -> bool {
    matches!(between, Some("-" | "\u{2010}" | "\u{2011}"))
}

fn is_hyphen_or_blank(between: Option<&str>) -> bool {
    is_hyphen(between) || between == Some(" ")
}

/// Asks the words of one text.
struct Asking<'k, K> {
    known: &'k K,
    language: Language,
    /// The languages of the index.
    languages: Vec<Language>,
}

impl<'k, K: KnownTerms> Asking<'k, K> {
    fn new(text: &str, known: &'k K) -> Self {
        let is_known = |language: &Language| {
            let mark = language.mark();
            mark.is_some_and(|mark| known.knows(mark.encode_utf8(&mut [0; 4])))
        };
        let marked = Language::MARKED.into_iter().filter(is_known);
        Self {
            known,
            language: Language::of(text),
            languages: [Language::English].into_iter().chain(marked).collect(),
        }
    }

    fn single(&self, word: &str) -> Option<Asked> {
        let need = self.need(word)?;
        let word = word.to_lowercase();
        let words = vec![AskedWord {
            word,
            need: need.clone(),
        }];
        let is_light = is_light(&need);
        Some(Asked {
            is_common: is_common(self.language, &words[0].word),
            words,
            need,
            is_light,
        })
    }

    /// Two words that are one word in the index.
    fn pair(&self, a: &str, b: &str) -> Option<Asked> {
        if !can_join(a, b) || a.chars().chain(b.chars()).count() < 4 {
            return None;
        }
        // Most neighbours are no word together, and this is the cheapest thing to know of them.
        let one = self.forms(&joined(a, b), &[], 1.0);
        if !self.knows(&one) {
            return None;
        }
        let (first, second) = (self.need(a), self.need(b));
        if first.is_none() && second.is_none() {
            return None;
        }
        let both: Vec<Need> = first.iter().chain(&second).cloned().collect();
        let shown = |word: &str, need: Option<Need>| AskedWord {
            word: word.to_lowercase(),
            need: Need::Best(need.into_iter().chain([one.clone()]).collect()),
        };
        Some(Asked {
            words: vec![shown(a, first), shown(b, second)],
            is_light: false,
            is_common: false,
            need: Need::Best(vec![Need::Sum(both), one]),
        })
    }

    /// Returns the equivalents of a word; absent for a stop word.
    fn need(&self, word: &str) -> Option<Need> {
        let forms = Forms::of(word);
        let (whole, parts) = (forms.whole?, forms.parts);
        let weight = if self.language.is_function_word(&whole) {
            LIGHT
        } else if is_common(self.language, &whole) {
            COMMON
        } else {
            1.0
        };
        let mut lone = word.chars().filter(|c| !is_combining_mark(*c));
        if let (Some(c), None) = (lone.next(), lone.next())
            && is_unspaced(c)
        {
            let mut terms = self.known.containing(c);
            if terms.is_empty() {
                terms.push(whole);
            }
            return Some(Need::Any { terms, weight });
        }
        let mut others = other_forms(&whole);
        others.extend(forms.spelled_out.or(forms.short));
        let own = self.forms(&whole, &others, weight);
        if !parts.is_empty() {
            let parts = parts.iter().map(|part| self.forms(part, &[], weight));
            return Some(Need::Best(vec![own, Need::Sum(parts.collect())]));
        }
        let is_known = self.knows(&own);
        let mut needs = vec![own];
        let again = once_or_again(&whole).into_iter().flatten();
        let again = again.map(|form| self.forms(&form, &[], AGAIN * weight));
        needs.extend(again.filter(|need| self.knows(need)));
        if !is_known {
            needs.extend(self.halves(&whole));
        }
        Some(if needs.len() == 1 {
            needs.remove(0)
        } else {
            Need::Best(needs)
        })
    }

    /// Returns the ways in which a word is two words of the index.
    fn halves(&self, word: &str) -> Vec<Need> {
        if !word.is_ascii()
            || word.len() < SPLIT_MIN
            || !word.bytes().all(|b| b.is_ascii_alphabetic())
        {
            return Vec::new();
        }
        let known = |half: &str| Some(self.forms(half, &[], 0.5)).filter(|half| self.knows(half));
        let splits = (HALF_MIN..=word.len() - HALF_MIN).map(|at| word.split_at(at));
        splits
            .filter_map(|(a, b)| Some(Need::All(vec![known(a)?, known(b)?])))
            .collect()
    }

    /// Returns the terms of a folded form and of others that mean it in every language of the index, and of its spelling
    /// without the e that replaces an umlaut.
    fn forms(&self, form: &str, others: &[String], weight: f64) -> Need {
        let mut terms = Vec::with_capacity(1);
        let umlaut = without_digraphs(form);
        let others = others.iter().chain(&umlaut).map(String::as_str);
        for spelling in [form].into_iter().chain(others) {
            for language in &self.languages {
                let term = term(*language, spelling);
                // A form that no text has would only be looked up again.
                let is_wanted = spelling == form || self.known.knows(&term);
                if is_wanted && !terms.contains(&term) {
                    terms.push(term);
                }
            }
        }
        Need::Any { terms, weight }
    }

    fn knows(&self, need: &Need) -> bool {
        match need {
            Need::Any { terms, .. } => terms.iter().any(|term| self.known.knows(term)),
            Need::Label { .. } => true,
            Need::Best(needs) | Need::Sum(needs) | Need::All(needs) => {
                needs.iter().any(|need| self.knows(need))
            }
        }
    }
}

fn is_light(need: &Need) -> bool {
    match need {
        Need::Any { weight, .. } | Need::Label { weight, .. } => *weight <= LIGHT,
        Need::Best(needs) | Need::Sum(needs) | Need::All(needs) => needs.iter().all(is_light),
    }
}

/// Returns a folded word with ä, ö and ü folded as well where they are written ae, oe and ue; absent without any.
fn without_digraphs(form: &str) -> Option<String> {
    let has_any = ["ae", "oe", "ue"].iter().any(|two| form.contains(two));
    has_any.then(|| {
        form.replace("ae", "a")
            .replace("oe", "o")
            .replace("ue", "u")
    })
}

#[cfg(test)]
mod tests;
