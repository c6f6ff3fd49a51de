//! Records and their parts, with the limits that let every backend keep them.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::Kind;
pub use super::value::Value;
use super::value::expected_of;
use crate::order_key::{OrderKey, OrderPosition};

/// Largest number of values of one record or edge.
pub const FIELDS_MAX: usize = 64;
/// Largest number of edges of one record.
pub const EDGES_MAX: usize = 1_000;
/// Largest number of texts in one value.
pub const TEXTS_MAX: usize = 1_000;
/// Largest id, in characters.
pub const ID_CHARS_MAX: usize = 256;
/// Properties that a graph adds to every record.
const RESERVED: [&str; 4] = ["id", "learner", "tenant", "title"];
/// Prefix of the names that backends keep for themselves.
const OWN_PREFIX: &str = "hindlore_";

/// Named values, ascending by name. There is no null: a missing value is a missing name.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fields(BTreeMap<String, Value>);

impl Fields {
    /// No values.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value, replacing one of the same name.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// Adds a value unless it is `None`.
    #[must_use]
    pub fn with_optional(self, name: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// All values with their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Reads a value as a type; `Err` names a value that is missing or of another type.
    pub fn read<'f, T: TryFrom<&'f Value>>(&'f self, name: &str) -> Result<T, String> {
        let Some(value) = self.get(name) else {
            return Err(format!("`{name}` is absent"));
        };
        let wrong = || {
            let (expected, found) = (expected_of::<T>(), value.kind());
            format!("`{name}` is {found} where {expected} belongs")
        };
        T::try_from(value).map_err(|_| wrong())
    }

    /// Reads a value that may be absent.
    pub fn read_optional<'f, T: TryFrom<&'f Value>>(
        &'f self,
        name: &str,
    ) -> Result<Option<T>, String> {
        match self.get(name) {
            Some(_) => self.read(name).map(Some),
            None => Ok(None),
        }
    }

    fn check(&self) -> Result<(), String> {
        if self.0.len() > FIELDS_MAX {
            return Err(format!("{} values, {FIELDS_MAX} at most", self.0.len()));
        }
        self.iter().try_for_each(|(name, value)| {
            check_name(name)?;
            match value {
                // JSON has no form for a number that is not finite.
                Value::Number(number) if !number.is_finite() => {
                    Err(format!("`{name}` is {number}, which is no number"))
                }
                Value::Texts(texts) if texts.len() > TEXTS_MAX => {
                    let count = texts.len();
                    Err(format!("`{name}` has {count} texts, {TEXTS_MAX} at most"))
                }
                _ => Ok(()),
            }
        })
    }
}

fn check_name(name: &str) -> Result<(), String> {
    let is_word = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_lowercase())
            && text
                .chars()
                .all(|c| matches!(c, 'a'..='z' | '0'..='9' | '_'))
    };
    if !is_word(name) || RESERVED.contains(&name) || name.starts_with(OWN_PREFIX) {
        return Err(format!(
            "a value cannot be called `{name}`; take another snake_case name"
        ));
    }
    Ok(())
}

/// The key of a record within its owner.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RecordKey {
    /// Its kind.
    pub kind: &'static Kind,
    /// Its id, unique in its kind.
    pub id: String,
}

impl RecordKey {
    /// The key of a record.
    pub fn new(kind: &'static Kind, id: impl Into<String>) -> Self {
        let id = id.into();
        Self { kind, id }
    }

    /// The message that refuses its deletion because another record has an edge to it.
    pub fn is_held(&self) -> String {
        format!(
            "the record {self} is held by an edge of another one; delete that one along with it"
        )
    }
}

impl fmt::Display for RecordKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", self.kind.label, self.id)
    }
}

/// Identifies an edge of a record.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct EdgeKey {
    /// Its name, declared by the kind of the record.
    pub name: &'static str,
    /// The record at its other end.
    pub other: RecordKey,
}

/// A record.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Kind and id.
    pub key: RecordKey,
    /// Its values.
    pub fields: Fields,
    /// Its edges with their values.
    pub edges: BTreeMap<EdgeKey, Fields>,
    /// Its key in each order that lists it.
    pub orders: BTreeMap<&'static str, OrderKey>,
}

impl Record {
    /// A record with values, without edges and in no order.
    pub fn new(key: RecordKey, fields: Fields) -> Self {
        Self {
            key,
            fields,
            edges: BTreeMap::new(),
            orders: BTreeMap::new(),
        }
    }

    /// Adds an edge.
    #[must_use]
    pub fn with_edge(mut self, name: &'static str, other: RecordKey, fields: Fields) -> Self {
        self.edges.insert(EdgeKey { name, other }, fields);
        self
    }

    /// Lists it in an order.
    #[must_use]
    pub fn in_order(mut self, order: &'static str, key: OrderKey) -> Self {
        self.orders.insert(order, key);
        self
    }

    /// The runs that it names, each with the type of the relationship, in the order of the declaration.
    pub fn references(&self) -> Vec<(&'static str, &str)> {
        let mut named = Vec::new();
        for reference in self.key.kind.references {
            match self.fields.get(reference.value) {
                Some(Value::Text(run)) => named.push((reference.name, run.as_str())),
                Some(Value::Texts(runs)) => {
                    named.extend(runs.iter().map(|run| (reference.name, run.as_str())));
                }
                _ => {}
            }
        }
        named
    }

    /// Its position in an order; `None` when the order does not list it.
    pub fn position(&self, order: &str) -> Option<OrderPosition> {
        let key = self.orders.get(order)?;
        Some(key.position(&self.key.id))
    }

    /// Refuses values, edges and orders that its kind does not declare or a backend cannot keep; `Err` names them.
    pub fn check(&self) -> Result<(), String> {
        let key = &self.key;
        let refused = |what: String| format!("the record {key} cannot be kept: {what}");
        check_key(key)?;
        self.fields.check().map_err(refused)?;
        if self.edges.len() > EDGES_MAX {
            let count = self.edges.len();
            return Err(refused(format!("{count} edges, {EDGES_MAX} at most")));
        }
        for (edge, fields) in &self.edges {
            let declared = key.kind.edge(edge.name);
            if declared.is_none_or(|declared| declared.other != edge.other.kind.label) {
                return Err(refused(format!(
                    "its kind declares no edge {} with {}",
                    edge.name, edge.other.kind.label
                )));
            }
            fields.check().map_err(refused)?;
        }
        let unknown = self
            .orders
            .keys()
            .find(|order| key.kind.order_number(order).is_none());
        match unknown {
            Some(order) => Err(refused(format!("its kind declares no order `{order}`"))),
            None => Ok(()),
        }
    }
}

/// Refuses an id that is empty, too long, or holds control characters.
pub(super) fn check_key(key: &RecordKey) -> Result<(), String> {
    let id = &key.id;
    let is_sound = !id.is_empty()
        && id.chars().count() <= ID_CHARS_MAX
        && !id.contains(|c: char| c.is_control());
    if !is_sound {
        return Err(format!(
            "`{id}` is no id of a {}; give 1 to {ID_CHARS_MAX} characters without control characters",
            key.kind.label
        ));
    }
    Ok(())
}
