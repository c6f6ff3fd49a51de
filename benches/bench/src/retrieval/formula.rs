//! The engine's relevance as a formula with its constants as parameters, to be varied and compared.
//!
//! Written out a second time on purpose: at the shipped constants it must give what the engine gives,
//! which a test checks, and at others it shows what a choice is worth.

use std::collections::{BTreeSet, HashMap};

use mnemograph::domain::memory::policy::LinkShares;
use mnemograph::domain::text::words::search_terms;

use super::collection::Collection;

/// The constants of the relevance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Constants {
    /// Saturation of repeated terms.
    pub(super) k1: f64,
    /// Share of the length normalisation.
    pub(super) b: f64,
    /// Added to each idf.
    pub(super) coverage: f64,
    /// Terms of a query that a short text can be expected to match.
    pub(super) ideal_terms: usize,
    /// Unknown terms that every query has besides.
    pub(super) doubt: f64,
    /// Where relevance bends towards 1.
    pub(super) bend: f64,
}

/// The shipped constants.
pub(super) const SHIPPED: Constants = Constants {
    k1: 0.8,
    b: 0.4,
    coverage: 1.0,
    ideal_terms: 12,
    doubt: 0.25,
    bend: 0.8,
};

/// The counted words of some texts, which may follow each other.
#[derive(Debug)]
pub(super) struct Corpus {
    counts: Vec<HashMap<String, f64>>,
    lengths: Vec<f64>,
    with_term: HashMap<String, f64>,
    follows: Vec<bool>,
}

impl Corpus {
    /// Counts the words of a collection; equal texts are kept apart.
    pub(super) fn new(collection: &Collection) -> Self {
        let mut corpus = Self {
            counts: Vec::new(),
            lengths: Vec::new(),
            with_term: HashMap::new(),
            follows: collection.follows.clone(),
        };
        for text in &collection.texts {
            let mut counts: HashMap<String, f64> = HashMap::new();
            let terms = search_terms(text);
            corpus.lengths.push(terms.len() as f64);
            for term in terms {
                *counts.entry(term).or_default() += 1.0;
            }
            for term in counts.keys() {
                *corpus.with_term.entry(term.clone()).or_default() += 1.0;
            }
            corpus.counts.push(counts);
        }
        corpus
    }

    /// The relevance of every text, in order.
    pub(super) fn relevances(&self, question: &str, of: Constants, shares: LinkShares) -> Vec<f64> {
        let own = self.own(question, of);
        let at = |place: Option<usize>| place.and_then(|place| own.get(place)).copied();
        let total = |place: usize| {
            let before = place.checked_sub(1).filter(|_| self.follows[place]);
            let is_followed = self.follows.get(place + 1).copied().unwrap_or(false);
            let after = is_followed.then_some(place + 1);
            let before = shares.previous * at(before).unwrap_or_default();
            let after = shares.next * at(after).unwrap_or_default();
            bend(own[place] + before.max(after), of.bend)
        };
        (0..own.len()).map(total).collect()
    }

    /// The ten most relevant, the later first of equals.
    pub(super) fn ranking(
        &self,
        question: &str,
        of: Constants,
        shares: LinkShares,
    ) -> Vec<Vec<usize>> {
        let relevances = self.relevances(question, of, shares);
        let mut order: Vec<usize> = (0..relevances.len()).collect();
        order.retain(|place| relevances[*place] > 0.0);
        order.sort_by(|a, b| relevances[*b].total_cmp(&relevances[*a]).then(b.cmp(a)));
        order
            .into_iter()
            .take(10)
            .map(|place| vec![place])
            .collect()
    }

    fn own(&self, question: &str, of: Constants) -> Vec<f64> {
        let all = self.counts.len() as f64;
        let mean = (self.lengths.iter().sum::<f64>() / all).max(1.0);
        let weight = |with: f64| libm::log(1.0 + (all - with + 0.5) / (with + 0.5)) + of.coverage;
        let terms: BTreeSet<String> = search_terms(question).into_iter().collect();
        let weighted: Vec<(f64, &String)> = terms
            .iter()
            .map(|term| {
                (
                    weight(self.with_term.get(term).copied().unwrap_or_default()),
                    term,
                )
            })
            .collect();
        let mut weights: Vec<f64> = weighted.iter().map(|(weight, _)| *weight).collect();
        weights.sort_by(|a, b| b.total_cmp(a));
        let best: f64 = weights.iter().take(of.ideal_terms).sum();
        let ideal = best + of.doubt * weight(0.0);
        let texts = self.counts.iter().zip(&self.lengths);
        let score = |(counts, length): (&HashMap<String, f64>, &f64)| {
            let norm = of.k1 * (1.0 - of.b + of.b * length / mean);
            let parts = weighted.iter().filter_map(|(weight, term)| {
                let count = counts.get(*term)?;
                Some(weight * count * (of.k1 + 1.0) / (count + norm))
            });
            parts.sum::<f64>() / ideal
        };
        texts.map(score).collect()
    }
}

fn bend(share: f64, from: f64) -> f64 {
    if share <= from {
        share
    } else {
        1.0 - (1.0 - from) * (1.0 - from) / (share + 1.0 - 2.0 * from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrieval::memories::MemoryOf;
    use mnemograph::domain::memory::policy::{Policy, Profile};

    #[test]
    fn the_shipped_constants_give_what_the_engine_gives() {
        let mut collection = Collection::default();
        for (text, follows) in [
            ("Ann: We walked to the lake on Sunday", false),
            ("Bob: Was the water of the lake cold?", true),
            ("Ann: Freezing! The dog swam anyway", true),
            (
                "Bob: My sister adopted a dog called Rex, a young dog",
                false,
            ),
            ("Ann: Rex is a lovely name", true),
        ] {
            collection.push(text, follows);
        }
        let mut memory = MemoryOf::new(&collection).unwrap();
        let policy = Policy {
            floor: 0.0,
            ..memory.policy().clone()
        };
        let shares = policy.link_shares;
        memory.set_policy(policy);
        let corpus = Corpus::new(&collection);
        let questions = [
            "What is the name of the dog?",
            "lake lake water",
            "Who adopted Rex?",
            "Rex dog sister young name lovely adopted called",
        ];
        for question in questions {
            let relevances = corpus.relevances(question, SHIPPED, shares);
            let hits = memory.hits(question, Profile::Engine);
            assert_eq!(hits.len(), collection.texts.len());
            for hit in hits {
                let place = memory.places([hit.id].into_iter())[0][0];
                let difference = (hit.parts.relevance - relevances[place]).abs();
                assert!(difference < 1e-12, "{question}: {difference}");
            }
        }
    }
}
