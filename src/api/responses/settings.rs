//! What is shown of the settings: their values, where each comes from, and where a memory decides otherwise.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::api::problem::Problem;

/// The settings.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ConfigResponse {
    /// The file that was read; null where there is none.
    pub file: Option<String>,
    /// What is wrong with the settings.
    pub faults: Vec<SettingFault>,
    /// The settings.
    pub settings: Vec<SettingResponse>,
    /// Where the policy of the memory differs from the local one; null where none was looked at.
    pub differences: Option<Vec<PolicyDifference>>,
}

/// Something that is wrong with the settings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct SettingFault {
    /// What is wrong.
    pub message: String,
    /// What to do; null where nothing is known.
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
    /// Its value; null where it has none.
    pub value: Value,
    /// Who set it: a flag, a variable, the file, or nobody (`default`).
    pub source: String,
}

/// A field of a policy that a memory has otherwise.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PolicyDifference {
    /// Name of the field.
    pub field: String,
    /// As the memory has it.
    pub stored: Value,
    /// As new memories would get it.
    pub local: Value,
}
