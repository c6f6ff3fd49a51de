//! Reads nodes in which a hand has changed the type of a property.
//!
//! Cypher stores any value: a text where a list was, `'true'` for true, a date without a time. Such a property must not
//! shut a memory. So an unreadable node is read again property by property: a value that can be converted is converted,
//! any other is replaced by an empty one of the right type, and each is reported with its name, the expected and the
//! found type. Nodes as the engine wrote them never come here.

use std::collections::HashMap;

use neo4rs::{BoltMap, BoltType, DeError};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error};

use crate::bolt::times;
use crate::bolt::times::date;
use crate::bolt::values::{list_of, read};
use hindlore_primitives::timestamp::Timestamp;

/// Characters of a value in a report.
const SHOWN: usize = 60;
/// 2^53: from here on a 64-bit float cannot hold every integer.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The properties of a node, without types.
pub(super) type Properties = HashMap<String, BoltType>;

/// A property of another type than the expected one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct WrongType {
    /// Its name.
    pub(super) property: String,
    /// The expected type, in words.
    pub(super) expected: String,
    /// The found type in words, with the value.
    pub(super) found: String,
    /// True if the value is read all the same, as one of the expected type.
    pub(super) is_converted: bool,
}

/// Reads properties that may be edited by hand as a type, and reports the wrong ones; `Err` if some property has no
/// value to take its place.
pub(super) fn mended<T: DeserializeOwned>(
    mut properties: Properties,
) -> (Result<T, DeError>, Vec<WrongType>) {
    // Nearly every node is as the engine wrote it, and to look at each property alone costs as much as all of them.
    if let Ok(read) = whole::<T>(&properties) {
        return (Ok(read), Vec::new());
    }
    let mut wrong = Vec::new();
    let mut names: Vec<String> = properties.keys().cloned().collect();
    names.sort_unstable();
    for name in names {
        let Some(value) = properties.get(&name).cloned() else {
            continue;
        };
        let Some(expected) = refusal::<T>(&name, &value) else {
            continue;
        };
        let fits = |other: &BoltType| refusal::<T>(&name, other).is_none();
        let converted = conversions(&value).into_iter().find(fits);
        wrong.push(WrongType {
            property: name.clone(),
            expected,
            found: found(&value),
            is_converted: converted.is_some(),
        });
        match converted {
            Some(converted) => properties.insert(name, converted),
            None => properties.remove(&name),
        };
    }
    loop {
        let read = whole::<T>(&properties);
        let Err(DeError::MissingField { field }) = &read else {
            return (read, wrong);
        };
        let field = *field;
        let mut empties = empties().into_iter();
        let empty = empties.find(|one| refusal::<T>(field, one).is_none());
        let Some(empty) = empty else {
            return (read, wrong);
        };
        if wrong.iter().all(|one| one.property != field) {
            let nothing = BoltType::Map(BoltMap::default());
            wrong.push(WrongType {
                property: field.to_owned(),
                expected: refusal::<T>(field, &nothing).unwrap_or_default(),
                found: "nothing".to_owned(),
                is_converted: false,
            });
        }
        properties.insert(field.to_owned(), empty);
    }
}

/// A node of which every value can be converted; `Err` names the first property that cannot, with both types.
pub(crate) struct Node<T>(pub(crate) T);

/// A node that is read in any case, with an empty value in the place of one that cannot be converted. For a check that
/// compares it with something else and so names the change.
pub(crate) struct Mended<T>(pub(crate) T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Node<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (value, wrong) = either::<T, D>(deserializer)?;
        match wrong.into_iter().find(|(_, one)| !one.is_converted) {
            None => Ok(Self(value)),
            Some((id, one)) => Err(D::Error::custom(format!(
                "the property `{}` of {id} is {}, and {} belongs there",
                one.property, one.found, one.expected
            ))),
        }
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Mended<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (value, wrong) = either::<T, D>(deserializer)?;
        for (id, one) in &wrong {
            tracing::warn!(id, ?one, "a property has another type");
        }
        Ok(Self(value))
    }
}

/// A value, and its properties of another type, each with a name for the node.
type Read<T> = (T, Vec<(String, WrongType)>);

