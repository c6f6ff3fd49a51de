//! The row changes of a commit of records, decided once and purely, so that backends only move rows.

use std::collections::BTreeMap;

use super::record::{EdgeKey, Fields, Record, RecordKey};
use super::transaction::RecordCommit;
use crate::order_key::{OrderKey, OrderPosition};

/// A record to write.
#[derive(Clone, PartialEq, Debug)]
pub struct Put<'c> {
    /// The record.
    pub record: &'c Record,
    /// True to insert it, false to replace it.
    pub is_new: bool,
}

/// An edge of a record.
#[derive(Clone, PartialEq, Debug)]
pub struct EdgeRow {
    /// The record that it belongs to.
    pub holder: RecordKey,
    /// Name and target.
    pub edge: EdgeKey,
    /// Its values.
    pub fields: Fields,
}

impl EdgeRow {
    /// The message that refuses the edge because its target is missing.
    pub fn without_other(&self) -> String {
        let (holder, edge) = (&self.holder, &self.edge);
        format!(
            "the record {holder} has an edge {} to {}, which is not there; write it along with it",
            edge.name, edge.other
        )
    }
}

/// The entry of a record in one of its orders.
#[derive(Clone, PartialEq, Debug)]
pub struct OrderRow {
    /// The record.
    pub key: RecordKey,
    /// The order.
    pub order: &'static str,
    /// Its position there.
    pub position: OrderPosition,
}

/// The changes of a commit, in the order of the writes. Unchanged edges and order entries are in no list.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct RecordChanges<'c> {
    /// Edges to delete.
    pub unlinked: Vec<EdgeRow>,
    /// Order entries to delete.
    pub unlisted: Vec<OrderRow>,
    /// Records to write, without unchanged ones.
    pub puts: Vec<Put<'c>>,
    /// Order entries to insert.
    pub listed: Vec<OrderRow>,
    /// Edges to insert. Both ends must exist by then, or the commit is refused.
    pub linked: Vec<EdgeRow>,
    /// Records to delete. No other record may still have an edge to them, or the commit is refused.
    pub deleted: Vec<RecordKey>,
}

/// Decides the row changes of a commit, given the existing records that it names; `Err` has the reason why it is refused.
pub fn project(commit: &RecordCommit, existing: Vec<Record>) -> Result<RecordChanges<'_>, String> {
    commit.check()?;
    let existing = existing
        .into_iter()
        .map(|record| (record.key.clone(), record));
    let mut existing: BTreeMap<RecordKey, Record> = existing.collect();
    let mut changes = RecordChanges::default();
    for record in &commit.puts {
        let before = existing.remove(&record.key);
        if before.as_ref() == Some(record) {
            continue;
        }
        let is_new = before.is_none();
        let before = before.unwrap_or_else(|| Record::new(record.key.clone(), Fields::new()));
        changes.unlinked.extend(edges_without(&before, record));
        changes.linked.extend(edges_without(record, &before));
        changes.unlisted.extend(places_without(&before, record));
        changes.listed.extend(places_without(record, &before));
        changes.puts.push(Put { record, is_new });
    }
    for key in &commit.deletes {
        let Some(before) = existing.remove(key) else {
            continue;
        };
        let nothing = Record::new(key.clone(), Fields::new());
        changes.unlinked.extend(edges_without(&before, &nothing));
        changes.unlisted.extend(places_without(&before, &nothing));
        changes.deleted.push(key.clone());
    }
    Ok(changes)
}

/// The edges of `of` that `other` lacks or has with other values.
fn edges_without(of: &Record, other: &Record) -> Vec<EdgeRow> {
    let edges = of.edges.iter();
    let edges = edges.filter(|(edge, fields)| other.edges.get(*edge) != Some(fields));
    let row = |(edge, fields): (&EdgeKey, &Fields)| EdgeRow {
        holder: of.key.clone(),
        edge: edge.clone(),
        fields: fields.clone(),
    };
    edges.map(row).collect()
}

fn places_without(of: &Record, other: &Record) -> Vec<OrderRow> {
    let orders = of.orders.iter();
    let orders = orders.filter(|(order, key)| other.orders.get(*order) != Some(key));
    let row = |(order, key): (&&'static str, &OrderKey)| OrderRow {
        key: of.key.clone(),
        order,
        position: key.position(&of.key.id),
    };
    orders.map(row).collect()
}
