//! The names of the properties that identify and order our nodes: prefixed, or plain as in databases of older engines.
//!
//! A database may hold nodes of other programs under our labels, and they may have a property such as `key`. So the
//! properties that our constraints and indexes are on begin with `mnemograph_`. Databases of older engines have the same
//! properties without the prefix. An engine works in either naming: it sends the same statements, with the names that the
//! database has, so that engines of both versions share a database until `migrate contract` renames the properties.
//!
//! While a database has plain names, they may change at any moment, at the hands of another engine. The naming is therefore
//! looked up again when the last look is older than [`LOOKED_MS`], and the engine that renames waits for longer than that
//! before its first change.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use neo4rs::{BoltList, BoltMap, BoltType, Row};

use super::error::Result;
use super::statements::Statement;
use super::values::Map;

/// Our migrations and our naming among those of other programs.
pub(super) const TARGET: &str = "mnemograph";
/// The word for prefixed names in the database.
pub(super) const PREFIXED: &str = "prefixed";
/// The word for names that are being changed.
pub(super) const CHANGING: &str = "changing";
/// The prefix of our names.
const PREFIX: &str = "mnemograph_";
/// The names that older engines write without the prefix; those of orders begin with `by_`.
const RENAMED: [&str; 6] = ["key", "hash_key", "memory", "owner", "pair", "posting"];
/// Milliseconds for which a look at the naming holds.
pub(super) const LOOKED_MS: u64 = 1_000;
/// Statements about records name the properties of records, which always had the prefix, and few of other nodes.
const OF_OTHERS: [&str; 3] = ["Learner {", "Run {", "o."];
/// Which names a database has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Naming {
    /// Names without the prefix, as older engines write them.
    Plain,
    /// Our names.
    Prefixed,
}

impl Naming {
    /// The naming in an answer to `schema/naming`; `None` while it is being changed.
    fn of_rows(rows: &[Row]) -> Result<Option<Self>> {
        let word: Option<String> = rows.first().map_or(Ok(None), |row| row.get("naming"))?;
        Ok(match word.as_deref() {
            Some(CHANGING) => None,
            Some(_) => Some(Self::Prefixed),
            None => Some(Self::Plain),
        })
    }

    /// True for a statement that means the same in both namings: those of the schema, which say what they mean.
    pub(super) fn is_of_no_matter_to(statement: Statement) -> bool {
        statement.name.starts_with("schema/")
            || statement.name.starts_with("doctor/")
            || !statement.name.contains('/')
    }

    /// The text of a statement in this naming.
    pub(super) fn text(self, statement: Statement) -> String {
        let text = statement.sent();
        if self == Self::Prefixed || Self::is_of_no_matter_to(statement) {
            return text;
        }
        if is_about_records(statement) {
            let rename = |text: String, of: &str| {
                text.replace(&format!("{of}{PREFIX}key"), &format!("{of}key"))
            };
            return OF_OTHERS.into_iter().fold(text, rename);
        }
        without_prefixes(&text)
    }

    /// The parameters of a statement in this naming.
    pub(super) fn parameters(self, statement: Statement, parameters: Map) -> Map {
        if self == Self::Prefixed || is_about_records(statement) {
            parameters
        } else {
            Map::from(plain_map(parameters.into()))
        }
    }
}

fn is_about_records(statement: Statement) -> bool {
    statement.name.starts_with("records/")
}

/// The plain name for one of ours, if there is one.
fn plain_name(name: &str) -> Option<&str> {
    let rest = name.strip_prefix(PREFIX)?;
    (rest.starts_with("by_") || RENAMED.contains(&rest)).then_some(rest)
}

fn without_prefixes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(PREFIX) {
        let (before, from) = rest.split_at(at);
        let end = from.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (name, after) = from.split_at(end.unwrap_or(from.len()));
        plain.push_str(before);
        plain.push_str(plain_name(name).unwrap_or(name));
        rest = after;
    }
    plain.push_str(rest);
    plain
}

fn plain_map(map: BoltMap) -> BoltMap {
    let mut plain = BoltMap::with_capacity(map.value.len());
    for (name, value) in map.value {
        let name = plain_name(&name.value).map_or(name.clone(), Into::into);
        plain.put(name, plain_value(value));
    }
    plain
}

fn plain_value(value: BoltType) -> BoltType {
    match value {
        BoltType::Map(map) => BoltType::Map(plain_map(map)),
        BoltType::List(list) => {
            let values: Vec<BoltType> = list.value.into_iter().map(plain_value).collect();
            BoltType::List(BoltList::from(values))
        }
        other => other,
    }
}

