//! Many bullets at once: the words of the query are summed window by window, in bytes.
//!
//! The sum of a slot bounds its score: it starts from what strength and type add at most, and every
//! list adds what it can add at most, rounded up. Only what reaches the least score that matters is
//! looked at closer, the parts of a window with the greatest sums first, since what they hold raises
//! that score for the rest. What is left is judged like everywhere else.
//!
//! Summing a list costs about a nanosecond a slot, where looking a word up in a list costs tens.

use std::cmp::Reverse;
use std::hint::black_box;

use super::super::policy::Profile;
use super::super::relevance::Shares;
use super::super::strength_order::steps;
use super::super::word_index::WordIndex;
use super::Search;
use super::tier::Members;
use crate::slot_set::{SlotSet, WINDOW};

/// Slots of a part of a window.
const PART: usize = 256;
/// Slots that are compared at once.
const RUN: usize = 32;
/// Slots that are looked at closer together.
const TOGETHER: usize = 64;
/// Fewer slots in lists than this are looked up one by one, and than this share of all slots.
const FEW_SLOTS: usize = 256;
const SLOTS_PER_ONE: usize = 256;
/// Steps of all words together, where no others are given: room is left for rounding each up.
const STEPS: f64 = 200.0;
/// Room for the rounding of sums and quotients.
pub(super) const SLACK: f64 = 1.0 + 1e-9;

/// How sums are read.
pub(super) struct Sums<'m> {
    pub(super) shares: Shares<'m>,
    /// What one step stands for.
    pub(super) step: f64,
    /// What strength and type add at most to any bullet besides; 0 where sums start from it.
    pub(super) fixed: f64,
    /// What words that are not among the lists add at most, in steps and to own relevance.
    pub(super) unlisted: (u8, f64),
    /// True when sums hold bonuses too.
    pub(super) has_bonuses: bool,
    /// What each list adds, in steps and to own relevance, where all add the same: then a sum tells how
    /// many lists hold a slot.
    pub(super) each: Option<(u8, f64)>,
}

/// What is summed over all slots.
struct Lists<'m> {
    /// What each list adds, in steps.
    lists: Vec<(&'m SlotSet, u8)>,
    /// What sums start from, by slot: the most that strength and type add; empty where neighbours lend,
    /// or for other weights.
    ceilings: &'m [u8],
}

/// Some slots with their sums.
pub(super) struct Window<'w> {
    pub(super) slots: Slots<'w>,
    pub(super) sums: &'w [u8],
    /// What sums started from: the most that strength and type add; empty where neighbours lend, or for
    /// other weights.
    pub(super) ceilings: &'w [u8],
    /// True when those that matter most can be anywhere in it, and raise what the others must reach.
    pub(super) is_first: bool,
}

/// The slots of a window.
pub(super) enum Slots<'w> {
    /// All from one on.
    From(usize),
    /// Those of a band of the tier.
    Of(Members<'w>),
}

/// The scores from which a bullet matters: with relevance that can pass the floor, and without.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Limits {
    pub(super) passed: f64,
    pub(super) failed: f64,
}

