//! The plain rankings for comparison: word overlap and the textbook BM25.
//!
//! Written out here on purpose, so that the comparison does not depend on its subject. Both rank the texts of a
//! collection one by one, without links; of equal texts the later comes first, as in ours.

use std::collections::{BTreeSet, HashMap};

use hindlore_text::words::{classic_words, search_terms};

use super::collection::Collection;
use super::measures::KEPT;

/// The usual constants of BM25.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Texts by their sets of lower-cased words, split on white space.
#[derive(Debug)]
pub struct Jaccard(Vec<BTreeSet<String>>);

/// Texts by their stemmed words without stop words.
#[derive(Debug, Default)]
pub struct Bm25 {
    texts: Vec<HashMap<String, f64>>,
    lengths: Vec<f64>,
    with_term: HashMap<String, f64>,
}

impl Jaccard {
    /// Takes the words of all texts.
    pub fn new(collection: &Collection) -> Self {
        let texts = collection.texts.iter();
        Self(
            texts
                .map(|text| classic_words(text).into_iter().collect())
                .collect(),
        )
    }

    /// The best ten that share a word with the question.
    pub fn ranking(&self, question: &str) -> Vec<Vec<usize>> {
        let words: BTreeSet<String> = classic_words(question).into_iter().collect();
        best(self.0.iter().map(|text| {
            let shared = words.intersection(text).count() as f64;
            shared / (words.len() as f64 + text.len() as f64 - shared).max(1.0)
        }))
    }
}

impl Bm25 {
    /// Counts the words of all texts.
    pub fn new(collection: &Collection) -> Self {
        let mut index = Self::default();
        collection.texts.iter().for_each(|text| index.add(text));
        index
    }

    /// Counts the words of one more text.
    pub fn add(&mut self, text: &str) {
        let mut counts: HashMap<String, f64> = HashMap::new();
        let terms = search_terms(text);
        self.lengths.push(terms.len() as f64);
        for term in terms {
            *counts.entry(term).or_default() += 1.0;
        }
        for term in counts.keys() {
            *self.with_term.entry(term.clone()).or_default() += 1.0;
        }
        self.texts.push(counts);
    }

    /// The best ten that share a word with the question.
    pub fn ranking(&self, question: &str) -> Vec<Vec<usize>> {
        let all = self.texts.len() as f64;
        let mean = (self.lengths.iter().sum::<f64>() / all).max(1.0);
        let terms = search_terms(question);
        let score = |(counts, length): (&HashMap<String, f64>, &f64)| {
            let norm = K1 * (1.0 - B + B * length / mean);
            let of = |term: &String| {
                let count = counts.get(term).copied().unwrap_or_default();
                let with = self.with_term.get(term).copied().unwrap_or_default();
                let idf = libm::log(1.0 + (all - with + 0.5) / (with + 0.5));
                idf * count * (K1 + 1.0) / (count + norm)
            };
            terms.iter().map(of).sum::<f64>()
        };
        best(self.texts.iter().zip(&self.lengths).map(score))
    }
}

fn best(scores: impl Iterator<Item = f64>) -> Vec<Vec<usize>> {
    let mut scored: Vec<(f64, usize)> = scores.zip(0..).filter(|(score, _)| *score > 0.0).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
    scored.truncate(KEPT);
    scored.into_iter().map(|(_, place)| vec![place]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collection(texts: &[&str]) -> Collection {
        let mut collection = Collection::default();
        for text in texts {
            collection.push(text, false);
        }
        collection
    }

    #[test]
    fn overlap_is_shared_over_all_words() {
        let jaccard = Jaccard::new(&collection(&["a b c d", "a b", "x", "a b"]));
        assert_eq!(jaccard.ranking("A b"), [[3], [1], [0]]);
        assert!(jaccard.ranking("").is_empty());
    }

    #[test]
    fn rare_words_weigh_more_and_long_texts_less() {
        let texts = ["zebra", "horse", "horse pony", "horse donkey mule ass foal"];
        let bm25 = Bm25::new(&collection(&texts));
        assert_eq!(bm25.ranking("horses and zebras"), [[0], [1], [2], [3]]);
    }
}
