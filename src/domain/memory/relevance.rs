//! Relevance: how well a text answers a query, by words alone.

use std::collections::{BTreeSet, HashMap};

use super::aggregate::Memory;
use super::term_index::{TermIndex, term_counts};
use crate::domain::text::similarity::jaccard;
use crate::domain::text::words::{Tokens, search_terms, standard_words};

/// The relevance of one bullet.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Relevance {
    /// Own and shared relevance, 0..=1.
    pub total: f64,
    /// The shared part.
    pub from_neighbours: f64,
}

/// Saturation of repeated terms.
const K1: f64 = 0.9;
/// Share of the length normalisation.
const B: f64 = 0.4;

/// Classic relevance of every active bullet: Jaccard of lower-cased words split on white space.
pub(super) fn classic_relevances(memory: &Memory, query: &str) -> HashMap<u32, Relevance> {
    let words = Tokens::Classic.set(query);
    let active = (0..)
        .zip(memory.bullets())
        .filter(|(_, bullet)| bullet.is_active());
    let scored = active.map(|(slot, bullet)| {
        let total = jaccard(&words, &Tokens::Classic.set(bullet.content.as_str()));
        (
            slot,
            Relevance {
                total,
                from_neighbours: 0.0,
            },
        )
    });
    scored.collect()
}

/// Engine relevance of the bullets that share a term with the query, or whose neighbour does.
pub(super) fn engine_relevances(memory: &Memory, query: &str) -> HashMap<u32, Relevance> {
    let own = bm25(memory.terms(), query);
    let share = memory.policy().link_share;
    if share <= 0.0 || !memory.has_neighbours() {
        let alone = |total: f64| Relevance {
            total,
            from_neighbours: 0.0,
        };
        return own
            .into_iter()
            .map(|(slot, total)| (slot, alone(total)))
            .collect();
    }
    with_neighbours(memory, &own, share)
}

/// BM25 (Robertson and Zaragoza 2009) over search terms, as a share of the best that this query could
/// reach, 0..=1.
fn bm25(index: &TermIndex, query: &str) -> HashMap<u32, f64> {
    let terms = term_counts(query);
    let mut scores: HashMap<u32, f64> = HashMap::new();
    let mut weights: Vec<f64> = Vec::with_capacity(terms.len());
    let mean = index.mean_length().max(1.0);
    for (term, _) in &terms {
        let postings = index.postings(term);
        let idf = inverse_frequency(index.documents(), postings.len() as u64);
        weights.push(idf);
        for posting in postings {
            let occurrences = f64::from(posting.occurrences);
            let length = f64::from(index.length(posting.slot));
            let norm = K1 * (1.0 - B + B * length / mean);
            *scores.entry(posting.slot).or_default() +=
                idf * occurrences * (K1 + 1.0) / (occurrences + norm);
        }
    }
    let ideal = ideal_score(&mut weights);
    if ideal > 0.0 {
        scores
            .values_mut()
            .for_each(|score| *score = (*score / ideal).min(1.0));
    }
    scores
}

/// ln(1 + (N − n + 0.5) / (n + 0.5)): never negative.
fn inverse_frequency(documents: u64, with_term: u64) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let (documents, with_term) = (documents as f64, with_term as f64);
    libm::log(1.0 + (documents - with_term + 0.5) / (with_term + 0.5))
}

/// The sum of the weights that a short bullet could match at best.
fn ideal_score(weights: &mut [f64]) -> f64 {
    weights.sort_unstable_by(|a, b| b.total_cmp(a));
    weights.iter().take(12).sum()
}

fn with_neighbours(
    memory: &Memory,
    own: &HashMap<u32, f64>,
    share: f64,
) -> HashMap<u32, Relevance> {
    let mut slots: BTreeSet<u32> = own.keys().copied().collect();
    for slot in own.keys() {
        let id = memory.at(*slot).id;
        slots.extend(
            memory
                .neighbours_of(id)
                .filter_map(|near| memory.slot_of(near.id)),
        );
    }
    let relevance = |slot: u32| own.get(&slot).copied().unwrap_or_default();
    let mut shared = HashMap::with_capacity(slots.len());
    for slot in slots {
        let near = memory
            .neighbours_of(memory.at(slot).id)
            .filter(|near| near.is_active());
        let best = near
            .filter_map(|near| memory.slot_of(near.id))
            .map(relevance)
            .fold(0.0, f64::max);
        let total = (relevance(slot) + share * best).min(1.0);
        shared.insert(
            slot,
            Relevance {
                total,
                from_neighbours: total - relevance(slot),
            },
        );
    }
    shared
}

/// Words of the query, as they were typed, whose search term occurs in a text.
pub(super) fn matched_words(query: &str, text: &str) -> Vec<String> {
    let have: BTreeSet<String> = search_terms(text).into_iter().collect();
    let mut matched: Vec<String> = Vec::new();
    for word in standard_words(query) {
        if !matched.contains(&word) && search_terms(&word).iter().any(|term| have.contains(term)) {
            matched.push(word);
        }
    }
    matched
}

/// Words that a query and a text have in common by the classic rule.
pub(super) fn common_classic_words(query: &str, text: &str) -> Vec<String> {
    let have = Tokens::Classic.set(text);
    Tokens::Classic
        .set(query)
        .into_iter()
        .filter(|word| have.binary_search(word).is_ok())
        .collect()
}
