//! Relevance: how well a text answers a query, by words alone, and how well it can at most.
//!
//! A bullet's *own* relevance is the classic Jaccard similarity, or its share of an ideal BM25 score;
//! `score.rs` adds what linked neighbours lend. Bounds on own relevance allow a search to pass bullets
//! over: they hold for whatever the words ahead may still add, and leave room for rounding.

mod formula;
mod shares;

pub(super) use formula::{bend, unbend};
pub(super) use shares::{Share, Shares};

use std::collections::BTreeSet;

use formula::{ideal_score, impact, norm, term_weight};

use super::word_index::{WordIndex, WordList};
use crate::text::similarity::jaccard_of;
use crate::text::words::{Tokens, for_each_raw_word, terms_of_raw_word};

/// Room for sums in another order than that of the score.
const SLACK: f64 = 1.0 + 1e-9;
/// From so many known words on, scores are summed list by list for all bullets at once; fewer than bits
/// of [`Own::words`].
const MANY_WORDS: usize = 40;

/// How relevant a bullet is by its own words.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Own {
    pub(super) share: f64,
    /// Which words of the query it has, a bit each by number; none where all bullets were summed at once.
    pub(super) words: u64,
}

/// The words of a query that a memory knows, with what each is worth.
#[derive(Debug)]
pub(super) struct Matcher<'m> {
    index: &'m WordIndex,
    measure: Measure,
    /// Ascending by word, as scores are summed.
    words: Vec<Word<'m>>,
    /// What a reader of the query takes for its words.
    asked: Vec<Asked>,
    /// Numbers of the words, rarest first.
    rarest: Vec<usize>,
    /// What the words from a place in `rarest` on can add.
    ahead: Vec<Ahead>,
    /// Absent where there are few enough words to look them up.
    all: Option<Sums>,
}

#[derive(Debug)]
struct Word<'m> {
    id: u32,
    list: &'m WordList,
    weight: f64,
}

/// A word of the query in lower case, with the numbers of the words that it counts as.
#[derive(Debug)]
struct Asked {
    word: String,
    terms: Vec<usize>,
}

impl<'m> Word<'m> {
    fn new((id, list): (u32, &'m WordList), weight: f64) -> Self {
        Self { id, list, weight }
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
        let (mut words, mut known) = (Vec::new(), Vec::new());
        for word in asked {
            if let Some(list) = index.list(&word) {
                let terms = vec![words.len()];
                known.push(Asked { word, terms });
                words.push(Word::new(list, 1.0));
            }
        }
        Self::of(index, (words, known), Measure::Jaccard { query })
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
        let (mut asked, mut terms) = (Vec::new(), Vec::new());
        for_each_raw_word(query, |raw| {
            let of_word = terms_of_raw_word(raw).into_iter();
            terms.extend(of_word.map(|term| (term, asked.len())));
            asked.push(Asked {
                word: raw.to_lowercase(),
                terms: Vec::new(),
            });
        });
        terms.sort_unstable();
        let (mut weights, mut words) = (Vec::new(), Vec::new());
        for run in terms.chunk_by(|a, b| a.0 == b.0) {
            let list = index.list(&run[0].0);
            let with_term = list.map_or(0, |(_, list)| list.slots().len() as u64);
            let weight = term_weight(documents, with_term);
            weights.push(weight);
            if let Some(list) = list {
                let of_words = run.iter().map(|(_, number)| *number);
                of_words.for_each(|number| asked[number].terms.push(words.len()));
                words.push(Word::new(list, weight));
            }
        }
        let ideal = ideal_score(weights, documents);
        let mean = index.mean_length().max(1.0);
        Self::of(index, (words, asked), Measure::Share { ideal, mean })
    }

    fn of(
        index: &'m WordIndex,
        (words, asked): (Vec<Word<'m>>, Vec<Asked>),
        measure: Measure,
    ) -> Self {
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
            asked,
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

    /// The words of the query that a bullet has, each once: classic words ascending, otherwise in the
    /// order of the query those of which it has a term. `words` is what [`Own`] says of it.
    pub(super) fn matched(&self, slot: u32, words: u64) -> Vec<String> {
        let has = |number: usize| match self.all {
            None => words >> number & 1 == 1,
            Some(_) => self.words[number].list.slots().contains(slot),
        };
        let asked = self.asked.iter();
        let matched = asked.filter(|asked| asked.terms.iter().any(|term| has(*term)));
        let mut seen = BTreeSet::new();
        let first = matched.filter(|asked| seen.insert(asked.word.as_str()));
        first.map(|asked| asked.word.clone()).collect()
    }

    /// Own relevance of a bullet, as it is compared.
    pub(super) fn own(&self, slot: u32) -> Own {
        if let Some(all) = &self.all {
            let share = all.own.get(slot as usize).copied().unwrap_or_default();
            return Own { share, words: 0 };
        }
        let times = |_, list: &WordList| {
            if list.slots().contains(slot) {
                list.occurrences(slot)
            } else {
                0
            }
        };
        self.own_with(self.index.length(slot), times)
    }

    /// The same, where the length of the bullet is known, and how often it has each word, by its place in
    /// the order of sums.
    #[inline]
    pub(super) fn own_with(&self, length: u32, times: impl Fn(usize, &WordList) -> u32) -> Own {
        let numbered = self.words.iter().enumerate();
        let mut words = 0;
        let counted = numbered.map(|(number, word)| (number, word, times(number, word.list)));
        let shared = counted
            .filter(|(_, _, times)| *times > 0)
            .inspect(|(number, _, _)| words |= 1 << number);
        let share = match self.measure {
            Measure::Jaccard { query } => jaccard_of(shared.count(), query, length as usize),
            Measure::Share { ideal, mean } => {
                let norm = norm(length, mean);
                let impacts = shared.map(|(_, word, times)| impact(word.weight, times, norm));
                // A sum from 0.0 on: `sum` of nothing is -0.0.
                impacts.fold(0.0, |sum, impact| sum + impact) / ideal
            }
        };
        Own { share, words }
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
            return Some(self.own(slot).share).filter(|own| *own >= needed);
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
