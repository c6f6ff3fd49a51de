//! What is near to a text in a memory: the questions of merging and of linking for review.

use super::aggregate::Memory;
use crate::text::guard::Key;
use crate::text::lower_words::LowerWords;
use crate::text::similar::{Asked, Bound, Near, Similar};
use crate::text::words::Tokens;

impl Memory {
    /// Active bullets whose words are similar to those of a text, ascending by slot.
    pub(super) fn similar_to(&self, text: &str, bound: Bound) -> Vec<Similar> {
        let tokens = self.policy.similarity.tokens();
        let index = self.lookups.similar(tokens, &self.shelf);
        index.find_text(tokens, text, bound)
    }

    /// The same, all of them where they are no more than `most`.
    pub(super) fn near_text(&self, text: &str, bound: Bound, most: usize) -> Near {
        let tokens = self.policy.similarity.tokens();
        let index = self.lookups.similar(tokens, &self.shelf);
        index.near_text(tokens, text, bound, most)
    }

    /// The same for the standard words of a text, with what to put it into the index by.
    pub(super) fn near_words(
        &self,
        words: &LowerWords,
        bound: Bound,
        most: usize,
    ) -> (Near, Asked) {
        let index = self.lookups.similar(Tokens::Standard, &self.shelf);
        index.ask_near(words, bound, most)
    }

    /// Active bullets whose words are similar to the standard words of a text and that have what it needs to
    /// be merged with them, ascending by slot.
    pub(super) fn similar_meeting(
        &self,
        text: &str,
        bound: Bound,
        needs: &[Vec<Key>],
    ) -> Vec<Similar> {
        let index = self.lookups.similar(Tokens::Standard, &self.shelf);
        index.find_meeting(&Tokens::Standard.set(text), bound, needs)
    }
}
