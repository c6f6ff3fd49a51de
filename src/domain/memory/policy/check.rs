//! The ranges of a policy: every number lies where the formulas that read it hold.

use serde_json::{Map, Value};

use super::{Policy, Profile, TOKENISER_VERSION, merge_field};
use crate::memory::bullet::bullet_kind::Source;

impl Policy {
    /// Returns the first fault of a policy from an untrusted store or file; `None` if nothing is. Unlike a patch,
    /// it does not clamp rates.
    pub fn problem(&self) -> Option<String> {
        let rates = [
            ("rates.semantic", self.rates.semantic),
            ("rates.episodic", self.rates.episodic),
            ("rates.procedural", self.rates.procedural),
        ];
        let outside = rates
            .iter()
            .find_map(|(name, rate)| share(name, *rate).err());
        outside.or_else(|| self.clone().checked().err())
    }

    /// Clamps the rates and checks all other ranges; `Err` names the first field out of range.
    pub(crate) fn checked(mut self) -> Result<Self, String> {
        for rate in [
            &mut self.rates.semantic,
            &mut self.rates.episodic,
            &mut self.rates.procedural,
        ] {
            *rate = rate.clamp(0.0, 1.0);
        }
        for (name, value) in [
            ("merge_threshold", self.merge_threshold),
            ("dedup_threshold", self.dedup_threshold),
            ("floor", self.floor),
            ("link_shares", self.link_shares.previous),
            ("link_shares", self.link_shares.next),
        ] {
            share(name, value)?;
        }
        let of_source = |source: &Source| self.source_weights.of(*source);
        let dialogue = self.source_weights.dialogue;
        for value in Source::ALL.iter().map(of_source).chain([dialogue]) {
            share("source_weights", value)?;
        }
        let weights = self.weights.unwrap_or(Profile::Engine.weights());
        let parts = [weights.relevance, weights.strength, weights.memory_type];
        for (name, value) in [
            ("merge_threshold", self.merge_threshold),
            ("base_strength", self.base_strength),
            ("weights", parts.iter().sum()),
        ] {
            if value <= 0.0 || !value.is_finite() {
                return Err(format!(
                    "policy field `{name}` is {value}; it must be above 0"
                ));
            }
        }
        if parts.iter().any(|weight| *weight < 0.0) {
            return Err("policy field `weights` holds a negative weight".to_owned());
        }
        if self.max_content_chars == 0 || self.max_content_chars > 1_048_576 {
            return Err("policy field `max_content_chars` must lie in 1..=1048576".to_owned());
        }
        if self.tokeniser != TOKENISER_VERSION {
            return Err(format!(
                "policy field `tokeniser` must be {TOKENISER_VERSION} in this version"
            ));
        }
        Ok(self)
    }
}

fn share(name: &str, value: f64) -> Result<(), String> {
    if (0.0..=1.0).contains(&value) {
        Ok(())
    } else {
        Err(format!(
            "policy field `{name}` is {value}; it must lie in 0..=1"
        ))
    }
}

/// Returns the field that cannot be read and its accepted values: tries each alone, since serde names none.
pub(crate) fn wrong_kind(
    base: &Policy,
    fields: &Map<String, Value>,
    error: &serde_json::Error,
) -> String {
    let Ok(whole) = base.fields() else {
        return format!("policy: {error}");
    };
    let reads = |name: &str, value: &Value| {
        let mut alone = whole.clone();
        merge_field(&mut alone, name, value).and_then(|()| {
            serde_json::from_value::<Policy>(Value::Object(alone)).map_err(|it| it.to_string())
        })
    };
    let wrong = fields
        .iter()
        .find_map(|(name, value)| Some((name, value, reads(name, value).err()?)));
    match wrong {
        Some((name, value, why)) => {
            let takes = kind(whole.get(name)).map_or(why, |kind| format!("it takes {kind}"));
            format!("policy field `{name}` is {value}; {takes}")
        }
        None => format!("policy: {error}"),
    }
}

/// Returns the accepted values of a field, by its current value; `None` if that is not enough.
fn kind(value: Option<&Value>) -> Option<&'static str> {
    match value {
        Some(Value::Bool(_)) => Some("true or false"),
        Some(Value::Number(number)) if number.is_u64() => Some("a whole number"),
        Some(Value::Number(_)) => Some("a number"),
        _ => None,
    }
}
