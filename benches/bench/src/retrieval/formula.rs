//! The engine's relevance as a formula with its constants as parameters, to be varied and compared.
//!
//! Written out a second time on purpose: at the shipped constants it must agree with the engine, as a test checks, and
//! at others it shows the value of a choice.

use std::collections::{HashMap, HashSet};

use hindlore_domain::memory::bullet::Source;
use hindlore_domain::memory::policy::LinkShares;
use hindlore_text::layout::sentences::sentences;
use hindlore_text::words::search_words::{
    Asked, KnownTerms, Need, asked_of, for_each_token, terms_of_token,
};

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
    /// Words of a query that a short text can be expected to match.
    pub(super) ideal_words: usize,
    /// Unknown words that every query has in addition.
    pub(super) doubt: f64,
    /// Unknown words that a sentence of several has in addition.
    pub(super) sentence_doubt: f64,
    /// Weight of a sentence between others; 0 to take the question as a whole only.
    pub(super) inner_sentence: f64,
    /// Share of its weight that an unknown word of a query keeps.
    pub(super) unknown: f64,
    /// Value for a question of several sentences.
    pub(super) unknown_of_several: f64,
    /// Where relevance bends towards 1.
    pub(super) bend: f64,
    /// Words of a passage; 0 for whole texts.
    pub(super) passage_words: usize,
    /// Factor of an agent's texts.
    pub(super) agent: f64,
    /// Shares of neighbours.
    pub(super) shares: LinkShares,
}

/// The shipped constants, without links.
pub(super) const SHIPPED: Constants = Constants {
    k1: 0.8,
    b: 0.4,
    coverage: 1.0,
    ideal_words: 12,
    doubt: 0.25,
    sentence_doubt: 1.0,
    inner_sentence: 0.75,
    unknown: 0.1,
    unknown_of_several: 0.25,
    bend: 0.8,
    passage_words: 120,
    agent: 1.0,
    shares: LinkShares {
        previous: 0.35,
        next: 0.25,
    },
};

/// The counted words of some texts, which may follow each other.
#[derive(Debug)]
pub(super) struct Corpus {
    texts: Vec<Vec<Passage>>,
    /// Number of texts with each term.
    with_term: HashMap<String, f64>,
    mean: f64,
    follows: Vec<bool>,
    sources: Vec<Source>,
}

/// The counted words of a passage.
#[derive(Debug, Default)]
struct Passage {
    counts: HashMap<String, f64>,
    length: f64,
}

/// A part of a question.
struct Part {
    needs: Vec<Weighted>,
    /// Count only where one of the needs does.
    helpers: Vec<Weighted>,
    ideal: f64,
}

/// A need with the score of a text that has all of it, and whether any text has some.
struct Weighted {
    weight: f64,
    is_known: bool,
    form: Form,
}

enum Form {
    Any(Vec<String>),
    Best(Vec<Weighted>),
    Sum(Vec<Weighted>),
    All(Vec<Weighted>),
}

impl KnownTerms for Corpus {
    fn knows(&self, term: &str) -> bool {
        self.with_term.contains_key(term)
    }

    fn containing(&self, c: char) -> Vec<String> {
        let terms = self.with_term.keys().filter(|term| term.contains(c));
        let mut terms: Vec<String> = terms.cloned().collect();
        terms.sort_unstable();
        terms
    }
}

impl Corpus {
    /// Counts the words of a collection; equal texts are kept apart.
    pub(super) fn new(collection: &Collection, passage_words: usize) -> Self {
        let mut corpus = Self {
            texts: Vec::new(),
            with_term: HashMap::new(),
            mean: 1.0,
            follows: collection.follows.clone(),
            sources: collection.sources.clone(),
        };
        for (text, section) in collection.texts.iter().zip(&collection.sections) {
            let passages = passages(section, text, passage_words);
            let terms = passages.iter().flat_map(|one| one.counts.keys());
            for term in terms.collect::<HashSet<&String>>() {
                *corpus.with_term.entry(term.clone()).or_default() += 1.0;
            }
            corpus.texts.push(passages);
        }
        let all = || corpus.texts.iter().flatten();
        let total: f64 = all().map(|passage| passage.length).sum();
        corpus.mean = (total / all().count().max(1) as f64).max(1.0);
        corpus
    }

