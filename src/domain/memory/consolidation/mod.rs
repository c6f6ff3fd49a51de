//! Consolidation: similar bullets of little importance become one, with all details of its sources.
//!
//! The purpose is room without brevity bias. So no text is written: the result is the richest text of a group, with the
//! units of the others that it lacks. Names, numbers, quotations and identifiers must all be there, and other losses
//! are measured; a group that would lose too much stays as it is. A merge must save space.
//!
//! A plan is made on a copy of the candidates, outside of any lock, group by group. It is applied by CONSOLIDATE, which
//! looks again whether each source is as the plan saw it. Sources stay in the memory, archived, so an undo restores
//! them.

mod apply;
mod candidates;
mod details;
mod importance;
mod loss;
mod merging;
mod planner;
mod proposal;

use super::bullet::{BulletId, Kind};
use super::delta::{Consolidation, ConsolidationSource, Operation};

pub use self::candidates::{Candidates, Kept, collect};
pub use self::details::{Detail, DetailKind, details};
pub use self::importance::importance_at;
pub use self::loss::{Loss, loss};
pub use self::planner::{Planner, Step};
pub use self::proposal::Proposal;

/// Maximum sources of one group: a bullet that is longer than a page helps no reader.
pub const SOURCES_MAX: usize = 32;

/// Share of details and content words that a group may lose, 0..=1.
pub const LOSS_MAX: f64 = 0.1;

/// Share of the bytes of its sources that a group must save, 0..=1.
pub const SAVING_MIN: f64 = 0.1;

/// The selection of bullets to consolidate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// Only bullets of this kind; `None`: of any kind, but never of two.
    pub kind: Option<Kind>,
    /// Only bullets whose importance is at most this, 0..=1.
    pub min_importance: f64,
    /// Whether bullets at or above the threshold stay, regardless of `min_importance`.
    pub preserve_high_importance: bool,
    /// The importance from which on a bullet is preserved, 0..=1.
    pub importance_threshold: f64,
    /// Similarity of two texts from which on they are compared, 0..=1.
    pub similarity: f64,
}

impl Default for Choice {
    fn default() -> Self {
        Self {
            kind: None,
            min_importance: 0.5,
            preserve_high_importance: true,
            importance_threshold: 0.8,
            similarity: 0.7,
        }
    }
}

/// A source of a group, as the plan saw it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedSource {
    /// The bullet.
    pub id: BulletId,
    /// Digest of its fields, to be compared when the group is applied.
    pub seen: String,
}

/// Bullets that become one.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// At least two, the canonical one first.
    pub sources: Vec<PlannedSource>,
    /// The text of the new bullet.
    pub content: String,
    /// The parts of its sources that the text lacks.
    pub loss: Loss,
    /// Bytes of the sources.
    pub bytes_before: u64,
    /// Bytes of the text; fewer.
    pub bytes_after: u64,
}

impl Group {
    /// Returns the ids of the sources, the canonical one first.
    pub fn ids(&self) -> Vec<BulletId> {
        self.sources.iter().map(|source| source.id).collect()
    }

    /// Returns the operation that makes one bullet of them.
    pub fn operation(&self) -> Operation {
        let source = |source: &PlannedSource| ConsolidationSource {
            id: source.id,
            seen: source.seen.clone(),
        };
        Operation::Consolidate(Box::new(Consolidation {
            content: self.content.clone(),
            from: self.sources.iter().map(source).collect(),
        }))
    }
}

/// Similar bullets that stay apart.
#[derive(Clone, PartialEq, Debug)]
pub struct RefusedGroup {
    /// The bullets, at least two.
    pub sources: Vec<BulletId>,
    /// Why they stay apart.
    pub reason: String,
    /// The loss of their merge; `None` for another reason.
    pub loss: Option<Loss>,
}

#[cfg(test)]
mod tests;
