//! Properties that people may have edited, read one by one: an unreadable one is named, and numbers are read by value,
//! whether they were typed with a point or without.

use std::fmt::Display;
use std::str::FromStr;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::bolt::numbers;
use crate::bolt::times::in_untyped;
use crate::error::{Failure, Result};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_primitives::timestamp::Timestamp;

/// The properties of a node.
pub(super) type Properties = serde_json::Map<String, Value>;

/// The properties of a node, with its description for errors.
pub(super) struct Fields<'p> {
    pub(super) of: &'p Properties,
    /// The kind of node.
    pub(super) what: &'static str,
    /// Its owner.
    pub(super) whose: &'p LearnerId,
}

#[derive(Deserialize)]
struct Fraction(#[serde(deserialize_with = "numbers::fraction")] f64);

#[derive(Deserialize)]
struct Count(#[serde(deserialize_with = "numbers::count")] u64);

impl Fields<'_> {
    /// The failure to read a property.
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

    /// A text, also one stored as a number.
    pub(super) fn text(&self, name: &str) -> Result<String> {
        match self.of.get(name) {
            Some(Value::Number(number)) => Ok(number.to_string()),
            _ => self.read(name),
        }
    }

    pub(super) fn optional(&self, name: &str) -> Result<Option<String>> {
        self.if_any(name, Self::text)
    }

    /// A list of texts; an empty list is stored as such, so a missing one is damage.
    /// One text counts as a list of one.
    pub(super) fn list(&self, name: &str) -> Result<Vec<String>> {
        match self.of.get(name) {
            Some(Value::String(text)) => Ok(vec![text.clone()]),
            _ => self.read(name),
        }
    }

    /// A float, also one stored as an integer or a text.
    pub(super) fn fraction(&self, name: &str) -> Result<f64> {
        match self.in_text(name) {
            Some(number) => Ok(number),
            None => self.read(name).map(|Fraction(value)| value),
        }
    }

    /// A number in a text.
    fn in_text<T: FromStr>(&self, name: &str) -> Option<T> {
        self.of.get(name)?.as_str()?.trim().parse().ok()
    }

    /// A float that may be missing.
    pub(super) fn fraction_if_any(&self, name: &str) -> Result<Option<f64>> {
        self.if_any(name, Self::fraction)
    }

    /// Reads a property that may be missing; `None` then.
    pub(super) fn if_any<T>(
        &self,
        name: &str,
        read: impl FnOnce(&Self, &str) -> Result<T>,
    ) -> Result<Option<T>> {
        if self.of.contains_key(name) {
            read(self, name).map(Some)
        } else {
            Ok(None)
        }
    }

    /// A count, also one stored as a float without a fraction or a text.
    pub(super) fn count(&self, name: &str) -> Result<u64> {
        match self.in_text(name) {
            Some(count) => Ok(count),
            None => self.read(name).map(|Count(value)| value),
        }
    }

    pub(super) fn small<T: TryFrom<u64>>(&self, name: &str) -> Result<T> {
        let count = self.count(name)?;
        T::try_from(count).map_err(|_| self.damaged(name, format!("{count} is too large")))
    }

    pub(super) fn moment(&self, name: &str) -> Result<Timestamp> {
        let value = self.of.get(name).unwrap_or(&Value::Null);
        in_untyped(value).ok_or_else(|| self.damaged(name, format!("{value} where a time stands")))
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

    /// A value stored as JSON, because no property type can hold it.
    pub(super) fn json<T: DeserializeOwned>(&self, name: &str) -> Result<T> {
        let text = self.text(name)?;
        serde_json::from_str(&text).map_err(|error| self.damaged(name, error))
    }
}