    /// The relevance of every text, in order.
    pub(super) fn relevances(&self, question: &str, of: Constants) -> Vec<f64> {
        let own = self.own(question, of);
        let at = |place: Option<usize>| place.and_then(|place| own.get(place)).copied();
        let total = |place: usize| {
            let before = place.checked_sub(1).filter(|_| self.follows[place]);
            let is_followed = self.follows.get(place + 1).copied().unwrap_or(false);
            let after = is_followed.then_some(place + 1);
            let before = of.shares.previous * at(before).unwrap_or_default();
            let after = of.shares.next * at(after).unwrap_or_default();
            let is_long = self.texts[place].len() > 1;
            let lent = if is_long { 0.0 } else { before.max(after) };
            bend(own[place] + lent, of.bend)
        };
        (0..own.len()).map(total).collect()
    }

    /// The ten most relevant, the later first of equals.
    pub(super) fn ranking(&self, question: &str, of: Constants) -> Vec<Vec<usize>> {
        let relevances = self.relevances(question, of);
        let mut order: Vec<usize> = (0..relevances.len()).collect();
        order.retain(|place| relevances[*place] > 0.0);
        order.sort_by(|a, b| relevances[*b].total_cmp(&relevances[*a]).then(b.cmp(a)));
        order
            .into_iter()
            .take(10)
            .map(|place| vec![place])
            .collect()
    }

    /// The best passage for the best part, by text.
    fn own(&self, question: &str, of: Constants) -> Vec<f64> {
        let sentences = sentences(question);
        let unknown = match sentences.len() {
            0 | 1 => of.unknown,
            _ => of.unknown_of_several,
        };
        let of = Constants { unknown, ..of };
        let mut parts = vec![self.part(question, of.doubt, of)];
        if of.inner_sentence > 0.0 && sentences.len() > 1 {
            for (at, sentence) in sentences.iter().enumerate() {
                let mut part = self.part(sentence, of.sentence_doubt, of);
                if at > 0 && at + 1 < sentences.len() {
                    part.ideal /= of.inner_sentence;
                }
                parts.push(part);
            }
        }
        let score = |passage: &Passage| {
            let shares = parts.iter().map(|part| {
                let sum = |needs: &[Weighted]| -> f64 {
                    needs.iter().map(|need| self.value(need, passage, of)).sum()
                };
                let own = sum(&part.needs);
                let helped = if own > 0.0 {
                    own + sum(&part.helpers)
                } else {
                    0.0
                };
                helped / part.ideal
            });
            shares.fold(0.0, f64::max)
        };
        let texts = self.texts.iter().zip(&self.sources);
        texts
            .map(|(passages, source)| {
                let best = passages.iter().map(score).fold(0.0, f64::max);
                best * if *source == Source::Agent {
                    of.agent
                } else {
                    1.0
                }
            })
            .collect()
    }

    fn part(&self, text: &str, doubt: f64, of: Constants) -> Part {
        let asked = asked_of(text, 0, self);
        let (light, heavy): (Vec<Asked>, Vec<Asked>) =
            asked.into_iter().partition(|one| one.is_light);
        let weighted = |asked: Vec<Asked>| -> Vec<Weighted> {
            asked
                .iter()
                .map(|one| self.weighted(&one.need, of))
                .collect()
        };
        let (mut needs, mut helpers) = (weighted(heavy), weighted(light));
        if needs.is_empty() {
            std::mem::swap(&mut needs, &mut helpers);
        }
        let all = needs.iter().chain(&helpers);
        let mut weights: Vec<f64> = all
            .map(|need| need.weight * if need.is_known { 1.0 } else { of.unknown })
            .collect();
        weights.sort_by(|a, b| b.total_cmp(a));
        let best: f64 = weights.iter().take(of.ideal_words).sum();
        let ideal = best + doubt * self.idf(0.0, of);
        Part {
            needs,
            helpers,
            ideal,
        }
    }

