//! A JSON value without duplicate names. Parsers silently keep the last of duplicates, which would lose data.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Value};

use crate::nearest::quoted;

/// A value whose objects have unique names.
pub(crate) struct Unique(pub(crate) Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Whole).map(Self)
    }
}

/// Builds the value during parsing, so that each name is checked on insertion, without a second pass.
struct Whole;

impl<'de> Visitor<'de> for Whole {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any valid JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Unique(value)) = list.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            match object.entry(name) {
                Entry::Vacant(place) => {
                    place.insert(fields.next_value::<Unique>()?.0);
                }
                Entry::Occupied(place) => {
                    let name = quoted(place.key());
                    return Err(A::Error::custom(format!(
                        "{name} stands twice in one object"
                    )));
                }
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_else_is_read_as_a_parser_reads_it() {
        let text = r#" {"a": [null, true, -1, 18446744073709551615, 0.1, 1e300, "\u00e9\n"],
            "b": {"a": {}, "": []}} "#;
        let plain: Value = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::from_str::<Unique>(text).unwrap().0, plain);
    }

    #[test]
    fn a_name_that_stands_twice_is_told_with_its_line() {
        let text = "[{\"a\": 1},\n {\"a\": {\"b\": 1,\n \"\\u0062\": 2}}]";
        let error = serde_json::from_str::<Unique>(text).err().unwrap();
        assert!(error.to_string().starts_with("`b` stands twice"), "{error}");
        assert_eq!((error.line(), error.is_data()), (3, true));
    }
}
