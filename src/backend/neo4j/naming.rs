//! What databases of older engines have otherwise: the names of the properties that identify and order our nodes, and the
//! form of times.
//!
//! A database may hold nodes of other programs under our labels, and they may have a property such as `key`. So the
//! properties that our constraints and indexes are on begin with `hindlore_`. Databases of older engines have the same
//! properties without the prefix, and times as milliseconds where we write dates. An engine works in every naming: it sends
//! the same statements, with the names and values that the database has, so that engines of all versions share a database
//! until `migrate contract` changes it.
//!
//! An older naming may change at any moment, at the hands of another engine. It is therefore looked up again when the last
//! look is older than [`LOOKED_MS`], and the engine that changes it waits for longer than that before its first change.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use neo4rs::{BoltList, BoltMap, BoltType, Row};

use super::error::Result;
use super::statements::Statement;
use super::times::millis_of;
use super::values::Map;

/// Our migrations and our naming among those of other programs.
pub(super) const TARGET: &str = "hindlore";
/// The word for prefixed names in the database, with times as numbers.
const PREFIXED: &str = "prefixed";
/// The word for prefixed names with times as dates.
pub(super) const DATED: &str = "dated";
/// The word for names that are being changed.
pub(super) const CHANGING: &str = "changing";
/// The prefix of our names.
const PREFIX: &str = "hindlore_";
/// The names that older engines write without the prefix; those of orders begin with `by_`.
const RENAMED: [&str; 6] = ["key", "hash_key", "memory", "owner", "pair", "posting"];
/// Milliseconds for which a look at the naming holds.
pub(super) const LOOKED_MS: u64 = 1_000;
/// Statements about records name the properties of records, which always had the prefix, and few of other nodes.
const OF_OTHERS: [&str; 3] = ["Learner {", "Run {", "o."];

/// Which names and times a database has. It goes from one to a later one, never back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Naming {
    /// Names without the prefix, times as numbers.
    Plain,
    /// Our names, times as numbers.
    Prefixed,
    /// Our names, times as dates: what statements and parameters are written in.
    Dated,
}

/// All, the latest first.
const LATEST_FIRST: [Naming; 3] = [Naming::Dated, Naming::Prefixed, Naming::Plain];

impl Naming {
    /// The naming in an answer to `schema/naming`; `None` while it is being changed.
    fn of_rows(rows: &[Row]) -> Result<Option<Self>> {
        let word: Option<String> = rows.first().map_or(Ok(None), |row| row.get("naming"))?;
        Ok(match word.as_deref() {
            Some(CHANGING) => None,
            Some(PREFIXED) => Some(Self::Prefixed),
            Some(_) => Some(Self::Dated),
            None => Some(Self::Plain),
        })
    }

    /// True for a statement that means the same in every naming: those of the schema, which say what they mean.
    pub(super) fn is_of_no_matter_to(statement: Statement) -> bool {
        statement.name.starts_with("schema/")
            || statement.name.starts_with("doctor/")
            || !statement.name.contains('/')
    }

    /// The text of a statement in this naming.
    pub(super) fn text(self, statement: Statement) -> String {
        let text = statement.sent();
        if self != Self::Plain || Self::is_of_no_matter_to(statement) {
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
        if self == Self::Dated || is_about_records(statement) {
            parameters
        } else {
            Map::from(self.map(parameters.into()))
        }
    }

    fn map(self, map: BoltMap) -> BoltMap {
        let mut older = BoltMap::with_capacity(map.value.len());
        for (name, value) in map.value {
            let plain = (self == Self::Plain).then(|| plain_name(&name.value));
            let name = plain.flatten().map_or(name.clone(), Into::into);
            older.put(name, self.value(value));
        }
        older
    }

    fn value(self, value: BoltType) -> BoltType {
        match value {
            BoltType::Map(map) => BoltType::Map(self.map(map)),
            BoltType::List(list) => {
                let values = list.value.into_iter().map(|one| self.value(one));
                BoltType::List(BoltList::from(values.collect::<Vec<_>>()))
            }
            other => millis_of(&other).map_or(other, Into::into),
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

/// What an engine knows about the naming of its database.
#[derive(Debug)]
pub(super) struct KnownNaming {
    since: Instant,
    /// Milliseconds after `since` until which each naming is known to be that of the database; 0 before the first look.
    until: [AtomicU64; LATEST_FIRST.len()],
}

/// The end of the latest naming.
const FOR_EVER: u64 = u64::MAX;

impl KnownNaming {
    pub(super) fn new() -> Self {
        Self {
            since: Instant::now(),
            until: Default::default(),
        }
    }

    /// The naming, unless it must be looked up.
    pub(super) fn get(&self) -> Option<Naming> {
        let now = self.now();
        let is_known = |naming: &Naming| now < self.until[*naming as usize].load(Ordering::Acquire);
        LATEST_FIRST.into_iter().find(is_known)
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
            Naming::Dated => FOR_EVER,
            Naming::Plain | Naming::Prefixed => asked + LOOKED_MS,
        };
        self.until[naming as usize].fetch_max(until, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::super::statements::{ALL, HOLD_RECORDS, LEDGER, RECORD_OWNERS, TOUCH};
    use super::super::times::date;
    use super::*;
    use hindlore_domain::timestamp::Timestamp;

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
            records.contains("(n:Record {hindlore_key: key})"),
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
        let inner = Map::new().with("hindlore_by_time", 1).with("id", 2);
        let map = Map::new().list("rows", vec![inner.clone()]);
        let map = map.with("hindlore_key", inner.with("hindlore_order_1", 3));
        let BoltType::Map(plain) = BoltType::from(Naming::Plain.parameters(TOUCH, map)) else {
            panic!("no map");
        };
        let text = format!("{plain:?}");
        assert!(
            text.contains("\"by_time\"") && text.contains("\"key\""),
            "{text}"
        );
        assert!(text.contains("hindlore_order_1"), "{text}");
        assert!(
            !text.contains("hindlore_key") && !text.contains("hindlore_by"),
            "{text}"
        );
    }

    #[test]
    fn times_are_numbers_for_older_engines() {
        let at = Timestamp::from_millis(1_795_616_001_814);
        let rows = || Map::new().list("rows", vec![Map::new().with("at", date(at))]);
        for (naming, number) in [
            (Naming::Plain, true),
            (Naming::Prefixed, true),
            (Naming::Dated, false),
        ] {
            let sent = format!("{:?}", BoltType::from(naming.parameters(TOUCH, rows())));
            assert_eq!(
                sent.contains("value: 1795616001814"),
                number,
                "{naming:?}: {sent}"
            );
            assert_eq!(sent.contains("DateTime"), !number, "{naming:?}: {sent}");
        }
        let record = Naming::Plain.parameters(HOLD_RECORDS, rows());
        assert!(format!("{:?}", BoltType::from(record)).contains("DateTime"));
    }

    #[test]
    fn a_later_naming_counts_and_the_latest_is_known_for_ever() {
        let known = KnownNaming::new();
        assert_eq!(known.get(), None);
        for naming in [Naming::Plain, Naming::Prefixed, Naming::Dated] {
            known.set(naming, known.now());
            known.set(Naming::Plain, known.now());
            assert_eq!(known.get(), Some(naming));
        }
    }
}
