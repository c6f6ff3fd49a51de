//! The words of the active bullets: which word occurs where, how often, and how long the bullets are.
//!
//! One kind of index serves both relevances: search terms with their repeats for the engine profile,
//! sets of classic words for the others. Beside its slots a word keeps what bounds its weight in any
//! bullet, the most repeats and the shortest bullet; after a removal these may be too generous, never
//! too strict. Repeats are rare, so they are kept apart from the slots.

use crate::slot_set::SlotSet;
use crate::text::words::{Tokens, for_each_raw_word, search_terms, terms_of_raw_word};
use crate::word_map::{WordMap, WordNumbers};

/// Words without bullets are kept until there are this many: a text that leaves often comes back.
const DEAD_WORDS_KEPT: usize = 256;

/// Which words an index holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Vocabulary {
    /// Terms that ranking matches on, with repeats.
    SearchTerms,
    /// Lower-cased words split on white space, as sets.
    ClassicWords,
}

impl Vocabulary {
    /// The words of a text with their number of occurrences, ascending by word.
    pub(super) fn counts(self, text: &str) -> Vec<(String, u32)> {
        let mut words = match self {
            Self::SearchTerms => search_terms(text),
            Self::ClassicWords => Tokens::Classic.set(text),
        };
        words.sort_unstable();
        let mut counts: Vec<(String, u32)> = Vec::with_capacity(words.len());
        for word in words {
            match counts.last_mut() {
                Some((last, count)) if *last == word => *count += 1,
                _ => counts.push((word, 1)),
            }
        }
        counts
    }
}

/// An inverted index with the statistics that relevance needs.
#[derive(Debug)]
pub(super) struct WordIndex {
    vocabulary: Vocabulary,
    ids: WordNumbers,
    lists: Vec<WordList>,
    dead_words: usize,
    /// Number of words by slot; 0 for slots that are not indexed.
    lengths: Vec<u32>,
    documents: u64,
    total_length: u64,
    /// The most words of a bullet that there is, or was.
    longest: u32,
}

/// The bullets that have a word.
#[derive(Debug)]
pub(super) struct WordList {
    slots: SlotSet,
    /// The fewest words of a bullet that has, or had, this word.
    shortest: u32,
    repeats: Option<Box<Repeats>>,
}

/// The bullets that have a word more than once.
#[derive(Debug)]
struct Repeats {
    slots: SlotSet,
    /// Three times and more, ascending by slot.
    many: Vec<(u32, u32)>,
    /// The most occurrences that any bullet has, or had.
    most: u32,
    /// The fewest words of a bullet that has, or had, this word more than once.
    shortest: u32,
}

impl Default for WordList {
    fn default() -> Self {
        Self {
            slots: SlotSet::default(),
            shortest: u32::MAX,
            repeats: None,
        }
    }
}

impl WordList {
    /// Where the word occurs.
    pub(super) fn slots(&self) -> &SlotSet {
        &self.slots
    }

    /// How often the word occurs in a bullet that has it.
    pub(super) fn occurrences(&self, slot: u32) -> u32 {
        let Some(repeats) = &self.repeats else {
            return 1;
        };
        if !repeats.slots.contains(slot) {
            return 1;
        }
        match repeats.many.binary_search_by_key(&slot, |pair| pair.0) {
            Ok(at) => repeats.many[at].1,
            Err(_) => 2,
        }
    }

    /// Where the word occurs more than once.
    pub(super) fn repeated(&self) -> Option<&SlotSet> {
        self.repeats.as_ref().map(|repeats| &repeats.slots)
    }

    /// Number of words of the shortest bullet that has the word.
    pub(super) fn shortest(&self) -> u32 {
        self.shortest
    }

    /// The most occurrences in one bullet, and the fewest words of a bullet that has the word
    /// repeatedly.
    pub(super) fn most_repeated(&self) -> Option<(u32, u32)> {
        let repeats = self.repeats.as_ref()?;
        Some((repeats.most, repeats.shortest))
    }