impl<'m> Search<'_, 'm> {
    /// Reads all sources at once where that pays; gives how many were read.
    pub(super) fn read_windows(&mut self) -> usize {
        let listed = self.listed();
        let slots = self.scorer.memory.shelf.len();
        if listed < FEW_SLOTS || listed.saturating_mul(SLOTS_PER_ONE) < slots {
            return 0;
        }
        let Some((sums, lists)) = self.sums() else {
            return 0;
        };
        let mut window = Box::new([0; WINDOW]);
        for (number, from) in (0..slots).step_by(WINDOW).enumerate() {
            let len = (slots - from).min(WINDOW);
            let ceilings = lists.fill(number, (from, len), &mut window);
            let window = Window {
                slots: Slots::From(from),
                sums: &window[..len],
                ceilings,
                is_first: from == 0,
            };
            self.read_window(&sums, &window);
        }
        self.sources.len()
    }

    /// How sums over all slots are read, and what they are of.
    fn sums(&self) -> Option<(Sums<'m>, Lists<'m>)> {
        let (scorer, weights) = (self.scorer, self.scorer.weights);
        let shares = scorer.matcher.shares()?;
        let has_bonuses = !scorer.bonuses.is_empty();
        let clock = scorer.memory.clock();
        let unit = scorer.strength_unit();
        let ceilings = self.order.ceilings((weights, unit), clock);
        let ceilings = ceilings.filter(|_| !scorer.is_linked);
        if weights.relevance <= 0.0 || (has_bonuses && ceilings.is_none()) {
            return None;
        }
        let (ceilings, step, fixed) = match ceilings {
            Some(ceilings) => (ceilings.bytes, ceilings.step, 0.0),
            None => {
                let of_words: f64 = shares.lists.iter().map(|share| share.most).sum();
                let strongest = self.groups.iter().map(|group| {
                    weights.strength * group.strongest + weights.memory_type * group.priority
                });
                let step = weights.relevance * of_words / STEPS;
                (&[][..], step, strongest.fold(0.0, f64::max))
            }
        };
        let of_lists = shares.lists.iter();
        let mut lists: Vec<(&'m SlotSet, u8)> = of_lists
            .map(|share| (share.slots, self.in_steps(share.most, step)))
            .collect();
        let each = self.each(&shares, step).filter(|_| !has_bonuses);
        for bonus in &scorer.bonuses {
            let amount = steps(bonus.amount, step);
            lists.extend(bonus.sets.iter().map(|set| (*set, amount)));
        }
        let sums = Sums {
            shares,
            step,
            fixed,
            unlisted: (0, 0.0),
            has_bonuses,
            each,
        };
        Some((sums, Lists { lists, ceilings }))
    }

    /// What a word adds at most to a score, in steps.
    pub(super) fn in_steps(&self, most: f64, step: f64) -> u8 {
        steps(self.scorer.weights.relevance * most, step)
    }

    /// What each word adds, in steps and to own relevance, where all add the same.
    pub(super) fn each(&self, shares: &Shares<'_>, step: f64) -> Option<(u8, f64)> {
        let first = shares.lists.first().filter(|_| shares.are_equal)?;
        Some((self.in_steps(first.most, step), first.most))
    }

    /// Judges what matters in a window; in the first one, the greatest sums of as many parts as bullets are
    /// kept come first, since they raise most what the others must reach.
    pub(super) fn read_window(&mut self, sums: &Sums<'_>, window: &Window<'_>) {
        let parts = (0..).step_by(PART).zip(window.sums.chunks(PART));
        let mut parts: Vec<(usize, &[u8])> = parts.collect();
        let mut limits = self.window_limits();
        let mut least = self.least_sum(sums, limits);
        if window.is_first {
            parts.sort_by_cached_key(|(_, part)| Reverse(most_of(part)));
            let greatest = |(start, part): &(usize, &[u8])| {
                let most = most_of(part);
                start + part.iter().position(|sum| *sum == most).unwrap_or_default()
            };
            let first = parts.iter().take(self.best.most_kept()).map(greatest);
            let mut first: Vec<usize> = first.collect();
            self.meet(first.iter().map(|at| window.slot(*at)));
            self.judge_near(sums, window, &mut first, (&mut limits, &mut least));
        }
        let mut near = Vec::with_capacity(TOGETHER + RUN);
        for (start, part) in parts {
            if most_of(part) < least {
                continue;
            }
            for (at, run) in (start..).step_by(RUN).zip(part.chunks(RUN)) {
                if most_of(run) < least {
                    continue;
                }
                let reaching = (at..).zip(run).filter(|(_, sum)| **sum >= least);
                near.extend(reaching.map(|(at, _)| at));
                if near.len() >= TOGETHER {
                    self.judge_near(sums, window, &mut near, (&mut limits, &mut least));
                }
            }
        }
        self.judge_near(sums, window, &mut near, (&mut limits, &mut least));
    }

    /// Judges those of some slots of a window that can matter; brings the limits up to date.
    fn judge_near(
        &mut self,
        sums: &Sums<'_>,
        window: &Window<'_>,
        near: &mut Vec<usize>,
        (limits, least): (&mut Limits, &mut u8),
    ) {
        window.meet(near, self.scorer.matcher.index());
        if let Slots::From(_) = window.slots {
            // Of a band, few of those that reach the limits are read: their words tell more first.
            near.retain(|at| self.reaches(sums, window, *at, *limits));
            self.meet(near.iter().map(|at| window.slot(*at)));
        }
        for at in near.drain(..) {
            if window.sums[at] < *least || !self.judge_at(sums, window, at, *limits) {
                continue;
            }
            let now = self.window_limits();
            if now != *limits {
                *limits = now;
                *least = self.least_sum(sums, now);
            }
        }
    }

    /// Reads something of what judging these slots will read, one right after the other: what is far away
    /// in memory is waited for once so, and not by each of them in turn.
    fn meet(&self, slots: impl Iterator<Item = u32>) {
        let shelf = &self.scorer.memory.shelf;
        for slot in slots {
            black_box((shelf.first_byte(slot), self.order.group(slot)));
        }
    }

    /// Judges a slot of a window if it can matter; false when it cannot.
    #[inline]
    fn judge_at(
        &mut self,
        sums: &Sums<'_>,
        window: &Window<'_>,
        at: usize,
        limits: Limits,
    ) -> bool {
        if !self.reaches(sums, window, at, limits) {
            return false;
        }
        match &window.slots {
            Slots::From(_) => self.judge_with_neighbours(window.slot(at)),
            Slots::Of(members) => self.judge_member(members, at, limits),
        }
        true
    }

    pub(super) fn window_limits(&self) -> Limits {
        Limits {
            passed: if self.can_pass() {
                self.best.least_passed()
            } else {
                f64::INFINITY
            },
            failed: self.best.least_failed(),
        }
    }

    /// The least sum with which a bullet can matter; 1 at least, since 0 shares nothing.
    pub(super) fn least_sum(&self, sums: &Sums<'_>, limits: Limits) -> u8 {
        let floor = self.scorer.weights.relevance * self.floor();
        let passed = (limits.passed - sums.fixed).max(floor);
        let least = passed.min(limits.failed - sums.fixed) / (1.0 + self.lent);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let steps = (least / sums.step / SLACK).floor() as u8;
        steps.saturating_sub(sums.unlisted.0).max(1)
    }

    /// True when a slot of a window can matter, by its length and strength.
    #[inline]
    fn reaches(&self, sums: &Sums<'_>, window: &Window<'_>, at: usize, limits: Limits) -> bool {
        let sum = window.sums[at];
        if sum == u8::MAX || self.scorer.is_linked {
            return true;
        }
        let ceiling = window.ceilings.get(at).copied().unwrap_or_default();
        if sum == ceiling {
            return false;
        }
        let fixed = match &window.slots {
            Slots::From(_) => sums.fixed + f64::from(ceiling) * sums.step,
            Slots::Of(members) => f64::from(members.closer[at].score),
        };
        let weight = self.scorer.weights.relevance;
        let listed = match sums.each {
            Some((each, share)) => f64::from((sum - ceiling) / each) * share,
            None => f64::from(sum - ceiling) * sums.step * SLACK / weight,
        };
        let of_words = listed + sums.unlisted.1;
        let (own, score) = if sums.has_bonuses {
            (of_words, weight * of_words + fixed)
        } else {
            let length = window.length(at, self.scorer.matcher.index());
            let own = sums.shares.most_of(length, of_words) * SLACK;
            (own, weight * self.relevance_of(own) + fixed)
        };
        let score = score * SLACK;
        let matters = score >= limits.failed || (score >= limits.passed && own >= self.floor());
        matters && !self.is_judged(window.slot(at))
    }

    /// The least relevance of a bullet that passes.
    fn floor(&self) -> f64 {
        match self.scorer.profile {
            Profile::Engine => self.scorer.policy().floor,
            _ => 0.0,
        }
    }
}

