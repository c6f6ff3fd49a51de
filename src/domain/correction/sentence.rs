//! A sentence as words that patterns can match, each with its place in the text.

use super::language::{HENCEFORTH, Language, PLACE};
use super::pattern::{COMMA, longest};

/// Marks that open a quotation, each with the mark that closes it. A quotation is one word, which no table holds.
const QUOTES: &[(char, char)] = &[('"', '"'), ('`', '`'), ('“', '”'), ('«', '»'), ('„', '“')];

/// A word of a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Word {
    /// In lower case; a comma, a colon and a dash are words too.
    pub(super) text: String,
    /// Where it begins in the sentence, in bytes.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
}

/// Splits a sentence into words. Phrases for the project, and phrases for every later time, become one word each.
pub(super) fn words(language: &Language, sentence: &str) -> Vec<Word> {
    let raw = raw_words(sentence);
    let texts: Vec<&str> = raw.iter().map(|word| word.text.as_str()).collect();
    let mut found = Vec::with_capacity(raw.len());
    let mut at = 0;
    while let Some(word) = raw.get(at) {
        let rest = texts.get(at..).unwrap_or_default();
        let place = longest(language.list("places"), rest).map(|length| (length, PLACE));
        let lasting = longest(language.list("lasting"), rest).map(|length| (length, HENCEFORTH));
        let (length, text) = match place.or(lasting) {
            Some((length, text)) => (length, text.to_owned()),
            None => (1, word.text.clone()),
        };
        let last = raw.get(at + length - 1).unwrap_or(word);
        found.push(Word {
            text,
            start: word.start,
            end: last.end,
        });
        at += length;
    }
    found
}

fn raw_words(sentence: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let mut push = |start: usize, end: usize| {
        let piece = sentence.get(start..end).unwrap_or_default();
        let bare = piece.trim_end_matches(['.', '!', '?', ')', '\'', '…']);
        let text = bare
            .trim_start_matches(['(', '\''])
            .to_lowercase()
            .replace('’', "'");
        if !text.is_empty() {
            found.push(Word {
                text,
                start,
                end: start + bare.len(),
            });
        }
    };
    let mut start = None;
    let mut closing = None;
    for (at, c) in sentence.char_indices() {
        if let Some(mark) = closing {
            closing = Some(mark).filter(|mark| *mark != c);
            continue;
        }
        let is_dash = matches!(c, '–' | '—') || (c == '-' && start.is_none());
        // A comma or colon inside a word belongs to it, as in `1,000` and `12:30`.
        let next = sentence
            .get(at + c.len_utf8()..)
            .and_then(|rest| rest.chars().next());
        let is_break =
            is_dash || (matches!(c, ',' | ':' | ';') && next.is_none_or(char::is_whitespace));
        if c.is_whitespace() || is_break {
            if let Some(start) = start.take() {
                push(start, at);
            }
            if is_break {
                push(at, at + c.len_utf8());
            }
            continue;
        }
        if start.is_none() {
            start = Some(at);
            closing = QUOTES
                .iter()
                .find(|(open, _)| *open == c)
                .map(|(_, close)| *close);
        }
    }
    if let Some(start) = start {
        push(start, sentence.len());
    }
    for word in &mut found {
        if matches!(word.text.as_str(), ":" | ";" | "-" | "–" | "—") {
            word.text = COMMA.to_owned();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::language::LANGUAGES;
    use super::*;

    #[test]
    fn words_are_read_with_their_marks() {
        for (sentence, expected) in [
            ("No, use PNPM here!", "no|,|use|pnpm|here"),
            ("use it in this repo - always", "use|it|hereabouts|,|always"),
            (
                "From now on: run `make fmt` first.",
                "henceforth|,|run|`make fmt`|first",
            ),
            (
                "it says \"never do it\" there",
                "it|says|\"never do it\"|there",
            ),
            ("don’t use 1,000 at 12:30", "don't|use|1,000|at|12:30"),
            ("the API’s port is 5433…", "the|api's|port|is|5433"),
        ] {
            let words = words(&LANGUAGES[0], sentence);
            let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
            assert_eq!(texts.join("|"), expected, "{sentence}");
        }
    }
}