/// What an engine knows about the naming of its database. A database with prefixed names keeps them.
#[derive(Debug)]
pub(super) struct KnownNaming {
    since: Instant,
    /// Milliseconds after `since` until which the naming is known to be plain; 0 before the first look.
    plain_until: AtomicU64,
}

/// The value of `plain_until` for prefixed names.
const FOR_EVER: u64 = u64::MAX;

impl KnownNaming {
    pub(super) fn new() -> Self {
        Self {
            since: Instant::now(),
            plain_until: AtomicU64::new(0),
        }
    }

    /// The naming, unless it must be looked up.
    pub(super) fn get(&self) -> Option<Naming> {
        match self.plain_until.load(Ordering::Acquire) {
            FOR_EVER => Some(Naming::Prefixed),
            until if self.now() < until => Some(Naming::Plain),
            _ => None,
        }
    }

    /// The moment of a look that is about to be made, for [`Self::set`].
    pub(super) fn now(&self) -> u64 {
        u64::try_from(self.since.elapsed().as_millis()).unwrap_or(FOR_EVER - 1)
    }

    /// Takes the answer of a look that was made at `asked`; `None` while the naming is being changed.
    pub(super) fn learn(&self, rows: &[Row], asked: u64) -> Result<Option<Naming>> {
        let found = Naming::of_rows(rows)?;
        if let Some(naming) = found {
            self.set(naming, asked);
        }
        Ok(found)
    }

    /// Notes what a look that was made at `asked` has found.
    pub(super) fn set(&self, naming: Naming, asked: u64) {
        let until = match naming {
            Naming::Prefixed => FOR_EVER,
            Naming::Plain => asked + LOOKED_MS,
        };
        self.plain_until.fetch_max(until, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::super::statements::{ALL, HOLD_RECORDS, LEDGER, RECORD_OWNERS, TOUCH};
    use super::*;

    #[test]
    fn a_statement_has_the_names_of_its_database() {
        let plain = Naming::Plain.text(TOUCH);
        assert!(plain.contains("(s:ContextScope {key: $memory})"), "{plain}");
        assert!(plain.contains("b.memory = $memory"), "{plain}");
        assert!(!plain.contains(PREFIX), "{plain}");
        assert_eq!(Naming::Prefixed.text(TOUCH), TOUCH.sent());
        assert_eq!(Naming::Plain.text(LEDGER), LEDGER.sent());
        // A record has its prefix in every database; its learner has not.
        let records = Naming::Plain.text(HOLD_RECORDS);
        assert!(records.contains("(o:Learner {key: $owner})"), "{records}");
        assert!(
            records.contains("(n:Record {mnemograph_key: key})"),
            "{records}"
        );
        let owners = Naming::Plain.text(RECORD_OWNERS);
        assert!(owners.contains("STARTS WITH o.key"), "{owners}");
    }

    #[test]
    fn no_prefix_is_left_beside_records() {
        for statement in ALL {
            if !Naming::is_of_no_matter_to(*statement) && !is_about_records(*statement) {
                let plain = Naming::Plain.text(*statement);
                assert!(!plain.contains(PREFIX), "{}: {plain}", statement.name);
            }
        }
    }

    #[test]
    fn parameters_have_the_names_at_every_depth() {
        let inner = Map::new().with("mnemograph_by_time", 1).with("id", 2);
        let map = Map::new().list("rows", vec![inner.clone()]);
        let map = map.with("mnemograph_key", inner.with("mnemograph_order_1", 3));
        let BoltType::Map(plain) = BoltType::from(Naming::Plain.parameters(TOUCH, map)) else {
            panic!("no map");
        };
        let text = format!("{plain:?}");
        assert!(
            text.contains("\"by_time\"") && text.contains("\"key\""),
            "{text}"
        );
        assert!(text.contains("mnemograph_order_1"), "{text}");
        assert!(
            !text.contains("mnemograph_key") && !text.contains("mnemograph_by"),
            "{text}"
        );
    }

    #[test]
    fn prefixed_names_are_known_for_ever() {
        let known = KnownNaming::new();
        assert_eq!(known.get(), None);
        known.set(Naming::Plain, known.now());
        assert_eq!(known.get(), Some(Naming::Plain));
        known.set(Naming::Prefixed, known.now());
        known.set(Naming::Plain, known.now());
        assert_eq!(known.get(), Some(Naming::Prefixed));
    }
}
