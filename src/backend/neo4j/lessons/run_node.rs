//! A run's node as it is read: its fields and its metrics.

use std::collections::BTreeMap;

use neo4rs::{BoltMap, BoltType};
use serde::{Deserialize, Deserializer, de::Error};

use super::run_metrics::{Counts, MEASURED};
use super::run_rows::RunProperties;
use crate::bolt::values::read;
use crate::error::{Failure, Result};
use crate::upkeep::by_hand::Node;
use hindlore_domain::trajectory::Metrics;
use hindlore_store::lessons::rows::RunRow;

/// A run's node.
pub(super) struct RunNode {
    fields: RunProperties,
    counts: Counts,
    measured: BTreeMap<String, f64>,
}

impl<'de> Deserialize<'de> for RunNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let all = BTreeMap::<String, BoltType>::deserialize(deserializer)?;
        let numbers = all.iter().filter_map(|(name, value)| {
            let name = name.strip_prefix(MEASURED)?;
            let number = match value {
                BoltType::Float(number) => number.value,
                // A hand may have typed the number without a point.
                BoltType::Integer(number) => number.value as f64,
                _ => return None,
            };
            Some((name.to_owned(), number))
        });
        let measured = numbers.collect();
        let mut map = BoltMap::with_capacity(all.len());
        for (name, value) in all {
            map.put(name.into(), value);
        }
        let node = BoltType::Map(map);
        Ok(Self {
            counts: read::<Node<Counts>>(node.clone())
                .map_err(D::Error::custom)?
                .0,
            fields: read::<Node<RunProperties>>(node)
                .map_err(D::Error::custom)?
                .0,
            measured,
        })
    }
}

impl RunNode {
    pub(super) fn into_run(self) -> Result<RunRow> {
        let mut run = self.fields.into_run()?;
        let counted = self.counts.of(&run);
        if let (Some(end), Some(metrics)) = (&mut run.end, counted) {
            // A text that properties cannot reproduce was stored as it is.
            if end.metrics.is_empty() {
                end.metrics = serde_json::to_string(&metrics)?;
            }
        }
        if !self.measured.is_empty() {
            let measured = Metrics::new(self.measured);
            run.trajectory.measured =
                measured.map_err(|why| Failure::Damaged(format!("a run `{}`: {why}", run.id)))?;
        }
        Ok(run)
    }
}

#[cfg(test)]
mod tests {
    use hindlore_domain::lesson::lesson::LearnerId;
    use serde_json::json;

    use super::super::keys::Keys;
    use super::super::run_rows::run_properties;
    use super::*;

    fn run(metrics: &str) -> RunRow {
        serde_json::from_value(json!({
            "id": "r1", "place": {}, "intent": "", "control": false, "allowed_steps": null, "steps": 4, "changes": 1,
            "started_at": "2026-01-01T00:00:00Z", "last_at": "2026-01-01T00:00:01Z",
            "end": {"passed": true, "score": 0.5, "at": "2026-01-01T00:00:01Z", "idle": false, "occurrences": [],
                "in_force": [], "followed": [], "subjects": [], "metrics": metrics},
            "trajectory": {"measured": {"tokens": 3.0, "cost_usd": 0.1}},
        }))
        .unwrap()
    }

    #[test]
    fn metrics_come_back_as_they_were() {
        let keys = Keys::new(&LearnerId::new("tenant", "learner").unwrap());
        let whole = r#"{"run":"r1","control":false,"passed":true,"score":0.5,"steps":4,"tool_errors":2,"activations":1,"withheld":0,"recurrences":1,"promoted":0,"suppressed":0,"precision":0.25}"#;
        let of_another_pass = whole.replace("\"passed\":true", "\"passed\":false");
        for (text, is_text) in [
            (whole, false),
            (of_another_pass.as_str(), true),
            ("{}", true),
            ("", false),
        ] {
            let run = run(text);
            let sent = BoltType::from(run_properties(&keys, &run).unwrap());
            let names = format!("{sent:?}");
            assert_eq!(names.contains("\"metrics\""), is_text, "{text}");
            assert!(names.contains("measured_cost_usd"));
            let back = read::<RunNode>(sent).unwrap().into_run().unwrap();
            assert_eq!(back, run, "{text}");
        }
    }
}
