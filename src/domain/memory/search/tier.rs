//! The strongest bullets first, where strength decides.
//!
//! Band by band of the tier, the words are summed that can still make a member matter: the weaker a
//! band, the more relevance its members need, and the fewer words can be all that they share (essential
//! lists, MaxScore). The bound on what lies outside mostly ends the search there.

use super::super::relevance::Share;
use super::super::strength_order::{Closer, Heights, Member, Tier};
use super::super::word_index::WordList;
use super::windows::{Limits, SLACK, Slots, Sums, Window};
use super::{Group, Search};
use crate::slot_set::{SlotSet, add_numbers, is_among};

/// Fewer slots in lists than this are read without a tier.
const FEW_SLOTS: usize = 4_096;
/// Outside of the tier, lists with one slot in so many of all are read one by one.
const RARE: usize = 8;
/// Words are left out of sums that add at most so small a part of what they must come to.
const UNLISTED: usize = 2;

/// A band, and who has the words of the query there.
pub(super) struct Members<'t> {
    pub(super) all: &'t [Member],
    pub(super) closer: &'t [Closer],
    apart: &'t SlotSet,
    words: &'t [Havers<'t>],
}

/// The members of a band that have a word, and those that repeat it.
#[derive(Clone, Copy, Default)]
struct Havers<'t> {
    all: &'t [u16],
    repeating: &'t [u16],
}

impl<'m> Search<'_, 'm> {
    /// Reads the tier of the strongest, where there is one; true when no other bullet can matter by its
    /// words.
    pub(super) fn read_tier(&mut self) -> bool {
        let listed = self.listed();
        if self.scorer.is_linked || !self.scorer.bonuses.is_empty() || listed < FEW_SLOTS {
            return false;
        }
        let (weights, clock) = (self.scorer.weights, self.scorer.memory.clock());
        let standing = (weights, self.scorer.strength_unit());
        let index = self.scorer.matcher.index();
        let Some((tier, heights)) = self.order.tier(standing, clock, index) else {
            return false;
        };
        let Some(mut shares) = self.scorer.matcher.shares() else {
            return false;
        };
        let each = self.each(&shares, heights.step);
        let mut words = std::mem::take(&mut shares.lists);
        words.sort_by_key(|share| share.slots.len());
        let mut sums = Sums {
            step: heights.step,
            fixed: heights.base,
            unlisted: (0, 0.0),
            has_bonuses: false,
            each,
            shares,
        };
        self.read_bands(&mut sums, &words, (tier, heights));
        tier.apart.walk(|slot| {
            if let Some(number) = self.order.group(slot) {
                let strongest = self.most_strength(number, slot);
                let group = Group {
                    strongest,
                    ..self.groups[number]
                };
                let own = self.own_needed(&group, 0.0);
                if self.scorer.matcher.reached(slot, 0, own).is_some() {
                    self.judge(slot);
                }
            }
            true
        });
        self.read_outside(self.own_beside(heights.base), listed)
    }

    fn read_bands(
        &mut self,
        sums: &mut Sums<'m>,
        words: &[Share<'m>],
        (tier, heights): (&'m Tier, &'m Heights),
    ) {
        let mut room = tier.room();
        let wanted = words.iter();
        let wanted = wanted.map(|share| ((share.word, share.is_repeat), share.slots));
        let lists = tier.lists(wanted, &mut room);
        let mut havers = vec![Havers::default(); self.scorer.matcher.len()];
        let mut window = Vec::new();
        for (number, (band, heights)) in tier.bands.iter().zip(&heights.bands).enumerate() {
            let listed = self.list(sums, words, heights.most);
            if listed == 0 {
                continue;
            }
            window.clear();
            window.extend_from_slice(&heights.steps);
            for (at, (share, list)) in words.iter().zip(&lists).enumerate() {
                let members = list.band(number);
                let havers: &mut Havers<'_> = &mut havers[share.number];
                if share.is_repeat {
                    havers.repeating = members
                } else {
                    havers.all = members
                }
                if at < listed {
                    add_numbers(&mut window, members, self.in_steps(share.most, sums.step));
                }
            }
            let window = Window {
                slots: Slots::Of(Members {
                    all: band,
                    closer: &heights.closer,
                    apart: &tier.apart,
                    words: &havers,
                }),
                sums: &window,
                ceilings: &heights.steps,
                is_first: number == 0,
            };
            self.read_window(sums, &window);
        }
    }

    /// Judges a member of a band that is not told apart, if it can matter.
    pub(super) fn judge_member(&mut self, members: &Members<'_>, at: usize, limits: Limits) {
        let Member { slot, length } = members.all[at];
        if members.apart.contains(slot) {
            return;
        }
        // A band has no more members than there are such numbers.
        let number = u16::try_from(at).unwrap_or(u16::MAX);
        let times = |word: usize, list: &WordList| match &members.words[word] {
            havers if !is_among(havers.all, number) => 0,
            havers if !is_among(havers.repeating, number) => 1,
            _ => list.occurrences(slot),
        };
        let own = self.scorer.matcher.own_with(length, times);
        let of_words = self.scorer.weights.relevance * self.relevance_of(own.share);
        let score = of_words + f64::from(members.closer[at].score);
        if score * SLACK >= limits.passed.min(limits.failed) {
            self.judge_with(slot, own);
        }
    }

    /// How many words are summed in a band with a greatest height; 0 when no member can matter by its
    /// words. Notes what the others add.
    fn list(&self, sums: &mut Sums<'m>, words: &[Share<'m>], most: u8) -> usize {
        let own = self.own_beside(most_of(most, (sums.fixed, sums.step)));
        let total: f64 = words.iter().map(|share| share.most).sum();
        if total * SLACK < own {
            return 0;
        }
        sums.unlisted = (0, 0.0);
        let least = self.least_sum(sums, self.window_limits());
        // Sums begin with less than what matters by so much.
        let room = least.saturating_sub(most).saturating_sub(1);
        let (mut listed, mut rest) = (words.len(), 0.0);
        while let Some(last) = listed.checked_sub(1)
            && usize::from(self.in_steps(rest + words[last].most, sums.step)) * UNLISTED
                <= usize::from(room)
        {
            rest += words[last].most;
            listed = last;
        }
        sums.unlisted = (self.in_steps(rest, sums.step), rest);
        listed
    }

    /// The least own relevance with which a bullet can matter, to whose score strength and type add so
    /// much at most.
    fn own_beside(&self, most: f64) -> f64 {
        self.own_for(most, self.can_pass())
    }

    /// Reads the lists of rare words, where a bullet must have one of them to be as relevant as `own`;
    /// false when these are not few.
    fn read_outside(&mut self, own: f64, listed: usize) -> bool {
        let mut seen = 0;
        for read in 0..self.sources.len() {
            let source = &self.sources[read];
            if self.scorer.matcher.most_from(source.words_before) < own {
                break;
            }
            seen += source.slots.len();
            if seen > listed / RARE {
                return false;
            }
            self.read_source(read);
        }
        true
    }
}

/// The most that a byte stands for, which counts steps above a base.
fn most_of(byte: u8, (base, step): (f64, f64)) -> f64 {
    match byte {
        u8::MAX => f64::INFINITY,
        steps => base + f64::from(steps) * step,
    }
}
