//! Many bullets at once: the words of the query are summed window by window, in bytes.
//!
//! The sum of a slot bounds its score: it starts from what strength and type add at most, and every
//! list adds what it can add at most, rounded up. Only what reaches the least score that matters is
//! looked at closer, the parts of a window with the greatest sums first, since what they hold raises
//! that score for the rest. What is left is judged like everywhere else.
//!
//! Summing a list costs about a nanosecond a slot, where looking a word up in a list costs tens.

use std::cmp::Reverse;

use super::super::policy::Profile;
use super::super::relevance::Shares;
use super::super::strength_order::steps;
use super::Search;
use crate::domain::slot_set::{SlotSet, WINDOW};

/// Slots of a part of a window.
const PART: usize = 256;
/// Slots that are compared at once.
const RUN: usize = 32;
/// Fewer slots in lists than this are looked up one by one, and than this share of all slots.
const FEW_SLOTS: usize = 256;
const SLOTS_PER_ONE: usize = 256;
/// Steps of all words together, where no others are given: room is left for rounding each up.
const STEPS: f64 = 200.0;
/// Room for the rounding of sums and quotients.
const SLACK: f64 = 1.0 + 1e-9;

/// How sums are read.
struct Sums<'m> {
    /// What each list adds, in steps.
    lists: Vec<(&'m SlotSet, u8)>,
    shares: Shares<'m>,
    /// What sums start from, by slot: the most that strength and type add; empty where neighbours lend,
    /// or for other weights.
    ceilings: &'m [u8],
    /// What one step stands for.
    step: f64,
    /// What strength and type add at most to any bullet besides; 0 where sums start from it.
    fixed: f64,
    /// True when sums hold bonuses too.
    has_bonuses: bool,
    /// What each list adds, in steps and to own relevance, where all add the same: then a sum tells how
    /// many lists hold a slot.
    each: Option<(u8, f64)>,
}

/// The scores from which a bullet matters: with relevance that can pass the floor, and without.
#[derive(Clone, Copy, PartialEq)]
struct Limits {
    passed: f64,
    failed: f64,
}

