//! Tokenisers: classic words, standard words, and search terms.
//!
//! Classic words reproduce the original programs. Standard words decide near duplicates, so they keep everything that
//! may carry meaning. Search terms decide matches, so they drop stop words, undo inflection and split identifiers. A
//! change to any of them needs a new `TOKENISER_VERSION`, because it changes the decisions of a history.

mod common_words;
mod folding;
mod function_words;
mod language;
pub mod lower_words;
pub mod search_words;
pub mod spelling;
pub mod stop_words;
pub mod units;
pub mod wording;

use std::borrow::Cow;
use std::ops::Range;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

use self::stop_words::is_stop_word;
use super::layout::invisible::is_invisible;

/// The version of the rules in this file; the policy of each memory records it.
pub const TOKENISER_VERSION: u32 = 1;

/// The words that a similarity compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tokens {
    /// Lower-cased and split on white space.
    Classic,
    /// Unicode words of the normalised text, with bigrams for scripts without spaces.
    Standard,
}

impl Tokens {
    /// Returns the words of a text, sorted and without repeats.
    pub fn set(self, text: &str) -> Vec<String> {
        let mut words = match self {
            Self::Classic => classic_words(text),
            Self::Standard => standard_words(text),
        };
        words.sort_unstable();
        words.dedup();
        words
    }
}

/// Returns the lower-cased text split on white space, in order with repeats.
///
/// White space is that of Python's `str.split`: Unicode's, and the four separators U+001C to U+001F.
pub fn classic_words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    lower
        .split(is_classic_space)
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Returns the Unicode words (UAX 29) of a text in NFKC and lower case, in order with repeats.
///
/// Punctuation and symbols are dropped, so a text of emoji alone has no words. Contractions and
/// identifiers stay whole (`don't`, `snake_case`, `a.b`). Runs of scripts without spaces become overlapping
/// pairs of characters; a lone character stays as it is.
pub fn standard_words(text: &str) -> Vec<String> {
    let folded = fold(text);
    let mut words = Vec::new();
    for_each_word(&folded, |word| words.push(word.to_lowercase()));
    words
}

/// Returns the terms that ranking counts, in order with repeats.
///
/// They are the standard words without stop words, ASCII words by their English stem. An identifier yields itself
/// and its parts, so that `maxRetries`, `max_retries` and "max retries" find each other.
pub fn search_terms(text: &str) -> Vec<String> {
    let folded = fold(text);
    let stemmer = Stemmer::create(Algorithm::English);
    let mut terms = Vec::new();
    for_each_word(&folded, |word| push_terms(word, &stemmer, &mut terms));
    terms
}

/// Visits the words of a text in order, with their case, before they become standard words or search terms. For
/// callers that cache the result by word.
pub fn for_each_raw_word(text: &str, visit: impl FnMut(&str)) {
    for_each_word(&fold(text), visit);
}

/// Returns the search terms of one raw word.
pub fn terms_of_raw_word(word: &str) -> Vec<String> {
    let mut terms = Vec::new();
    push_terms(word, &Stemmer::create(Algorithm::English), &mut terms);
    terms
}

/// Returns the English stem (Porter 2) of a lower-case word; words with other than ASCII letters stay as they are.
pub fn stem(word: &str) -> String {
    stem_with(&Stemmer::create(Algorithm::English), word)
}

/// Returns the text in NFKC with straight apostrophes and without invisible characters, case kept.
pub(super) fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let visible = text.nfkc().filter(|c| !is_invisible(*c));
    Cow::Owned(
        visible
            .map(|c| if matches!(c, '’' | 'ʼ') { '\'' } else { c })
            .collect(),
    )
}

