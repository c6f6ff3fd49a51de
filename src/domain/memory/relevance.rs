//! Relevance: how well a text answers a query, by words alone.

use std::collections::{BTreeSet, HashMap};

use super::aggregate::Memory;
use super::bullet::Bullet;
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
const K1: f64 = 0.8;
/// Share of the length normalisation.
const B: f64 = 0.4;
/// Added to every term's weight, so that the number of matched terms counts, also in a memory too
/// small to know which words are rare.
const COVERAGE: f64 = 1.0;
/// Terms of a query that a short bullet can be expected to match.
const IDEAL_TERMS: usize = 12;
/// Unknown terms that every query is taken to have besides its own, as a measure of doubt.
const DOUBT: f64 = 0.25;
/// From here on relevance bends towards 1 without reaching it.
const BEND: f64 = 0.8;

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
///
/// The constants, the shares and the floor were chosen together by measurement on dialogues and agent
/// memories with known evidence.
pub(super) fn engine_relevances(memory: &Memory, query: &str) -> HashMap<u32, Relevance> {
    let own = ideal_shares(memory.terms(), query);
    let shares = memory.policy().link_shares;
    let linked = memory.has_neighbours() && (shares.previous > 0.0 || shares.next > 0.0);
    let mut slots: BTreeSet<u32> = own.keys().copied().collect();
    if linked {
        for slot in own.keys() {
            let id = memory.at(*slot).id;
            let near = memory.previous_of(id).chain(memory.next_of(id));
            slots.extend(near.filter_map(|near| memory.slot_of(near.id)));
        }
    }
    let own_of = |slot: u32| own.get(&slot).copied().unwrap_or_default();
    let best = |near: &mut dyn Iterator<Item = &Bullet>| {
        let active = near
            .filter(|near| near.is_active())
            .filter_map(|near| memory.slot_of(near.id));
        active.map(own_of).fold(0.0, f64::max)
    };
    let relevance = |slot: u32| {
        let id = memory.at(slot).id;
        let shared = match linked {
            true => {
                let before = shares.previous * best(&mut memory.previous_of(id));
                before.max(shares.next * best(&mut memory.next_of(id)))
            }
            false => 0.0,
        };
        let total = bend(own_of(slot) + shared);
        Relevance {
            total,
            from_neighbours: total - bend(own_of(slot)),
        }
    };
    slots
        .into_iter()
        .map(|slot| (slot, relevance(slot)))
        .collect()
}

/// BM25 (Robertson and Zaragoza 2009) with a constant added to each idf, as a share of what a bullet
/// could reach that has the weightiest terms of the query. A term counts once however often the query
/// repeats it; a term that the memory does not know weighs most.
fn ideal_shares(index: &TermIndex, query: &str) -> HashMap<u32, f64> {
    let mut scores: HashMap<u32, f64> = HashMap::new();
    if index.documents() == 0 {
        return scores;
    }
    let mean = index.mean_length().max(1.0);
    let mut weights: Vec<f64> = Vec::new();
    for (term, _) in term_counts(query) {
        let postings = index.postings(&term);
        let weight = term_weight(index.documents(), postings.len() as u64);
        weights.push(weight);
        for posting in postings {
            let occurrences = f64::from(posting.occurrences);
            let length = f64::from(index.length(posting.slot));
            let norm = K1 * (1.0 - B + B * length / mean);
            *scores.entry(posting.slot).or_default() +=
                weight * occurrences * (K1 + 1.0) / (occurrences + norm);
        }
    }
    weights.sort_unstable_by(|a, b| b.total_cmp(a));
    let unknown = term_weight(index.documents(), 0);
    let ideal = weights.iter().take(IDEAL_TERMS).sum::<f64>() + DOUBT * unknown;
    scores.values_mut().for_each(|score| *score /= ideal);
    scores
}

/// ln(1 + (N − n + 0.5) / (n + 0.5)) + 1, above 1 for every n ≤ N.
fn term_weight(documents: u64, with_term: u64) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let (documents, with_term) = (documents as f64, with_term as f64);
    libm::log(1.0 + (documents - with_term + 0.5) / (with_term + 0.5)) + COVERAGE
}

/// Maps a share of the ideal to 0..1, strictly rising and smooth: the identity up to [`BEND`].
fn bend(share: f64) -> f64 {
    if share <= BEND {
        return share;
    }
    1.0 - (1.0 - BEND) * (1.0 - BEND) / (share + 1.0 - 2.0 * BEND)
}

/// The words of a query with their search terms, for telling which of them a text has.
#[derive(Debug)]
pub(super) struct QueryWords(Vec<(String, Vec<String>)>);

impl QueryWords {
    /// The distinct words of a query, as they were typed.
    pub(super) fn of(query: &str) -> Self {
        let mut seen = BTreeSet::new();
        let fresh = standard_words(query)
            .into_iter()
            .filter(|word| seen.insert(word.clone()));
        let terms = fresh.map(|word| (search_terms(&word), word));
        Self(
            terms
                .filter(|(terms, _)| !terms.is_empty())
                .map(|(terms, word)| (word, terms))
                .collect(),
        )
    }

    /// Those whose search term occurs in a text.
    pub(super) fn matched(&self, text: &str) -> Vec<String> {
        let have: BTreeSet<String> = search_terms(text).into_iter().collect();
        let occurs = |terms: &[String]| terms.iter().any(|term| have.contains(term));
        self.0
            .iter()
            .filter(|(_, terms)| occurs(terms))
            .map(|(word, _)| word.clone())
            .collect()
    }
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
