//! Links between bullets of one memory: order, similarity, conflict and merges.
//!
//! A removed link stays, marked, so that other instances learn of the removal.

use super::bullet::BulletId;
use hindlore_primitives::word_enum;

word_enum! {
    /// The kind of a link.
    LinkKind {
        /// The first bullet was written right after the second.
        Follows = "FOLLOWS",
        /// The texts are nearly the same, but the guard kept them apart; for review.
        SimilarTo = "SIMILAR_TO",
        /// The texts contradict each other; for review.
        ConflictsWith = "CONFLICTS_WITH",
        /// The first bullet was merged into the second.
        MergedInto = "MERGED_INTO",
        /// The first bullet gives a newer value than the second.
        Supersedes = "SUPERSEDES",
        /// The first bullet was consolidated from the second and others.
        ConsolidatedFrom = "CONSOLIDATED_FROM",
        /// A person found that both texts hold, although they look contradictory.
        ReconciledWith = "RECONCILED_WITH",
    }
}

impl LinkKind {
    /// Returns true if the order of the ends has no meaning.
    pub fn is_symmetric(self) -> bool {
        self.is_for_review() || self == Self::ReconciledWith
    }

    /// Returns true if the link asks a person to review both ends.
    pub fn is_for_review(self) -> bool {
        matches!(self, Self::SimilarTo | Self::ConflictsWith)
    }
}

/// The identity of a link: two bullets have at most one of each kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LinkId {
    /// Its kind.
    pub kind: LinkKind,
    /// Its first end; the smaller id for symmetric kinds.
    pub from: BulletId,
    /// Its second end.
    pub to: BulletId,
}

impl LinkId {
    /// Creates an identity; sorts the ends of a symmetric kind.
    pub fn new(kind: LinkKind, from: BulletId, to: BulletId) -> Self {
        if kind.is_symmetric() && to < from {
            return Self {
                kind,
                from: to,
                to: from,
            };
        }
        Self { kind, from, to }
    }

    /// Returns the other end.
    pub fn other_end(self, end: BulletId) -> BulletId {
        if self.from == end { self.to } else { self.from }
    }
}

/// A link with its reason and history.
#[derive(Clone, PartialEq, Debug)]
pub struct Link {
    /// Kind and ends.
    pub id: LinkId,
    /// Why it was added.
    pub reason: Option<String>,
    /// Similarity of the two texts when it was added, 0..=1.
    pub similarity: Option<f64>,
    /// Tick of the event that added, changed or removed it.
    pub changed_tick: u64,
    /// Whether it is removed.
    pub removed: bool,
}
