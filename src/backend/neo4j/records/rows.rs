//! Records as nodes: each value is a property of its own and comes back bit for bit; timestamps are dates.
//!
//! Keys, orders and edges of a record are properties with a reserved prefix. Edges are also relationships, for
//! analysts. Reading uses the copy on the node, so that a record with ten thousand parts is read without walking along
//! them.

use std::collections::{BTreeMap, HashMap};

use neo4rs::{BoltType, Row};
use serde::{Deserialize, Serialize};

use crate::bolt::times;
use crate::bolt::times::date;
use crate::bolt::values::{Map, part_key, title};
use crate::error::{Failure, Result};
use crate::lessons::Keys;
use hindlore_store::order_key::OrderKey;
use hindlore_store::records::projection::EdgeRow;
use hindlore_store::records::{
    Direction, EdgeKey, Fields, Kind, Record, RecordKey, Scan, Value, kind_with_label,
};

const KEY: &str = "hindlore_key";
const EDGES: &str = "hindlore_edges";
const REFERS: &str = "hindlore_refers";
const HOLDER: &str = "hindlore_holder";
const ORDER: &str = "hindlore_order_";

/// Properties that are not values of a record.
const OUTER: [&str; 7] = [KEY, EDGES, REFERS, "id", "learner", "tenant", "title"];

/// The key of a record's node.
pub(super) fn node_key(keys: &Keys, key: &RecordKey) -> String {
    let name = format!("{}:{}", key.kind.label, key.id);
    format!("{}{}", keys.key, part_key(&keys.key, &name))
}

/// The prefix of all positions of a kind in its orders.
fn order_start(keys: &Keys, kind: &Kind) -> String {
    format!("{}{}:", keys.key, kind.label)
}

/// The parameters of a page.
pub(super) fn page(keys: &Keys, scan: &Scan) -> Result<Map> {
    let order = scan.order_number().map_err(Failure::Refused)?;
    let start = order_start(keys, scan.kind);
    let limit = scan.page_limit();
    Ok(Map::new()
        .with("order", crate::bolt::values::count(order))
        .with("above", format!("{start}{}", scan.range.above()))
        .with("below", format!("{start}{}", scan.range.below()))
        .with("limit", crate::bolt::values::count(limit)))
}

/// An edge as text, in the copy on the record's node.
#[derive(Serialize, Deserialize)]
struct EdgeText {
    name: String,
    kind: String,
    id: String,
    #[serde(default)]
    fields: Fields,
}

fn value(value: &Value) -> BoltType {
    match value {
        Value::Text(text) => text.as_str().into(),
        Value::Whole(number) => (*number).into(),
        Value::Number(number) => (*number).into(),
        Value::Flag(flag) => (*flag).into(),
        Value::Texts(texts) => crate::bolt::values::list_of(texts.iter().cloned()),
        Value::Moment(at) => date(*at),
    }
}

fn with_fields(map: Map, fields: &Fields) -> Map {
    let fields = fields.iter();
    fields.fold(map, |map, (name, one)| map.with(name, value(one)))
}

/// The properties of a record.
pub(super) fn properties(keys: &Keys, record: &Record) -> Result<Map> {
    let key = &record.key;
    let caption = record.fields.read::<&str>(key.kind.caption);
    let start = order_start(keys, key.kind);
    let mut map = Map::new()
        .with(KEY, node_key(keys, key))
        .with("tenant", keys.owner.tenant())
        .with("learner", keys.owner.learner())
        .with("id", key.id.as_str())
        .with("title", title(caption.unwrap_or(&key.id)));
    for (order, place) in &record.orders {
        if let Some(number) = key.kind.order_number(order) {
            let position = place.position(&key.id);
            map = map.with(
                &format!("{ORDER}{number}"),
                format!("{start}{}", position.as_str()),
            );
        }
    }
    if !record.edges.is_empty() {
        let edges = record.edges.iter().map(|(edge, fields)| {
            serde_json::to_string(&EdgeText {
                name: edge.name.to_owned(),
                kind: edge.other.kind.label.to_owned(),
                id: edge.other.id.clone(),
                fields: fields.clone(),
            })
        });
        map = map.texts(EDGES, edges.collect::<Result<Vec<_>, _>>()?);
    }
    let runs = record.references();
    if !runs.is_empty() {
        let named = runs.into_iter();
        let named = named.map(|(name, run)| format!("{name} {}", keys.run(run)));
        map = map.texts(REFERS, named);
    }
    Ok(with_fields(map, &record.fields))
}

