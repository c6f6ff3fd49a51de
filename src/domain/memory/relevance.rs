//! Relevance: how well a text matches a query, by words alone.
//!
//! A bullet's own relevance is the classic Jaccard similarity, or its share of an ideal BM25 score, compressed
//! below 1. `score.rs` adds what linked neighbours lend.

use mnemograph_topk::{Analyzer, InvertedIndex, QueryWord, Similarity, TextQuery};

use crate::text::words::{Tokens, for_each_raw_word, terms_of_raw_word};

/// Above this, relevance is compressed: it approaches 1 without reaching it.
const BEND: f64 = 0.8;

/// The terms of an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Vocabulary {
    /// Stems and identifier parts, with repeats: the engine profile.
    SearchTerms,
    /// Lower-cased words split on white space, as sets: the classic profiles.
    ClassicWords,
}

impl Analyzer for Vocabulary {
    fn for_each_token(&self, text: &str, visit: impl FnMut(&str)) {
        match self {
            Self::SearchTerms => for_each_raw_word(text, visit),
            Self::ClassicWords => Tokens::Classic.for_each_token(text, visit),
        }
    }

    fn terms(&self, token: &str) -> Vec<String> {
        match self {
            Self::SearchTerms => terms_of_raw_word(token),
            Self::ClassicWords => Tokens::Classic.terms(token),
        }
    }

    fn counts_repeats(&self) -> bool {
        *self == Self::SearchTerms
    }
}

/// Looks up the search terms of a query.
pub(super) fn engine_query<'i>(index: &'i InvertedIndex<Vocabulary>, text: &str) -> TextQuery<'i> {
    let mut words = Vec::new();
    for_each_raw_word(text, |raw| {
        words.push(QueryWord {
            word: raw.to_lowercase(),
            terms: terms_of_raw_word(raw),
        });
    });
    TextQuery::new(index, words, Similarity::Bm25)
}

/// Looks up the classic words of a query.
pub(super) fn classic_query<'i>(index: &'i InvertedIndex<Vocabulary>, text: &str) -> TextQuery<'i> {
    let words = Tokens::Classic
        .set(text)
        .into_iter()
        .map(|word| QueryWord {
            terms: vec![word.clone()],
            word,
        })
        .collect();
    TextQuery::new(index, words, Similarity::Jaccard)
}

/// Maps a share of the ideal score, 0 or more, to 0..1: the identity up to [`BEND`], then a hyperbola with the
/// same slope at the seam. It is strictly rising, so it never changes the order of two texts.
pub(super) fn bend(share: f64) -> f64 {
    if share <= BEND {
        return share;
    }
    1.0 - (1.0 - BEND) * (1.0 - BEND) / (share + 1.0 - 2.0 * BEND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bending_rises_and_stays_below_one() {
        let mut last = -1.0;
        for step in 0..4_000 {
            let share = f64::from(step) / 1_000.0;
            let bent = bend(share);
            assert!(bent > last && bent < 1.0 && bent <= share, "{share}");
            last = bent;
        }
    }
}
