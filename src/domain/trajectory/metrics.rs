//! Metrics of an execution: named numbers that the caller measured.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Largest number of metrics of one trajectory.
pub const METRICS_MAX: usize = 64;
/// Longest name of a metric, in characters.
pub const NAME_CHARS_MAX: usize = 64;

/// Named numbers, ascending by name. The names that are known everywhere are `tokens` (a count), `cost_usd` (US dollars)
/// and `duration_ms` (milliseconds); a caller may add its own.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
#[serde(transparent)]
pub struct Metrics(BTreeMap<String, f64>);

impl Metrics {
    /// Takes named numbers; `Err` names them name or number cannot be kept, and why.
    pub fn new(numbers: BTreeMap<String, f64>) -> Result<Self, String> {
        if numbers.len() > METRICS_MAX {
            let count = numbers.len();
            return Err(format!("{count} metrics; give {METRICS_MAX} at most"));
        }
        for (name, number) in &numbers {
            let is_name = !name.is_empty()
                && name.chars().count() <= NAME_CHARS_MAX
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if !is_name {
                return Err(format!(
                    "`{}` is no name of a metric; take 1 to {NAME_CHARS_MAX} letters, digits and `_`",
                    name.escape_debug()
                ));
            }
            if !number.is_finite() {
                return Err(format!(
                    "the metric `{name}` is {number}, which is no number"
                ));
            }
        }
        Ok(Self(numbers))
    }

    /// The number of a name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.get(name).copied()
    }

    /// Tokens used, a count.
    pub fn tokens(&self) -> Option<f64> {
        self.get("tokens")
    }

    /// Cost in US dollars.
    pub fn cost_usd(&self) -> Option<f64> {
        self.get("cost_usd")
    }

    /// Duration in milliseconds.
    pub fn duration_ms(&self) -> Option<f64> {
        self.get("duration_ms")
    }

    /// All names with their numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(name, number)| (name.as_str(), *number))
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'de> Deserialize<'de> for Metrics {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let numbers = BTreeMap::deserialize(deserializer)?;
        Self::new(numbers).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str, number: f64) -> Result<Metrics, String> {
        Metrics::new(BTreeMap::from([(name.to_owned(), number)]))
    }

    #[test]
    fn a_name_or_a_number_that_cannot_be_kept_is_refused_by_name() {
        assert_eq!(named("tokens", 12.0).unwrap().tokens(), Some(12.0));
        for (name, number, said) in [
            ("", 1.0, "no name"),
            ("cost usd", 1.0, "`cost usd`"),
            ("tokens", f64::NAN, "`tokens` is NaN"),
            ("tokens", f64::INFINITY, "`tokens` is inf"),
        ] {
            assert!(named(name, number).unwrap_err().contains(said), "{name}");
        }
        let many = (0..=METRICS_MAX).map(|n| (format!("m{n}"), 0.0));
        assert!(
            Metrics::new(many.collect())
                .unwrap_err()
                .contains("at most")
        );
    }

    #[test]
    fn metrics_are_a_json_object_of_numbers() {
        let metrics: Metrics = serde_json::from_str(r#"{"tokens":3,"cost_usd":0.25}"#).unwrap();
        assert_eq!(metrics.cost_usd(), Some(0.25));
        let text = serde_json::to_string(&metrics).unwrap();
        assert_eq!(text, r#"{"cost_usd":0.25,"tokens":3.0}"#);
        assert!(serde_json::from_str::<Metrics>(r#"{"tokens":"3"}"#).is_err());
    }
}
