//! Numbers as people may have typed them. Cypher stores `120` as an integer and `3.0` as a float, regardless of the
//! earlier value, so both are read by value; only a value that cannot be converted exactly is an error.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};

/// 2^53: from here on a 64-bit float cannot hold every integer.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Reads a float, also one stored as an integer.
pub(crate) fn fraction<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    deserializer.deserialize_any(Fraction)
}

/// Reads a count, also one stored as a float without a fraction.
pub(crate) fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    deserializer.deserialize_any(Count)
}

struct Fraction;

impl Visitor<'_> for Fraction {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<f64, E> {
        Ok(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<f64, E> {
        Ok(value as f64)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<f64, E> {
        Ok(value as f64)
    }
}

struct Count;

impl Visitor<'_> for Count {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number from 0")
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<u64, E> {
        Ok(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<u64, E> {
        u64::try_from(value).map_err(|_| E::custom(format!("{value} where a count stands")))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<u64, E> {
        if value.fract() == 0.0 && (0.0..EXACT).contains(&value) {
            Ok(value as u64)
        } else {
            Err(E::custom(format!("{value} where a count stands")))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Deserialize, PartialEq, Debug)]
    struct Read {
        #[serde(deserialize_with = "super::fraction")]
        strength: f64,
        #[serde(deserialize_with = "super::count")]
        helpful: u64,
    }

    #[test]
    fn a_number_is_what_it_means() {
        let read = |strength: serde_json::Value, helpful: serde_json::Value| {
            serde_json::from_value::<Read>(json!({"strength": strength, "helpful": helpful})).ok()
        };
        let meant = |strength, helpful| Some(Read { strength, helpful });
        assert_eq!(read(json!(120), json!(3)), meant(120.0, 3));
        assert_eq!(read(json!(-0.5), json!(3.0)), meant(-0.5, 3));
        for wrong in [
            json!(-5),
            json!(2.5),
            json!(-1.0),
            json!(1e300),
            json!("3"),
            json!(null),
        ] {
            assert_eq!(read(json!(1.0), wrong), None);
        }
    }
}
