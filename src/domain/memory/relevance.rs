//! Relevance: how well a text answers a query, by words alone, and how well it can at most.
//!
//! A bullet's *own* relevance is the classic Jaccard similarity, or its share of an ideal BM25 score;
//! `score.rs` adds what linked neighbours lend. Bounds on own relevance allow a search to pass bullets
//! over: they hold for whatever the words ahead may still add, and leave room for rounding.

mod shares;

pub(super) use shares::{Share, Shares};

use super::word_index::{Vocabulary, WordIndex, WordList};
use crate::domain::text::similarity::jaccard_of;
use crate::domain::text::words::Tokens;

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
/// Room for sums in another order than that of the score.
const SLACK: f64 = 1.0 + 1e-9;
/// From so many known words on, scores are summed list by list for all bullets at once.
const MANY_WORDS: usize = 40;

/// The words of a query that a memory knows, with what each is worth.
#[derive(Debug)]
pub(super) struct Matcher<'m> {
    index: &'m WordIndex,
    measure: Measure,
    /// Ascending by word, as scores are summed.
    words: Vec<Word<'m>>,
    /// Numbers of the words, rarest first.
    rarest: Vec<usize>,
    /// What the words from a place in `rarest` on can add.
    ahead: Vec<Ahead>,
    /// Absent where there are few enough words to look them up.
    all: Option<Sums>,
}

#[derive(Debug)]
struct Word<'m> {
    name: String,
    id: u32,
    list: &'m WordList,
    weight: f64,
}