impl<'m> Lists<'m> {
    /// Sums one window, which begins at a slot and has so many; gives what sums start from there.
    fn fill(
        &self,
        number: usize,
        (from, len): (usize, usize),
        window: &mut [u8; WINDOW],
    ) -> &'m [u8] {
        let ceilings = self.ceilings.get(from..).unwrap_or_default();
        let ceilings = &ceilings[..ceilings.len().min(len)];
        window[..ceilings.len()].copy_from_slice(ceilings);
        window[ceilings.len()..len].fill(0);
        for (slots, amount) in &self.lists {
            slots.add_to(number, window, *amount);
        }
        ceilings
    }
}

impl Window<'_> {
    /// Reads what tells of these slots whether they matter, one right after the other (see `Search::meet`).
    fn meet(&self, at: &[usize], index: &WordIndex) {
        for at in at {
            black_box(self.length(*at, index));
        }
    }

    /// Number of words of a slot.
    #[inline]
    fn length(&self, at: usize, index: &WordIndex) -> u32 {
        match &self.slots {
            Slots::From(_) => index.length(self.slot(at)),
            Slots::Of(members) => members.closer[at].length,
        }
    }

    #[inline]
    fn slot(&self, at: usize) -> u32 {
        match &self.slots {
            #[allow(clippy::cast_possible_truncation)]
            Slots::From(first) => (*first + at) as u32,
            Slots::Of(members) => members.all[at].slot,
        }
    }
}

#[inline]
fn most_of(sums: &[u8]) -> u8 {
    sums.iter().copied().fold(0, u8::max)
}
