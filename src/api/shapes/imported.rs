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
        // What was exported as put away comes in as put away, and is no less a bullet of its own.
        let put_away: HashSet<BulletId> = records.iter().filter_map(put_away).collect();
        let away = receipt.archived.iter().chain(&receipt.rejected);
        let away = away.filter(|id| put_away.contains(id)).count();
        let added = receipt.added.len() + away;
        // A receipt is about bullets: a record that met an equal one may have changed nothing. So what went into
        // others is what is left of the records.
        let refused: HashSet<usize> = receipt.refused.iter().map(|one| one.operation).collect();
        let applied = records
            .iter()
            .enumerate()
            .filter(|(at, record)| is_bullet(record) && !refused.contains(at))
            .count();
        let merged = applied.saturating_sub(added + receipt.revived.len());
        let line_of = |operation: usize| records.get(operation).map_or(0, |record| record.line);
        let refused = receipt.refused.iter().map(|one| LineReason {
            line: line_of(one.operation),
            reason: one.reason.clone(),
        });
        Self {
            read: 0,
            added,
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

/// Links are records, too, and are not counted.
fn is_bullet(record: &ImportRecord) -> bool {
    matches!(record.operation, Operation::Add(_) | Operation::Insert(_))
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
