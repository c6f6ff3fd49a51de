//! Near duplicates of a text among many: the index of `topk`, and the analyzers that feed it.
//!
//! The filters and their papers are described in that crate; this file only defines a word.

pub use hindlore_topk::{Bound, Key, Near, Prepared, Similar, SimilarityIndex};

use hindlore_topk::Analyzer;

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

    fn passage_tokens(&self) -> Option<usize> {
        None
    }
}

/// Visits the keys that a standard word offers, to be matched with the needs of another text.
pub fn keys_of_word(word: &str, visit: &mut dyn FnMut(String)) {
    offers(word, &mut |key| visit(key));
}
