//! The fields of wire objects as tables of names and value types.
//!
//! A table check reports all faults of an object at once, in the sender's terms; a deserializer would stop at
//! the first one without naming the field.
//!
//! Each type is a schema, and the schema checker judges its values. The tables are for steps and files, where null
//! means absent, three spellings mean one, and a faulty record must not stop the others.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

pub use super::check::described;
use super::check::faults_at;
use super::nearest::{quoted, suggestion};
use super::patterns::NOT_BLANK;
use hindlore_domain::memory::bullet::COUNT_MAX;

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
    /// 0..=2^32-1.
    Days,
    /// 0..=1.
    Share,
    /// 0 or more.
    Strength,
    /// Any number.
    Number,
    /// The exit code of a program.
    Code,
    /// True or false.
    Flag,
    /// RFC 3339.
    Time,
    /// A list of numbers.
    Vector,
    /// Anything; checked elsewhere or not at all.
    Any,
}

/// Fields of one kind of object.
pub(crate) type Table = &'static [(&'static str, Shape)];

/// The schemas of the shapes, in their order.
static SCHEMAS: LazyLock<[Value; 13]> = LazyLock::new(|| {
    [
        json!({ "type": "string" }),
        json!({ "type": "string", "pattern": NOT_BLANK }),
        json!({ "type": "array", "items": { "type": "string" } }),
        json!({ "type": "integer", "minimum": 0, "maximum": COUNT_MAX }),
        json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX }),
        json!({ "type": "number", "minimum": 0, "maximum": 1 }),
        json!({ "type": "number", "minimum": 0 }),
        json!({ "type": "number" }),
        json!({ "type": "integer", "minimum": i32::MIN, "maximum": i32::MAX }),
        json!({ "type": "boolean" }),
        json!({ "type": "string", "format": "date-time" }),
        json!({ "type": "array", "items": { "type": "number" } }),
        json!({}),
    ]
});

/// All faults in an object's fields; null counts as absent. Whole numbers with a zero fraction become integers.
pub(crate) fn faults(object: &mut Map<String, Value>, table: Table) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, value) in object {
        match table.iter().find(|(known, _)| known == name) {
            None => faults.push(unknown(name, table)),
            Some(_) if value.is_null() => {}
            Some((_, shape)) => faults.extend(faults_at(name, shape.schema(), value)),
        }
    }
    faults
}

/// The message for a field that the table lacks.
fn unknown(name: &str, table: Table) -> String {
    let known: Vec<&str> = table.iter().map(|(known, _)| *known).collect();
    format!(
        "{} is not a field here; {}",
        quoted(name),
        suggestion(name, &known)
    )
}

impl Shape {
    /// Its schema.
    pub(crate) fn schema(self) -> &'static Value {
        &SCHEMAS[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_has_its_own_schema() {
        for (shape, good, bad) in [
            (Shape::Text, json!(" "), json!(1)),
            (Shape::Name, json!("a"), json!(" ")),
            (Shape::Texts, json!(["a"]), json!(["a", 1])),
            (Shape::Count, json!(3.0), json!(u64::MAX)),
            (Shape::Days, json!(u32::MAX), json!(4_294_967_296_u64)),
            (Shape::Share, json!(1), json!(1.01)),
            (Shape::Strength, json!(100.0), json!(-0.5)),
            (Shape::Number, json!(-1), json!("1")),
            (Shape::Code, json!(-1), json!(4_294_967_296_u64)),
            (Shape::Flag, json!(true), json!("yes")),
            (Shape::Time, json!("2026-01-31T12:00:00Z"), json!("soon")),
            (Shape::Vector, json!([1, 0.5]), json!([1, "2"])),
        ] {
            for (mut value, is_good) in [(good, true), (bad, false)] {
                let faults = faults_at("f", shape.schema(), &mut value);
                assert_eq!(faults.is_empty(), is_good, "{shape:?}: {faults:?}");
            }
        }
        assert_eq!(Shape::Any.schema(), &json!({}));
    }

    #[test]
    fn all_faults_of_an_object_are_listed() {
        let mut object = json!({"content": 5, "colour": "red", "helpfull": 1, "section": null});
        const TABLE: Table = &[
            ("content", Shape::Text),
            ("section", Shape::Text),
            ("helpful", Shape::Count),
        ];
        let faults = faults(object.as_object_mut().unwrap(), TABLE);
        assert_eq!(faults.len(), 3, "{faults:?}");
        assert!(faults.iter().any(|f| f.contains("did you mean `helpful`")));
    }
}
