//! The numbers that a verdict is made with, and as a decision keeps them.

use serde::{Deserialize, Serialize};

use super::lesson_policy::{GateNumbers, LessonPolicy, UtilityNumbers};

/// The numbers that a verdict is made with.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerdictNumbers {
    /// When the status changes.
    pub gates: GateNumbers,
    /// How outcomes are valued.
    pub utility: UtilityNumbers,
}

/// The numbers of a decision as they are kept with it.
///
/// Those of earlier rules have other names; they are kept as they are, so that old decisions can still be read.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DecisionNumbers {
    /// Numbers of the present rules.
    Current(Box<VerdictNumbers>),
    /// Numbers of earlier ones.
    Earlier(serde_json::Value),
}

impl VerdictNumbers {
    /// Those of all numbers that a verdict needs.
    pub fn new(all: &LessonPolicy) -> Self {
        Self {
            gates: all.gates,
            utility: all.utility,
        }
    }
}
