//! What each word of a query adds to own relevance at most, for sums over many bullets at once.

use super::super::word_index::WordIndex;
use super::{Matcher, Measure, SLACK, impact, norm};
use crate::domain::slot_set::SlotSet;
use crate::domain::text::similarity::jaccard_of;

/// What words add to own relevance at most.
#[derive(Debug)]
pub(in crate::domain::memory) struct Shares<'m> {
    /// Slots, and what the word adds there in a bullet as short as any; what a word adds by being
    /// repeated stands apart.
    pub(in crate::domain::memory) lists: Vec<(&'m SlotSet, f64)>,
    /// True when every word adds the same.
    pub(in crate::domain::memory) are_equal: bool,
    index: &'m WordIndex,
    measure: Measure,
    shortest: f64,
}

impl Shares<'_> {
    /// The most own relevance of a bullet as long as the one in a slot, whose shares sum up to `sum`.
    #[inline]
    pub(in crate::domain::memory) fn most_of(&self, slot: u32, sum: f64) -> f64 {
        let length = self.index.length(slot);
        match self.measure {
            Measure::Jaccard { query } => {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let shared = (sum * query as f64 * SLACK) as usize;
                jaccard_of(shared.min(length as usize), query, length as usize)
            }
            Measure::Share { mean, .. } => {
                sum * (1.0 + self.shortest) / (1.0 + norm(length, mean)) * SLACK
            }
        }
    }
}

impl<'m> Matcher<'m> {
    /// What each known word can add to own relevance in a bullet as short as any, and where it can add
    /// more by being repeated; absent where own relevance was summed already.
    pub(in crate::domain::memory) fn shares(&self) -> Option<Shares<'m>> {
        if self.all.is_some() {
            return None;
        }
        let (ideal, mean) = match self.measure {
            Measure::Jaccard { query } => return Some(self.equal_shares(query)),
            Measure::Share { ideal, mean } => (ideal, mean),
        };
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
            are_equal: false,
            index: self.index,
            measure: self.measure,
            shortest,
        })
    }

    /// Shared words over all words are at most shared words over the words of the query.
    fn equal_shares(&self, query: usize) -> Shares<'m> {
        let share = SLACK / query as f64;
        let lists = self.words.iter().map(|word| (word.list.slots(), share));
        Shares {
            lists: lists.collect(),
            are_equal: true,
            index: self.index,
            measure: self.measure,
            shortest: 0.0,
        }
    }
}