/// Returns true if a character belongs to a script that is written without spaces between words.
///
/// South-East Asian scripts are included: without a dictionary, word breaking leaves single letters, which any
/// two long texts share.
pub fn is_unspaced(c: char) -> bool {
    matches!(c,
        // Han with its iteration and number signs.
        '\u{3005}' | '\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3038}'..='\u{303B}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{323AF}'
        // Hiragana and Katakana with the long-vowel mark.
        | '\u{3041}'..='\u{3096}' | '\u{309D}'..='\u{309F}' | '\u{30A1}'..='\u{30FA}'
        | '\u{30FC}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{1B000}'..='\u{1B16F}'
        // Hangul syllables and letters.
        | '\u{1100}'..='\u{11FF}' | '\u{3131}'..='\u{318E}' | '\u{A960}'..='\u{A97F}'
        | '\u{AC00}'..='\u{D7FB}'
        // Thai, Lao, Myanmar, Khmer, without their digits and signs.
        | '\u{0E01}'..='\u{0E3A}' | '\u{0E40}'..='\u{0E4E}' | '\u{0E81}'..='\u{0ECE}'
        | '\u{1000}'..='\u{103F}' | '\u{1050}'..='\u{108F}' | '\u{1780}'..='\u{17D3}')
}

fn is_classic_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1C}'..='\u{1F}')
}

/// Visits the words of a folded text in order, case kept.
fn for_each_word(folded: &str, mut visit: impl FnMut(&str)) {
    for_each_word_at(folded, |_, word| visit(word));
}

/// Visits the words of a folded text in order, case kept, each with its offset.
pub(super) fn for_each_word_at<'t>(folded: &'t str, mut visit: impl FnMut(usize, &'t str)) {
    // ASCII has neither scripts without spaces nor combining marks.
    if folded.is_ascii() {
        return visit_segment(folded, 0..folded.len(), false, &mut visit);
    }
    let mut start = 0;
    let mut in_run = false;
    for (at, c) in folded.char_indices() {
        // A mark stays with its letter, in every script.
        let unspaced = if is_combining_mark(c) {
            in_run
        } else {
            is_unspaced(c)
        };
        if unspaced != in_run {
            visit_segment(folded, start..at, in_run, &mut visit);
            start = at;
            in_run = unspaced;
        }
    }
    visit_segment(folded, start..folded.len(), in_run, &mut visit);
}

fn visit_segment<'t>(
    folded: &'t str,
    span: Range<usize>,
    unspaced: bool,
    visit: &mut impl FnMut(usize, &'t str),
) {
    let (first, segment) = (span.start, &folded[span]);
    if !unspaced {
        let words = segment.unicode_word_indices();
        words.for_each(|(at, word)| visit(first + at, word));
        return;
    }
    let starts: Vec<usize> = segment
        .char_indices()
        .filter(|(_, c)| !is_combining_mark(*c))
        .map(|(at, _)| at)
        .chain([segment.len()])
        .collect();
    if starts.len() <= 2 {
        if !segment.is_empty() {
            visit(first, segment);
        }
        return;
    }
    // Bigrams: without a dictionary, they separate texts better than single characters.
    for pair in starts.windows(3) {
        visit(first + pair[0], &segment[pair[0]..pair[2]]);
    }
}

fn push_terms(word: &str, stemmer: &Stemmer, terms: &mut Vec<String>) {
    let lower = word.to_lowercase();
    if is_stop_word(&lower) {
        return;
    }
    if !word.contains(char::is_alphabetic) {
        terms.push(lower.replace(',', ""));
        return;
    }
    let bare = word
        .strip_suffix("'s")
        .or_else(|| word.strip_suffix("'S"))
        .unwrap_or(word);
    let parts = identifier_parts(bare);
    terms.push(stem_with(stemmer, &bare.to_lowercase()));
    if parts.len() < 2 {
        return;
    }
    for part in parts {
        let lower = part.to_lowercase();
        // Single characters are indices and initials: they would match everything.
        if lower.chars().nth(1).is_some() && !is_stop_word(&lower) {
            terms.push(stem_with(stemmer, &lower));
        }
    }
}

fn stem_with(stemmer: &Stemmer, word: &str) -> String {
    if !word.bytes().all(|b| b.is_ascii_alphabetic()) {
        return word.to_owned();
    }
    // The stemmer returns "ad" for these, which would not match "add".
    if matches!(word, "adding" | "added") {
        return "add".to_owned();
    }
    stemmer.stem(word).into_owned()
}

