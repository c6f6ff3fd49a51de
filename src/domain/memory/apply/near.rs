//! Searches for the near duplicates of a text in a memory: for merging, and for links to review.
//!
//! Classic and standard words differ, so a memory's index holds one kind only: that of its policy.

use crate::memory::aggregate::Memory;
use hindlore_text::similar::{Bound, Key, Near, Prepared, Similar, SimilarityIndex, keys_of_word};
use hindlore_text::words::Tokens;
use hindlore_text::words::lower_words::LowerWords;

impl Memory {
    /// Returns the active bullets that are similar to a text, ascending by document.
    pub(crate) fn similar_to(&self, text: &str, bound: Bound) -> Vec<Similar> {
        let index = self.similarity_index();
        index.find_prepared(&self.prepare(index, text), bound)
    }

    /// Returns the near duplicates of a text; all of them if there are at most `most`.
    pub(crate) fn near_text(&self, text: &str, bound: Bound, most: usize) -> Near {
        let index = self.similarity_index();
        index.find_near(&self.prepare(index, text), bound, most)
    }

    /// Returns the near duplicates of a text by its standard words, and the prepared text to insert.
    pub(crate) fn near_words(
        &self,
        words: &LowerWords,
        bound: Bound,
        most: usize,
    ) -> (Near, Prepared) {
        let index = self.search_indexes.similar(Tokens::Standard, &self.arena);
        let prepared = index.prepare(words.iter());
        (index.find_near(&prepared, bound, most), prepared)
    }

    /// Returns the active bullets that are similar to a text by its standard words and offer a key of each of
    /// `needs`, ascending by document.
    pub(crate) fn similar_meeting(
        &self,
        text: &str,
        bound: Bound,
        needs: &[Vec<Key>],
    ) -> Vec<Similar> {
        let index = self.search_indexes.similar(Tokens::Standard, &self.arena);
        index.find_with_keys(&Tokens::Standard.set(text), bound, needs, keys_of_word)
    }

    fn similarity_index(&self) -> &SimilarityIndex {
        let tokens = self.policy.similarity.tokens();
        self.search_indexes.similar(tokens, &self.arena)
    }

    fn prepare(&self, index: &SimilarityIndex, text: &str) -> Prepared {
        match self.policy.similarity.tokens() {
            Tokens::Standard => index.prepare(LowerWords::from_text(text).iter()),
            Tokens::Classic => index.prepare(Tokens::Classic.set(text).iter().map(String::as_str)),
        }
    }
}