impl<'m> Search<'_, 'm> {
    /// Reads all sources at once where that pays; gives how many were read.
    pub(super) fn read_windows(&mut self) -> usize {
        let listed: usize = self.sources.iter().map(|source| source.slots.len()).sum();
        let slots = self.scorer.memory.shelf.len();
        if listed < FEW_SLOTS || listed.saturating_mul(SLOTS_PER_ONE) < slots {
            return 0;
        }
        let Some(sums) = self.sums() else {
            return 0;
        };
        let mut window = Box::new([0; WINDOW]);
        for (number, from) in (0..slots).step_by(WINDOW).enumerate() {
            let len = (slots - from).min(WINDOW);
            sums.fill(number, (from, len), &mut window);
            self.read_window(&sums, from, &window[..len]);
        }
        self.sources.len()
    }

    fn sums(&self) -> Option<Sums<'m>> {
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
                let of_words: f64 = shares.lists.iter().map(|(_, share)| share).sum();
                let strongest = self.groups.iter().map(|group| {
                    weights.strength * group.strongest + weights.memory_type * group.priority
                });
                let step = weights.relevance * of_words / STEPS;
                (&[][..], step, strongest.fold(0.0, f64::max))
            }
        };
        let of_lists = shares.lists.iter();
        let mut lists: Vec<(&'m SlotSet, u8)> = of_lists
            .map(|(slots, share)| (*slots, steps(weights.relevance * share, step)))
            .collect();
        let is_each = shares.are_equal && !has_bonuses;
        let both = lists.first().zip(shares.lists.first());
        let each = both.filter(|_| is_each).map(|(a, b)| (a.1, b.1));
        for bonus in &scorer.bonuses {
            let amount = steps(bonus.amount, step);
            lists.extend(bonus.sets.iter().map(|set| (*set, amount)));
        }
        Some(Sums {
            lists,
            shares,
            ceilings,
            step,
            fixed,
            has_bonuses,
            each,
        })
    }

    /// Judges what matters in a window; in the first one, the parts with the greatest sums come first.
    fn read_window(&mut self, sums: &Sums<'_>, from: usize, window: &[u8]) {
        let mut limits = self.window_limits();
        let mut least = self.least_sum(sums, limits);
        let parts = (0..).step_by(PART).zip(window.chunks(PART));
        let mut parts: Vec<(usize, &[u8])> = parts.collect();
        if from == 0 {
            parts.sort_by_cached_key(|(_, part)| Reverse(most_of(part)));
        }
        for (start, part) in parts {
            if most_of(part) < least {
                continue;
            }
            for (at, run) in (start..).step_by(RUN).zip(part.chunks(RUN)) {
                if most_of(run) < least {
                    continue;
                }
                for (at, sum) in (at..).zip(run) {
                    #[allow(clippy::cast_possible_truncation)]
                    let slot = (from + at) as u32;
                    if *sum < least || !self.reaches(sums, slot, *sum, limits) {
                        continue;
                    }
                    self.judge_with_neighbours(slot);
                    let now = self.window_limits();
                    if now != limits {
                        limits = now;
                        least = self.least_sum(sums, limits);
                    }
                }
            }
        }
    }

    fn window_limits(&self) -> Limits {
        let can_pass = self.groups.iter().any(|group| group.can_pass);
        Limits {
            passed: if can_pass {
                self.best.least_passed()
            } else {
                f64::INFINITY
            },
            failed: self.best.least_failed(),
        }
    }

    /// The least sum with which a bullet can matter; 1 at least, since 0 shares nothing.
    fn least_sum(&self, sums: &Sums<'_>, limits: Limits) -> u8 {
        let floor = self.scorer.weights.relevance * self.floor();
        let passed = (limits.passed - sums.fixed).max(floor);
        let least = passed.min(limits.failed - sums.fixed) / (1.0 + self.lent);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let steps = (least / sums.step / SLACK).floor() as u8;
        steps.max(1)
    }

    /// True when a slot with a sum can matter, by its length and strength.
    #[inline]
    fn reaches(&self, sums: &Sums<'_>, slot: u32, sum: u8, limits: Limits) -> bool {
        if sum == u8::MAX || self.scorer.is_linked {
            return true;
        }
        let ceiling = sums.ceilings.get(slot as usize).copied();
        let ceiling = ceiling.unwrap_or_default();
        let fixed = sums.fixed + f64::from(ceiling) * sums.step;
        if sum == ceiling || self.is_judged(slot) {
            return false;
        }
        let weight = self.scorer.weights.relevance;
        let of_words = match sums.each {
            Some((each, share)) => f64::from((sum - ceiling) / each) * share,
            None => f64::from(sum - ceiling) * sums.step * SLACK / weight,
        };
        let (own, score) = match sums.has_bonuses {
            true => (of_words, weight * of_words + fixed),
            false => {
                let own = sums.shares.most_of(slot, of_words) * SLACK;
                (own, weight * self.relevance_of(own) + fixed)
            }
        };
        let score = score * SLACK;
        score >= limits.failed || (score >= limits.passed && own >= self.floor())
    }

    /// The least relevance of a bullet that passes.
    fn floor(&self) -> f64 {
        match self.scorer.profile {
            Profile::Engine => self.scorer.policy().floor,
            _ => 0.0,
        }
    }
}

impl Sums<'_> {
    /// Sums one window, which begins at a slot and has so many.
    fn fill(&self, number: usize, (from, len): (usize, usize), window: &mut [u8; WINDOW]) {
        let bytes = self.ceilings.get(from..).unwrap_or_default();
        let with_bytes = bytes.len().min(len);
        window[..with_bytes].copy_from_slice(&bytes[..with_bytes]);
        window[with_bytes..len].fill(0);
        for (slots, amount) in &self.lists {
            slots.add_to(number, window, *amount);
        }
    }
}

#[inline]
fn most_of(sums: &[u8]) -> u8 {
    sums.iter().copied().fold(0, u8::max)
}
