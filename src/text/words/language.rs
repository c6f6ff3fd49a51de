//! The language of a text, as far as stems need it: by its script, or by its function words.
//!
//! A text is English unless more of its words belong to another language. Terms of another language carry its mark,
//! so that they never meet English ones by chance; a query looks for its words in every language of the index.

use std::collections::HashMap;
use std::sync::OnceLock;

use rust_stemmers::{Algorithm, Stemmer};

use super::folding::folded;
use super::stop_words::is_stop_word;
use crate::words::function_words::{ENGLISH, OTHERS};

/// Words of a text that are read to identify its language.
const WORDS_READ: usize = 80;
/// A function word is at most this long, in bytes.
const LONGEST: usize = 12;

/// A language whose words are stemmed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Language {
    English,
    German,
    French,
    Spanish,
    Italian,
    Portuguese,
    Dutch,
    Swedish,
}

impl Language {
    /// All that function words identify, and that are therefore marked.
    pub(super) const MARKED: [Self; 7] = [
        Self::German,
        Self::French,
        Self::Spanish,
        Self::Italian,
        Self::Portuguese,
        Self::Dutch,
        Self::Swedish,
    ];

    /// Returns the language of a text.
    pub(super) fn of(text: &str) -> Self {
        let table = table();
        let mut counts = [0_u32; Self::MARKED.len()];
        let mut english = 0;
        for word in words(text).take(WORDS_READ) {
            let word = folded(word);
            if is_stop_word(&word) || ENGLISH.binary_search(&word.as_ref()).is_ok() {
                english += 1;
            }
            let languages = table.get(word.as_ref()).copied().unwrap_or_default();
            for (at, count) in counts.iter_mut().enumerate() {
                *count += u32::from(languages >> at & 1);
            }
        }
        let most = counts.iter().copied().max().unwrap_or_default();
        if most > english {
            let at = counts.iter().position(|count| *count == most);
            return at.map_or(Self::English, |at| Self::MARKED[at]);
        }
        if most == 0 && english == 0 && text.contains(['ä', 'ö', 'ü', 'ß', 'Ä', 'Ö', 'Ü']) {
            return Self::German;
        }
        Self::English
    }

    /// Returns the mark of the language's terms; no text holds it, since content has no control characters.
    pub(super) fn mark(self) -> Option<char> {
        match self {
            Self::English => None,
            Self::German => Some('\u{1}'),
            Self::French => Some('\u{2}'),
            Self::Spanish => Some('\u{3}'),
            Self::Italian => Some('\u{4}'),
            Self::Portuguese => Some('\u{5}'),
            Self::Dutch => Some('\u{6}'),
            Self::Swedish => Some('\u{7}'),
        }
    }

    /// Returns the language of a mark.
    pub(super) fn of_mark(mark: char) -> Option<Self> {
        Self::MARKED
            .into_iter()
            .find(|language| language.mark() == Some(mark))
    }

    /// Returns true if a folded word is a function word of this language that stop words do not cover.
    pub(super) fn is_function_word(self, word: &str) -> bool {
        match Self::MARKED.iter().position(|language| *language == self) {
            None => ENGLISH.binary_search(&word).is_ok(),
            Some(at) => table().get(word).is_some_and(|of| of >> at & 1 == 1),
        }
    }

    /// Returns the stem of a folded word: by its script, else in this language.
    pub(super) fn stem(self, word: &str) -> String {
        if word.is_ascii() {
            return self.stem_latin(word);
        }
        match word.chars().find(|c| c.is_alphabetic()) {
            Some('\u{400}'..='\u{52F}') => stem_with(Algorithm::Russian, word),
            Some('\u{370}'..='\u{3FF}') => stem_with(Algorithm::Greek, word),
            Some('\u{620}'..='\u{64A}') => stem_with(Algorithm::Arabic, word),
            _ => word.to_owned(),
        }
    }

    fn stem_latin(self, word: &str) -> String {
        if !word.bytes().all(|b| b.is_ascii_alphabetic()) {
            return word.to_owned();
        }
        let algorithm = match self {
            Self::English => {
                // The stemmer returns "ad" for these, which would not match "add".
                if matches!(word, "adding" | "added") {
                    return "add".to_owned();
                }
                Algorithm::English
            }
            Self::German => Algorithm::German,
            Self::French => Algorithm::French,
            Self::Spanish => Algorithm::Spanish,
            Self::Italian => Algorithm::Italian,
            Self::Portuguese => Algorithm::Portuguese,
            Self::Dutch => Algorithm::Dutch,
            Self::Swedish => Algorithm::Swedish,
        };
        stem_with(algorithm, word)
    }
}

fn stem_with(algorithm: Algorithm, word: &str) -> String {
    Stemmer::create(algorithm).stem(word).into_owned()
}

/// Returns the words of a text that may be function words, cut simply.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphabetic())
        .filter(|word| (1..=LONGEST).contains(&word.len()))
}

/// Returns the languages of each function word, as bits in the order of [`Language::MARKED`].
fn table() -> &'static HashMap<&'static str, u8> {
    static TABLE: OnceLock<HashMap<&'static str, u8>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table: HashMap<&'static str, u8> = HashMap::new();
        for (at, words) in OTHERS.iter().enumerate() {
            for word in words.split_whitespace() {
                *table.entry(word).or_default() |= 1 << at;
            }
        }
        table
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_told_by_its_function_words() {
        for (text, language) in [
            ("Run the migrations before a deploy", Language::English),
            (
                "Die Migrationen vor dem Release ausführen",
                Language::German,
            ),
            ("Frau Müller prüft die Rechnung", Language::German),
            ("Datenbankmigration", Language::English),
            ("Schlüssel prüfen", Language::German),
            (
                "Ne jamais modifier les fichiers du dossier",
                Language::French,
            ),
            ("No borres los archivos de la carpeta", Language::Spanish),
            ("Non modificare i file della cartella", Language::Italian),
            ("Não apague os arquivos da pasta", Language::Portuguese),
            ("Wijzig nooit de bestanden van het archief", Language::Dutch),
            (
                "Ändra aldrig filerna i arkivet, och inte heller",
                Language::Swedish,
            ),
            ("the die is cast in a mould", Language::English),
            ("cargo test --release", Language::English),
            ("", Language::English),
        ] {
            assert_eq!(Language::of(text), language, "{text:?}");
        }
    }

    #[test]
    fn inflected_words_share_a_stem() {
        for (language, one, other) in [
            (Language::English, "migrations", "migrating"),
            (
                Language::German,
                "datenbankmigrationen",
                "datenbankmigration",
            ),
            (Language::English, "миграции", "миграция"),
            (Language::French, "fichiers", "fichier"),
        ] {
            assert_eq!(language.stem(one), language.stem(other), "{one}");
        }
    }

    #[test]
    fn the_english_list_is_sorted() {
        assert!(ENGLISH.is_sorted());
    }
}
