//! Times in the database: dates, as analysts read them; in databases of older engines, milliseconds since 1970.

use std::fmt;

use chrono::{DateTime, FixedOffset};
use neo4rs::BoltType;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};
use serde_json::Value;

use mnemograph_domain::timestamp::Timestamp;

/// The value of a property that is a time.
pub(super) fn date(at: Timestamp) -> BoltType {
    match DateTime::from_timestamp_millis(at.millis()) {
        Some(at) => at.fixed_offset().into(),
        // No timestamp is beyond the calendar; whatever is not a date is read all the same.
        None => at.millis().into(),
    }
}

/// A date as milliseconds, the form that older engines read; `None` for any other value.
pub(super) fn millis_of(value: &BoltType) -> Option<i64> {
    calendar(value).map(|at| at.timestamp_millis())
}

/// The seconds of a date and the nanoseconds beyond, as they go over the wire.
pub(super) fn parts(value: &BoltType) -> Option<(i64, i64)> {
    calendar(value).map(|at| (at.timestamp(), at.timestamp_subsec_nanos().into()))
}

fn calendar(value: &BoltType) -> Option<DateTime<FixedOffset>> {
    match value {
        BoltType::DateTime(_) => DateTime::try_from(value.clone()).ok(),
        _ => None,
    }
}

/// A time in properties that were read without types, where the driver writes dates as text.
pub(super) fn in_untyped(value: &Value) -> Option<Timestamp> {
    match value {
        Value::String(text) => Timestamp::parse(text),
        value => value.as_i64().map(Timestamp::from_millis),
    }
}

/// A time as read from a property of either form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment(pub(super) Timestamp);

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_i64(MilliSecondsTimestampVisitor)
    }
}

/// The driver gives a date to a visitor of this name as milliseconds, and to others as nanoseconds.
struct MilliSecondsTimestampVisitor;

impl Visitor<'_> for MilliSecondsTimestampVisitor {
    type Value = Moment;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a time")
    }

    fn visit_i64<E: Error>(self, millis: i64) -> Result<Moment, E> {
        Ok(Moment(Timestamp::from_millis(millis)))
    }
}