    fn insert(&mut self, slot: u32, occurrences: u32, length: u32) {
        self.slots.insert(slot);
        self.shortest = self.shortest.min(length);
        if occurrences < 2 {
            return;
        }
        let repeats = self.repeats.get_or_insert_with(|| {
            Box::new(Repeats {
                slots: SlotSet::default(),
                many: Vec::new(),
                most: 0,
                shortest: u32::MAX,
            })
        });
        repeats.slots.insert(slot);
        repeats.most = repeats.most.max(occurrences);
        repeats.shortest = repeats.shortest.min(length);
        if occurrences > 2 {
            let at = repeats.many.partition_point(|pair| pair.0 < slot);
            repeats.many.insert(at, (slot, occurrences));
        }
    }

    fn remove(&mut self, slot: u32) -> bool {
        let removed = self.slots.remove(slot);
        if let Some(repeats) = &mut self.repeats
            && repeats.slots.remove(slot)
        {
            if let Ok(at) = repeats.many.binary_search_by_key(&slot, |pair| pair.0) {
                repeats.many.remove(at);
            }
            if repeats.slots.is_empty() {
                self.repeats = None;
            }
        }
        removed
    }
}

impl WordIndex {
    /// An index of these texts, which come ascending by slot.
    pub(super) fn build<'t>(
        vocabulary: Vocabulary,
        texts: impl Iterator<Item = (u32, &'t str)>,
    ) -> Self {
        let mut index = Self {
            vocabulary,
            ids: WordNumbers::default(),
            lists: Vec::new(),
            dead_words: 0,
            lengths: Vec::new(),
            documents: 0,
            total_length: 0,
            longest: 0,
        };
        let mut seen = WordMap::default();
        let mut ids = Vec::new();
        for (slot, text) in texts {
            ids.clear();
            index.collect_ids(text, &mut seen, &mut ids);
            ids.sort_unstable();
            let runs = ids.chunk_by(|a, b| a == b);
            let counts = runs.map(|run| (run[0], u32::try_from(run.len()).unwrap_or(u32::MAX)));
            index.insert_counts(slot, &counts.collect::<Vec<_>>());
        }
        for list in &mut index.lists {
            list.slots.shrink();
            if let Some(repeats) = &mut list.repeats {
                repeats.slots.shrink();
                repeats.many.shrink_to_fit();
            }
        }
        index
    }

    /// Indexes a text under a slot that is not indexed yet.
    pub(super) fn insert(&mut self, slot: u32, text: &str) {
        let counts = self.vocabulary.counts(text).into_iter();
        let counts: Vec<(u32, u32)> = counts
            .map(|(word, occurrences)| (self.intern(&word), occurrences))
            .collect();
        self.insert_counts(slot, &counts);
    }

    /// The ids of the words of a text, with repeats where they count; `seen` remembers what a word
    /// became, since stemming costs more than all the rest.
    fn collect_ids(&mut self, text: &str, seen: &mut WordMap<Box<[u32]>>, ids: &mut Vec<u32>) {
        if self.vocabulary == Vocabulary::ClassicWords {
            let words = self.vocabulary.counts(text);
            ids.extend(words.iter().map(|(word, _)| self.intern(word)));
            return;
        }
        for_each_raw_word(text, |raw| {
            if let Some(known) = seen.get(raw) {
                ids.extend_from_slice(known);
                return;
            }
            let terms = terms_of_raw_word(raw);
            let fresh: Box<[u32]> = terms.iter().map(|term| self.intern(term)).collect();
            ids.extend_from_slice(&fresh);
            seen.insert(raw.into(), fresh);
        });
    }

    fn insert_counts(&mut self, slot: u32, counts: &[(u32, u32)]) {
        let length = counts.iter().map(|(_, occurrences)| occurrences).sum();
        for (id, occurrences) in counts {
            let list = &mut self.lists[*id as usize];
            if list.slots.is_empty() {
                self.dead_words -= 1;
            }
            list.insert(slot, *occurrences, length);
        }
        let at = slot as usize;
        if self.lengths.len() <= at {
            self.lengths.resize(at + 1, 0);
        }
        self.lengths[at] = length;
        self.longest = self.longest.max(length);
        self.documents += 1;
        self.total_length += u64::from(length);
    }