/// Splits an identifier at `_`, `.`, `:` and `'`, at the humps of camel case, and between letters and digits.
pub(super) fn identifier_parts(word: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = word.char_indices().collect();
    let mut parts = Vec::new();
    let mut start = 0;
    for (i, &(at, c)) in chars.iter().enumerate() {
        if !c.is_alphanumeric() && !is_combining_mark(c) {
            parts.push(&word[start..at]);
            start = at + c.len_utf8();
        } else if i > 0 && is_hump(&chars, i) {
            parts.push(&word[start..at]);
            start = at;
        }
    }
    parts.push(&word[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

fn is_hump(chars: &[(usize, char)], i: usize) -> bool {
    let (before, c) = (chars[i - 1].1, chars[i].1);
    if before.is_numeric() != c.is_numeric() {
        return before.is_alphanumeric();
    }
    if !c.is_uppercase() {
        return false;
    }
    // `HTTPServer` breaks before `Server`; `APIs` is a plural and does not break.
    let lower_at = |k: usize| chars.get(k).is_some_and(|(_, c)| c.is_lowercase());
    before.is_lowercase() || (before.is_uppercase() && lower_at(i + 1) && lower_at(i + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rule: fn(&str) -> Vec<String>, cases: &[(&str, &str)]) {
        for (text, words) in cases {
            assert_eq!(rule(text).join("|"), *words, "{text:?}");
        }
    }

    #[test]
    fn classic_words_follow_python() {
        table(
            classic_words,
            &[
                ("", ""),
                (" \t\n ", ""),
                ("Use A, use B.", "use|a,|use|b."),
                ("a\u{1C}b\u{1F}c\u{85}d\u{A0}e\u{3000}f", "a|b|c|d|e|f"),
                ("a\u{200B}b", "a\u{200B}b"),
                ("ÉCOLE ΟΔΟΣ", "école|οδος"),
            ],
        );
    }

    #[test]
    fn standard_words_follow_unicode() {
        table(
            standard_words,
            &[
                ("", ""),
                ("Use A, use B.", "use|a|use|b"),
                ("Don't — DON’T!", "don't|don't"),
                ("'quoted' text", "quoted|text"),
                (
                    "call max_retries in a.b() now",
                    "call|max_retries|in|a.b|now",
                ),
                ("1,000 and 3.14", "1,000|and|3.14"),
                ("well-known", "well|known"),
                ("Ｆｕｌｌ ﬁle ①", "full|file|1"),
                ("cafe\u{301} café", "café|café"),
                ("co\u{AD}op\u{200D}", "coop"),
                ("🎉 → !!! ☺️", ""),
                ("ok 👍🏽", "ok"),
                ("नमस्ते दुनिया", "नमस्ते|दुनिया"),
            ],
        );
    }

    #[test]
    fn scripts_without_spaces_become_pairs() {
        table(
            standard_words,
            &[
                ("你", "你"),
                ("你好", "你好"),
                ("检查文件。再编辑", "检查|查文|文件|再编|编辑"),
                ("使用JSON格式", "使用|json|格式"),
                ("コーヒー", "コー|ーヒ|ヒー"),
                ("ﾃﾞｰﾀ", "デー|ータ"),
                ("漢字かな", "漢字|字か|かな"),
                ("한국어 test", "한국|국어|test"),
                ("한국어abc", "한국|국어|abc"),
                ("か\u{3099}く", "がく"),
                ("กินข้าว", "กิน|นข้|ข้า|าว"),
            ],
        );
    }

    #[test]
    fn sets_are_sorted_and_unique() {
        assert_eq!(Tokens::Standard.set("b a, B"), ["a", "b"]);
        assert_eq!(Tokens::Classic.set("b a, B"), ["a,", "b"]);
        assert!(Tokens::Standard.set("…!").is_empty());
    }

    #[test]
    fn search_terms_are_stems_without_stop_words() {
        table(
            search_terms,
            &[
                ("The files are being edited", "file|edit"),
                ("Don't do that", ""),
                ("adding, added, adds, add", "add|add|add|add"),
                ("the user's files", "user|file"),
                ("maxRetries", "maxretri|max|retri"),
                ("max_retries", "max_retries|max|retri"),
                ("HTTPServer APIs", "httpserver|http|server|api"),
                ("os.path.join()", "os.path.join|os|path|join"),
                ("python3 sha256", "python3|python|sha256|sha|256"),
                ("1,000 v1.2.3", "1000|v1.2.3"),
                ("O'Brien e.g. Zoë", "o'brien|brien|zoë"),
                ("检查文件", "检查|查文|文件"),
            ],
        );
    }
}