impl<'m> Word<'m> {
    fn new((id, list): (u32, &'m WordList), name: String, weight: f64) -> Self {
        Self {
            name,
            id,
            list,
            weight,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Measure {
    /// Shared words over all words; with the number of distinct words of the query.
    Jaccard { query: usize },
    /// BM25 over the ideal score; with the mean length of a bullet.
    Share { ideal: f64, mean: f64 },
}

/// Own relevance of every bullet at once.
#[derive(Debug)]
struct Sums {
    /// By slot.
    own: Vec<f64>,
    /// Slots with any.
    matched: Vec<u32>,
    most: f64,
}

/// What some words can add: how many there are, their weight, and the extremes of their bullets.
#[derive(Clone, Copy, Debug)]
struct Ahead {
    count: usize,
    weight: f64,
    shortest: u32,
    most: u32,
}

impl<'m> Matcher<'m> {
    /// Matches by classic words.
    pub(super) fn classic(index: &'m WordIndex, query: &str) -> Self {
        let asked = Tokens::Classic.set(query);
        let query = asked.len();
        let known = |name: String| Some(Word::new(index.list(&name)?, name, 1.0));
        let words = asked.into_iter().filter_map(known).collect();
        Self::of(index, words, Measure::Jaccard { query })
    }

    /// Matches by search terms: BM25 (Robertson and Zaragoza 2009) with a constant added to each idf,
    /// as a share of what a bullet could reach that has the weightiest terms of the query. A term
    /// counts once however often the query repeats it; a term that the memory does not know weighs
    /// most.
    ///
    /// The constants, the shares and the floor were chosen together by measurement on dialogues and
    /// agent memories with known evidence.
    pub(super) fn terms(index: &'m WordIndex, query: &str) -> Self {
        let documents = index.documents();
        let (mut weights, mut words) = (Vec::new(), Vec::new());
        for (name, _) in Vocabulary::SearchTerms.counts(query) {
            let list = index.list(&name);
            let with_term = list.map_or(0, |(_, list)| list.slots().len() as u64);
            let weight = term_weight(documents, with_term);
            weights.push(weight);
            words.extend(list.map(|list| Word::new(list, name, weight)));
        }
        weights.sort_unstable_by(|a, b| b.total_cmp(a));
        let unknown = term_weight(documents, 0);
        let ideal = weights.iter().take(IDEAL_TERMS).sum::<f64>() + DOUBT * unknown;
        let mean = index.mean_length().max(1.0);
        Self::of(index, words, Measure::Share { ideal, mean })
    }

    fn of(index: &'m WordIndex, words: Vec<Word<'m>>, measure: Measure) -> Self {
        let mut rarest: Vec<usize> = (0..words.len()).collect();
        rarest.sort_by_key(|number| words[*number].list.slots().len());
        let mut ahead = vec![Ahead {
            count: 0,
            weight: 0.0,
            shortest: u32::MAX,
            most: 1,
        }];
        for number in rarest.iter().rev() {
            let (word, last) = (&words[*number], ahead[ahead.len() - 1]);
            let (most, _) = word.list.most_repeated().unwrap_or((1, 0));
            ahead.push(Ahead {
                count: last.count + 1,
                weight: last.weight + word.weight,
                shortest: last.shortest.min(word.list.shortest()),
                most: last.most.max(most),
            });
        }
        ahead.reverse();
        let mut matcher = Self {
            index,
            measure,
            words,
            rarest,
            ahead,
            all: None,
        };
        if matcher.words.len() >= MANY_WORDS {
            matcher.all = Some(matcher.sum_all());
        }
        matcher
    }

    /// The slots of each known word, rarest first; none where all bullets were summed at once.
    pub(super) fn lists(&self) -> impl Iterator<Item = &'m WordList> {
        let listed = if self.all.is_none() {
            self.rarest.len()
        } else {
            0
        };
        let numbers = self.rarest[..listed].iter();
        numbers.map(|number| self.words[*number].list)
    }

    /// Every slot with a known word, where all bullets were summed at once.
    pub(super) fn matched_slots(&self) -> Option<&[u32]> {
        self.all.as_ref().map(|all| all.matched.as_slice())
    }

    /// The known words that a bullet has, ascending.
    pub(super) fn shared(&self, slot: u32) -> Vec<String> {
        let words = self.words.iter();
        let shared = words.filter(|word| word.list.slots().contains(slot));
        shared.map(|word| word.name.clone()).collect()
    }

    /// Own relevance of a bullet, as it is compared.
    pub(super) fn own(&self, slot: u32) -> f64 {
        if let Some(all) = &self.all {
            return all.own.get(slot as usize).copied().unwrap_or_default();
        }
        let times = |_, list: &WordList| match list.slots().contains(slot) {
            true => list.occurrences(slot),
            false => 0,
        };
        self.own_with(self.index.length(slot), times)
    }

    /// The same, where the length of the bullet is known, and how often it has each word, by its place in
    /// the order of sums.
    #[inline]
    pub(super) fn own_with(&self, length: u32, times: impl Fn(usize, &WordList) -> u32) -> f64 {
        let words = self.words.iter().enumerate();
        let counted = words.map(|(number, word)| (word.weight, times(number, word.list)));
        let shared = counted.filter(|(_, times)| *times > 0);
        match self.measure {
            Measure::Jaccard { query } => jaccard_of(shared.count(), query, length as usize),
            Measure::Share { ideal, mean } => {
                let norm = norm(length, mean);
                let impacts = shared.map(|(weight, times)| impact(weight, times, norm));
                // A sum from 0.0 on: `sum` of nothing is -0.0.
                impacts.fold(0.0, |sum, impact| sum + impact) / ideal
            }
        }
    }

    /// Number of known words.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// Where the words come from.
    pub(super) fn index(&self) -> &'m WordIndex {
        self.index
    }

    /// The most that the own relevance of any bullet can be that has none of the `from` rarest words.
    pub(super) fn most_from(&self, from: usize) -> f64 {
        if let Some(all) = &self.all {
            return if from == 0 { all.most } else { 0.0 };
        }
        let ahead = self.ahead[from];
        match (ahead.count, self.measure) {
            (0, _) => 0.0,
            // A bullet that has the words and as little else as possible.
            (count, Measure::Jaccard { query }) => {
                jaccard_of(count, query, count.max(ahead.shortest as usize))
            }
            (_, Measure::Share { .. }) => self.most_of(ahead, ahead.shortest),
        }
    }

    /// The same for a bullet of known length.
    #[inline]
    pub(super) fn most_of_slot(&self, slot: u32, from: usize) -> f64 {
        if let Some(all) = &self.all {
            return all.own.get(slot as usize).copied().unwrap_or_default();
        }
        self.most_of(self.ahead[from], self.index.length(slot))
    }

    #[inline]
    fn most_of(&self, ahead: Ahead, length: u32) -> f64 {
        match self.measure {
            Measure::Jaccard { query } => {
                jaccard_of(ahead.count.min(length as usize), query, length as usize)
            }
            Measure::Share { ideal, mean } => {
                impact(ahead.weight, ahead.most, norm(length, mean)) / ideal * SLACK
            }
        }
    }

    /// The own relevance of a bullet that has none of the `from` rarest words, or slightly more; absent
    /// when it is below `needed`, which often shows before all words were looked up.
    #[inline]
    pub(super) fn reached(&self, slot: u32, from: usize, needed: f64) -> Option<f64> {
        if self.all.is_some() {
            return Some(self.own(slot)).filter(|own| *own >= needed);
        }
        let length = self.index.length(slot);
        let has = |number: &usize| self.words[*number].list.slots().contains(slot);
        let rarest = self.rarest[from..].iter().zip(&self.ahead[from..]);
        match self.measure {
            Measure::Jaccard { query } => {
                let (mut shared, length) = (0, length as usize);
                for (number, ahead) in rarest {
                    let most = (shared + ahead.count).min(length);
                    if jaccard_of(most, query, length) < needed {
                        return None;
                    }
                    shared += usize::from(has(number));
                }
                Some(jaccard_of(shared, query, length)).filter(|own| *own >= needed)
            }
            Measure::Share { ideal, mean } => {
                let norm = norm(length, mean);
                let needed = needed * ideal;
                // What one unit of weight can add at most, and adds where a word is not repeated.
                let most = impact(1.0, self.ahead[from].most, norm);
                let mut sum = 0.0;
                for (number, ahead) in rarest {
                    if (sum + ahead.weight * most) * SLACK < needed {
                        return None;
                    }
                    if has(number) {
                        let word = &self.words[*number];
                        sum += impact(word.weight, word.list.occurrences(slot), norm);
                    }
                }
                Some(sum * SLACK)
                    .filter(|sum| *sum >= needed)
                    .map(|sum| sum / ideal * SLACK)
            }
        }
    }

    /// Sums list by list, in the same order as for one bullet.
    fn sum_all(&self) -> Sums {
        let slots = self.index.slots();
        let (mut sums, mut matched) = (vec![0.0; slots], Vec::new());
        for word in &self.words {
            word.list.slots().walk(|slot| {
                let sum = &mut sums[slot as usize];
                if *sum == 0.0 {
                    matched.push(slot);
                }
                *sum += match self.measure {
                    Measure::Jaccard { .. } => 1.0,
                    Measure::Share { mean, .. } => {
                        let norm = norm(self.index.length(slot), mean);
                        impact(word.weight, word.list.occurrences(slot), norm)
                    }
                };
                true
            });
        }
        for slot in &matched {
            let sum = &mut sums[*slot as usize];
            *sum = match self.measure {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                Measure::Jaccard { query } => {
                    jaccard_of(*sum as usize, query, self.index.length(*slot) as usize)
                }
                Measure::Share { ideal, .. } => *sum / ideal,
            };
        }
        let most = sums.iter().copied().fold(0.0, f64::max);
        Sums {
            own: sums,
            matched,
            most,
        }
    }
}

#[inline]
fn norm(length: u32, mean: f64) -> f64 {
    K1 * (1.0 - B + B * f64::from(length) / mean)
}

#[inline]
fn impact(weight: f64, occurrences: u32, norm: f64) -> f64 {
    let occurrences = f64::from(occurrences);
    weight * occurrences * (K1 + 1.0) / (occurrences + norm)
}

/// ln(1 + (N − n + 0.5) / (n + 0.5)) + 1, above 1 for every n ≤ N.
fn term_weight(documents: u64, with_term: u64) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let (documents, with_term) = (documents as f64, with_term as f64);
    libm::log(1.0 + (documents - with_term + 0.5) / (with_term + 0.5)) + COVERAGE
}

/// Maps a share of the ideal to 0..1, strictly rising and smooth: the identity up to [`BEND`].
pub(super) fn bend(share: f64) -> f64 {
    if share <= BEND {
        return share;
    }
    1.0 - (1.0 - BEND) * (1.0 - BEND) / (share + 1.0 - 2.0 * BEND)
}

/// The least share that [`bend`] maps to a relevance, or less; infinite from relevance 1 on.
pub(super) fn unbend(relevance: f64) -> f64 {
    if relevance <= BEND {
        return relevance;
    }
    if relevance >= 1.0 {
        return if relevance > 1.0 { f64::INFINITY } else { 1e9 };
    }
    let share = (1.0 - BEND) * (1.0 - BEND) / (1.0 - relevance) - 1.0 + 2.0 * BEND;
    // Near 1 the difference loses digits; a share this large is out of reach for any text.
    share.min(1e5) / SLACK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bending_rises_stays_below_one_and_can_be_undone() {
        let mut last = -1.0;
        for step in 0..4_000 {
            let share = f64::from(step) / 1_000.0;
            let bent = bend(share);
            assert!(bent > last && bent < 1.0, "{share}");
            assert!((unbend(bent) - share).abs() < 1e-6 && unbend(bent) <= share);
            last = bent;
        }
    }
}
