//! A text that was searched for, kept so that it can be put into the index without being looked up again.

use super::{Bound, Near, Similar, SimilarityIndex};
use crate::text::lower_words::LowerWords;

/// The set of words that was searched for, as the index knows it.
#[derive(Debug)]
pub struct Asked {
    /// Numbers of the words that the index knows, ascending without repeats.
    known: Vec<u32>,
    /// The others, ascending without repeats.
    unknown: Vec<String>,
    /// Numbers mean these words as long as the index forgets none.
    forgotten: u64,
}

impl SimilarityIndex {
    /// Returns every slot whose set is similar enough to the standard words of a text, in ascending order, and
    /// what to insert the text by.
    pub fn ask(&self, words: &LowerWords, bound: Bound) -> (Vec<Similar>, Asked) {
        let asked = self.asked(words);
        let size = asked.known.len() + asked.unknown.len();
        (self.find_ids(&asked.known, size, bound), asked)
    }

    /// Returns what is near to the standard words of a text, all of it where that is no more than `most`, and
    /// what to insert the text by.
    pub fn ask_near(&self, words: &LowerWords, bound: Bound, most: usize) -> (Near, Asked) {
        let asked = self.asked(words);
        let size = asked.known.len() + asked.unknown.len();
        (self.near_ids(&asked.known, size, bound, most), asked)
    }

    fn asked(&self, words: &LowerWords) -> Asked {
        let words: Vec<&str> = words.iter().collect();
        let (mut known, mut unknown) = (Vec::with_capacity(words.len()), Vec::new());
        self.ids.each(&words, |word, id| match id {
            Some(id) => known.push(id),
            None => unknown.push(*word),
        });
        known.sort_unstable();
        known.dedup();
        unknown.sort_unstable();
        unknown.dedup();
        Asked {
            known,
            unknown: unknown.into_iter().map(str::to_owned).collect(),
            forgotten: self.forgotten,
        }
    }

    /// Puts what was asked for at a slot that has no set. False: the index has forgotten words since, and took
    /// nothing.
    pub fn insert_asked(&mut self, slot: u32, asked: Asked) -> bool {
        if asked.forgotten != self.forgotten {
            return false;
        }
        let mut ids = asked.known;
        ids.extend(asked.unknown.iter().map(|word| self.intern(word)));
        self.insert_ids(slot, &ids);
        true
    }
}
