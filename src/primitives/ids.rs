//! The identities of this folder: a prefix for the kind, and 20 hexadecimal digits of a hash.
//!
//! Ids are derived from the identified contents, never drawn: two instances that see the same thing give it the same
//! id, and a resent event has the id of the first.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::identity::{derived_hash, hex};

/// A text that is not an id of the wanted kind.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is not an id like {prefix}0123456789abcdef0123")]
pub struct NotAnId {
    text: String,
    prefix: &'static str,
}

fn parse(text: &str, prefix: &'static str) -> Result<[u8; 10], NotAnId> {
    let wrong = || NotAnId {
        text: text.chars().take(60).collect(),
        prefix,
    };
    let digits = text
        .strip_prefix(prefix)
        .filter(|digits| digits.len() == 20)
        .ok_or_else(wrong)?;
    let mut bytes = [0; 10];
    for (byte, pair) in bytes.iter_mut().zip(digits.as_bytes().chunks_exact(2)) {
        let digit = |byte: u8| {
            char::from(byte)
                .to_digit(16)
                .filter(|_| !byte.is_ascii_uppercase())
        };
        let (high, low) = digit(pair[0]).zip(digit(pair[1])).ok_or_else(wrong)?;
        *byte = (high * 16 + low) as u8;
    }
    Ok(bytes)
}

/// Hashes parts to the ten bytes of an id.
pub fn derive(parts: &[&str]) -> [u8; 10] {
    let hash = derived_hash(parts);
    std::array::from_fn(|at| hash[at])
}

macro_rules! id_types {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub [u8; 10]);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{}", $prefix, hex(&self.0))
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;

            fn from_str(text: &str) -> Result<Self, NotAnId> {
                parse(text, $prefix).map(Self)
            }
        }

        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    )+};
}

id_types! {
    /// The identity of a fingerprint.
    FingerprintId = "fp_";
    /// The identity of a lesson.
    LessonId = "l_";
    /// The identity of an error event.
    EventId = "e_";
    /// The identity of an activation.
    ActivationId = "a_";
    /// The identity of a decision about a lesson.
    DecisionId = "v_";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_written_and_read_back() {
        let id = LessonId(derive(&["a", "bc"]));
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_ne!(id, LessonId(derive(&["ab", "c"])));
        for wrong in [
            "",
            "l_",
            "fp_0123456789abcdef0123",
            "l_0123456789ABCDEF0123",
            "l_0123456789abcdef01234",
            "l_éééééééééé",
        ] {
            assert!(wrong.parse::<LessonId>().is_err(), "{wrong}");
        }
    }
}
