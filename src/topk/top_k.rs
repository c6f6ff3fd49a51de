//! Collects the best documents of a search: the hits, and the near misses that an answer explains.
//!
//! The order is total: by score, then by the tie rule. So the result does not depend on the order in which
//! documents are offered, and a search may visit them as it likes.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::{DocId, Tie};

/// A document with its score, ordered by score, then by the tie rule.
#[derive(Clone, Copy, Debug)]
pub struct Scored<D> {
    /// The document.
    pub doc: DocId,
    /// Its score.
    pub score: f64,
    /// Decides between equal scores, the larger first; no two documents have the same.
    pub tie: Tie,
    /// Details that the caller keeps, such as the parts of its score.
    pub detail: D,
}

/// Whether a scored document is a hit.
#[derive(Clone, Copy, Debug)]
pub enum Outcome<M> {
    /// It passes every filter.
    Hit,
    /// It fails a filter, but answers the query: a near miss, with the reason.
    Miss(M),
    /// It fails a filter and has nothing in common with the query.
    Unrelated,
}

/// Near misses, each with its reason; `None` for a document that is a hit but beyond `top_k`.
pub type NearMisses<D, M> = Vec<(Scored<D>, Option<M>)>;

/// The best hits and near misses of a search.
#[derive(Debug)]
pub struct TopK<D, M> {
    top_k: usize,
    near_misses: usize,
    hits: BinaryHeap<Reverse<Scored<D>>>,
    misses: BinaryHeap<Reverse<(Scored<D>, Reason<M>)>>,
}

/// The reason of a miss. All are equal, so that a tuple orders by its first part alone.
#[derive(Clone, Copy, Debug)]
struct Reason<M>(M);

impl<D> Ord for Scored<D> {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = self.score.total_cmp(&other.score);
        order.then_with(|| self.tie.cmp(&other.tie))
    }
}

impl<D> PartialOrd for Scored<D> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<D> PartialEq for Scored<D> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<D> Eq for Scored<D> {}

impl<M> Ord for Reason<M> {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl<M> PartialOrd for Reason<M> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<M> PartialEq for Reason<M> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<M> Eq for Reason<M> {}

impl<D: Copy, M: Copy> TopK<D, M> {
    /// Creates a collector of at most `top_k` hits and `near_misses` near misses.
    pub fn new(top_k: usize, near_misses: usize) -> Self {
        Self {
            top_k,
            near_misses,
            hits: BinaryHeap::new(),
            misses: BinaryHeap::new(),
        }
    }

    /// Offers a document, once. It is dropped if enough better ones are known.
    pub fn offer(&mut self, scored: Scored<D>, outcome: Outcome<M>) {
        match outcome {
            Outcome::Hit => {
                let capacity = self.hits_kept();
                push(&mut self.hits, capacity, scored);
            }
            Outcome::Miss(reason) => {
                push(&mut self.misses, self.near_misses, (scored, Reason(reason)));
            }
            Outcome::Unrelated => {}
        }
    }

    /// Returns how many hits are kept: those beyond `top_k` are near misses too.
    pub(crate) fn hits_kept(&self) -> usize {
        self.top_k.saturating_add(self.near_misses)
    }

    /// Returns the worst hit kept; `None` while there is space for more.
    pub(crate) fn worst_hit(&self) -> Option<&Scored<D>> {
        let is_full = self.hits.len() >= self.hits_kept();
        self.hits.peek().filter(|_| is_full).map(|worst| &worst.0)
    }

    /// Returns the minimum score of a hit to enter; −∞ while there is space.
    pub(crate) fn hit_threshold(&self) -> f64 {
        self.worst_hit()
            .map_or(f64::NEG_INFINITY, |worst| worst.score)
    }

    /// Returns the minimum score of a near miss to enter. It is never below that of a hit: once the
    /// hits are full, `near_misses` of them are beyond `top_k` and beat any miss below the worst.
    pub(crate) fn miss_threshold(&self) -> f64 {
        let own = match self.misses.peek() {
            Some(worst) if self.misses.len() >= self.near_misses => worst.0.0.score,
            _ => f64::NEG_INFINITY,
        };
        own.max(self.hit_threshold())
    }

    /// Returns the hits and the near misses, best first.
    pub fn into_sorted(self) -> (Vec<Scored<D>>, NearMisses<D, M>) {
        let sorted = self.hits.into_sorted_vec();
        let mut hits: Vec<Scored<D>> = sorted.into_iter().map(|Reverse(scored)| scored).collect();
        let beyond = hits.split_off(self.top_k.min(hits.len()));
        let mut misses: NearMisses<D, M> = self
            .misses
            .into_iter()
            .map(|Reverse((scored, Reason(reason)))| (scored, Some(reason)))
            .chain(beyond.into_iter().map(|scored| (scored, None)))
            .collect();
        misses.sort_by_key(|(scored, _)| Reverse(*scored));
        misses.truncate(self.near_misses);
        (hits, misses)
    }
}

/// Keeps the greatest `capacity` items.
fn push<T: Ord>(heap: &mut BinaryHeap<Reverse<T>>, capacity: usize, item: T) {
    if heap.len() < capacity {
        heap.push(Reverse(item));
    } else if let Some(mut worst) = heap.peek_mut()
        && item > worst.0
    {
        *worst = Reverse(item);
    }
}
