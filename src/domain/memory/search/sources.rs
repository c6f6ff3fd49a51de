//! Where the bullets are that have something in common with a query.

use super::super::score::Scorer;
use crate::slot_set::SlotSet;

/// Bullets that have something in common with the query.
pub(super) struct Source<'q> {
    pub(super) slots: Slots<'q>,
    pub(super) is_word: bool,
    /// Words that were read before this source.
    pub(super) words_before: usize,
    /// The most bonus that this source and those behind it can add.
    pub(super) bonus: f64,
}

#[derive(Clone, Copy)]
pub(super) enum Slots<'q> {
    Set(&'q SlotSet),
    List(&'q [u32]),
}

impl Slots<'_> {
    pub(super) fn len(self) -> usize {
        match self {
            Self::Set(set) => set.len(),
            Self::List(slots) => slots.len(),
        }
    }

    #[inline]
    pub(super) fn walk(self, mut visit: impl FnMut(u32)) {
        match self {
            Self::Set(set) => set.walk(|slot| {
                visit(slot);
                true
            }),
            Self::List(slots) => slots.iter().copied().for_each(visit),
        }
    }
}

/// The words and bonuses of a query, rarest first.
pub(super) fn sources<'q>(scorer: &'q Scorer<'_>) -> Vec<Source<'q>> {
    // What a source is: a word, or the bonus with this number.
    let mut all: Vec<(Slots<'q>, Option<usize>)> = Vec::new();
    let matcher = &scorer.matcher;
    all.extend(
        matcher
            .matched_slots()
            .map(|slots| (Slots::List(slots), None)),
    );
    all.extend(matcher.lists().map(|list| (Slots::Set(list.slots()), None)));
    for (number, bonus) in scorer.bonuses.iter().enumerate() {
        let sets = bonus.sets.iter();
        all.extend(sets.map(|set| (Slots::Set(set), Some(number))));
    }
    // A stable sort: words stay in the order of the matcher.
    all.sort_by_key(|(slots, _)| slots.len());
    let mut words_before = 0;
    let mut sources = Vec::with_capacity(all.len());
    for (at, (slots, bonus)) in all.iter().enumerate() {
        let ahead = |number: usize| all[at..].iter().any(|(_, other)| *other == Some(number));
        let amounts = scorer.bonuses.iter().enumerate();
        let most = amounts
            .filter(|(number, _)| ahead(*number))
            .fold(0.0, |sum, (_, bonus)| sum + bonus.amount);
        sources.push(Source {
            slots: *slots,
            is_word: bonus.is_none(),
            words_before,
            bonus: most,
        });
        words_before += usize::from(bonus.is_none());
    }
    sources
}
