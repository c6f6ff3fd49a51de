//! The limit that an index is to beat: one tuned thread that looks at every bullet.
//!
//! The score is the engine's, term by term in the same order, on flat arrays: words as numbers, the length part of
//! BM25, votes and powers of the decay computed beforehand. Nothing is skipped. It takes short texts without headings
//! and questions of one sentence, as the comparison does.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::decay::{helpfulness, retention, type_priority};
use hindlore_domain::memory::policy::{Policy, Weights};
use hindlore_text::similarity::jaccard_of;
use hindlore_text::words::Tokens;
use hindlore_text::words::search_words::{
    KnownTerms, Need, asked_of, for_each_token, terms_of_token,
};

/// Constants of the engine's relevance.
const K1: f64 = 0.8;
const B: f64 = 0.4;
const COVERAGE: f64 = 1.0;
const IDEAL_TERMS: usize = 12;
const DOUBT: f64 = 0.25;
const UNKNOWN: f64 = 0.1;
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
            for_each_token(bullet.content.as_str(), |token| {
                for term in terms_of_token(token) {
                    *counts.entry(term).or_default() += 1;
                }
            });
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
        let asked = asked_of(question, 0, self);
        let has_others = asked.iter().any(|one| !one.is_light);
        let mut slots = Slots::new(self.with_term.len());
        let mut weights = Vec::new();
        let (mut needs, mut helpers) = (Vec::new(), Vec::new());
        let is_alone = asked.iter().filter(|one| !one.is_light).count() < 2;
        for asked in &asked {
            let mut weighted = self.weighted(&asked.need, &mut slots);
            weighted.is_common = asked.is_common && !is_alone;
            let known = if weighted.is_known { 1.0 } else { UNKNOWN };
            weights.push(known * weighted.weight);
            let is_helper = asked.is_light && has_others;
            if is_helper { &mut helpers } else { &mut needs }.push(weighted);
        }
        weights.sort_by(|a, b| b.total_cmp(a));
        let ideal = weights.iter().take(IDEAL_TERMS).sum::<f64>() + DOUBT * self.idf(0.0);
        let mut heap: BinaryHeap<Reverse<Scored>> = BinaryHeap::with_capacity(top_k + 1);
        for (place, fixed) in (0_u32..).zip(&self.fixed) {
            let (own, is_vague) = if self.fill(place as usize, &mut slots) {
                slots.value(&needs, &helpers)
            } else {
                (0.0, false)
            };
            let relevance = bend(own / ideal);
            if relevance < self.floor || is_vague {
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

    fn idf(&self, with: f64) -> f64 {
        let all = self.fixed.len() as f64;
        libm::log(1.0 + (all - with + 0.5) / (with + 0.5)) + COVERAGE
    }

    fn weighted(&self, need: &Need, slots: &mut Slots) -> Weighted {
        let several = |needs: &[Need], slots: &mut Slots| -> Vec<Weighted> {
            needs
                .iter()
                .map(|need| self.weighted(need, slots))
                .collect()
        };
        let counted = |parts: &[Weighted]| -> (Vec<f64>, bool) {
            let is_known = parts.iter().any(|part| part.is_known);
            let same = parts.iter().filter(|part| part.is_known == is_known);
            (same.map(|part| part.weight).collect(), is_known)
        };
        let (weight, is_known, form) = match need {
            Need::Any { terms, weight } => {
                let ids: Vec<u32> = terms
                    .iter()
                    .filter_map(|term| self.ids.get(term))
                    .copied()
                    .collect();
                let with: f64 = ids.iter().map(|id| self.with_term[*id as usize]).sum();
                let weight = weight * self.idf(with.min(self.fixed.len() as f64));
                let is_known = !ids.is_empty();
                let of_terms = ids.into_iter().map(|id| slots.of(id));
                (weight, is_known, Form::Any(of_terms.collect()))
            }
            // The measured texts have no days.
            Need::Label { .. } => (0.0, false, Form::Any(Vec::new())),
            Need::Best(needs) => {
                let parts = several(needs, slots);
                let (weights, is_known) = counted(&parts);
                let weight = weights.into_iter().fold(0.0, f64::max);
                (weight, is_known, Form::Best(parts))
            }
            Need::Sum(needs) => {
                let parts = several(needs, slots);
                let (weights, is_known) = counted(&parts);
                (weights.iter().sum(), is_known, Form::Sum(parts))
            }
            Need::All(needs) => {
                let parts = several(needs, slots);
                let weight = parts.iter().map(|part| part.weight).sum();
                let is_known = parts.iter().all(|part| part.is_known);
                (weight, is_known, Form::All(parts))
            }
        };
        Weighted {
            weight,
            is_known,
            is_common: false,
            form,
        }
    }

    /// Fills the slots of the terms that a bullet has; false if it has none.
    fn fill(&self, place: usize, slots: &mut Slots) -> bool {
        let range = self.starts[place] as usize..self.starts[place + 1] as usize;
        let (terms, counts) = (&self.terms[range.clone()], &self.occurrences[range]);
        let mut is_filled = false;
        for (term, count) in terms.iter().zip(counts) {
            let slot = slots.by_term[*term as usize];
            if slot > 0 {
                let count = f64::from(*count);
                slots.scores[slot as usize] = count * (K1 + 1.0) / (count + self.norms[place]);
                is_filled = true;
            }
        }
        is_filled
    }
}

impl KnownTerms for Scan {
    fn knows(&self, term: &str) -> bool {
        self.ids.contains_key(term)
    }

    fn containing(&self, _: char) -> Vec<String> {
        Vec::new()
    }
}

/// A need with its weight.
#[derive(Debug)]
struct Weighted {
    weight: f64,
    is_known: bool,
    /// Whether it is too common to count alone.
    is_common: bool,
    form: Form,
}

#[derive(Debug)]
enum Form {
    Any(Vec<u32>),
    Best(Vec<Weighted>),
    Sum(Vec<Weighted>),
    All(Vec<Weighted>),
}

/// The scores of a question's terms in one bullet.
#[derive(Debug)]
struct Slots {
    /// By term; 0 for one that is not asked for.
    by_term: Vec<u32>,
    scores: Vec<f64>,
}

impl Slots {
    fn new(terms: usize) -> Self {
        Self {
            by_term: vec![0; terms],
            scores: vec![0.0],
        }
    }

    fn of(&mut self, term: u32) -> u32 {
        let slot = &mut self.by_term[term as usize];
        if *slot == 0 {
            *slot = self.scores.len() as u32;
            self.scores.push(0.0);
        }
        *slot
    }

    /// The value of the needs in the bullet whose terms are filled in, and whether it has only one common word of them;
    /// empties the slots.
    fn value(&mut self, needs: &[Weighted], helpers: &[Weighted]) -> (f64, bool) {
        let sum = |needs: &[Weighted], start: f64| {
            let values = needs.iter().map(|need| self.value_of(need));
            values.fold(start, |sum, value| sum + value)
        };
        let own = sum(needs, 0.0);
        let helped = if own > 0.0 { sum(helpers, own) } else { 0.0 };
        let mut met = needs.iter().filter(|need| self.value_of(need) > 0.0);
        let is_vague = met.next().is_some_and(|one| one.is_common) && met.next().is_none();
        self.scores.fill(0.0);
        (helped, is_vague)
    }

    fn value_of(&self, need: &Weighted) -> f64 {
        let values = |parts: &[Weighted]| -> Vec<f64> {
            parts.iter().map(|part| self.value_of(part)).collect()
        };
        match &need.form {
            Form::Any(slots) => {
                let scores = slots.iter().map(|slot| self.scores[*slot as usize]);
                need.weight * scores.fold(0.0, f64::max)
            }
            Form::Best(parts) => values(parts).into_iter().fold(0.0, f64::max),
            Form::Sum(parts) => values(parts).iter().sum(),
            Form::All(parts) => {
                let values = values(parts);
                let has_all = values.iter().all(|value| *value > 0.0);
                if has_all { values.iter().sum() } else { 0.0 }
            }
        }
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
