//! Secrets that words announce: `my api key is …`, `пароль: …`, `パスワード：…`.
//!
//! One pass looks for the words; after each a short way is read: the subject, the tie, and the value. The requirements
//! on the value depend on the tie.

use std::collections::HashMap;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::columns::{cells, column};
use super::span::Span;
use super::value::ends::bare_end;
use super::value::false_positives::{is_code, is_path, is_placeholder, is_uuid};
use super::value::name::Says;
use super::value::traits::Traits;
use hindlore_primitives::steps;

const RULE: &str = "announced";

/// The table. It is data: a word of another language is a word in it.
const TABLE: &str = include_str!("announce.txt");

/// Maximum distance of the tie after the words, in bytes.
const TIE_MAX: usize = 64;
/// Words between the two.
const WORDS_MAX: usize = 5;
static LISTS: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(read);
static NOUNS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let nouns = ["passwords", "secrets", "pins"].map(list).concat();
    // The longest wins: one may be the beginning of another.
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .kind(Some(AhoCorasickKind::ContiguousNFA))
        .build(nouns.into_iter().flat_map(spellings))
        .ok()
});

/// A noun as it is written, with a capital, and in capitals; the pattern knows those of ASCII.
fn spellings(noun: &str) -> Vec<String> {
    let mut all = vec![noun.to_owned()];
    if !noun.is_ascii() {
        let mut rest = noun.chars();
        let first = rest.next().into_iter().flat_map(char::to_uppercase);
        all.push(first.chain(rest).collect());
        all.push(noun.to_uppercase());
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The kind of announced value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Noun {
    Password,
    Secret,
    Pin,
}

/// How the value is tied to the words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tie {
    /// By a sign.
    Sign,
    /// By a word.
    Word,
    /// By nothing but a blank.
    Gap,
}

fn read() -> HashMap<&'static str, Vec<&'static str>> {
    let mut lists: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut name = "";
    let lines = TABLE
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    for line in lines {
        match line.strip_prefix("  ") {
            Some(words) => lists.entry(name).or_default().extend(words.split(", ")),
            None => name = line,
        }
    }
    lists
}

fn list(name: &str) -> &'static [&'static str] {
    LISTS.get(name).map_or(&[], Vec::as_slice)
}

fn is_in(name: &str, word: &str) -> bool {
    list(name).contains(&word)
}

/// The announcement of a whole name, such as the name of a field.
fn noun(name: &str) -> Option<Noun> {
    if name.len() > TIE_MAX {
        return None;
    }
    let name = name.trim().to_lowercase();
    let nouns = [
        ("passwords", Noun::Password),
        ("secrets", Noun::Secret),
        ("pins", Noun::Pin),
    ];
    let noun = nouns.into_iter().find(|(list, _)| is_in(list, &name));
    noun.map(|(_, noun)| noun)
}

/// The announcement of a name in another language.
pub(super) fn says(name: &str) -> Option<Says> {
    if name.is_ascii() {
        return None;
    }
    noun(name).map(|noun| match noun {
        Noun::Password => Says::Password,
        Noun::Secret => Says::Secret,
        Noun::Pin => Says::Pin,
    })
}

/// Finds the values that words announce.
pub(super) fn values(text: &str, found: &mut Vec<Span<'static>>) {
    let Some(nouns) = &*NOUNS else {
        return;
    };
    steps::add(text.len());
    let mut done = 0;
    for hit in nouns.find_iter(text) {
        if hit.start() < done || !stands_alone(text, hit.start(), hit.end()) {
            continue;
        }
        let Some(noun) = text.get(hit.range()).and_then(noun) else {
            continue;
        };
        if let Some(column) = column(text, hit.start()) {
            let cells = cells(text, hit.end(), column).into_iter();
            let cells = cells.filter(|cell| is_secret(noun, Tie::Sign, &text[cell.clone()]));
            found.extend(cells.map(|cell| Span::new(cell, RULE)));
            continue;
        }
        if let Some(span) = behind(text, noun, hit.end()) {
            done = span.range.end;
            found.push(span);
        }
    }
}

