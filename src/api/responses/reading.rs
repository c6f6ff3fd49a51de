//! Notes about the trace that steps were read from.

use schemars::JsonSchema;
use serde::Serialize;

use crate::steps::StepsRead;
use hindlore_trace::Skipped;

/// Notes about the reading of a trace.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ReadingResponse {
    /// The format in which the steps came: `steps`, or that of a trace.
    pub format: &'static str,
    /// Places of the trace that were passed over.
    pub skipped: Vec<SkippedResponse>,
}

/// A place that was passed over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct SkippedResponse {
    /// Line of the trace, from 1.
    pub line: usize,
    /// Why.
    pub reason: String,
}

impl From<Skipped> for SkippedResponse {
    fn from(skipped: Skipped) -> Self {
        Self {
            line: skipped.line,
            reason: skipped.reason,
        }
    }
}

impl ReadingResponse {
    /// Takes the notes out of a reading.
    pub(crate) fn take_from(read: &mut StepsRead) -> Self {
        let skipped = std::mem::take(&mut read.skipped);
        Self {
            format: read.format,
            skipped: skipped.into_iter().map(Into::into).collect(),
        }
    }
}
