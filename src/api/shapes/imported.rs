//! The answer to an import, told in lines of the file instead of operations of the delta.

use std::collections::HashSet;

use serde::Serialize;

use super::LineReason;
use crate::api::import::ImportRecord;
use crate::domain::memory::bullet::{BulletId, Status};
use crate::domain::memory::delta::{DeltaId, Operation};
use crate::domain::memory::receipt::{Linked, Merged, Receipt};

/// The answer to an import.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Imported {
    /// The delta that it became.
    pub delta: DeltaId,
    /// Records in the file.
    pub read: u64,
    /// Records that became bullets of their own.
    pub added: usize,
    /// Records that went into other bullets.
    pub merged: usize,
    /// Records that brought an archived bullet back.
    pub revived: usize,
    /// Unreadable records that were skipped as asked.
    pub skipped: Vec<LineReason>,
    /// Readable records that were not applied.
    pub refused: Vec<LineReason>,
    /// Records that name another learner.
    pub foreign_learners: u64,
    /// Which bullets were merged, of the file or of the memory.
    pub merged_pairs: Vec<Merged>,
    /// Similar bullets that were kept apart.
    pub linked_pairs: Vec<Linked>,
    /// Revision after the import.
    pub revision: u64,
    /// Clock after the import.
    pub clock: u64,
    /// State digest after the import.
    pub digest: String,
    /// True when this file had been imported before and nothing was changed now.
    pub repeated: bool,
}

impl Imported {
    /// The answer for the records of a file and the receipt of their delta; what was read and skipped
    /// is still to be filled in.
    pub fn of(receipt: Receipt, records: &[ImportRecord], repeated: bool) -> Self {
        // A record that equals a bullet makes none: its pair names the bullet twice. A bullet that was
        // there before and lost a merge is among the archived ones.
        let earlier: HashSet<BulletId> = receipt.archived.iter().copied().collect();
        let is_record = |pair: &&Merged| pair.into == pair.from || !earlier.contains(&pair.from);
        let merged = receipt.merged.iter().filter(is_record).count();
        // What was exported as put away comes in as put away, and is no less a bullet of its own.
        let put_away: HashSet<BulletId> = records.iter().filter_map(put_away).collect();
        let away = receipt.archived.iter().chain(&receipt.rejected);
        let away = away.filter(|id| put_away.contains(id)).count();
        let line_of = |operation: usize| records.get(operation).map_or(0, |record| record.line);
        let refused = receipt.refused.iter().map(|one| LineReason {
            line: line_of(one.operation),
            reason: one.reason.clone(),
        });
        Self {
            read: 0,
            added: receipt.added.len() + away,
            merged,
            revived: receipt.revived.len(),
            skipped: Vec::new(),
            refused: refused.collect(),
            foreign_learners: 0,
            revision: receipt.revision,
            clock: receipt.clock,
            digest: receipt.digest,
            repeated,
            delta: receipt.delta,
            merged_pairs: receipt.merged,
            linked_pairs: receipt.linked,
        }
    }
}

/// The id of a record that is no active bullet.
fn put_away(record: &ImportRecord) -> Option<BulletId> {
    match &record.operation {
        Operation::Insert(insertion) if insertion.bullet.status != Status::Active => {
            Some(insertion.bullet.id)
        }
        _ => None,
    }
}
