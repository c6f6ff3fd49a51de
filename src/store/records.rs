//! Records: the nouns that come after memories and lessons, in one small contract.
//!
//! A record belongs to one *owner*, a learner of a tenant. It has a kind, an id, named values, edges to other records,
//! and a key in each order that lists it. A noun declares its kinds ([`KINDS`]) and maps its rows to records in this
//! crate; backends know no noun. In a graph the kind is a label, values are properties and edges are relationships, so
//! that an analyst sees the noun itself.
//!
//! There is one way to write: [`RecordStore::transact_records`] locks the owner, reads the records in question, lets the
//! caller decide, and writes the commit, all or nothing. Writers of one owner are serialised across all instances. A
//! caller that may repeat itself reads and writes a receipt ([`receipt`]) along with its records.
//!
//! Deliberately absent: queries over values, joins, and walks of unknown length. Every list is an order that its kind
//! declares. The price is one text for each order of each record.

pub mod api_key;
pub mod conversation;
pub mod embedding;
pub mod fate;
pub mod kind;
pub mod kinds;
pub mod learners;
pub mod playbook;
pub mod projection;
pub mod proposal;
pub mod receipt;
pub mod record;
pub mod reflection;
pub mod sharing;
pub mod testimony;
pub mod trace_archive;
pub mod transaction;
pub mod value;

use async_trait::async_trait;

pub use self::fate::Fate;
pub use self::kind::{Direction, EdgeKind, Kind, Reference};
pub use self::kinds::{KINDS, kind_with_label};
pub use self::learners::{Learners, Names};
pub use self::record::{EdgeKey, Fields, Record, RecordKey, Value};
pub use self::transaction::{DecideRecords, RecordCommit, RecordReads, RecordsRead, Scan};
use super::error::StoreResult;
use hindlore_domain::lesson::lesson::LearnerId;

/// Keeps records.
///
/// Each read sees one moment. A record comes back as it was written: numbers bit for bit, texts byte for byte.
#[async_trait]
pub trait RecordStore: Send + Sync {
    /// Locks the owner against all other writers of records, reads `reads`, calls `decide` with the result, writes its
    /// commit, and returns once that is durable. An empty commit writes nothing.
    ///
    /// Refuses (`Invalid`) anything that a kind does not declare, an edge to a missing record, and the deletion of a
    /// record that is the target of another's edge.
    async fn transact_records(
        &self,
        owner: &LearnerId,
        reads: RecordReads,
        decide: DecideRecords,
    ) -> StoreResult<()>;

    /// Reads records by key, ascending; unknown ones are left out.
    async fn records(&self, owner: &LearnerId, keys: &[RecordKey]) -> StoreResult<Vec<Record>>;

    /// Lists records of one kind in one of its orders, from the front of a range.
    async fn scan_records(&self, owner: &LearnerId, scan: Scan) -> StoreResult<Vec<Record>>;

    /// Reads all records of an owner at one moment, ascending by key; `None` when there are none.
    async fn export_records(&self, owner: &LearnerId) -> StoreResult<Option<Vec<Record>>>;

    /// Replaces all records of an owner.
    async fn import_records(&self, owner: &LearnerId, records: Vec<Record>) -> StoreResult<()>;

    /// Lists the learners of a tenant that have a record: ascending, those after `after`, at most
    /// [`super::lessons::PAGE_MAX`].
    async fn record_owners(&self, tenant: &str, after: Option<&str>) -> StoreResult<Vec<String>>;
}
