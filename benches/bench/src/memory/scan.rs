//! The limit that an index is to beat: one tuned thread that looks at every bullet.
//!
//! The score is the engine's, term by term in the same order, on flat arrays: words as numbers, the
//! length part of BM25, votes and powers of the decay computed beforehand. Nothing is skipped.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use mnemograph::domain::memory::bullet::Bullet;
use mnemograph::domain::memory::decay::{helpfulness, retention, type_priority};
use mnemograph::domain::memory::policy::{Policy, Weights};
use mnemograph::domain::text::similarity::jaccard_of;
use mnemograph::domain::text::words::{Tokens, search_terms};

/// Constants of the engine's relevance.
const K1: f64 = 0.8;
const B: f64 = 0.4;
const COVERAGE: f64 = 1.0;
const IDEAL_TERMS: usize = 12;
const DOUBT: f64 = 0.25;
const BEND: f64 = 0.8;

/// All bullets of a memory on flat arrays, as they are at one clock.
#[derive(Debug, Default)]
pub(super) struct Scan {
    ids: HashMap<String, u32>,
    with_term: Vec<f64>,
    /// Where the terms of each bullet begin; one more than bullets.
    starts: Vec<u32>,
    terms: Vec<u32>,
    occurrences: Vec<u8>,
    norms: Vec<f64>,
    /// Weighted strength and type, which no query changes.
    fixed: Vec<f64>,
    relevance_weight: f64,
    floor: f64,
}

/// A score with its place; the greater is the better.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Scored(f64, Reverse<u32>);

impl Eq for Scored {}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}

impl Scan {
    /// Lays out the bullets at a clock.
    pub(super) fn new(bullets: &[Bullet], clock: u64, policy: &Policy, weights: Weights) -> Self {
        let mut scan = Self {
            relevance_weight: weights.relevance,
            floor: policy.floor,
            starts: vec![0],
            ..Self::default()
        };
        let mut lengths = Vec::new();
        for bullet in bullets {
            let mut counts: BTreeMap<String, u32> = BTreeMap::new();
            for term in search_terms(bullet.content.as_str()) {
                *counts.entry(term).or_default() += 1;
            }
            lengths.push(f64::from(counts.values().sum::<u32>()));
            for (term, count) in counts {
                let fresh = scan.ids.len() as u32;
                let id = *scan.ids.entry(term).or_insert(fresh);
                scan.with_term.resize(scan.ids.len(), 0.0);
                scan.with_term[id as usize] += 1.0;
                scan.terms.push(id);
                scan.occurrences
                    .push(u8::try_from(count).unwrap_or(u8::MAX));
            }
            scan.starts.push(scan.terms.len() as u32);
            let strength = retention(bullet, &policy.rates, clock) * helpfulness(bullet.counts);
            let of_type = weights.memory_type * type_priority(bullet.memory_type);
            scan.fixed.push(weights.strength * strength + of_type);
        }
        let mean = (lengths.iter().sum::<f64>() / lengths.len().max(1) as f64).max(1.0);
        let norm = |length: f64| K1 * (1.0 - B + B * length / mean);
        scan.norms = lengths.into_iter().map(norm).collect();
        scan
    }

    /// The best scores for a question, best first.
    pub(super) fn best(&self, question: &str, top_k: usize) -> Vec<f64> {
        let all = self.fixed.len() as f64;
        let weight = |with: f64| libm::log(1.0 + (all - with + 0.5) / (with + 0.5)) + COVERAGE;
        let mut terms = search_terms(question);
        terms.sort_unstable();
        terms.dedup();
        let mut weight_of = vec![0.0_f64; self.with_term.len()];
        let mut weights = Vec::new();
        for term in &terms {
            let id = self.ids.get(term).map(|id| *id as usize);
            let of = weight(id.map_or(0.0, |id| self.with_term[id]));
            weights.push(of);
            if let Some(id) = id {
                weight_of[id] = of * (K1 + 1.0);
            }
        }
        weights.sort_by(|a, b| b.total_cmp(a));
        let ideal = weights.iter().take(IDEAL_TERMS).sum::<f64>() + DOUBT * weight(0.0);
        let mut heap: BinaryHeap<Reverse<Scored>> = BinaryHeap::with_capacity(top_k + 1);
        for (place, fixed) in (0_u32..).zip(&self.fixed) {
            let relevance = bend(self.own(place as usize, &weight_of) / ideal);
            if relevance < self.floor {
                continue;
            }
            let score = Scored(self.relevance_weight * relevance + fixed, Reverse(place));
            if heap.len() < top_k {
                heap.push(Reverse(score));
            } else if heap.peek().is_some_and(|least| score > least.0) {
                heap.pop();
                heap.push(Reverse(score));
            }
        }
        let mut best: Vec<f64> = heap.into_iter().map(|Reverse(scored)| scored.0).collect();
        best.sort_by(|a, b| b.total_cmp(a));
        best
    }

    fn own(&self, place: usize, weight_of: &[f64]) -> f64 {
        let range = self.starts[place] as usize..self.starts[place + 1] as usize;
        let (terms, counts) = (&self.terms[range.clone()], &self.occurrences[range]);
        let mut sum = 0.0;
        for (term, count) in terms.iter().zip(counts) {
            let weight = weight_of[*term as usize];
            if weight > 0.0 {
                let count = f64::from(*count);
                sum += weight * count / (count + self.norms[place]);
            }
        }
        sum
    }
}

fn bend(share: f64) -> f64 {
    if share <= BEND {
        share
    } else {
        1.0 - (1.0 - BEND) * (1.0 - BEND) / (share + 1.0 - 2.0 * BEND)
    }
}

/// The words of all texts as sorted numbers: near duplicates by comparing with every one.
#[derive(Debug, Default)]
pub(super) struct SetScan {
    ids: HashMap<String, u32>,
    sets: Vec<Vec<u32>>,
}

impl SetScan {
    /// Numbers the words of all texts.
    pub(super) fn new(texts: &[String]) -> Self {
        let mut scan = Self::default();
        for text in texts {
            let set = scan.set(text);
            scan.sets.push(set);
        }
        scan
    }

    /// The words of a text as sorted numbers; new words get new ones.
    pub(super) fn set(&mut self, text: &str) -> Vec<u32> {
        let words = Tokens::Standard.set(text);
        let mut set: Vec<u32> = words
            .into_iter()
            .map(|word| {
                let fresh = self.ids.len() as u32;
                *self.ids.entry(word).or_insert(fresh)
            })
            .collect();
        set.sort_unstable();
        set
    }

    /// Counts the sets with at least this similarity; sizes that cannot reach it are passed over.
    pub(super) fn similar(&self, set: &[u32], threshold: f64) -> usize {
        let close = |other: &&Vec<u32>| {
            let (small, large) = (set.len().min(other.len()), set.len().max(other.len()));
            jaccard_of(small, small, large) >= threshold
                && jaccard_of(overlap(set, other), set.len(), other.len()) >= threshold
        };
        self.sets.iter().filter(close).count()
    }
}

fn overlap(a: &[u32], b: &[u32]) -> usize {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        // Without a branch that a processor could guess wrong.
        let (x, y) = (a[i], b[j]);
        shared += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    shared
}