/// An edge as a row of `records/link` and `records/unlink`.
pub(super) fn edge_row(keys: &Keys, row: &EdgeRow) -> Map {
    let (holder, other) = (node_key(keys, &row.holder), node_key(keys, &row.edge.other));
    let declared = row.holder.kind.edge(row.edge.name);
    let incoming = declared.is_some_and(|edge| edge.direction == Direction::Incoming);
    let (from, to) = if incoming {
        (&other, &holder)
    } else {
        (&holder, &other)
    };
    let properties = Map::new()
        .with(HOLDER, holder.as_str())
        .with("tenant", keys.owner.tenant())
        .with("learner", keys.owner.learner());
    Map::new()
        .with("from", from.as_str())
        .with("to", to.as_str())
        .with("name", row.edge.name)
        .with("properties", with_fields(properties, &row.fields))
}

/// A record as returned by a statement.
#[derive(Deserialize)]
pub(super) struct RecordNode {
    labels: Vec<String>,
    properties: HashMap<String, BoltType>,
}

impl RecordNode {
    /// Reads records from rows with the columns `labels` and `properties`; sorts them by key.
    pub(super) fn read_all(keys: &Keys, rows: &[Row]) -> Result<Vec<Record>> {
        let read = rows.iter().map(|row| {
            let node = Self {
                labels: row.get("labels")?,
                properties: row.get("properties")?,
            };
            node.into_record(keys)
        });
        let mut records = read.collect::<Result<Vec<_>>>()?;
        records.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(records)
    }

    /// Reads the record; the error names the unreadable part.
    pub(super) fn into_record(mut self, keys: &Keys) -> Result<Record> {
        let id = match self.properties.get("id") {
            Some(BoltType::String(id)) => id.value.clone(),
            _ => return Err(damaged("a record without an id")),
        };
        let kind = self.labels.iter().find_map(|label| kind_with_label(label));
        let kind =
            kind.ok_or_else(|| damaged(format!("the record `{id}` without a known label")))?;
        let key = RecordKey::new(kind, id);
        let mut record = Record::new(key, Fields::new());
        self.read_edges(&mut record)?;
        self.read_orders(keys, &mut record)?;
        for (name, value) in self.properties {
            if OUTER.contains(&name.as_str()) || name.starts_with(ORDER) {
                continue;
            }
            let key = &record.key;
            let value = value_of(value)
                .ok_or_else(|| damaged(format!("{key}, whose `{name}` cannot be read")))?;
            record.fields = std::mem::take(&mut record.fields).with(&name, value);
        }
        Ok(record)
    }

    fn read_edges(&mut self, record: &mut Record) -> Result<()> {
        let texts = match self.properties.remove(EDGES) {
            None => return Ok(()),
            Some(texts) => texts_of(texts),
        };
        let wrong = |key: &RecordKey| damaged(format!("{key}, whose `{EDGES}` cannot be read"));
        for text in texts.ok_or_else(|| wrong(&record.key))? {
            let text: EdgeText = serde_json::from_str(&text)?;
            let declared = record.key.kind.edge(&text.name);
            let (declared, kind) = declared
                .zip(kind_with_label(&text.kind))
                .ok_or_else(|| wrong(&record.key))?;
            let edge = EdgeKey {
                name: declared.name,
                other: RecordKey::new(kind, text.id),
            };
            record.edges.insert(edge, text.fields);
        }
        Ok(())
    }

    fn read_orders(&mut self, keys: &Keys, record: &mut Record) -> Result<()> {
        let start = order_start(keys, record.key.kind);
        let mut orders = BTreeMap::new();
        for (number, order) in (1..).zip(record.key.kind.orders) {
            let name = format!("{ORDER}{number}");
            let Some(BoltType::String(place)) = self.properties.get(&name) else {
                continue;
            };
            let position = place.value.strip_prefix(&start);
            let key = position.and_then(|at| OrderKey::from_position(at, &record.key.id));
            let key = key
                .ok_or_else(|| damaged(format!("{}, whose `{name}` cannot be read", record.key)))?;
            orders.insert(*order, key);
        }
        record.orders = orders;
        Ok(())
    }
}

fn damaged(what: impl Into<String>) -> Failure {
    Failure::Damaged(what.into())
}

fn texts_of(value: BoltType) -> Option<Vec<String>> {
    let BoltType::List(list) = value else {
        return None;
    };
    let texts = list.value.into_iter().map(|text| match text {
        BoltType::String(text) => Some(text.value),
        _ => None,
    });
    texts.collect()
}

fn value_of(value: BoltType) -> Option<Value> {
    Some(match value {
        BoltType::String(text) => Value::Text(text.value),
        BoltType::Integer(number) => Value::Whole(number.value),
        BoltType::Float(number) => Value::Number(number.value),
        BoltType::Boolean(flag) => Value::Flag(flag.value),
        list @ BoltType::List(_) => Value::Texts(texts_of(list)?),
        moment => Value::Moment(times::instant(&moment)?),
    })
}
