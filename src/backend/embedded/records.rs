//! The records part of the contract, in the same file and on the same threads as the memories.
//!
//! The file's write lock serves as the lock of the owner. The contract's projection decides which rows a commit changes;
//! this room only reads and writes them.

mod rows;
mod write;

use async_trait::async_trait;
use rusqlite::{OptionalExtension, Transaction, params};

pub(super) use self::write::erase;

use self::rows::{all_records, record_by_key, scan};
use self::write::{delete_all, insert_owner, write};
use super::EmbeddedStore;
use super::error::{Failure, Result};
use super::rows::all;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_store::StoreResult;
use hindlore_store::lessons::{PAGE_MAX, check_names};
use hindlore_store::records::{
    DecideRecords, Record, RecordCommit, RecordKey, RecordReads, RecordStore, RecordsRead, Scan,
};

/// The number of an owner; `None` for one without records.
fn find(tx: &Transaction<'_>, owner: &LearnerId) -> Result<Option<i64>> {
    let sql = "SELECT owner FROM record_owners WHERE tenant = ?1 AND learner = ?2";
    let mut statement = tx.prepare_cached(sql)?;
    let number = statement.query_row(params![owner.tenant(), owner.learner()], |row| row.get(0));
    Ok(number.optional()?)
}

/// Reads records by key, in ascending order of the keys.
fn by_key<'k>(
    tx: &Transaction<'_>,
    owner: Option<i64>,
    keys: impl IntoIterator<Item = &'k RecordKey>,
) -> Result<Vec<Record>> {
    let Some(owner) = owner else {
        return Ok(Vec::new());
    };
    let keys: std::collections::BTreeSet<&RecordKey> = keys.into_iter().collect();
    let found = keys.into_iter().map(|key| record_by_key(tx, owner, key));
    found.filter_map(Result::transpose).collect()
}

fn gather(tx: &Transaction<'_>, owner: Option<i64>, reads: &RecordReads) -> Result<RecordsRead> {
    reads.check().map_err(Failure::Refused)?;
    let pages = reads.scans.iter().map(|one| match owner {
        Some(owner) => scan(tx, owner, one),
        None => Ok(Vec::new()),
    });
    Ok(RecordsRead {
        records: by_key(tx, owner, &reads.keys)?,
        scans: pages.collect::<Result<_>>()?,
    })
}

#[async_trait]
impl RecordStore for EmbeddedStore {
    async fn transact_records(
        &self,
        owner: &LearnerId,
        reads: RecordReads,
        mut decide: DecideRecords,
    ) -> StoreResult<()> {
        let owner = owner.clone();
        self.write("transact_records", move |tx| {
            let number = find(tx, &owner)?;
            let commit = decide(gather(tx, number, &reads)?);
            // A decision that writes nothing leaves no row of a new owner.
            if commit.is_empty() {
                return Ok(());
            }
            let existing = by_key(tx, number, commit.keys())?;
            let number = match number {
                Some(number) => number,
                None => insert_owner(tx, &owner)?,
            };
            write(tx, number, &commit, existing)
        })
        .await
    }

    async fn records(&self, owner: &LearnerId, keys: &[RecordKey]) -> StoreResult<Vec<Record>> {
        let (owner, keys) = (owner.clone(), keys.to_vec());
        self.read("records", move |tx| {
            check_names(keys.len()).map_err(Failure::Refused)?;
            by_key(tx, find(tx, &owner)?, &keys)
        })
        .await
    }

    async fn scan_records(&self, owner: &LearnerId, asked: Scan) -> StoreResult<Vec<Record>> {
        let owner = owner.clone();
        self.read("scan_records", move |tx| {
            asked.order_number().map_err(Failure::Refused)?;
            match find(tx, &owner)? {
                Some(number) => scan(tx, number, &asked),
                None => Ok(Vec::new()),
            }
        })
        .await
    }

    async fn export_records(&self, owner: &LearnerId) -> StoreResult<Option<Vec<Record>>> {
        let owner = owner.clone();
        self.read("export_records", move |tx| match find(tx, &owner)? {
            Some(number) => Ok(Some(all_records(tx, number)?).filter(|all| !all.is_empty())),
            None => Ok(None),
        })
        .await
    }

    async fn import_records(&self, owner: &LearnerId, records: Vec<Record>) -> StoreResult<()> {
        let owner = owner.clone();
        self.write("import_records", move |tx| {
            delete_all(tx, owner.tenant(), owner.learner())?;
            if records.is_empty() {
                return Ok(());
            }
            let number = insert_owner(tx, &owner)?;
            let commit = RecordCommit {
                puts: records,
                deletes: Vec::new(),
            };
            write(tx, number, &commit, Vec::new())
        })
        .await
    }

    async fn record_owners(&self, tenant: &str, after: Option<&str>) -> StoreResult<Vec<String>> {
        let (tenant, after) = (tenant.to_owned(), after.unwrap_or_default().to_owned());
        self.read("record_owners", move |tx| {
            let sql = "SELECT o.learner FROM record_owners o WHERE o.tenant = ?1 AND o.learner > ?2
                 AND EXISTS (SELECT 1 FROM records r WHERE r.owner = o.owner)
                 ORDER BY o.learner LIMIT ?3";
            let params = params![tenant, after, PAGE_MAX as i64];
            all(tx, sql, params, |row| row.get(0))
        })
        .await
    }
}