/// False inside of a longer word.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let first = text[start..].chars().next().unwrap_or(' ');
    let last = text[..end].chars().next_back().unwrap_or(' ');
    let is_open = |inner: char, outer: Option<char>| {
        outer.is_none_or(|outer| !is_letter(outer) || is_unspaced(inner) || is_unspaced(outer))
    };
    let before = text[..start].chars().next_back();
    let is_name = |c: Option<char>| c.is_some_and(|c| "_-$/\\.".contains(c));
    is_open(first, before)
        && is_open(last, text[end..].chars().next())
        && !(is_name(before) && first.is_ascii())
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric()
}

/// A letter of a script that writes no blanks between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{e00}'..='\u{e7f}')
}

/// Reads from the words on: whom it is for, the tie, the value.
fn behind(text: &str, noun: Noun, end: usize) -> Option<Span<'static>> {
    let most = text.floor_char_boundary((end + TIE_MAX).min(text.len()));
    let near = text.get(end..most)?;
    let near = near.split('\n').next()?;
    steps::add(near.len());
    let rest = near.trim_start_matches([' ', '\t', '\u{a0}', '*', '`', '"']);
    let has_gap = rest.len() < near.len();
    let place = |rest: &str| end + near.len() - rest.len();
    let (tie, after) = match tied(rest) {
        Some((tie, after)) => (tie, after),
        None => match about(rest).and_then(tied) {
            Some((tie, after)) if tie == Tie::Sign || has_gap => (tie, after),
            _ if has_gap => (Tie::Gap, rest),
            _ => return None,
        },
    };
    let start = place(after);
    let line = text[start..].trim_start_matches([' ', '\t', '\u{3000}', '\u{a0}']);
    let begin = start + text[start..].len() - line.len();
    let (from, value) = value(text, begin)?;
    let login = login(text, noun, from, value);
    let (from, value) = login.unwrap_or((from, value));
    if is_phrase(text, noun, tie, from) {
        let line = text[from..].lines().next().unwrap_or_default();
        return Some(Span::new(from..from + line.trim_end().len(), RULE));
    }
    is_secret(noun, tie, value).then(|| Span::new(from..from + value.len(), RULE))
}

/// The tie at the beginning of a text; also the text after it.
fn tied(rest: &str) -> Option<(Tie, &str)> {
    let mut signs = list("signs").iter();
    if let Some(after) = signs.find_map(|sign| rest.strip_prefix(*sign)) {
        // `::` and `==` are of programs.
        return (!after.starts_with([':', '='])).then_some((Tie::Sign, after));
    }
    let (word, after) = rest.split_once(' ')?;
    if !is_in("ties", &word.to_lowercase()) {
        return None;
    }
    // `est :` is both.
    let mut signs = list("signs").iter();
    match signs.find_map(|sign| after.trim_start().strip_prefix(*sign)) {
        Some(behind) => Some((Tie::Sign, behind)),
        None => Some((Tie::Word, after)),
    }
}

/// Skips words about the subject, or brackets.
fn about(rest: &str) -> Option<&str> {
    if let Some(inside) = rest.strip_prefix(['(', '[']) {
        let end = inside.find([')', ']'])?;
        return Some(inside[end + 1..].trim_start());
    }
    let first = rest.split(' ').next()?.to_lowercase();
    if !is_in("of", &first) {
        return None;
    }
    let mut rest = rest;
    for _ in 0..WORDS_MAX {
        let end = rest.find([' ', ':', '：', '=', '\n'])?;
        let word = &rest[..end];
        let is_word = word
            .chars()
            .all(|c| c.is_alphanumeric() || "'’\"`._-".contains(c));
        if !is_word {
            return None;
        }
        rest = rest[end..].trim_start();
        if tied(rest).is_some() {
            return Some(rest);
        }
    }
    None
}

/// The value that begins here: signs of ASCII up to a blank or a quote.
fn value(text: &str, begin: usize) -> Option<(usize, &str)> {
    let rest = &text[begin..];
    let opened = rest.trim_start_matches([
        '"', '\'', '`', '\u{201c}', '\u{201e}', '\u{ab}', '\u{300c}', '*', '(',
    ]);
    let from = begin + rest.len() - opened.len();
    let is_part = |b: &u8| b.is_ascii_graphic() && !b"\"'`<>".contains(b);
    let bytes = &opened.as_bytes()[..opened.len().min(bare_end(text.as_bytes(), from) - from)];
    let length = bytes.iter().take_while(|b| is_part(b)).count();
    steps::add(length);
    let value = opened[..length]
        .trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '}', '*', '|', '\\']);
    (value.len() >= 2).then_some((from, value))
}

