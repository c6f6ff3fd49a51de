//! The details of a text, none of which may be lost when texts are merged.
//!
//! A detail is a named entity, a number, a quotation or an identifier; content words are kept as well. Details are read
//! unit by unit, so that a sentence has the same ones in every position.

use std::collections::BTreeSet;

use hindlore_primitives::word_enum;
use hindlore_text::layout::markup::bare;
use hindlore_text::literals::identifiers::{identifiers, is_emphasis};
use hindlore_text::literals::numbers::numbers;
use hindlore_text::literals::quotes::quoted;
use hindlore_text::words::stop_words::is_stop_word;
use hindlore_text::words::units::units;
use hindlore_text::words::{for_each_raw_word, stem};

word_enum! {
    /// The kind of a detail.
    DetailKind {
        /// A name that prose writes with a capital.
        Entity = "entity",
        /// An amount, with its unit.
        Number = "number",
        /// A text in quotation marks or backticks.
        Quotation = "quotation",
        /// A technical name: an identifier, a path, a flag, an acronym.
        Identifier = "identifier",
        /// A word that is neither a stop word nor a number.
        Word = "word",
    }
}

/// A detail in its canonical form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Detail {
    /// Its kind.
    pub kind: DetailKind,
    /// Its canonical form; of a word its stem.
    pub value: String,
}

impl Detail {
    fn new(kind: DetailKind, value: impl Into<String>) -> Self {
        Self {
            kind,
            value: value.into(),
        }
    }
}

/// Returns the details and content words of a text, each once, ascending.
pub fn details(text: &str) -> BTreeSet<Detail> {
    let mut found = BTreeSet::new();
    units(text)
        .into_iter()
        .for_each(|unit| read(unit, &mut found));
    found
}

fn read(unit: &str, found: &mut BTreeSet<Detail>) {
    // The number of a list item is its place, which a merge changes.
    let bare = bare(unit);
    let unit = &*bare.text;
    let numbers = numbers(unit).into_iter();
    found.extend(numbers.map(|one| Detail::new(DetailKind::Number, one.value)));
    let quotes = quoted(unit).into_iter();
    found.extend(quotes.map(|one| Detail::new(DetailKind::Quotation, one.value)));
    let names = identifiers(unit).into_iter();
    found.extend(names.map(|one| Detail::new(DetailKind::Identifier, spelled(unit, &one.value))));
    let entities = entities(unit).into_iter();
    found.extend(entities.map(|one| Detail::new(DetailKind::Entity, one)));
    for_each_raw_word(unit, |word| {
        let word = word.to_lowercase();
        if !is_stop_word(&word) && word.contains(char::is_alphabetic) {
            found.insert(Detail::new(DetailKind::Word, stem(&word)));
        }
    });
}

/// Returns a name as the unit spells it if the spelling distinguishes it from another (`-d`, `UserId`); a name with
/// only its first letter capital, as at the start of a sentence, is in lower case.
fn spelled(unit: &str, value: &str) -> String {
    let in_case = unit.char_indices().find_map(|(at, _)| {
        let mut rest = unit[at..].char_indices();
        let mut lower = String::new();
        while lower.len() < value.len() {
            lower.extend(rest.next()?.1.to_lowercase());
        }
        let end = rest.next().map_or(unit.len(), |(end, _)| at + end);
        (lower == value).then(|| &unit[at..end])
    });
    match in_case {
        Some(text) if text.chars().skip(1).any(char::is_uppercase) => text.to_owned(),
        _ => value.to_owned(),
    }
}

/// Returns the runs of words with a capital in the middle of a unit, in lower case.
fn entities(unit: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut run: Vec<String> = Vec::new();
    let mut begins = true;
    for token in unit.split_whitespace() {
        let word = token.trim_matches(|c: char| !c.is_alphanumeric());
        begins |= token.starts_with(|c: char| "\"'`“‘«„(".contains(c));
        let is_capital = word.starts_with(char::is_uppercase)
            && word.chars().any(char::is_lowercase)
            && !is_emphasis(word)
            && !is_stop_word(&word.to_lowercase());
        // The first word of a sentence or a quotation always has a capital.
        if is_capital && !begins {
            run.push(word.to_lowercase());
        } else if !run.is_empty() {
            found.push(std::mem::take(&mut run).join(" "));
        }
        let ends = token.ends_with([',', ';', ':', '.', '!', '?', ')']);
        if ends && !run.is_empty() {
            found.push(std::mem::take(&mut run).join(" "));
        }
        let is_mark = word.is_empty();
        begins = token.ends_with([':', '.', '!', '?']) || (begins && is_mark);
    }
    if !run.is_empty() {
        found.push(run.join(" "));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let shown = |detail: &Detail| format!("{}:{}", detail.kind, detail.value);
        let details = details(text);
        let named = details.iter().filter(|one| one.kind != DetailKind::Word);
        named.map(shown).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn names_numbers_quotations_and_identifiers_are_details() {
        for (text, expected) in [
            (
                "Ask Maria from New York on Monday.",
                "entity:maria|entity:monday|entity:new york",
            ),
            (
                "Berlin is far. Use Docker, Redis and Kafka.",
                "entity:docker|entity:kafka|entity:redis",
            ),
            ("Note: Always wait 5 s", "number:5 s"),
            ("say \"Yes please\"", "quotation:yes please"),
            (
                "run tar -X on `src/main.rs`",
                "quotation:src/main.rs|identifier:-X|identifier:src/main.rs",
            ),
            ("call getUserId", "identifier:getUserId"),
            ("", ""),
        ] {
            assert_eq!(shown(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_sentence_has_the_same_details_wherever_it_stands() {
        let (one, two) = (
            "Ask Maria for the HTTP key.",
            "Send 3 files to Bob with `scp -P 22`.",
        );
        let apart: BTreeSet<Detail> = details(one).union(&details(two)).cloned().collect();
        assert_eq!(details(&format!("{one} {two}")), apart);
        assert_eq!(details(&format!("- {two}\n- {one}")), apart);
    }
}
