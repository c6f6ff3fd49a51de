//! What each word of a query adds to own relevance at most, for sums over many bullets at once.

use super::formula::{impact, norm};
use super::{Matcher, Measure, SLACK};
use crate::slot_set::SlotSet;
use crate::text::similarity::jaccard_of;

/// What words add to own relevance at most.
#[derive(Debug)]
pub(in crate::memory) struct Shares<'m> {
    pub(in crate::memory) lists: Vec<Share<'m>>,
    /// True when every word adds the same.
    pub(in crate::memory) are_equal: bool,
    measure: Measure,
    shortest: f64,
}

/// What a word adds, or what it adds by being repeated.
#[derive(Clone, Copy, Debug)]
pub(in crate::memory) struct Share<'m> {
    /// The word, by its place in the order of sums and as the index numbers it.
    pub(in crate::memory) number: usize,
    pub(in crate::memory) word: u32,
    /// True for what is added by being repeated.
    pub(in crate::memory) is_repeat: bool,
    /// Where.
    pub(in crate::memory) slots: &'m SlotSet,
    /// To own relevance, in a bullet as short as any.
    pub(in crate::memory) most: f64,
}

impl Shares<'_> {
    /// The most own relevance of a bullet with so many words, whose shares sum up to `sum`.
    #[inline]
    pub(in crate::memory) fn most_of(&self, length: u32, sum: f64) -> f64 {
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
    pub(in crate::memory) fn shares(&self) -> Option<Shares<'m>> {
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
        for (number, word) in self.words.iter().enumerate() {
            let once = impact(word.weight, 1, shortest) / ideal * SLACK;
            lists.push(Share {
                number,
                word: word.id,
                is_repeat: false,
                slots: word.list.slots(),
                most: once,
            });
            if let (Some(slots), Some((most, _))) =
                (word.list.repeated(), word.list.most_repeated())
            {
                // Repeats count the more beside one occurrence, the longer the bullet is.
                let times = impact(1.0, most, longest) / impact(1.0, 1, longest);
                lists.push(Share {
                    number,
                    word: word.id,
                    is_repeat: true,
                    slots,
                    most: once * (times - 1.0) * SLACK,
                });
            }
        }
        Some(Shares {
            lists,
            are_equal: false,
            measure: self.measure,
            shortest,
        })
    }

    /// Shared words over all words are at most shared words over the words of the query.
    fn equal_shares(&self, query: usize) -> Shares<'m> {
        let words = self.words.iter().enumerate();
        let lists = words.map(|(number, word)| Share {
            number,
            word: word.id,
            is_repeat: false,
            slots: word.list.slots(),
            most: SLACK / query as f64,
        });
        Shares {
            lists: lists.collect(),
            are_equal: true,
            measure: self.measure,
            shortest: 0.0,
        }
    }
}
