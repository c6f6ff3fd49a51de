//! The result of one memory for a trace.

use hindlore_api::responses::compared::ComparedAnswer;
use hindlore_text::similar::{Bound, SimilarityIndex};
use hindlore_text::words::Tokens;

/// Similarity above which two texts count as equal.
const NEAR: f64 = 0.85;

/// Pairs of equal texts, measured by the engine's words.
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

/// The mean; 0 for none.
#[allow(clippy::cast_precision_loss)]
pub(super) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0_usize);
    for value in values {
        sum += value;
        count += 1;
    }
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// Means over answers: characters, tokens, milliseconds.
#[allow(clippy::cast_precision_loss)]
pub(super) fn means(answers: &[ComparedAnswer]) -> (f64, f64, f64) {
    let of = |value: fn(&ComparedAnswer) -> f64| mean(answers.iter().map(value));
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
