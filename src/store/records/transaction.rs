//! The reads and writes of a decision about records.

use std::collections::BTreeSet;

use super::kind::Kind;
use super::kinds::kind_with_label;
use super::record::{Record, RecordKey, check_key};
use crate::lessons::{PAGE_MAX, check_names};
use crate::order_key::Range;

/// Largest number of scans in one transaction.
pub const SCANS_MAX: usize = 16;

/// A page of the records of one kind, in one of its orders.
#[derive(Clone, PartialEq, Debug)]
pub struct Scan {
    /// The kind.
    pub kind: &'static Kind,
    /// The order.
    pub order: &'static str,
    /// The range of positions, read from its front.
    pub range: Range,
    /// At most this many records; larger limits are cut to [`PAGE_MAX`].
    pub limit: usize,
}

impl Scan {
    /// The number of its order, from 1; `Err` when the kind declares no order of this name.
    pub fn order_number(&self) -> Result<usize, String> {
        let (kind, order) = (self.kind, self.order);
        let number = kind.order_number(order);
        number.ok_or_else(|| format!("the records {} have no order `{order}`", kind.label))
    }

    /// The limit of the page.
    pub fn page_limit(&self) -> usize {
        self.limit.min(PAGE_MAX)
    }
}

/// The reads of a decision.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct RecordReads {
    /// Records by key.
    pub keys: Vec<RecordKey>,
    /// Pages, at most [`SCANS_MAX`].
    pub scans: Vec<Scan>,
}

impl RecordReads {
    /// Refuses too many keys or pages, and undeclared orders; `Err` names them.
    pub fn check(&self) -> Result<(), String> {
        check_names(self.keys.len())?;
        if self.scans.len() > SCANS_MAX {
            let scans = self.scans.len();
            return Err(format!("{scans} scans at once; give at most {SCANS_MAX}"));
        }
        self.scans
            .iter()
            .try_for_each(|scan| scan.order_number().map(|_| ()))
    }
}

/// The records read under the lock.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct RecordsRead {
    /// The records by key, ascending; unknown ones are left out.
    pub records: Vec<Record>,
    /// The pages, in the order of the scans.
    pub scans: Vec<Vec<Record>>,
}

/// The writes of one transaction.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct RecordCommit {
    /// Records to insert or replace: values, edges and orders.
    pub puts: Vec<Record>,
    /// Records to delete with their edges; missing ones are ignored.
    pub deletes: Vec<RecordKey>,
}

impl RecordCommit {
    /// True when there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.puts.is_empty() && self.deletes.is_empty()
    }

    /// The keys of all records that it writes or deletes.
    pub fn keys(&self) -> impl Iterator<Item = &RecordKey> {
        self.puts
            .iter()
            .map(|record| &record.key)
            .chain(&self.deletes)
    }

    /// Refuses duplicates and records that cannot be kept; `Err` names them.
    pub fn check(&self) -> Result<(), String> {
        // The result of two writes of one record would depend on their order.
        let mut seen = BTreeSet::new();
        if let Some(key) = self.keys().find(|key| !seen.insert(*key)) {
            return Err(format!(
                "the record {key} stands twice in one commit; decide on one"
            ));
        }
        if let Some(key) = self
            .keys()
            .find(|key| kind_with_label(key.kind.label).is_none())
        {
            return Err(format!(
                "`{}` is no declared kind of records",
                key.kind.label
            ));
        }
        self.deletes.iter().try_for_each(check_key)?;
        self.puts.iter().try_for_each(Record::check)
    }
}

/// Decides under the lock: takes the records, returns the writes. It is called again when the transaction is retried,
/// and must then decide from its new argument alone.
pub type DecideRecords = Box<dyn FnMut(RecordsRead) -> RecordCommit + Send>;
