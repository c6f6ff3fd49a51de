//! The best candidates so far, and what a further one must reach to matter.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::ranking::Parts;

/// Near misses that an answer lists.
pub(super) const NEAR_MISSES: usize = 5;

/// A candidate with its score; ordered by score, then by the tie rule, the better one greater.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored {
    /// Where it is.
    pub(super) slot: u32,
    /// Combined score.
    pub(super) score: f64,
    /// What tells equal scores apart; no two bullets have the same.
    pub(super) tie: (i64, u64, u64),
    /// What the score is made of.
    pub(super) parts: Parts,
    /// Part of the relevance that came from linked neighbours.
    pub(super) from_neighbours: f64,
    /// Which words of the query it has, as the matcher numbers them.
    pub(super) words: u64,
}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score
            .total_cmp(&other.score)
            .then_with(|| self.tie.cmp(&other.tie))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Scored {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Scored {}

/// Why a candidate is not returned.
#[derive(Clone, Copy, Debug)]
pub(super) enum Failure {
    TopK,
    Floor,
    Tags,
    Type,
    Topic,
    MinScore,
    Expired,
}

/// The best that passed every filter, with a few more for the near misses, and the best that failed.
#[derive(Debug)]
pub(super) struct Best {
    top_k: usize,
    passed: BinaryHeap<Reverse<Scored>>,
    failed: BinaryHeap<Reverse<(Scored, Failed)>>,
}

/// A failure that takes no part in the order.
#[derive(Clone, Copy, Debug)]
struct Failed(Failure);

impl PartialEq for Failed {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Failed {}

impl PartialOrd for Failed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Failed {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl Best {
    /// Nothing yet.
    pub(super) fn of(top_k: usize) -> Self {
        Self {
            top_k,
            passed: BinaryHeap::new(),
            failed: BinaryHeap::new(),
        }
    }

    /// Takes a candidate into account. What shares nothing with the query is no near miss.
    pub(super) fn offer(&mut self, scored: Scored, failure: Option<Failure>) {
        match failure {
            None => {
                let most = self.most_kept();
                keep(&mut self.passed, most, scored);
            }
            Some(failure) if scored.parts.relevance > 0.0 => {
                keep(&mut self.failed, NEAR_MISSES, (scored, Failed(failure)));
            }
            Some(_) => {}
        }
    }

    /// How many of those that pass are kept: nothing is known to be too bad before there are as many.
    pub(super) fn most_kept(&self) -> usize {
        self.top_k.saturating_add(NEAR_MISSES)
    }

    /// The worst that is kept of those that passed, once there are enough.
    pub(super) fn worst_passed(&self) -> Option<&Scored> {
        let full = self.passed.len() >= self.most_kept();
        self.passed.peek().filter(|_| full).map(|worst| &worst.0)
    }

    /// A candidate that passes and scores less does not matter.
    pub(super) fn least_passed(&self) -> f64 {
        self.worst_passed()
            .map_or(f64::NEG_INFINITY, |worst| worst.score)
    }

    /// A candidate that fails and scores less does not matter; never less than the other limit, since
    /// near misses are taken from both.
    pub(super) fn least_failed(&self) -> f64 {
        let own = match self.failed.peek() {
            Some(worst) if self.failed.len() >= NEAR_MISSES => worst.0.0.score,
            _ => f64::NEG_INFINITY,
        };
        own.max(self.least_passed())
    }

    /// The hits and the near misses, best first.
    pub(super) fn finish(self) -> (Vec<Scored>, Vec<(Scored, Failure)>) {
        let sorted = self.passed.into_sorted_vec();
        let mut hits: Vec<Scored> = sorted.into_iter().map(|Reverse(scored)| scored).collect();
        let beyond = hits.split_off(self.top_k.min(hits.len()));
        let mut missed: Vec<(Scored, Failure)> = self
            .failed
            .into_iter()
            .map(|Reverse((scored, Failed(failure)))| (scored, failure))
            .chain(beyond.into_iter().map(|scored| (scored, Failure::TopK)))
            .collect();
        missed.sort_by_key(|(scored, _)| Reverse(*scored));
        missed.truncate(NEAR_MISSES);
        (hits, missed)
    }
}

/// Keeps the best few.
fn keep<T: Ord>(kept: &mut BinaryHeap<Reverse<T>>, limit: usize, candidate: T) {
    if kept.len() < limit {
        kept.push(Reverse(candidate));
    } else if let Some(mut worst) = kept.peek_mut()
        && candidate > worst.0
    {
        *worst = Reverse(candidate);
    }
}
