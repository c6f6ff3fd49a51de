//! The settings: values, their sources, and where a memory overrides them.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::problem::Problem;

/// The settings.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ConfigResponse {
    /// The configuration file; null if there is none.
    pub file: Option<String>,
    /// Faults in the settings.
    pub faults: Vec<SettingFault>,
    /// The settings.
    pub settings: Vec<SettingResponse>,
    /// Fields in which the memory's policy differs from the local one; null if no memory was examined.
    pub differences: Option<Vec<PolicyDifference>>,
}

/// A fault in the settings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct SettingFault {
    /// The fault.
    pub message: String,
    /// The remedy; null if unknown.
    pub hint: Option<String>,
}

impl From<&Problem> for SettingFault {
    fn from(problem: &Problem) -> Self {
        Self {
            message: problem.message.clone(),
            hint: problem.hint.clone(),
        }
    }
}

/// One setting.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct SettingResponse {
    /// Its name; fields of the policy begin with `policy.`.
    pub name: String,
    /// Its value; null if it has none.
    pub value: Value,
    /// Its source: a flag, a variable, the file, or `default`.
    pub source: String,
}

/// A policy field with another value in a memory.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PolicyDifference {
    /// Name of the field.
    pub field: String,
    /// The memory's value.
    pub stored: Value,
    /// The value for new memories.
    pub local: Value,
}