/// Reads a value as it is, or else property by property.
fn either<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Read<T>, D::Error> {
    let value = BoltType::deserialize(deserializer)?;
    // Reading borrows the value: nearly every node can be read as it is, and a copy costs as much as reading it.
    let mut alone = BoltMap::with_capacity(1);
    alone.put("value".into(), value);
    let error = match alone.get::<T>("value") {
        Ok(read) => return Ok((read, Vec::new())),
        Err(error) => error,
    };
    let Some(BoltType::Map(map)) = alone.value.get("value") else {
        return Err(D::Error::custom(error));
    };
    // A type with a reader of its own cannot be read property by property.
    if !matches!(
        whole::<T>(&Properties::new()),
        Ok(_) | Err(DeError::MissingField { .. })
    ) {
        return Err(D::Error::custom(error));
    }
    let all = map.value.iter();
    let all = all.map(|(name, one)| (name.value.clone(), one.clone()));
    let properties: Properties = all.collect();
    let id = match properties.get("id") {
        Some(BoltType::String(id)) => format!("`{}`", id.value),
        _ => "a node without an id".to_owned(),
    };
    let (read, wrong) = mended::<T>(properties);
    let wrong = wrong.into_iter().map(|one| (id.clone(), one)).collect();
    Ok((read.map_err(D::Error::custom)?, wrong))
}

fn whole<T: DeserializeOwned>(properties: &Properties) -> Result<T, DeError> {
    let mut map = BoltMap::with_capacity(properties.len());
    for (name, value) in properties {
        map.put(name.as_str().into(), value.clone());
    }
    read(BoltType::Map(map))
}

/// The type that a property should have, in words, if this value is refused there. A property on its own leaves others
/// missing, and that is no refusal.
fn refusal<T: DeserializeOwned>(name: &str, value: &BoltType) -> Option<String> {
    let alone = Properties::from([(name.to_owned(), value.clone())]);
    match whole::<T>(&alone) {
        Ok(_) | Err(DeError::MissingField { .. } | DeError::PropertyMissingButRequired(_)) => None,
        Err(
            DeError::InvalidType { expected, .. }
            | DeError::InvalidValue { expected, .. }
            | DeError::InvalidLength { expected, .. },
        ) => Some(in_words(&expected)),
        Err(DeError::IntegerOutOfBounds(..)) => Some("a whole number from 0".to_owned()),
        Err(error) => Some(error.to_string()),
    }
}

/// The types of the driver in words.
fn in_words(expected: &str) -> String {
    let words = match expected {
        "a string" => "a text",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "u64" | "u32" | "i64" => "a whole number",
        "f64" | "f32" => "a number",
        other => other,
    };
    words.to_owned()
}

/// The type of a value in words.
pub(super) fn kind(value: &BoltType) -> &'static str {
    match value {
        BoltType::String(_) => "a text",
        BoltType::Boolean(_) => "true or false",
        BoltType::Integer(_) => "a whole number",
        BoltType::Float(_) => "a number",
        BoltType::List(_) => "a list",
        BoltType::DateTime(_) => "a time",
        BoltType::DateTimeZoneId(_) => "a time with the name of a zone",
        BoltType::LocalDateTime(_) => "a time without a zone",
        BoltType::Date(_) => "a date without a time",
        BoltType::Null(_) => "nothing",
        _ => "a value of another kind",
    }
}

/// The type of a value, with the value where it is short.
pub(super) fn found(value: &BoltType) -> String {
    let said = match value {
        BoltType::String(text) => format!("{:?}", text.value),
        BoltType::Boolean(flag) => flag.value.to_string(),
        BoltType::Integer(number) => number.value.to_string(),
        BoltType::Float(number) => format!("{:?}", number.value),
        value => match times::instant(value) {
            Some(at) => at.to_string(),
            None => return kind(value).to_owned(),
        },
    };
    let said: String = said.chars().take(SHOWN).collect();
    format!("{} ({said})", kind(value))
}

/// The possible meanings of a value, the likeliest first.
fn conversions(value: &BoltType) -> Vec<BoltType> {
    if let Some(at) = times::instant(value) {
        return vec![date(at), at.to_string().into()];
    }
    match value {
        BoltType::String(text) => of_text(&text.value),
        BoltType::Integer(number) => {
            let flag = [false, true]
                .into_iter()
                .find(|flag| i64::from(*flag) == number.value);
            let mut all: Vec<BoltType> = vec![(number.value as f64).into()];
            all.extend(flag.map(BoltType::from));
            all.push(number.value.to_string().into());
            all
        }
        BoltType::Float(number) => {
            let is_whole = number.value.fract() == 0.0 && number.value.abs() < EXACT;
            let mut all: Vec<BoltType> = Vec::new();
            all.extend(is_whole.then(|| BoltType::from(number.value as i64)));
            all.push(number.value.to_string().into());
            all
        }
        BoltType::Boolean(flag) => vec![flag.value.to_string().into()],
        BoltType::List(list) => {
            let texts: Vec<String> = list.value.iter().filter_map(text_of).collect();
            let alone = (list.value.len() == 1).then(|| list.value[0].clone());
            let mut all: Vec<BoltType> = Vec::new();
            all.extend((texts.len() == list.value.len()).then(|| list_of(texts)));
            all.extend(alone);
            all
        }
        _ => Vec::new(),
    }
}

