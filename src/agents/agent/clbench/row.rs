//! One task of CL-bench, with the additions of each pass.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::labels::Label;
use crate::agent::session::text;
use crate::model::{Message, Role};

/// A requirement: a text, or an object that holds one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Rubric {
    /// A text.
    Text(String),
    /// An object.
    Criteria {
        /// The text.
        rubric_criteria: String,
        /// Further fields.
        #[serde(flatten)]
        more: Map<String, Value>,
    },
}

impl Rubric {
    /// The requirements.
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text)
            | Self::Criteria {
                rubric_criteria: text,
                ..
            } => text,
        }
    }
}

/// The category of a task.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Metadata {
    /// Id of the task.
    pub task_id: String,
    /// Id of the context, which several tasks share.
    pub context_id: String,
    /// Category of the context.
    #[serde(default)]
    pub context_category: String,
    /// Part of the category.
    #[serde(default)]
    pub sub_category: String,
    /// Further fields.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// A task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Place among all rows, from 0; given by the first pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idx: Option<usize>,
    /// The messages: context, earlier turns of the assistant, the question.
    pub messages: Vec<Value>,
    /// The requirements.
    #[serde(default)]
    pub rubrics: Vec<Rubric>,
    /// Its category.
    #[serde(default)]
    pub metadata: Metadata,
    /// The answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_output: Option<String>,
    /// Why a pass failed; such a row is tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Why it was graded so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grading_rationale: Option<String>,
    /// Whether each requirement is met: `yes` or `no`.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "super::status"
    )]
    pub requirement_status: Option<Vec<bool>>,
    /// 1 if all are met, else 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<u8>,
    /// The score that the judge gave itself, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge_score: Option<f64>,
    /// Kinds of errors of each requirement that is not met, by its place; refusal is of the whole row, by the place `row`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub error_labels: BTreeMap<String, Vec<Label>>,
    /// Further fields.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl Row {
    /// The messages as an agent reads them; turns of the assistant are kept.
    pub fn prompt(&self) -> Vec<Message> {
        let role = |message: &Value| {
            let word = message.get("role").cloned().unwrap_or_default();
            serde_json::from_value(word).unwrap_or(Role::User)
        };
        let message = |message: &Value| Message {
            role: role(message),
            content: text(message),
        };
        self.messages.iter().map(message).collect()
    }
}

/// Reads rows, one JSON object a line; `Err` names the line.
pub fn read(text: &str) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for (place, line) in text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
    {
        let mut row: Row =
            serde_json::from_str(line).map_err(|error| format!("line {}: {error}", place + 1))?;
        if row.idx.is_none() {
            row.idx = Some(rows.len());
        }
        rows.push(row);
    }
    Ok(rows)
}

/// The places of rows, context by context in the order in which contexts first come, and within one in theirs; at most
/// `contexts` of them.
pub fn by_context(rows: &[Row], contexts: Option<usize>) -> Vec<usize> {
    let mut order: Vec<&str> = Vec::new();
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, row) in rows.iter().enumerate() {
        let context = row.metadata.context_id.as_str();
        let group = groups.entry(context).or_default();
        if group.is_empty() {
            order.push(context);
        }
        group.push(place);
    }
    let taken = order.into_iter().take(contexts.unwrap_or(usize::MAX));
    taken
        .flat_map(|context| groups.remove(context).unwrap_or_default())
        .collect()
}
