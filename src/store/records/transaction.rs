//! What a decision about records reads under the lock, and what it writes.

use std::collections::BTreeSet;

use super::kind::Kind;
use super::kinds::kind_with_label;
use super::record::{Record, RecordKey, check_key};
use crate::lessons::{PAGE_MAX, check_names};
use crate::order_key::Range;

/// Scans of one transaction.
pub const SCANS_MAX: usize = 16;

/// A page of the records of one kind, in one of its orders.
#[derive(Clone, PartialEq, Debug)]
pub struct Scan {
    /// The kind.
    pub kind: &'static Kind,
    /// The order.
    pub order: &'static str,
    /// The piece of it that is read from its front.
    pub range: Range,
    /// At most this many records; a larger limit than [`PAGE_MAX`] is cut to it.
    pub limit: usize,
}

impl Scan {
    /// The number of its order, from 1; `Err` says that the kind has none of this name.
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

/// What a decision reads.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct RecordReads {
    /// These records.
    pub keys: Vec<RecordKey>,
    /// These pages, at most [`SCANS_MAX`].
    pub scans: Vec<Scan>,
}

impl RecordReads {
    /// Refuses too many names or pages, and orders that are not declared; `Err` says which.
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

/// What was read under the lock.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct RecordsRead {
    /// The records by key, ascending; unknown ones are left out.
    pub records: Vec<Record>,
    /// The pages, in the order of the scans.
    pub scans: Vec<Vec<Record>>,
}

/// What is written in one transaction.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct RecordCommit {
    /// Records to be made, or put in place of what is there: values, edges and orders.
    pub puts: Vec<Record>,
    /// Records to be deleted with their edges; one that is not there is left out.
    pub deletes: Vec<RecordKey>,
}

impl RecordCommit {
    /// True when there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.puts.is_empty() && self.deletes.is_empty()
    }

    /// The keys of all records that it writes.
    pub fn keys(&self) -> impl Iterator<Item = &RecordKey> {
        self.puts
            .iter()
            .map(|record| &record.key)
            .chain(&self.deletes)
    }

    /// Refuses a record that stands twice in it, and one that cannot be kept; `Err` says which.
    pub fn check(&self) -> Result<(), String> {
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

/// Decides under the lock: gets what was read, gives what to write. It may be called again when the transaction has to
/// be repeated, and must then decide afresh.
pub type DecideRecords = Box<dyn FnMut(RecordsRead) -> RecordCommit + Send>;
