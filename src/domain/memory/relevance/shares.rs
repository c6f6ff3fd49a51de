//! What each word of a query adds to own relevance at most, for sums over many bullets at once.

use super::super::word_index::WordIndex;
use super::{Matcher, Measure, SLACK, impact, norm};
use crate::domain::slot_set::SlotSet;

/// What words add to own relevance at most.
#[derive(Debug)]
pub(in crate::domain::memory) struct Shares<'m> {
    /// Slots, and what the word adds there in a bullet as short as any; what a word adds by being
    /// repeated stands apart.
    pub(in crate::domain::memory) lists: Vec<(&'m SlotSet, f64)>,
    index: &'m WordIndex,
    shortest: f64,
    mean: f64,
}

impl Shares<'_> {
    /// What is left of a sum of shares in a bullet as long as the one in a slot.
    #[inline]
    pub(in crate::domain::memory) fn left_of(&self, slot: u32) -> f64 {
        let own = norm(self.index.length(slot), self.mean);
        (1.0 + self.shortest) / (1.0 + own) * SLACK
    }
}

impl<'m> Matcher<'m> {
    /// What each known word can add to own relevance in a bullet as short as any, and where it can add
    /// more by being repeated; absent where own relevance is no sum over words, or was summed already.
    pub(in crate::domain::memory) fn shares(&self) -> Option<Shares<'m>> {
        let Measure::Share { ideal, mean } = self.measure else {
            return None;
        };
        if self.all.is_some() {
            return None;
        }
        let shortest = norm(self.ahead[0].shortest.min(self.index.longest()), mean);
        let longest = norm(self.index.longest(), mean);
        let mut lists = Vec::with_capacity(self.words.len() * 2);
        for word in &self.words {
            let once = impact(word.weight, 1, shortest) / ideal * SLACK;
            lists.push((word.list.slots(), once));
            if let (Some(slots), Some((most, _))) =
                (word.list.repeated(), word.list.most_repeated())
            {
                // Repeats count the more beside one occurrence, the longer the bullet is.
                let times = impact(1.0, most, longest) / impact(1.0, 1, longest);
                lists.push((slots, once * (times - 1.0) * SLACK));
            }
        }
        Some(Shares {
            lists,
            index: self.index,
            shortest,
            mean,
        })
    }
}
