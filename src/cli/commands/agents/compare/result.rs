//! The result of one memory for a trace.

use std::collections::HashSet;

use super::trace::{Agreement, Pair};
use hindlore_api::responses::compared::{ComparedAnswer, JudgedResponse};
use hindlore_text::similar::{Bound, SimilarityIndex};
use hindlore_text::words::Tokens;

/// Similarity above which two texts count as equal.
const NEAR: f64 = 0.85;

/// The texts of a memory at the end.
#[derive(Debug, Default)]
pub(super) struct Held<'t> {
    /// Those that can be retrieved.
    pub(super) texts: HashSet<&'t str>,
    /// Pairs that the memory marks as contradictions, in either order.
    pub(super) marked: HashSet<(&'t str, &'t str)>,
}

/// Counts what a trace with judgements asks for; absent for a trace without any.
pub(super) fn judged(
    pairs: &[Pair],
    answers: &[ComparedAnswer],
    held: &Held<'_>,
) -> Option<JudgedResponse> {
    let right = answers.iter().map(|answer| answer.right).sum();
    if pairs.is_empty() && right == 0 {
        return None;
    }
    let has_both =
        |pair: &&Pair| held.texts.contains(pair.a.as_str()) && held.texts.contains(pair.b.as_str());
    let is_marked = |pair: &&Pair| {
        let (a, b) = (pair.a.as_str(), pair.b.as_str());
        held.marked.contains(&(a, b)) || held.marked.contains(&(b, a))
    };
    let of = |agreement| move |pair: &&Pair| pair.is == agreement;
    let same = pairs.iter().filter(of(Agreement::Same));
    let apart = pairs.iter().filter(|pair| pair.is != Agreement::Same);
    let opposed = pairs.iter().filter(of(Agreement::Opposite));
    Some(JudgedResponse {
        right,
        right_shown: answers.iter().map(|answer| answer.right_shown).sum(),
        same: same.clone().count(),
        same_left: same.filter(has_both).count(),
        different: apart.clone().count(),
        different_lost: apart.filter(|pair| !has_both(pair)).count(),
        opposite: opposed.clone().count(),
        opposite_unmarked: opposed.filter(|pair| !is_marked(pair)).count(),
    })
}

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

    #[test]
    fn a_memory_is_judged_by_the_pairs_that_it_holds() {
        let pair = |a: &str, b: &str, is| Pair {
            a: a.to_owned(),
            b: b.to_owned(),
            is,
        };
        let pairs = [
            pair("a", "A", Agreement::Same),
            pair("b", "B", Agreement::Same),
            pair("a", "b", Agreement::Different),
            pair("a", "z", Agreement::Different),
            pair("a", "c", Agreement::Opposite),
            pair("b", "c", Agreement::Opposite),
        ];
        let held = Held {
            texts: HashSet::from(["a", "A", "b", "c"]),
            marked: HashSet::from([("c", "a")]),
        };
        let found = judged(&pairs, &[], &held).unwrap();
        assert_eq!((found.same, found.same_left), (2, 1));
        assert_eq!((found.different, found.different_lost), (4, 1));
        assert_eq!((found.opposite, found.opposite_unmarked), (2, 1));
        assert!(judged(&[], &[], &held).is_none());
    }
}
