//! Writing records: lock the learner, read, let the caller decide, then move the rows that the contract names.

use std::collections::BTreeSet;

use async_trait::async_trait;
use neo4rs::Row;

use super::rows::{RecordNode, edge_row, node_key, page, properties};
use crate::error::{Failure, Work};
use crate::executor::{Statement, Unit};
use crate::lessons::Keys;
use crate::memory::hold_learner;
use crate::statements::{
    DELETE_RECORDS, ERASE_LABELS, ERASE_RECORDS, GET_RECORDS, HOLD_RECORDS, LESSON_RELEASE,
    LINK_RECORDS, PUT_RECORDS, SCAN_RECORDS, UNLINK_RECORDS,
};
use crate::values::Map;
use crate::work::{Decision, Task, decided};
use mnemograph_store::Erased;
use mnemograph_store::records::projection::{EdgeRow, RecordChanges, project};
use mnemograph_store::records::{Record, RecordCommit, RecordKey, RecordReads, RecordsRead};

/// Rows of one request; each may hold long texts.
const ROWS: usize = 500;

/// A decision about records under the lock of their learner.
pub(super) struct Transact {
    pub(super) keys: Keys,
    pub(super) reads: RecordReads,
    /// Absent while it decides, and after it panicked.
    pub(super) decide: Option<Decision<RecordsRead, RecordCommit>>,
}

#[async_trait]
impl Task for Transact {
    type Output = ();

    // After a lost answer the same decision is made again, on what is there then: the receipt that it reads makes it
    // count once.
    async fn attempt(&mut self, unit: &mut Unit, _was_lost: bool) -> Work<()> {
        self.reads.check().map_err(Failure::Refused)?;
        let keys = &self.keys;
        let mut held = hold(unit, keys, &self.reads.keys).await?;
        let is_new = held.is_empty();
        if is_new {
            hold_learner(unit, keys.owner.tenant(), keys.owner.learner()).await?;
            held = hold(unit, keys, &self.reads.keys).await?;
        }
        let records = held_records(keys, &held)?;
        let mut scans = Vec::with_capacity(self.reads.scans.len());
        for scan in &self.reads.scans {
            let rows = unit.ask(SCAN_RECORDS, page(keys, scan)?).await?;
            let mut found = RecordNode::of_rows(keys, &rows)?;
            found.sort_by_key(|record| record.position(scan.order));
            scans.push(found);
        }
        let read = RecordsRead {
            records: records.clone(),
            scans,
        };
        let commit = decided(&mut self.decide, read).await?;
        if !commit.is_empty() {
            let existing = existing(unit, keys, (&commit, &self.reads, records)).await?;
            return write(unit, keys, (&commit, existing)).await;
        }
        if is_new {
            unit.tell(LESSON_RELEASE, keys.owned()).await?;
        }
        Ok(())
    }
}

async fn hold(unit: &mut Unit, keys: &Keys, asked: &[RecordKey]) -> Work<Vec<Row>> {
    let asked: BTreeSet<String> = asked.iter().map(|key| node_key(keys, key)).collect();
    let asked = keys.owned().texts("keys", asked);
    unit.ask(HOLD_RECORDS, asked).await
}

fn held_records(keys: &Keys, held: &[Row]) -> Work<Vec<Record>> {
    let Some(row) = held.first() else {
        return Ok(Vec::new());
    };
    let nodes: Vec<RecordNode> = row.get("records")?;
    let records = nodes.into_iter().map(|node| node.into_record(keys));
    let mut records = records.collect::<Work<Vec<_>>>()?;
    records.sort_by(|a, b| a.key.cmp(&b.key));
    Ok(records)
}

/// The records that a commit meets: those that were read before, and the others.
async fn existing(
    unit: &mut Unit,
    keys: &Keys,
    (commit, reads, mut records): (&RecordCommit, &RecordReads, Vec<Record>),
) -> Work<Vec<Record>> {
    let known: BTreeSet<&RecordKey> = reads.keys.iter().collect();
    let other: Vec<String> = commit
        .keys()
        .filter(|key| !known.contains(key))
        .map(|key| node_key(keys, key))
        .collect();
    for some in other.chunks(ROWS) {
        let named = Map::new().texts("keys", some.to_vec());
        let rows = unit.ask(GET_RECORDS, named).await?;
        records.extend(RecordNode::of_rows(keys, &rows)?);
    }
    Ok(records)
}

