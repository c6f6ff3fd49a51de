//! The steps of a run as lessons are learned from them.

use serde_json::Value;

use hindlore_primitives::ids::FingerprintId;

/// One step of a run, in the order of the run.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceStep {
    /// Its number.
    pub step: u32,
    /// The action.
    pub action: Value,
    /// The step of the plan, where the adapter names it.
    pub plan_step: Option<String>,
    /// How it failed; absent for a step that worked.
    pub failure: Option<TraceFailure>,
}

/// How a step failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceFailure {
    /// The fine fingerprint.
    pub fingerprint: FingerprintId,
    /// The coarse one.
    pub coarse: FingerprintId,
    /// The message of the tool.
    pub message: String,
}