    /// Takes out a text that was indexed under a slot.
    pub(super) fn remove(&mut self, slot: u32, text: &str) {
        for (word, _) in self.vocabulary.counts(text) {
            let Some(id) = self.ids.get(&word) else {
                continue;
            };
            let list = &mut self.lists[id as usize];
            if list.remove(slot) && list.slots.is_empty() {
                self.dead_words += 1;
                *list = WordList::default();
            }
        }
        let length = std::mem::take(&mut self.lengths[slot as usize]);
        self.documents -= 1;
        self.total_length -= u64::from(length);
        if self.dead_words > DEAD_WORDS_KEPT && self.dead_words * 2 > self.ids.len() {
            let lists = &self.lists;
            self.ids.retain(|id| !lists[id as usize].slots.is_empty());
            self.dead_words = 0;
        }
    }

    /// The number of a word and where it occurs; absent for unknown words.
    pub(super) fn list(&self, word: &str) -> Option<(u32, &WordList)> {
        let id = self.ids.get(word)?;
        let list = &self.lists[id as usize];
        (!list.slots.is_empty()).then_some((id, list))
    }

    /// Where each word occurs, by number.
    pub(super) fn lists(&self) -> impl Iterator<Item = &WordList> {
        self.lists.iter()
    }

    /// Number of indexed bullets.
    pub(super) fn documents(&self) -> u64 {
        self.documents
    }

    /// One more than the highest slot that was ever indexed.
    pub(super) fn slots(&self) -> usize {
        self.lengths.len()
    }

    /// Number of words of a bullet: with repeats for search terms, of the set for classic words.
    #[inline]
    pub(super) fn length(&self, slot: u32) -> u32 {
        self.lengths.get(slot as usize).copied().unwrap_or_default()
    }

    /// The most words of a bullet that there is, or was.
    pub(super) fn longest(&self) -> u32 {
        self.longest
    }

    /// Mean number of words of a bullet; 0 without any.
    pub(super) fn mean_length(&self) -> f64 {
        if self.documents == 0 {
            return 0.0;
        }
        #[allow(clippy::cast_precision_loss)]
        let (total, documents) = (self.total_length as f64, self.documents as f64);
        total / documents
    }

    fn intern(&mut self, word: &str) -> u32 {
        let (id, is_new) = self.ids.intern(word);
        self.dead_words += usize::from(is_new);
        if id as usize == self.lists.len() {
            self.lists.push(WordList::default());
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_and_lengths_are_counted() {
        let texts = [(0, "file file file sum"), (1, "file sum"), (4, "file file")];
        let mut index = WordIndex::build(Vocabulary::SearchTerms, texts.into_iter());
        let file = index.list("file").unwrap().1;
        let counts = [0, 1, 4].map(|slot| file.occurrences(slot));
        assert_eq!((counts, file.slots().to_vec()), ([3, 1, 2], vec![0, 1, 4]));
        assert_eq!((file.shortest(), file.most_repeated()), (2, Some((3, 2))));
        assert_eq!((index.length(0), index.length(3)), (4, 0));
        index.remove(0, "file file file sum");
        index.remove(4, "file file");
        assert_eq!(index.list("file").unwrap().1.most_repeated(), None);
        assert_eq!((index.documents(), index.mean_length()), (1, 2.0));
    }

    #[test]
    fn words_that_left_are_forgotten() {
        let mut index = WordIndex::build(Vocabulary::ClassicWords, std::iter::empty());
        for round in 0..2_000 {
            let text = format!("w{round} v{round}");
            index.insert(0, &text);
            index.remove(0, &text);
        }
        assert!(index.ids.len() < 4 * DEAD_WORDS_KEPT && index.lists.len() < 4 * DEAD_WORDS_KEPT);
        assert!(index.list("w1999").is_none());
    }
}