/// Writes a commit to a learner that is held, of whom `existing` are the records that it meets.
async fn write(
    unit: &mut Unit,
    keys: &Keys,
    (commit, existing): (&RecordCommit, Vec<Record>),
) -> Work<()> {
    let changes = project(commit, existing).map_err(Failure::Refused)?;
    send_edges(unit, keys, (UNLINK_RECORDS, &changes.unlinked)).await?;
    put(unit, keys, &changes).await?;
    let linked = send_edges(unit, keys, (LINK_RECORDS, &changes.linked)).await?;
    if linked != changes.linked.len() {
        return Err(Failure::Refused(
            first_unlinked(unit, keys, &changes.linked).await?,
        ));
    }
    delete(unit, keys, &changes.deleted).await
}

async fn put(unit: &mut Unit, keys: &Keys, changes: &RecordChanges<'_>) -> Work<()> {
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
        let told = keys.owned().list("new", new).list("changed", changed);
        unit.tell(PUT_RECORDS, told).await?;
    }
    Ok(())
}

/// Makes edges or takes them away; gives how many the statement tells.
async fn send_edges(
    unit: &mut Unit,
    keys: &Keys,
    (statement, edges): (Statement, &[EdgeRow]),
) -> Work<usize> {
    let mut linked = 0;
    for some in edges.chunks(ROWS) {
        let rows = some.iter().map(|row| edge_row(keys, row));
        let rows = rows.collect::<Work<Vec<_>>>()?;
        let answer = unit.ask(statement, Map::new().list("edges", rows)).await?;
        linked += match answer.first() {
            Some(row) => row.get::<usize>("linked")?,
            None => 0,
        };
    }
    Ok(linked)
}

/// Says which edge could not be made.
async fn first_unlinked(unit: &mut Unit, keys: &Keys, edges: &[EdgeRow]) -> Work<String> {
    for row in edges {
        let named = Map::new().texts("keys", [node_key(keys, &row.edge.other)]);
        if unit.ask(GET_RECORDS, named).await?.is_empty() {
            return Ok(row.without_other());
        }
    }
    Ok("an edge of a record could not be made; write its records along with it".to_owned())
}

async fn delete(unit: &mut Unit, keys: &Keys, deleted: &[RecordKey]) -> Work<()> {
    for some in deleted.chunks(ROWS) {
        let named = || Map::new().texts("keys", some.iter().map(|key| node_key(keys, key)));
        let rows = unit.ask(DELETE_RECORDS, named()).await?;
        let gone: usize = rows.first().map_or(Ok(0), |row| row.get("deleted"))?;
        if gone < some.len() {
            let left = RecordNode::of_rows(keys, &unit.ask(GET_RECORDS, named()).await?)?;
            let held = left.first().map_or(&some[0], |record| &record.key);
            return Err(Failure::Refused(held.is_held()));
        }
    }
    Ok(())
}

/// Writes all records of a learner, in place of those that are there, in one transaction.
pub(super) struct Import {
    pub(super) keys: Keys,
    pub(super) records: Vec<Record>,
}

#[async_trait]
impl Task for Import {
    type Output = ();

    async fn attempt(&mut self, unit: &mut Unit, _was_lost: bool) -> Work<()> {
        let keys = &self.keys;
        hold_learner(unit, keys.owner.tenant(), keys.owner.learner()).await?;
        erase(unit, &keys.key, &mut Erased::default()).await?;
        if self.records.is_empty() {
            return unit.tell(ERASE_LABELS, keys.owned()).await;
        }
        let commit = RecordCommit {
            puts: self.records.clone(),
            deletes: Vec::new(),
        };
        write(unit, keys, (&commit, Vec::new())).await
    }
}

/// Destroys all records of a learner who is held; adds to `erased` what that was.
pub(crate) async fn erase(unit: &mut Unit, owner: &str, erased: &mut Erased) -> Work<()> {
    destroy(unit, owner, (i64::MAX, 0), erased)
        .await
        .map(|_| ())
}

/// Destroys a piece of them, where there are so many; gives their number.
pub(crate) async fn erase_piece(
    unit: &mut Unit,
    owner: &str,
    piece: i64,
    erased: &mut Erased,
) -> Work<u64> {
    destroy(unit, owner, (piece, piece), erased).await
}

async fn destroy(
    unit: &mut Unit,
    owner: &str,
    (piece, least): (i64, i64),
    erased: &mut Erased,
) -> Work<u64> {
    let of = Map::new()
        .with("owner", owner)
        .with("piece", piece)
        .with("least", least);
    let rows = unit.ask(ERASE_RECORDS, of).await?;
    let records: u64 = rows.first().map_or(Ok(0), |row| row.get("records"))?;
    erased.records += records;
    Ok(records)
}
