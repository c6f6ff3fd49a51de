//! Records: the nouns that come after memories and lessons, in one small contract.
//!
//! A record is a thing of one *owner*, a learner of a tenant: its kind, an id, named values, edges to other records,
//! and its keys in the orders by which it is listed. A noun declares its kinds ([`KINDS`]) and maps its rows to records
//! in this crate; no backend knows what a trajectory is. In a graph a kind is a label, the values are properties and
//! the edges are relationships, so that an analyst sees what the noun means.
//!
//! There is one way to write: [`RecordStore::transact_records`] locks the owner, reads what was asked for, lets the
//! caller decide, and writes the commit, all or nothing. Two writers of one owner, on any number of instances, come one
//! after the other. A caller that may be sent again reads and writes a receipt ([`receipt`]) along with its records.
//!
//! Deliberately absent: queries over values, joins, walks along edges of unknown length. A list that somebody wants is
//! an order that its kind declares. The price is a text for each order of each record.

pub mod kind;
pub mod kinds;
pub mod projection;
pub mod receipt;
pub mod record;
pub mod trajectory;
pub mod transaction;

use async_trait::async_trait;

pub use self::kind::{Direction, EdgeKind, Kind};
pub use self::kinds::{KINDS, kind_with_label};
pub use self::record::{EdgeKey, Fields, Record, RecordKey, Value};
pub use self::transaction::{DecideRecords, RecordCommit, RecordReads, RecordsRead, Scan};
use super::error::StoreResult;
use mnemograph_domain::lesson::lesson::Owner;

/// Keeps records.
///
/// Reads see one moment each. A record comes back as it was put: numbers bit for bit, texts byte for byte.
#[async_trait]
pub trait RecordStore: Send + Sync {
    /// Locks the owner against all other writers of records, reads what `reads` names, calls `decide` with it, writes
    /// what that gives, and returns once it is durable. Nothing is written when it gives an empty commit.
    ///
    /// Refuses (`Invalid`) what a kind does not declare, an edge to a record that is not there, and the deletion of a
    /// record to which another one has an edge.
    async fn transact_records(
        &self,
        owner: &Owner,
        reads: RecordReads,
        decide: DecideRecords,
    ) -> StoreResult<()>;

    /// Reads records by key, ascending; unknown ones are left out.
    async fn records(&self, owner: &Owner, keys: &[RecordKey]) -> StoreResult<Vec<Record>>;

    /// Lists the records of one kind in one of its orders, from the front of a range.
    async fn scan_records(&self, owner: &Owner, scan: Scan) -> StoreResult<Vec<Record>>;

    /// Reads all records of an owner at one moment, ascending by key; absent when there are none.
    async fn export_records(&self, owner: &Owner) -> StoreResult<Option<Vec<Record>>>;

    /// Writes all records of an owner, in place of those that are there.
    async fn import_records(&self, owner: &Owner, records: Vec<Record>) -> StoreResult<()>;

    /// Names the learners of a tenant who have a record, ascending; at most [`super::lessons::PAGE_MAX`], those after
    /// `after`.
    async fn record_owners(&self, tenant: &str, after: Option<&str>) -> StoreResult<Vec<String>>;
}
