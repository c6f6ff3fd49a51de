//! Writing records: lock the learner, read, let the caller decide, then write the rows of the projection.

use std::collections::BTreeSet;

use async_trait::async_trait;
use neo4rs::Row;

use super::rows::{RecordNode, edge_row, node_key, page, properties};
use crate::bolt::transaction::Transaction;
use crate::bolt::values::Map;
use crate::bolt::work::{Decision, Task, decided};
use crate::error::{Failure, Result};
use crate::lessons::Keys;
use crate::memory::hold_learner;
use crate::statements::{
    DELETE_RECORDS, ERASE_LABELS, ERASE_RECORDS, GET_RECORDS, HOLD_RECORDS, LESSON_RELEASE,
    LINK_RECORDS, PUT_RECORDS, REFER_RECORDS, SCAN_RECORDS, Statement, UNLINK_RECORDS,
};
use hindlore_store::Erased;
use hindlore_store::records::projection::{EdgeRow, RecordChanges, project};
use hindlore_store::records::{Record, RecordCommit, RecordKey, RecordReads, RecordsRead};

/// Rows of one request; each may hold long texts.
const ROWS: usize = 500;

/// A decision about records under the lock of their learner.
pub(super) struct Transact {
    pub(super) keys: Keys,
    pub(super) reads: RecordReads,
    /// `None` while it is running, and after a panic.
    pub(super) decide: Option<Decision<RecordsRead, RecordCommit>>,
}

#[async_trait]
impl Task for Transact {
    type Output = ();

    // After a lost answer the decision is simply made again on the current records: the receipt that it reads makes it
    // count once.
    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<()> {
        self.reads.check().map_err(Failure::Refused)?;
        let keys = &self.keys;
        let mut held = hold(tx, keys, &self.reads.keys).await?;
        let is_new = held.is_empty();
        // A new learner has no node to lock: it is made first, and the records are read again under its lock.
        if is_new {
            hold_learner(tx, keys.owner.tenant(), keys.owner.learner()).await?;
            held = hold(tx, keys, &self.reads.keys).await?;
        }
        let records = held_records(keys, &held)?;
        let mut scans = Vec::with_capacity(self.reads.scans.len());
        for scan in &self.reads.scans {
            let rows = tx.query(SCAN_RECORDS, page(keys, scan)?).await?;
            let mut found = RecordNode::read_all(keys, &rows)?;
            found.sort_by_key(|record| record.position(scan.order));
            scans.push(found);
        }
        let read = RecordsRead {
            records: records.clone(),
            scans,
        };
        let commit = decided(&mut self.decide, read).await?;
        if !commit.is_empty() {
            let existing = existing(tx, keys, &commit, &self.reads, records).await?;
            return write(tx, keys, &commit, existing).await;
        }
        if is_new {
            tx.execute(LESSON_RELEASE, keys.owned()).await?;
        }
        Ok(())
    }
}

async fn hold(tx: &mut Transaction, keys: &Keys, asked: &[RecordKey]) -> Result<Vec<Row>> {
    let asked: BTreeSet<String> = asked.iter().map(|key| node_key(keys, key)).collect();
    let asked = keys.owned().texts("keys", asked);
    tx.query(HOLD_RECORDS, asked).await
}

fn held_records(keys: &Keys, held: &[Row]) -> Result<Vec<Record>> {
    let Some(row) = held.first() else {
        return Ok(Vec::new());
    };
    let nodes: Vec<RecordNode> = row.get("records")?;
    let records = nodes.into_iter().map(|node| node.into_record(keys));
    let mut records = records.collect::<Result<Vec<_>>>()?;
    records.sort_by(|a, b| a.key.cmp(&b.key));
    Ok(records)
}

/// Those records of a commit that exist: the ones already read, and the others.
async fn existing(
    tx: &mut Transaction,
    keys: &Keys,
    commit: &RecordCommit,
    reads: &RecordReads,
    mut records: Vec<Record>,
) -> Result<Vec<Record>> {
    // Of these keys, a record that was not read does not exist.
    let known: BTreeSet<&RecordKey> = reads.keys.iter().collect();
    let other: Vec<String> = commit
        .keys()
        .filter(|key| !known.contains(key))
        .map(|key| node_key(keys, key))
        .collect();
    for some in other.chunks(ROWS) {
        let named = Map::new().texts("keys", some.to_vec());
        let rows = tx.query(GET_RECORDS, named).await?;
        records.extend(RecordNode::read_all(keys, &rows)?);
    }
    Ok(records)
}

/// Writes a commit to a locked learner; `existing` are those records of the commit that exist.
async fn write(
    tx: &mut Transaction,
    keys: &Keys,
    commit: &RecordCommit,
    existing: Vec<Record>,
) -> Result<()> {
    let changes = project(commit, existing).map_err(Failure::Refused)?;
    send_edges(tx, keys, UNLINK_RECORDS, &changes.unlinked).await?;
    put(tx, keys, &changes).await?;
    let linked = send_edges(tx, keys, LINK_RECORDS, &changes.linked).await?;
    if linked != changes.linked.len() {
        return Err(Failure::Refused(
            first_unlinked(tx, keys, &changes.linked).await?,
        ));
    }
    refer(tx, keys, &changes).await?;
    // Last, because an edge that this commit takes away may hold a record until then.
    delete(tx, keys, &changes.deleted).await
}

