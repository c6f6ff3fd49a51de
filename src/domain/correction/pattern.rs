//! Patterns over words: the small language in which the tables of corrections are written.
//!
//! A table of patterns is longer than a regular expression and can be read by a person who adds a language.
//!
//! | element | matches |
//! | --- | --- |
//! | `word`, `one\|other` | that word, or one of them |
//! | `{class}` | a word or a phrase of the class |
//! | `{class!other}` | the same, unless it is also in the other class |
//! | `?`, `_`, `...` | one word, one or more, any number |
//! | `<class>` | one or more words, none of which is in the class |
//! | `<4:class>` | the same, at most four, without a comma |
//!
//! A comma in the sentence is a word of its own, and an element may skip it.

use super::language::Language;

/// The class of the words that are no verb in their basic form, and the class of its exceptions.
const NO_VERB: &str = "no_verb";
const VERBS: &str = "verbs";
/// The name of the open class of verbs in their basic form.
const BARE: &str = "bare";
/// The word for a comma.
pub(super) const COMMA: &str = ",";

/// Returns true if a pattern matches all of the words.
pub(super) fn matches(language: &Language, pattern: &str, words: &[&str]) -> bool {
    let elements: Vec<&str> = pattern.split(' ').collect();
    rest_matches(language, &elements, words)
}

/// Returns true if one of the patterns matches all of the words.
pub(super) fn any_matches(language: &Language, patterns: &[&str], words: &[&str]) -> bool {
    patterns
        .iter()
        .any(|pattern| matches(language, pattern, words))
}

/// The number of words of the longest phrase that the words begin with.
pub(super) fn longest(phrases: &[&str], words: &[&str]) -> Option<usize> {
    phrases
        .iter()
        .filter_map(|phrase| begins(words, phrase))
        .max()
}

fn rest_matches(language: &Language, elements: &[&str], words: &[&str]) -> bool {
    let Some((element, rest)) = elements.split_first() else {
        return words.is_empty();
    };
    let own = lengths(language, element, words);
    let is_match = own
        .into_iter()
        .any(|length| rest_matches(language, rest, words.get(length..).unwrap_or_default()));
    is_match
        || words.split_first().is_some_and(|(first, later)| {
            *first == COMMA && rest_matches(language, elements, later)
        })
}

/// The numbers of words that an element may take from the front.
fn lengths(language: &Language, element: &str, words: &[&str]) -> Vec<usize> {
    let inner = |open: char, close: char| {
        let inner = element.strip_prefix(open)?;
        inner.strip_suffix(close)
    };
    match element {
        "..." => return (0..=words.len()).collect(),
        "_" => return (1..=words.len()).collect(),
        "?" => return (1..=words.len().min(1)).collect(),
        _ => {}
    }
    if let Some(gap) = inner('<', '>') {
        let (most, class) = gap.split_once(':').unwrap_or(("", gap));
        let most = most.parse().unwrap_or(usize::MAX);
        let entries = language.list(class);
        let fits = |at: &usize| {
            let from = words.get(*at..).unwrap_or_default();
            let is_limit = most < usize::MAX && from.first() == Some(&COMMA);
            !is_limit && longest(entries, from).is_none()
        };
        let free = (0..words.len()).take_while(fits).count();
        return (1..=free.min(most)).collect();
    }
    if let Some(name) = inner('{', '}') {
        let (name, other) = name.split_once('!').unwrap_or((name, ""));
        let without = language.list(other);
        let taken = of_class(language, name, words).into_iter();
        return taken
            .filter(|_| longest(without, words).is_none())
            .collect();
    }
    let is_one = |first: &&str| element.split('|').any(|word| word == *first);
    words
        .first()
        .filter(|first| is_one(first))
        .map(|_| 1)
        .into_iter()
        .collect()
}

fn of_class(language: &Language, name: &str, words: &[&str]) -> Vec<usize> {
    if name != BARE {
        let entries = language.list(name).iter();
        return entries.filter_map(|phrase| begins(words, phrase)).collect();
    }
    let is_word = |word: &&&str| word.chars().all(|c| c.is_alphabetic() || c == '-');
    let is_verb = |word: &&&str| {
        let word = [**word];
        longest(language.list(VERBS), &word).is_some()
            || longest(language.list(NO_VERB), &word).is_none()
    };
    let first = words.first().filter(is_word).filter(is_verb);
    first.map(|_| 1).into_iter().collect()
}

/// The number of words of a phrase that the words begin with; absent if they do not.
fn begins(words: &[&str], phrase: &str) -> Option<usize> {
    let mut length = 0;
    for part in phrase.split(' ') {
        let word = words.get(length)?;
        let is_same = match part.strip_prefix('*') {
            Some(ending) => word.len() > ending.len() && word.ends_with(ending),
            None => *word == part,
        };
        if !is_same {
            return None;
        }
        length += 1;
    }
    Some(length)
}

#[cfg(test)]
mod tests {
    use super::super::language::LANGUAGES;
    use super::*;

    #[test]
    fn every_class_of_a_pattern_is_declared() {
        for language in LANGUAGES.iter() {
            let patterns = language.lists().flat_map(|(_, list)| list);
            for element in patterns.flat_map(|pattern| pattern.split(' ')) {
                let inner = element.trim_matches(['{', '}', '<', '>']);
                let names = inner
                    .split(['!', ':'])
                    .filter(|_| inner.len() < element.len());
                for name in names.filter(|name| name.parse::<usize>().is_err() && *name != BARE) {
                    assert!(!language.list(name).is_empty(), "{element}");
                }
            }
        }
    }

    #[test]
    fn elements_take_what_the_table_says() {
        for (pattern, sentence, expected) in [
            ("use _", "use pnpm", true),
            ("use _", "use", false),
            ("use ...", "use", true),
            ("use ?", "use a b", false),
            ("a|b c", "b c", true),
            ("a c", "a , c", true),
            ("{choose} _", "stick to pnpm", true),
            ("<2:report> is _", "a b is c", true),
            ("<2:report> is _", "a b c is d", false),
            ("<report>", "a broken thing", false),
            ("{bare} _", "edit files", true),
            ("{bare} _", "press keys", true),
            ("{bare} _", "works today", false),
            ("{bare} _", "the files", false),
            ("{bare!state} _", "need files", false),
        ] {
            let words: Vec<&str> = sentence.split(' ').collect();
            assert_eq!(
                matches(&LANGUAGES[0], pattern, &words),
                expected,
                "{pattern}: {sentence}"
            );
        }
    }
}
