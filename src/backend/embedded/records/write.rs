//! Writing a commit of records, and deleting all records of an owner.

use rusqlite::{Transaction, params};

use crate::error::{Failure, Result};
use crate::rows::Json;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_store::Erased;
use hindlore_store::records::projection::{EdgeRow, RecordChanges, project};
use hindlore_store::records::{Record, RecordCommit, RecordKey};

/// Inserts the row of an owner; returns its number.
pub(super) fn insert_owner(tx: &Transaction<'_>, owner: &LearnerId) -> Result<i64> {
    tx.prepare_cached("INSERT INTO record_owners (tenant, learner) VALUES (?1, ?2)")?
        .execute(params![owner.tenant(), owner.learner()])?;
    Ok(tx.last_insert_rowid())
}

/// Writes a commit to an owner; `existing` are those records of the commit that exist.
pub(super) fn write(
    tx: &Transaction<'_>,
    owner: i64,
    commit: &RecordCommit,
    existing: Vec<Record>,
) -> Result<()> {
    let changes = project(commit, existing).map_err(Failure::Refused)?;
    unlink(tx, owner, &changes)?;
    put(tx, owner, &changes)?;
    // After the rows, because both ends of an edge must exist.
    link(tx, owner, &changes.linked)?;
    // Last, because an edge that this commit takes away may hold the record until then.
    delete(tx, owner, &changes.deleted)
}

fn unlink(tx: &Transaction<'_>, owner: i64, changes: &RecordChanges<'_>) -> Result<()> {
    let mut edges = tx.prepare_cached(
        "DELETE FROM record_edges WHERE owner = ?1 AND kind = ?2 AND id = ?3 AND name = ?4
             AND other_kind = ?5 AND other_id = ?6",
    )?;
    for row in &changes.unlinked {
        let (holder, other) = (&row.holder, &row.edge.other);
        let (kind, name) = (holder.kind.label, row.edge.name);
        edges.execute(params![
            owner,
            kind,
            holder.id,
            name,
            other.kind.label,
            other.id
        ])?;
    }
    let mut places = tx.prepare_cached(
        "DELETE FROM record_orders WHERE owner = ?1 AND kind = ?2 AND name = ?3 AND position = ?4",
    )?;
    for row in &changes.unlisted {
        let kind = row.key.kind.label;
        places.execute(params![owner, kind, row.order, row.position.as_str()])?;
    }
    Ok(())
}

fn put(tx: &Transaction<'_>, owner: i64, changes: &RecordChanges<'_>) -> Result<()> {
    let mut records = tx.prepare_cached(
        "INSERT INTO records (owner, kind, id, fields) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (owner, kind, id) DO UPDATE SET fields = excluded.fields",
    )?;
    for put in &changes.puts {
        let key = &put.record.key;
        let fields = Json(&put.record.fields);
        records.execute(params![owner, key.kind.label, key.id, fields])?;
    }
    let mut places = tx.prepare_cached(
        "INSERT INTO record_orders (owner, kind, name, position, id) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for row in &changes.listed {
        let (key, position) = (&row.key, row.position.as_str());
        places.execute(params![owner, key.kind.label, row.order, position, key.id])?;
    }
    Ok(())
}

fn link(tx: &Transaction<'_>, owner: i64, linked: &[EdgeRow]) -> Result<()> {
    let mut is_there = tx.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM records WHERE owner = ?1 AND kind = ?2 AND id = ?3)",
    )?;
    let mut edges = tx.prepare_cached(
        "INSERT INTO record_edges (owner, kind, id, name, other_kind, other_id, fields)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for row in linked {
        let (holder, other) = (&row.holder, &row.edge.other);
        let own = params![owner, other.kind.label, other.id];
        if !is_there.query_row(own, |row| row.get::<_, bool>(0))? {
            return Err(Failure::Refused(row.without_other()));
        }
        let fields = Json(&row.fields);
        edges.execute(params![
            owner,
            holder.kind.label,
            holder.id,
            row.edge.name,
            other.kind.label,
            other.id,
            fields
        ])?;
    }
    Ok(())
}

fn delete(tx: &Transaction<'_>, owner: i64, deleted: &[RecordKey]) -> Result<()> {
    let mut is_held = tx.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM record_edges
             WHERE owner = ?1 AND other_kind = ?2 AND other_id = ?3)",
    )?;
    let mut records =
        tx.prepare_cached("DELETE FROM records WHERE owner = ?1 AND kind = ?2 AND id = ?3")?;
    for key in deleted {
        let own = params![owner, key.kind.label, key.id];
        if is_held.query_row(own, |row| row.get::<_, bool>(0))? {
            return Err(Failure::Refused(key.is_held()));
        }
        records.execute(own)?;
    }
    Ok(())
}

/// Deletes all records of an owner and adds their number to `erased`.
pub(crate) fn erase(
    tx: &Transaction<'_>,
    tenant: &str,
    learner: &str,
    erased: &mut Erased,
) -> Result<()> {
    erased.records += delete_all(tx, tenant, learner)?;
    Ok(())
}

/// Deletes all records of an owner; returns their number.
pub(super) fn delete_all(tx: &Transaction<'_>, tenant: &str, learner: &str) -> Result<u64> {
    let own = "SELECT owner FROM record_owners WHERE tenant = ?1 AND learner = ?2";
    let mut count = 0;
    for table in ["record_edges", "record_orders", "records"] {
        let sql = format!("DELETE FROM {table} WHERE owner IN ({own})");
        count = tx.prepare_cached(&sql)?.execute(params![tenant, learner])? as u64;
    }
    tx.prepare_cached("DELETE FROM record_owners WHERE tenant = ?1 AND learner = ?2")?
        .execute(params![tenant, learner])?;
    // The last table of the loop is `records`, so this is their number.
    Ok(count)
}
