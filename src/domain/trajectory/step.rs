//! A step of a trajectory: a decision, an action, or an observation, in words and as data.

use serde_json::Value;

use hindlore_errors::action::Action;
use hindlore_primitives::ids::FingerprintId;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_primitives::word_enum;

word_enum! {
    /// The kind of a step.
    #[derive(Default)]
    StepKind {
        /// Something was chosen.
        Decision = "decision",
        /// Something was done.
        #[default]
        Action = "action",
        /// Something was seen.
        Observation = "observation",
    }
}

/// A step of a trajectory.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// Its number in the trajectory, from 1, ascending and without a gap where the store numbers.
    pub number: u32,
    /// Its kind.
    pub kind: StepKind,
    /// A description in words; for an action without words the command or the call as it was reported.
    pub description: String,
    /// The action; absent in decisions and observations.
    pub action: Option<Action>,
    /// Further data of the caller, any JSON; absent where there is none.
    pub metadata: Option<Value>,
    /// True when it failed.
    pub failed: bool,
    /// The error, if known: the error, else the reason, cut to 8 kB.
    pub error: Option<String>,
    /// The fine fingerprints of its errors, sorted and each once; empty when none is known.
    pub fingerprints: Vec<FingerprintId>,
    /// When it happened.
    pub at: Timestamp,
}
