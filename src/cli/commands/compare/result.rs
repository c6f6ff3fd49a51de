//! What one memory made of a trace.

use serde::Serialize;

use crate::api::prompt::estimated_tokens;
use crate::domain::text::similar::{Bound, SimilarityIndex};
use crate::domain::text::words::Tokens;

/// Two texts above this similarity say the same.
const NEAR: f64 = 0.85;

/// One of the four memories after the trace.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    /// Its name.
    pub(super) memory: &'static str,
    /// What it is.
    pub(super) about: &'static str,
    /// Messages or active bullets that it holds in the end.
    pub(super) size: usize,
    /// Bullets that it put away.
    pub(super) put_away: usize,
    /// Pairs above the similarity that are left.
    pub(super) near_duplicates: usize,
    /// Pairs that are linked because they must not be merged.
    pub(super) kept_apart: usize,
    /// Characters of a prompt, on average.
    pub(super) prompt_chars: f64,
    /// Estimated tokens of a prompt, on average.
    pub(super) prompt_tokens: f64,
    /// Milliseconds for one delta, on average.
    pub(super) learn_ms: f64,
    /// Milliseconds for one retrieval, on average.
    pub(super) retrieve_ms: f64,
    /// The answers, in the order of the trace.
    pub(super) answers: Vec<Answer>,
}

/// The answer to one query.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    /// What was asked.
    pub(super) query: String,
    /// What was returned.
    pub(super) results: Vec<Place>,
    /// Characters of the prompt that it makes.
    pub(super) prompt_chars: usize,
    /// Estimated tokens of that prompt.
    pub(super) prompt_tokens: usize,
    /// Milliseconds that it took.
    pub(super) ms: f64,
}

/// One returned text.
#[derive(Debug, Serialize)]
pub(super) struct Place {
    /// Position, from 1.
    pub(super) rank: usize,
    /// Id of the bullet, or position of the message in the trace.
    pub(super) id: String,
    /// The text.
    pub(super) content: String,
    /// Score; a transcript has none.
    pub(super) score: Option<f64>,
}

impl Answer {
    /// The answer that a prompt carries.
    pub(super) fn new(query: &str, results: Vec<Place>, prompt: &str, ms: f64) -> Self {
        Self {
            query: query.to_owned(),
            results,
            prompt_chars: prompt.chars().count(),
            prompt_tokens: estimated_tokens(prompt),
            ms,
        }
    }

    /// The position of a text.
    pub(super) fn rank_of(&self, content: &str) -> Option<usize> {
        let place = self.results.iter().find(|place| place.content == content);
        place.map(|place| place.rank)
    }
}

/// Pairs of texts that say the same, by the words that the engine compares.
pub(super) fn near_duplicates<'t>(texts: impl Iterator<Item = &'t str>) -> usize {
    let mut index = SimilarityIndex::new();
    let mut pairs = 0;
    for (slot, text) in (0_u32..).zip(texts) {
        let words = Tokens::Standard.set(text);
        pairs += index.find(&words, Bound::Above(NEAR)).len();
        index.insert(slot, &words);
    }
    pairs
}

/// The mean; 0 of nothing.
#[allow(clippy::cast_precision_loss)]
pub(super) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0_usize);
    for value in values {
        sum += value;
        count += 1;
    }
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// The means over answers: characters, tokens, milliseconds.
#[allow(clippy::cast_precision_loss)]
pub(super) fn means(answers: &[Answer]) -> (f64, f64, f64) {
    let of = |value: fn(&Answer) -> f64| mean(answers.iter().map(value));
    (
        of(|one| one.prompt_chars as f64),
        of(|one| one.prompt_tokens as f64),
        of(|one| one.ms),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_once() {
        let texts = ["a b c d e f g h", "h g f e d c b a", "a b c d e f g h", "x"];
        assert_eq!(near_duplicates(texts.into_iter()), 3);
        assert_eq!(near_duplicates(["a b", "a c"].into_iter()), 0);
        assert_eq!(mean([].into_iter()), 0.0);
        assert_eq!(mean([1.0, 2.0].into_iter()), 1.5);
    }
}
