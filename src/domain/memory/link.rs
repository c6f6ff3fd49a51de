//! Relationships between bullets of one memory.

use super::bullet::BulletId;
use crate::word_enum;

word_enum! {
    /// What a link says.
    LinkKind {
        /// The first was written right after the second.
        Follows = "FOLLOWS",
        /// Nearly the same text, kept apart by the guard; waits for review.
        SimilarTo = "SIMILAR_TO",
        /// Nearly the same text with the opposite meaning.
        ConflictsWith = "CONFLICTS_WITH",
        /// The first was merged into the second.
        MergedInto = "MERGED_INTO",
    }
}

impl LinkKind {
    /// True when the two ends mean the same in either order.
    pub fn is_symmetric(self) -> bool {
        self.is_for_review()
    }

    /// True when it waits for a person to look at both ends.
    pub fn is_for_review(self) -> bool {
        matches!(self, Self::SimilarTo | Self::ConflictsWith)
    }
}

/// What identifies a link: at most one of a kind between two bullets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LinkId {
    /// What it says.
    pub kind: LinkKind,
    /// Where it begins; the smaller id for symmetric kinds.
    pub from: BulletId,
    /// Where it ends.
    pub to: BulletId,
}

impl LinkId {
    /// The identity of a link; the ends of a symmetric one are put in order.
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

    /// The end that is not this one.
    pub fn other_end(self, end: BulletId) -> BulletId {
        if self.from == end { self.to } else { self.from }
    }
}

/// A link with what is known about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Link {
    /// Kind and ends.
    pub id: LinkId,
    /// Why it was made.
    pub reason: Option<String>,
    /// How alike the two texts were, 0..=1.
    pub similarity: Option<f64>,
    /// Tick of the event that made, changed or removed it.
    pub changed_tick: u64,
    /// True once it was taken away; kept so that other instances learn of it.
    pub removed: bool,
}
