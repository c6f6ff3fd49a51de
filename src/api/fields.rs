//! The fields of wire objects as tables of names and value types.
//!
//! A table check reports all faults of an object at once, in the sender's terms; a deserializer would stop at
//! the first one without naming the field.
//!
//! The schema checker judges requests; this one judges deltas, steps, and files, where null means absent,
//! three spellings mean one, and a faulty record must not stop the others.

use serde_json::{Map, Value, json};

use super::nearest::{quoted, suggestion};
use hindlore_domain::memory::bullet::{COUNT_MAX, Kind, MemoryType, Source};
use hindlore_primitives::timestamp::Timestamp;

/// The values a field accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// Any text.
    Text,
    /// Text that is not blank.
    Name,
    /// A list of texts.
    Texts,
    /// 0..=2^53.
    Count,
    /// -2^53..=2^53.
    Change,
    /// 0..=2^32-1.
    Days,
    /// 0..=1.
    Share,
    /// 0 or more.
    Strength,
    /// Any number.
    Number,
    /// True or false.
    Flag,
    /// RFC 3339.
    Time,
    /// A list of numbers.
    Vector,
    /// One of the memory types.
    MemoryType,
    /// One of the kinds.
    Kind,
    /// One of the sources.
    Source,
    /// Anything; checked elsewhere or not at all.
    Any,
}

/// Fields of one kind of object.
pub(crate) type Table = &'static [(&'static str, Shape)];

/// All faults in an object's fields; null counts as absent.
pub(crate) fn faults(object: &Map<String, Value>, table: Table) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, value) in object {
        match table.iter().find(|(known, _)| known == name) {
            None => faults.push(unknown(name, table)),
            Some(_) if value.is_null() => {}
            Some((_, shape)) => {
                if let Err(fault) = shape.check(value) {
                    faults.push(format!("`{name}` {fault}"));
                }
            }
        }
    }
    faults
}

/// The message for a field that the table lacks.
pub(crate) fn unknown(name: &str, table: Table) -> String {
    let known: Vec<&str> = table.iter().map(|(known, _)| *known).collect();
    format!(
        "{} is not a field here; {}",
        quoted(name),
        suggestion(name, &known)
    )
}

impl Shape {
    /// Its schema, without bounds.
    pub(crate) fn schema(self) -> Map<String, Value> {
        let schema = match self {
            Self::Text | Self::Name | Self::Time => json!({ "type": "string" }),
            Self::Texts => json!({ "type": "array", "items": { "type": "string" } }),
            Self::Count | Self::Change | Self::Days => json!({ "type": "integer" }),
            Self::Share | Self::Strength | Self::Number => json!({ "type": "number" }),
            Self::Flag => json!({ "type": "boolean" }),
            Self::Vector => json!({ "type": "array", "items": { "type": "number" } }),
            Self::MemoryType => words(MemoryType::ALL, MemoryType::word),
            Self::Kind => words(Kind::ALL, Kind::word),
            Self::Source => words(Source::ALL, Source::word),
            Self::Any => json!({}),
        };
        match schema {
            Value::Object(schema) => schema,
            _ => Map::new(),
        }
    }

    /// Checks a value; the error has the reason.
    pub(crate) fn check(self, value: &Value) -> Result<(), String> {
        match self {
            Self::Any => Ok(()),
            Self::Text => text(value).map(|_| ()),
            Self::Name => match text(value)?.trim() {
                "" => Err("is empty".to_owned()),
                _ => Ok(()),
            },
            Self::Texts => match value.as_array() {
                Some(list) if list.iter().all(Value::is_string) => Ok(()),
                _ => Err(format!("must be a list of texts, not {}", described(value))),
            },
            Self::Count => whole(value, 0, COUNT_MAX.cast_signed()),
            Self::Change => whole(value, -COUNT_MAX.cast_signed(), COUNT_MAX.cast_signed()),
            Self::Days => whole(value, 0, i64::from(u32::MAX)),
            Self::Share => number(value, 1.0),
            Self::Strength => number(value, f64::MAX),
            Self::Number => {
                if value.is_number() {
                    Ok(())
                } else {
                    Err(format!("must be a number, not {}", described(value)))
                }
            }
            Self::Flag => {
                if value.is_boolean() {
                    Ok(())
                } else {
                    Err(format!("must be true or false, not {}", described(value)))
                }
            }
            Self::Time => match Timestamp::parse(text(value)?) {
                Some(_) => Ok(()),
                None => Err(format!(
                    "is {}; it must be a time like 2026-01-31T12:00:00.000Z",
                    described(value)
                )),
            },
            Self::Vector => match value.as_array() {
                Some(list) if list.iter().all(Value::is_number) => Ok(()),
                _ => Err("must be a list of numbers".to_owned()),
            },
            Self::MemoryType => word(value, MemoryType::ALL, MemoryType::word),
            Self::Kind => word(value, Kind::ALL, Kind::word),
            Self::Source => word(value, Source::ALL, Source::word),
        }
    }
}

