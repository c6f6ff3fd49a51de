//! Reading records from their rows.

use std::collections::{BTreeMap, HashMap};

use rusqlite::{OptionalExtension, Row, Transaction, params};

use crate::error::{Failure, Result};
use crate::rows::{Json, all};
use hindlore_store::order_key::OrderKey;
use hindlore_store::records::{EdgeKey, Fields, Kind, Record, RecordKey, Scan, kind_with_label};

fn damaged(what: impl std::fmt::Display) -> Failure {
    Failure::Damaged(format!("a record that cannot be read ({what})"))
}

fn kind_of(label: &str) -> Result<&'static Kind> {
    let kind = kind_with_label(label);
    kind.ok_or_else(|| damaged(format!("`{label}` is no kind of this engine")))
}

/// The key of an edge, from its stored name and target.
fn edge_key(kind: &'static Kind, name: &str, other: (String, String)) -> Result<EdgeKey> {
    let edge = kind.edge(name);
    let edge = edge.ok_or_else(|| damaged(format!("{} has no edge `{name}`", kind.label)))?;
    Ok(EdgeKey {
        name: edge.name,
        other: RecordKey::new(kind_of(&other.0)?, other.1),
    })
}

/// The declared order of a stored name, and the key at a stored position.
fn order_key(key: &RecordKey, name: &str, position: &str) -> Result<(&'static str, OrderKey)> {
    let order = key.kind.orders.iter().find(|order| **order == name);
    let place = OrderKey::from_position(position, &key.id);
    let damaged = || damaged(format!("the place of {key} in the order `{name}`"));
    Ok((order.ok_or_else(damaged)?, place.ok_or_else(damaged)?))
}

/// Reads a record.
pub(super) fn record_by_key(
    tx: &Transaction<'_>,
    owner: i64,
    key: &RecordKey,
) -> Result<Option<Record>> {
    let own = params![owner, key.kind.label, key.id];
    let fields = tx
        .prepare_cached("SELECT fields FROM records WHERE owner = ?1 AND kind = ?2 AND id = ?3")?
        .query_row(own, |row| row.get::<_, Json<Fields>>(0))
        .optional()?;
    let Some(Json(fields)) = fields else {
        return Ok(None);
    };
    let mut record = Record::new(key.clone(), fields);
    let edges = "SELECT name, other_kind, other_id, fields FROM record_edges
         WHERE owner = ?1 AND kind = ?2 AND id = ?3";
    for (name, other, fields) in all(tx, edges, own, |row| read_edge(row, 0))? {
        record
            .edges
            .insert(edge_key(key.kind, &name, other)?, fields);
    }
    let orders = "SELECT name, position FROM record_orders
         WHERE owner = ?1 AND kind = ?2 AND id = ?3";
    let read = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
    for (name, position) in all(tx, orders, own, read)? {
        let (order, place) = order_key(key, &name, &position)?;
        record.orders.insert(order, place);
    }
    Ok(Some(record))
}

type EdgeColumns = (String, (String, String), Fields);

fn read_edge(row: &Row<'_>, at: usize) -> rusqlite::Result<EdgeColumns> {
    let other = (row.get(at + 1)?, row.get(at + 2)?);
    Ok((row.get(at)?, other, row.get::<_, Json<_>>(at + 3)?.0))
}

/// Reads a page of one order.
pub(super) fn scan(tx: &Transaction<'_>, owner: i64, scan: &Scan) -> Result<Vec<Record>> {
    let sql = "SELECT id FROM record_orders
         WHERE owner = ?1 AND kind = ?2 AND name = ?3 AND position > ?4 AND position < ?5
         ORDER BY position LIMIT ?6";
    let (kind, range) = (scan.kind, &scan.range);
    let limit = scan.page_limit() as i64;
    let page = params![
        owner,
        kind.label,
        scan.order,
        range.above(),
        range.below(),
        limit
    ];
    let ids = all(tx, sql, page, |row| row.get::<_, String>(0))?;
    let found = ids.into_iter().map(|id| {
        let key = RecordKey::new(kind, id);
        record_by_key(tx, owner, &key)
    });
    found.filter_map(Result::transpose).collect()
}

/// Reads all records of an owner, ascending by key.
pub(super) fn all_records(tx: &Transaction<'_>, owner: i64) -> Result<Vec<Record>> {
    let records = "SELECT kind, id, fields FROM records WHERE owner = ?1 ORDER BY kind, id";
    let read = |row: &Row<'_>| {
        let key = (row.get::<_, String>(0)?, row.get::<_, String>(1)?);
        Ok((key, row.get::<_, Json<Fields>>(2)?.0))
    };
    let mut found: BTreeMap<RecordKey, Record> = BTreeMap::new();
    // Found by its stored names, because the row of an edge or a place has no parsed key.
    let mut keys: HashMap<(String, String), RecordKey> = HashMap::new();
    for (names, fields) in all(tx, records, params![owner], read)? {
        let key = RecordKey::new(kind_of(&names.0)?, names.1.clone());
        keys.insert(names, key.clone());
        found.insert(key.clone(), Record::new(key, fields));
    }
    let edges = "SELECT kind, id, name, other_kind, other_id, fields FROM record_edges
         WHERE owner = ?1";
    let read = |row: &Row<'_>| Ok(((row.get(0)?, row.get(1)?), read_edge(row, 2)?));
    for (names, (name, other, fields)) in all(tx, edges, params![owner], read)? {
        if let Some(record) = keys.get(&names).and_then(|key| found.get_mut(key)) {
            let edge = edge_key(record.key.kind, &name, other)?;
            record.edges.insert(edge, fields);
        }
    }
    let orders = "SELECT kind, id, name, position FROM record_orders WHERE owner = ?1";
    let read = |row: &Row<'_>| {
        let place = (row.get::<_, String>(2)?, row.get::<_, String>(3)?);
        Ok(((row.get(0)?, row.get(1)?), place))
    };
    for (names, (name, position)) in all(tx, orders, params![owner], read)? {
        if let Some(record) = keys.get(&names).and_then(|key| found.get_mut(key)) {
            let (order, place) = order_key(&record.key, &name, &position)?;
            record.orders.insert(order, place);
        }
    }
    Ok(found.into_values().collect())
}