/// Relates the records that were put to the runs that they name.
async fn refer(tx: &mut Transaction, keys: &Keys, changes: &RecordChanges<'_>) -> Result<()> {
    let records = changes.puts.iter().map(|put| put.record);
    let named = records.filter(|record| !record.key.kind.references.is_empty());
    let named: Vec<String> = named.map(|record| node_key(keys, &record.key)).collect();
    for some in named.chunks(ROWS) {
        let named = Map::new().texts("keys", some.to_vec());
        tx.execute(REFER_RECORDS, named).await?;
    }
    Ok(())
}

async fn put(tx: &mut Transaction, keys: &Keys, changes: &RecordChanges<'_>) -> Result<()> {
    for some in changes.puts.chunks(ROWS) {
        let (mut new, mut changed) = (Vec::new(), Vec::new());
        for put in some {
            let properties = properties(keys, put.record)?;
            if put.is_new {
                let kind = put.record.key.kind;
                let row = Map::new()
                    .with("kind", kind.label)
                    .with_optional("held_as", kind.held_as)
                    .with("properties", properties);
                new.push(row);
            } else {
                changed.push(properties);
            }
        }
        let parameters = keys.owned().list("new", new).list("changed", changed);
        tx.execute(PUT_RECORDS, parameters).await?;
    }
    Ok(())
}

/// Creates or deletes edges; returns how many the statement reports.
async fn send_edges(
    tx: &mut Transaction,
    keys: &Keys,
    statement: Statement,
    edges: &[EdgeRow],
) -> Result<usize> {
    let mut linked = 0;
    for some in edges.chunks(ROWS) {
        let rows = some.iter().map(|row| edge_row(keys, row)).collect();
        let answer = tx.query(statement, Map::new().list("edges", rows)).await?;
        linked += match answer.first() {
            Some(row) => row.get::<usize>("linked")?,
            None => 0,
        };
    }
    Ok(linked)
}

/// The message about the first edge whose target is missing.
async fn first_unlinked(tx: &mut Transaction, keys: &Keys, edges: &[EdgeRow]) -> Result<String> {
    for row in edges {
        let named = Map::new().texts("keys", [node_key(keys, &row.edge.other)]);
        if tx.query(GET_RECORDS, named).await?.is_empty() {
            return Ok(row.without_other());
        }
    }
    Ok("an edge of a record could not be made; write its records along with it".to_owned())
}

async fn delete(tx: &mut Transaction, keys: &Keys, deleted: &[RecordKey]) -> Result<()> {
    for some in deleted.chunks(ROWS) {
        let named = || Map::new().texts("keys", some.iter().map(|key| node_key(keys, key)));
        let rows = tx.query(DELETE_RECORDS, named()).await?;
        let gone: usize = rows.first().map_or(Ok(0), |row| row.get("deleted"))?;
        // A record that an edge of another holds is not deleted and refuses the commit.
        if gone < some.len() {
            let left = RecordNode::read_all(keys, &tx.query(GET_RECORDS, named()).await?)?;
            let held = left.first().map_or(&some[0], |record| &record.key);
            return Err(Failure::Refused(held.is_held()));
        }
    }
    Ok(())
}

/// Replaces all records of a learner, in one transaction.
pub(super) struct Import {
    pub(super) keys: Keys,
    pub(super) records: Vec<Record>,
}

#[async_trait]
impl Task for Import {
    type Output = ();

    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<()> {
        let keys = &self.keys;
        hold_learner(tx, keys.owner.tenant(), keys.owner.learner()).await?;
        erase(tx, &keys.key, &mut Erased::default()).await?;
        if self.records.is_empty() {
            return tx.execute(ERASE_LABELS, keys.owned()).await;
        }
        let commit = RecordCommit {
            puts: self.records.clone(),
            deletes: Vec::new(),
        };
        write(tx, keys, &commit, Vec::new()).await
    }
}

/// Deletes all records of a locked learner and adds their number to `erased`.
pub(crate) async fn erase(tx: &mut Transaction, owner: &str, erased: &mut Erased) -> Result<()> {
    destroy(tx, owner, i64::MAX, 0, erased).await.map(|_| ())
}

/// Deletes a piece of them, if there are that many; returns their number.
pub(crate) async fn erase_piece(
    tx: &mut Transaction,
    owner: &str,
    piece: i64,
    erased: &mut Erased,
) -> Result<u64> {
    destroy(tx, owner, piece, piece, erased).await
}

async fn destroy(
    tx: &mut Transaction,
    owner: &str,
    piece: i64,
    least: i64,
    erased: &mut Erased,
) -> Result<u64> {
    let of = Map::new()
        .with("owner", owner)
        .with("piece", piece)
        .with("least", least);
    let rows = tx.query(ERASE_RECORDS, of).await?;
    let records: u64 = rows.first().map_or(Ok(0), |row| row.get("records"))?;
    erased.records += records;
    Ok(records)
}
