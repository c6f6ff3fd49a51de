//! Near duplicates of a text among many: the index, and the analyzers that feed it.

pub use mnemograph_topk::{Bound, Key, Near, Prepared, Similar, SimilarityIndex};

use mnemograph_topk::Analyzer;

use super::guard::offers;
use super::words::{Tokens, classic_words, for_each_raw_word};

impl Analyzer for Tokens {
    fn for_each_token(&self, text: &str, mut visit: impl FnMut(&str)) {
        match self {
            Self::Classic => classic_words(text).iter().for_each(|word| visit(word)),
            Self::Standard => for_each_raw_word(text, visit),
        }
    }

    fn terms(&self, token: &str) -> Vec<String> {
        match self {
            Self::Classic => vec![token.to_owned()],
            Self::Standard => vec![token.to_lowercase()],
        }
    }

    fn counts_repeats(&self) -> bool {
        false
    }
}

/// Calls with each key that a standard word offers to the needs of another text.
pub fn keys_of_word(word: &str, visit: &mut dyn FnMut(String)) {
    offers(word, &mut |key| visit(key));
}
