//! A UTC timestamp with millisecond precision, always written as RFC 3339.
//!
//! The domain never reads a clock: every timestamp here is an argument.

use std::fmt;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// A timestamp: milliseconds since 1970-01-01T00:00:00Z, between the years 0000 and 9999.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Timestamp(i64);

const MIN_MS: i64 = -62_167_219_200_000;
const MAX_MS: i64 = 253_402_300_799_999;
const DAY_MS: i64 = 86_400_000;

impl Timestamp {
    /// Creates a timestamp from milliseconds since the epoch; values outside four-digit years are clamped.
    pub fn from_millis(millis: i64) -> Self {
        Self(millis.clamp(MIN_MS, MAX_MS))
    }

    /// Returns the milliseconds since the epoch.
    pub fn millis(self) -> i64 {
        self.0
    }

    /// Returns the day in UTC, as days since 1970-01-01.
    pub fn day(self) -> i64 {
        self.0.div_euclid(DAY_MS)
    }

    /// Returns the timestamp `days` later, clamped to the year 9999.
    pub fn plus_days(self, days: u32) -> Self {
        Self::from_millis(
            self.0
                .saturating_add(i64::from(days).saturating_mul(DAY_MS)),
        )
    }

    /// Returns the timestamp `days` earlier, clamped to the year 0.
    pub fn minus_days(self, days: u32) -> Self {
        Self::from_millis(
            self.0
                .saturating_sub(i64::from(days).saturating_mul(DAY_MS)),
        )
    }

    /// Returns the days from an earlier timestamp to this one; 0 if it is not earlier.
    #[allow(
        clippy::cast_precision_loss,
        reason = "milliseconds of ten thousand years fit a double"
    )]
    pub fn days_since(self, earlier: Self) -> f64 {
        let millis = self.0.saturating_sub(earlier.0).max(0);
        millis as f64 / DAY_MS as f64
    }

    /// Parses RFC 3339. A time without an offset (`2025-01-01T00:00:01`) is UTC, the `T` may be a blank, and digits
    /// beyond milliseconds are dropped. `None` for anything else, and for years beyond 0000..=9999.
    pub fn parse(text: &str) -> Option<Self> {
        let mut text = text.trim().replacen(' ', "T", 1);
        let zoned = text.ends_with(['Z', 'z'])
            || text
                .get(10..)
                .is_some_and(|clock| clock.contains(['+', '-']));
        if !zoned {
            text.push('Z');
        }
        let moment = OffsetDateTime::parse(&text, &Rfc3339).ok()?;
        let millis = moment.unix_timestamp_nanos().div_euclid(1_000_000);
        let millis = i64::try_from(millis).ok()?;
        (MIN_MS..=MAX_MS).contains(&millis).then_some(Self(millis))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = i128::from(self.0) * 1_000_000;
        let moment = OffsetDateTime::from_unix_timestamp_nanos(nanos).map_err(|_| fmt::Error)?;
        write!(
            f,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
            moment.year(),
            u8::from(moment.month()),
            moment.day(),
            moment.hour(),
            moment.minute(),
            moment.second(),
            moment.millisecond()
        )
    }
}

impl Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| {
            serde::de::Error::custom(format!(
                "`{text}` is not a time like 2026-01-31T12:00:00.000Z"
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_with_milliseconds_and_read_back() {
        for (text, written) in [
            ("2025-01-01T00:00:01", "2025-01-01T00:00:01.000Z"),
            ("2025-01-01 00:00:01.25", "2025-01-01T00:00:01.250Z"),
            (
                "2025-01-01T02:00:01.123456+02:00",
                "2025-01-01T00:00:01.123Z",
            ),
            ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
        ] {
            let moment = Timestamp::parse(text).unwrap();
            assert_eq!(moment.to_string(), written);
            assert_eq!(Timestamp::parse(written), Some(moment));
        }
        assert_eq!(Timestamp::parse("yesterday"), None);
        assert_eq!(Timestamp::parse("2025-02-30T00:00:00Z"), None);
    }

    #[test]
    fn days_are_added_without_overflow() {
        let start = Timestamp::parse("2026-01-31T00:00:00Z").unwrap();
        assert_eq!(start.plus_days(1).to_string(), "2026-02-01T00:00:00.000Z");
        assert_eq!(start.plus_days(u32::MAX).millis(), MAX_MS);
    }
}
