//! The numbers that a verdict is made with; a decision stores them.

use serde::{Deserialize, Serialize};

use crate::lesson::lesson_policy::{GateNumbers, LessonPolicy, UtilityNumbers};

/// The numbers that a verdict is made with.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerdictNumbers {
    /// When the status changes.
    pub gates: GateNumbers,
    /// How outcomes are valued.
    pub utility: UtilityNumbers,
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