fn of_text(text: &str) -> Vec<BoltType> {
    let trimmed = text.trim();
    let mut all: Vec<BoltType> = Vec::new();
    all.extend(
        trimmed
            .to_ascii_lowercase()
            .parse::<bool>()
            .ok()
            .map(BoltType::from),
    );
    all.extend(trimmed.parse::<i64>().ok().map(BoltType::from));
    let number = trimmed.parse::<f64>().ok();
    all.extend(
        number
            .filter(|number| number.is_finite())
            .map(BoltType::from),
    );
    all.extend(times::of_text(trimmed).map(date));
    all.push(list_of([text.to_owned()]));
    all
}

fn text_of(value: &BoltType) -> Option<String> {
    match value {
        BoltType::String(text) => Some(text.value.clone()),
        BoltType::Integer(number) => Some(number.value.to_string()),
        BoltType::Float(number) => Some(number.value.to_string()),
        BoltType::Boolean(flag) => Some(flag.value.to_string()),
        _ => None,
    }
}

/// One empty value of each type.
fn empties() -> [BoltType; 6] {
    [
        0_i64.into(),
        0.0_f64.into(),
        false.into(),
        list_of(Vec::<String>::new()),
        date(Timestamp::from_millis(0)),
        "".into(),
    ]
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::bolt::times::Moment;

    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "only whether they can be read matters")]
    struct Node {
        name: String,
        pinned: bool,
        tick: u64,
        #[serde(default)]
        tags: Vec<String>,
        at: Moment,
        until: Option<Moment>,
    }

    fn node(changed: &str, value: BoltType) -> Properties {
        let mut node = Properties::from([
            ("name".to_owned(), "a".into()),
            ("pinned".to_owned(), true.into()),
            ("tick".to_owned(), 7_i64.into()),
            ("tags".to_owned(), list_of(["x".to_owned()])),
            ("at".to_owned(), date(Timestamp::from_millis(5))),
        ]);
        node.insert(changed.to_owned(), value);
        node
    }

    #[test]
    fn a_value_that_can_be_converted_is_read_and_reported() {
        let cases: [(&str, BoltType, &str); 8] = [
            ("tags", "shell".into(), "a list"),
            ("pinned", "true".into(), "true or false"),
            ("pinned", 1_i64.into(), "true or false"),
            ("tick", 1.0_f64.into(), "a whole number"),
            ("tick", "12".into(), "a whole number"),
            ("name", 5_i64.into(), "a text"),
            ("tags", list_of([1_i64, 2]), "a text"),
            ("name", list_of(["b".to_owned()]), "a text"),
        ];
        for (name, value, expected) in cases {
            let (read, wrong) = mended::<Node>(node(name, value.clone()));
            let read = read.unwrap();
            assert_eq!(wrong.len(), 1, "{name} {value:?} {read:?}");
            let one = &wrong[0];
            assert_eq!(
                (one.property.as_str(), one.expected.as_str()),
                (name, expected)
            );
            assert!(one.is_converted, "{one:?}");
        }
        let (read, _) = mended::<Node>(node("tags", "shell".into()));
        assert_eq!(read.unwrap().tags, ["shell"]);
    }

    #[test]
    fn a_value_that_cannot_be_converted_is_empty_and_reported() {
        let cases: [(&str, BoltType); 4] = [
            ("pinned", "perhaps".into()),
            ("tick", (-1_i64).into()),
            ("at", "yesterday".into()),
            ("until", false.into()),
        ];
        for (name, value) in cases {
            let (read, wrong) = mended::<Node>(node(name, value));
            let read = read.unwrap();
            assert_eq!(wrong.len(), 1, "{name} {read:?}");
            assert!(
                !wrong[0].is_converted && wrong[0].property == name,
                "{wrong:?}"
            );
        }
        let mut without = node("tick", 7_i64.into());
        without.remove("at");
        let (read, wrong) = mended::<Node>(without);
        assert_eq!(read.unwrap().at.0, Timestamp::from_millis(0));
        assert_eq!(
            (wrong[0].property.as_str(), wrong[0].found.as_str()),
            ("at", "nothing")
        );
    }
}
