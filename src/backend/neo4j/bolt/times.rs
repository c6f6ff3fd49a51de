//! Times in the database: dates, as analysts read them. A person may have stored a date without a time, a time without a
//! zone or with the name of one, or a text; each is an instant.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime};
use neo4rs::BoltType;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Unexpected};
use serde_json::Value;

use hindlore_primitives::timestamp::Timestamp;

/// The value of a property that is a time.
pub(crate) fn date(at: Timestamp) -> BoltType {
    // No timestamp is beyond the calendar, so the default is never used.
    let at = DateTime::from_timestamp_millis(at.millis()).unwrap_or_default();
    at.fixed_offset().into()
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

/// The instant of a time of any kind; without a zone it is taken as UTC. `None` for any other value.
pub(crate) fn instant(value: &BoltType) -> Option<Timestamp> {
    let millis = match value {
        BoltType::DateTime(_) => calendar(value)?.timestamp_millis(),
        // The driver converts these by reference only.
        BoltType::DateTimeZoneId(zoned) => DateTime::<FixedOffset>::try_from(zoned)
            .ok()?
            .timestamp_millis(),
        BoltType::LocalDateTime(_) => NaiveDateTime::try_from(value.clone())
            .ok()?
            .and_utc()
            .timestamp_millis(),
        BoltType::Date(_) => NaiveDate::try_from(value.clone())
            .ok()?
            .and_time(NaiveTime::MIN)
            .and_utc()
            .timestamp_millis(),
        _ => return None,
    };
    Some(Timestamp::from_millis(millis))
}

/// The instant that a text names: a time, or a date without one.
pub(crate) fn of_text(text: &str) -> Option<Timestamp> {
    // Cypher ends a time in a zone with the name of the zone in brackets.
    let text = text.split('[').next().unwrap_or_default();
    Timestamp::parse(text).or_else(|| Timestamp::parse(&format!("{text}T00:00:00Z")))
}

/// A time in properties that were read without types, where the driver writes dates as text.
pub(crate) fn in_untyped(value: &Value) -> Option<Timestamp> {
    value.as_str().and_then(of_text)
}

/// A time as read from a property of any form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment(pub(crate) Timestamp);

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = BoltType::deserialize(deserializer)?;
        let at = match &value {
            BoltType::String(text) => of_text(&text.value),
            value => instant(value),
        };
        let wrong = || D::Error::invalid_type(Unexpected::Other("value"), &"a time");
        at.map(Moment).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use neo4rs::BoltDateTimeZoneId;

    use super::*;

    #[test]
    fn a_time_in_a_named_zone_is_an_instant() {
        let noon = NaiveDate::from_ymd_opt(2026, 1, 1)
            .and_then(|day| day.and_hms_opt(12, 0, 0))
            .unwrap();
        let zoned = BoltDateTimeZoneId::from((noon, "Europe/Berlin"));
        let found = instant(&BoltType::DateTimeZoneId(zoned)).unwrap();
        assert_eq!(found.to_string(), "2026-01-01T11:00:00.000Z");
    }
}
