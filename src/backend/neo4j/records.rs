//! The records part of the contract: every noun as a labelled node, its edges as relationships.
//!
//! The node of the learner is the lock. Labels and relationship types come from the kind, as parameters of statements
//! that are the same for all kinds. The contract's projection decides which rows a commit changes.

mod rows;
mod write;

use async_trait::async_trait;
use neo4rs::Row;

pub(super) use self::write::{erase, erase_piece};

use self::rows::{RecordNode, node_key, page};
use self::write::{Import, Transact};
use super::bolt::transaction::Transaction;
use super::bolt::values::{Map, count};
use super::bolt::work::{Task, send};
use super::error::{Failure, Result};
use super::lessons::Keys;
use super::memory::state::Access;
use super::statements::{
    CHECK_RECORDS, COPY_RECORDS, GET_RECORDS, LOCK_LEARNER, RECORD_OWNERS, SCAN_RECORDS,
};
use super::store::Neo4jStore;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_store::StoreResult;
use hindlore_store::lessons::{PAGE_MAX, check_names};
use hindlore_store::records::{DecideRecords, Record, RecordKey, RecordReads, RecordStore, Scan};

/// Reads all records of a learner, under the lock.
struct Export {
    keys: Keys,
    access: Access,
}

#[async_trait]
impl Task for Export {
    type Output = Option<Vec<Record>>;

    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<Self::Output> {
        if let Access::Locked = self.access {
            tx.query(LOCK_LEARNER, self.keys.owned()).await?;
        }
        let rows = tx.query(COPY_RECORDS, self.keys.owned()).await?;
        let records = RecordNode::read_all(&self.keys, &rows)?;
        Ok(Some(records).filter(|records| !records.is_empty()))
    }
}

impl Neo4jStore {
    /// Checks the records of a learner; each finding comes with its advice.
    pub(super) async fn wrong_records(
        &self,
        owner: &LearnerId,
        limit: usize,
    ) -> StoreResult<Vec<String>> {
        let asked = Keys::new(owner).owned().with("limit", count(limit));
        let rows = send(&self.executor, CHECK_RECORDS, asked).await;
        let found = rows.and_then(|rows| rows.iter().map(wrong_edges).collect::<Result<Vec<_>>>());
        found.map_err(|failure| self.store_error("check", failure))
    }

    async fn by_key(&self, keys: &Keys, asked: &[RecordKey]) -> Result<Vec<Record>> {
        check_names(asked.len()).map_err(Failure::Refused)?;
        let named = Map::new().texts("keys", asked.iter().map(|key| node_key(keys, key)));
        let rows = send(&self.executor, GET_RECORDS, named).await?;
        let mut records = RecordNode::read_all(keys, &rows)?;
        // A key that was asked for twice comes twice; equal keys are neighbours after the sort.
        records.dedup_by(|a, b| a.key == b.key);
        Ok(records)
    }

    async fn scan(&self, keys: &Keys, scan: &Scan) -> Result<Vec<Record>> {
        let rows = send(&self.executor, SCAN_RECORDS, page(keys, scan)?).await?;
        let mut records = RecordNode::read_all(keys, &rows)?;
        records.sort_by_key(|record| record.position(scan.order));
        Ok(records)
    }

    async fn owners(&self, tenant: &str, after: Option<&str>) -> Result<Vec<String>> {
        let asked = Map::new()
            .with("tenant", tenant)
            .with("after", after.unwrap_or_default())
            .with("limit", count(PAGE_MAX));
        let rows = send(&self.executor, RECORD_OWNERS, asked).await?;
        rows.iter().map(|row| Ok(row.get("learner")?)).collect()
    }
}

fn wrong_edges(row: &Row) -> Result<String> {
    let (id, labels): (Option<String>, Vec<String>) = (row.get("id")?, row.get("labels")?);
    let (edges, relationships): (u64, u64) = (row.get("edges")?, row.get("relationships")?);
    let id = id.unwrap_or_else(|| "without an id".to_owned());
    let labels = labels.join(":");
    Ok(format!(
        "the record `{id}` (:{labels}) has {edges} edges and {relationships} relationships of them; put the \
         relationships back, or import the records from a sound copy"
    ))
}

#[async_trait]
impl RecordStore for Neo4jStore {
    async fn transact_records(
        &self,
        owner: &LearnerId,
        reads: RecordReads,
        decide: DecideRecords,
    ) -> StoreResult<()> {
        let task = Transact {
            keys: Keys::new(owner),
            reads,
            decide: Some(decide),
        };
        self.write("transact_records", task).await
    }

    async fn records(&self, owner: &LearnerId, keys: &[RecordKey]) -> StoreResult<Vec<Record>> {
        let found = self.by_key(&Keys::new(owner), keys).await;
        found.map_err(|failure| self.store_error("records", failure))
    }

    async fn scan_records(&self, owner: &LearnerId, scan: Scan) -> StoreResult<Vec<Record>> {
        let found = self.scan(&Keys::new(owner), &scan).await;
        found.map_err(|failure| self.store_error("scan_records", failure))
    }

    async fn export_records(&self, owner: &LearnerId) -> StoreResult<Option<Vec<Record>>> {
        let export = |access| Export {
            keys: Keys::new(owner),
            access,
        };
        self.look_with("export_records", export).await
    }

    async fn import_records(&self, owner: &LearnerId, records: Vec<Record>) -> StoreResult<()> {
        let task = Import {
            keys: Keys::new(owner),
            records,
        };
        self.write("import_records", task).await
    }

    async fn record_owners(&self, tenant: &str, after: Option<&str>) -> StoreResult<Vec<String>> {
        let found = self.owners(tenant, after).await;
        found.map_err(|failure| self.store_error("record_owners", failure))
    }
}
