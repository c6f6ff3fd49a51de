//! Properties that people may have changed, read one by one: each that cannot be read is named, and numbers are read as
//! a hand may have written them.

use std::fmt::Display;
use std::str::FromStr;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::run_rows::moment;
use crate::error::{Failure, Result};
use crate::numbers;
use mnemograph_domain::lesson::lesson::Owner;
use mnemograph_domain::timestamp::Timestamp;

/// The properties of a node.
pub(super) type Properties = serde_json::Map<String, Value>;

/// The properties of a node with what is said of it when one cannot be read.
pub(super) struct Fields<'p> {
    pub(super) of: &'p Properties,
    /// What the node is.
    pub(super) what: &'static str,
    /// Whose it is.
    pub(super) whose: &'p Owner,
}

#[derive(Deserialize)]
struct Fraction(#[serde(deserialize_with = "numbers::fraction")] f64);

#[derive(Deserialize)]
struct Count(#[serde(deserialize_with = "numbers::count")] u64);

impl Fields<'_> {
    /// The failure of reading a property.
    pub(super) fn damaged(&self, name: &str, why: impl Display) -> Failure {
        let id = self.of.get("id").and_then(Value::as_str);
        let id = id.unwrap_or("without an id");
        let (tenant, learner) = (self.whose.tenant(), self.whose.learner());
        Failure::Damaged(format!(
            "the {} `{id}` of {tenant}/{learner}, whose `{name}` cannot be read ({why})",
            self.what
        ))
    }

    fn read<T: DeserializeOwned>(&self, name: &str) -> Result<T> {
        let value = self.of.get(name).cloned().unwrap_or_default();
        serde_json::from_value(value).map_err(|error| self.damaged(name, error))
    }

    pub(super) fn text(&self, name: &str) -> Result<String> {
        self.read(name)
    }

    pub(super) fn optional(&self, name: &str) -> Result<Option<String>> {
        self.read(name)
    }

    /// A list of texts; the server keeps an empty one as any other.
    pub(super) fn list(&self, name: &str) -> Result<Vec<String>> {
        self.read(name)
    }

    /// A number with a point, which may lack it.
    pub(super) fn fraction(&self, name: &str) -> Result<f64> {
        self.read(name).map(|Fraction(value)| value)
    }

    /// The same where there may be none.
    pub(super) fn fraction_if_any(&self, name: &str) -> Result<Option<f64>> {
        if self.of.contains_key(name) {
            self.fraction(name).map(Some)
        } else {
            Ok(None)
        }
    }

    /// A count, which may have a point with nothing behind it.
    pub(super) fn count(&self, name: &str) -> Result<u64> {
        self.read(name).map(|Count(value)| value)
    }

    pub(super) fn small<T: TryFrom<u64>>(&self, name: &str) -> Result<T> {
        let count = self.count(name)?;
        T::try_from(count).map_err(|_| self.damaged(name, format!("{count} is too large")))
    }

    pub(super) fn moment(&self, name: &str) -> Result<Timestamp> {
        self.read(name).map(moment)
    }

    /// A word or an id.
    pub(super) fn word<T: FromStr>(&self, name: &str) -> Result<T>
    where
        T::Err: Display,
    {
        let text = self.text(name)?;
        text.parse().map_err(|error| self.damaged(name, error))
    }

    /// A list of words or ids.
    pub(super) fn words<T: FromStr>(&self, name: &str) -> Result<Vec<T>>
    where
        T::Err: Display,
    {
        let texts = self.list(name)?.into_iter();
        let words = texts.map(|text| text.parse().map_err(|error| self.damaged(name, error)));
        words.collect()
    }

    /// What is kept as JSON, since no property could say it.
    pub(super) fn json<T: DeserializeOwned>(&self, name: &str) -> Result<T> {
        let text = self.text(name)?;
        serde_json::from_str(&text).map_err(|error| self.damaged(name, error))
    }
}