    fn idf(&self, with: f64, of: Constants) -> f64 {
        let all = self.texts.len() as f64;
        libm::log(1.0 + (all - with + 0.5) / (with + 0.5)) + of.coverage
    }

    fn weighted(&self, need: &Need, of: Constants) -> Weighted {
        let all = |needs: &[Need]| -> (Vec<Weighted>, Vec<f64>, bool) {
            let all: Vec<Weighted> = needs.iter().map(|need| self.weighted(need, of)).collect();
            let is_known = all.iter().any(|one| one.is_known);
            let counted = all.iter().filter(|one| one.is_known == is_known);
            let weights = counted.map(|one| one.weight).collect();
            (all, weights, is_known)
        };
        let (weight, is_known, form) = match need {
            Need::Any { terms, weight } => {
                let with = terms.iter().filter_map(|term| self.with_term.get(term));
                let with: f64 = with.sum();
                let weight = weight * self.idf(with.min(self.texts.len() as f64), of);
                (weight, with > 0.0, Form::Any(terms.clone()))
            }
            // The formula is about words alone.
            Need::Label { .. } => (0.0, false, Form::Any(Vec::new())),
            Need::Best(needs) => {
                let (all, weights, is_known) = all(needs);
                let best = weights.into_iter().fold(0.0, f64::max);
                (best, is_known, Form::Best(all))
            }
            Need::Sum(needs) => {
                let (all, weights, is_known) = all(needs);
                (weights.iter().sum(), is_known, Form::Sum(all))
            }
            Need::All(needs) => {
                let (all, ..) = all(needs);
                let weight = all.iter().map(|one| one.weight).sum();
                let is_known = all.iter().all(|one| one.is_known);
                (weight, is_known, Form::All(all))
            }
        };
        Weighted {
            weight,
            is_known,
            form,
        }
    }

    fn value(&self, need: &Weighted, passage: &Passage, of: Constants) -> f64 {
        let values = |needs: &[Weighted]| -> Vec<f64> {
            let values = needs.iter().map(|need| self.value(need, passage, of));
            values.collect()
        };
        match &need.form {
            Form::Any(terms) => {
                let norm = of.k1 * (1.0 - of.b + of.b * passage.length / self.mean);
                let counts = terms.iter().filter_map(|term| passage.counts.get(term));
                let scores = counts.map(|count| count * (of.k1 + 1.0) / (count + norm));
                need.weight * scores.fold(0.0, f64::max)
            }
            Form::Best(needs) => values(needs).into_iter().fold(0.0, f64::max),
            Form::Sum(needs) => values(needs).iter().sum(),
            Form::All(needs) => {
                let values = values(needs);
                let has_all = values.iter().all(|value| *value > 0.0);
                if has_all { values.iter().sum() } else { 0.0 }
            }
        }
    }
}

/// The passages of a text, as equal in length as their number allows, each under its heading.
fn passages(section: &str, text: &str, words: usize) -> Vec<Passage> {
    let mut heading: Vec<String> = Vec::new();
    if !section.is_empty() {
        for_each_token(section, |token| heading.extend(terms_of_token(token)));
    }
    let mut tokens: Vec<Vec<String>> = Vec::new();
    for_each_token(text, |token| tokens.push(terms_of_token(token)));
    let count = match words {
        0 => 1,
        words => ((tokens.len() + words / 2) / words).max(1),
    };
    let size = tokens.len().div_ceil(count).max(1);
    let mut found: Vec<Passage> = Vec::new();
    for chunk in tokens.chunks(size) {
        let mut passage = Passage::default();
        for term in heading.iter().chain(chunk.iter().flatten()) {
            *passage.counts.entry(term.clone()).or_default() += 1.0;
            passage.length += 1.0;
        }
        found.push(passage);
    }
    found
}

fn bend(share: f64, from: f64) -> f64 {
    if share <= from {
        share
    } else {
        1.0 - (1.0 - from) * (1.0 - from) / (share + 1.0 - 2.0 * from)
    }
}

#[cfg(test)]
mod tests;
