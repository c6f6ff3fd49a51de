//! The metrics of a run as properties: the engine's measurements, and the numbers that its caller gave, each as
//! `measured_` and its name.

use serde::Deserialize;

use crate::bolt::values::Map;
use crate::error::Result;
use hindlore_domain::lesson::metrics::RunMetrics;
use hindlore_store::lessons::rows::RunRow;

/// The beginning of the name of a property that holds a number of the caller's.
pub(super) const MEASURED: &str = "measured_";

/// The engine's measurements of a run that the run does not have anyway.
#[derive(Deserialize)]
pub(super) struct Counts {
    tool_errors: Option<u64>,
    activations: Option<u64>,
    withheld: Option<u64>,
    recurrences: Option<u64>,
    promoted: Option<u64>,
    suppressed: Option<u64>,
    precision: Option<f64>,
}

impl Counts {
    /// The metrics of a run, which has the rest of them; `None` where none were measured.
    pub(super) fn of(self, run: &RunRow) -> Option<RunMetrics> {
        let end = run.end.as_ref()?;
        Some(RunMetrics {
            run: run.id.clone(),
            control: run.control,
            passed: end.passed,
            score: end.score,
            steps: run.steps,
            tool_errors: self.tool_errors?,
            activations: self.activations?,
            withheld: self.withheld?,
            recurrences: self.recurrences?,
            promoted: self.promoted?,
            suppressed: self.suppressed?,
            precision: self.precision,
        })
    }
}

/// Adds the metrics of a run to its properties.
pub(super) fn with_metrics(map: Map, run: &RunRow) -> Result<Map> {
    let text = run.end.as_ref().map(|end| end.metrics.as_str());
    let named = run.trajectory.measured.iter();
    let map = named.fold(map, |map, (name, number)| {
        map.with(&format!("{MEASURED}{name}"), number)
    });
    match text.filter(|text| !text.is_empty()) {
        None => Ok(map),
        Some(text) => with_counts(map, run, text),
    }
}

/// Adds the metrics in a text, or the text if properties would not give it back.
fn with_counts(map: Map, run: &RunRow, text: &str) -> Result<Map> {
    let counts: Option<Counts> = serde_json::from_str(text).ok();
    let Some(metrics) = counts.and_then(|counts| counts.of(run)) else {
        return Ok(map.with("metrics", text));
    };
    if serde_json::to_string(&metrics)? != text {
        return Ok(map.with("metrics", text));
    }
    map.with("precision", metrics.precision)
        .whole("tool_errors", metrics.tool_errors)?
        .whole("activations", metrics.activations)?
        .whole("withheld", metrics.withheld)?
        .whole("recurrences", metrics.recurrences)?
        .whole("promoted", metrics.promoted)?
        .whole("suppressed", metrics.suppressed)
}