/// A value for a message: its type, and the value itself if short.
pub fn described(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the text {}", quoted(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

fn text(value: &Value) -> Result<&str, String> {
    value
        .as_str()
        .ok_or_else(|| format!("must be a text, not {}", described(value)))
}

fn whole(value: &Value, least: i64, most: i64) -> Result<(), String> {
    match value.as_i64() {
        Some(number) if (least..=most).contains(&number) => Ok(()),
        Some(number) if number < least && least == 0 => {
            Err(format!("is {number}; it must be 0 or more"))
        }
        Some(number) => Err(format!("is {number}; it must lie in {least}..={most}")),
        None => Err(format!(
            "must be a whole number in {least}..={most}, not {}",
            described(value)
        )),
    }
}

fn number(value: &Value, most: f64) -> Result<(), String> {
    match value.as_f64() {
        Some(number) if (0.0..=most).contains(&number) => Ok(()),
        Some(number) if most < f64::MAX => Err(format!("is {number}; it must lie in 0..={most}")),
        Some(number) => Err(format!("is {number}; it must be 0 or more")),
        None => Err(format!("must be a number, not {}", described(value))),
    }
}

fn words<T: Copy>(all: &[T], word: fn(T) -> &'static str) -> Value {
    let words: Vec<&str> = all.iter().map(|value| word(*value)).collect();
    json!({ "type": "string", "enum": words })
}

fn word<T: Copy>(value: &Value, all: &[T], word: fn(T) -> &'static str) -> Result<(), String> {
    let given = text(value)?;
    let known: Vec<&str> = all.iter().map(|value| word(*value)).collect();
    if known.contains(&given) {
        return Ok(());
    }
    Err(format!(
        "is {}, which is not one of {}",
        quoted(given),
        known.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_says_what_it_wants() {
        for (shape, value, words) in [
            (Shape::Text, json!(1), "must be a text, not the number 1"),
            (Shape::Name, json!(" "), "is empty"),
            (Shape::Texts, json!(["a", 1]), "list of texts"),
            (Shape::Count, json!(-1), "is -1; it must be 0 or more"),
            (Shape::Count, json!(1.5), "whole number"),
            (Shape::Count, json!("3"), "the text `3`"),
            (Shape::Count, json!(u64::MAX), "whole number"),
            (Shape::Days, json!(4_294_967_296_u64), "0..=4294967295"),
            (Shape::Share, json!(1.01), "0..=1"),
            (Shape::Strength, json!(-0.5), "0 or more"),
            (Shape::Number, json!("1"), "must be a number, not the text"),
            (Shape::Flag, json!("yes"), "true or false"),
            (Shape::Time, json!("soon"), "a time like"),
            (Shape::Vector, json!([1, "2"]), "list of numbers"),
            (Shape::MemoryType, json!("Semantic"), "semantic, episodic"),
            (Shape::Kind, json!("feeling"), "strategy"),
            (Shape::Source, json!([]), "a list"),
        ] {
            let fault = shape.check(&value).unwrap_err();
            assert!(fault.contains(words), "{shape:?}: {fault}");
        }
        assert!(Shape::Change.check(&json!(-5)).is_ok());
        assert!(Shape::Any.check(&json!({})).is_ok());
    }

    #[test]
    fn all_faults_of_an_object_are_listed() {
        let object = json!({"content": 5, "colour": "red", "helpfull": 1, "section": null});
        const TABLE: Table = &[
            ("content", Shape::Text),
            ("section", Shape::Text),
            ("helpful", Shape::Count),
        ];
        let faults = faults(object.as_object().unwrap(), TABLE);
        assert_eq!(faults.len(), 3, "{faults:?}");
        assert!(faults.iter().any(|f| f.contains("did you mean `helpful`")));
    }
}