/// `admin / secret` and `admin:secret` after the words for both.
fn login<'t>(text: &'t str, noun: Noun, from: usize, first: &'t str) -> Option<(usize, &'t str)> {
    if noun != Noun::Password {
        return None;
    }
    let behind = &text[from + first.len()..];
    if let Some(rest) = behind.strip_prefix(" / ") {
        return value(text, text.len() - rest.len());
    }
    let (user, secret) = first.split_once(['/', ':'])?;
    let is_user = user.len() >= 2
        && user
            .chars()
            .all(|c| c.is_ascii_lowercase() || "._-".contains(c));
    let is_one = is_user && secret.len() >= 4 && Traits::of(secret).is_mixed();
    is_one.then_some((from + user.len() + 1, secret))
}

/// Three words or more to the end of the line, none of which makes a sentence.
fn is_phrase(text: &str, noun: Noun, tie: Tie, from: usize) -> bool {
    if noun != Noun::Password || tie != Tie::Sign {
        return false;
    }
    let most = text.floor_char_boundary((from + 96).min(text.len()));
    let near = &text[from..most];
    let line = near.split('\n').next().unwrap_or_default();
    if line.len() == near.len() && most < text.len() {
        return false;
    }
    let words: Vec<&str> = line.trim_end().split([' ', '-']).collect();
    let is_word = |word: &&str| {
        (3..=12).contains(&word.len())
            && word.bytes().all(|b| b.is_ascii_lowercase())
            && !is_in("sentence", word)
    };
    (3..=8).contains(&words.len()) && words.iter().all(is_word)
}

fn is_secret(noun: Noun, tie: Tie, value: &str) -> bool {
    if value.len() < 4
        || is_placeholder(value)
        || value.contains("://")
        || is_path(value)
        || value.contains("](")
    {
        return false;
    }
    let traits = Traits::of(value);
    if traits.digits == traits.length {
        let is_year = value.len() == 4 && (value.starts_with("19") || value.starts_with("20"));
        return match noun {
            Noun::Pin => tie != Tie::Gap && (4..=12).contains(&traits.length) && !is_year,
            Noun::Password => tie == Tie::Sign && (6..=16).contains(&traits.length),
            Noun::Secret => false,
        };
    }
    if noun == Noun::Pin
        || is_code(value)
        || value.contains(['(', '[', '{', '=']) && tie != Tie::Sign
    {
        return false;
    }
    let is_human =
        traits.is_mixed() && traits.changes >= 2 && traits.length >= 6 && traits.joints <= 2;
    let is_drawn =
        traits.is_random(12) || traits.is_mixed() && traits.is_random(8) && traits.digits >= 2;
    match (noun, tie) {
        (Noun::Password, Tie::Sign) => {
            is_human
                || is_drawn
                || traits.is_mixed() && !traits.is_numbered_word() && traits.length >= 6
        }
        (Noun::Password, Tie::Word) => is_human || is_drawn,
        (Noun::Secret, Tie::Sign | Tie::Word) => is_drawn && !is_uuid(value) && traits.symbols <= 8,
        (Noun::Password, Tie::Gap) => {
            is_human && traits.digits >= 2 && traits.length >= 8 && traits.joints == 0
        }
        (Noun::Secret, Tie::Gap) => {
            traits.digits >= 2
                && traits.changes >= 3
                && traits.length >= 8
                && traits.joints == 0
                && traits.symbols == 0
        }
        (Noun::Pin, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_list_is_there_and_its_words_are_in_lower_case() {
        for name in [
            "passwords",
            "secrets",
            "pins",
            "of",
            "ties",
            "signs",
            "sentence",
        ] {
            assert!(!list(name).is_empty(), "{name}");
            for word in list(name) {
                assert_eq!(&word.to_lowercase(), word, "{name}");
            }
        }
        assert!(NOUNS.is_some());
        assert_eq!(noun("Contraseña"), Some(Noun::Password));
    }
}
