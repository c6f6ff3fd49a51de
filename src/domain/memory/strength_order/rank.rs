//! The order of two bullets by strength.

use std::cmp::Ordering;

/// What a bullet is ordered by, the greater first: its level; among equal levels its factor, its access
/// index, then the tie rule of the ranking.
#[derive(Clone, Copy)]
pub(super) struct Rank {
    pub(super) level: f64,
    pub(super) factor: f64,
    pub(super) index: Option<u64>,
    pub(super) tie: (i64, u64, u64),
}

impl Rank {
    /// The order of two bullets of a group.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let order = other.level.total_cmp(&self.level);
        order
            .then_with(|| other.factor.total_cmp(&self.factor))
            .then_with(|| other.index.cmp(&self.index))
            .then_with(|| other.tie.cmp(&self.tie))
    }
}
