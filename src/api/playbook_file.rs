//! A playbook as a file: the template that people share.
//!
//! ```json
//! {"playbook": {"name": "releases", "description": "…", "scope": "agent"},
//!  "strategies": [{"category": "helpful", "pattern": "…", "context": "…", "confidence": 0.8, "evidence": 12}]}
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::json::parse_value;
use super::problem::Problem;
use super::schema::Word;
use hindlore::playbooks::PlaybookView;
use hindlore_domain::playbook::{Category, ConfidenceRules, Proposal, Scope, Stated};
use hindlore_primitives::timestamp::Timestamp;

/// A strategy as it is given.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StrategyInput {
    /// To do, to avoid, or seen.
    #[serde(default = "helpful")]
    #[schemars(with = "Word<Category>")]
    pub category: Category,
    /// The advice, in one or two sentences.
    #[schemars(length(min = 1, max = 2000))]
    pub pattern: String,
    /// When it applies; empty for always.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(length(max = 1000))]
    pub context: String,
    /// How sure it is, in 0..=1; counts until trajectories are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1))]
    pub confidence: Option<f64>,
    /// Number of trajectories that support it, as stated.
    #[serde(default, alias = "evidence_count")]
    pub evidence: u32,
}

fn helpful() -> Category {
    Category::Helpful
}

impl From<StrategyInput> for Proposal {
    fn from(input: StrategyInput) -> Self {
        let evidence = input.evidence;
        let stated = |confidence| Stated {
            confidence,
            evidence,
        };
        Self {
            category: input.category,
            pattern: input.pattern,
            context: input.context,
            evidence: Vec::new(),
            stated: (input.confidence.map(stated)).or_else(|| Stated::of_evidence(evidence)),
        }
    }
}

/// A playbook as a file.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaybookFile {
    /// The description of the playbook.
    #[serde(default)]
    pub playbook: FileHeader,
    /// Its strategies.
    pub strategies: Vec<StrategyInput>,
}

/// The description of a playbook in a file.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileHeader {
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// For whom it is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
}

impl PlaybookFile {
    /// The file of a playbook, with confidences as of `now`.
    pub fn of(view: &PlaybookView, now: Timestamp) -> Self {
        let rules = ConfidenceRules::default();
        let strategies = view.strategies.iter().map(|one| StrategyInput {
            category: one.category,
            pattern: one.pattern.clone(),
            context: one.context.clone(),
            confidence: (one.evidence_count() > 0 || one.stated.is_some())
                .then(|| rules.of(one, now).value),
            evidence: one.evidence_count(),
        });
        let playbook = &view.playbook;
        Self {
            playbook: FileHeader {
                name: Some(playbook.name.clone()),
                description: Some(playbook.description.clone()).filter(|text| !text.is_empty()),
                scope: Some(playbook.scope),
            },
            strategies: strategies.collect(),
        }
    }
}

/// Reads a file.
///
/// `invalid_playbook` that names the place and the fault.
pub fn read(text: &str) -> Result<PlaybookFile, Problem> {
    let hint = "the form is {\"playbook\": {\"name\": …}, \"strategies\": [{\"category\": \"helpful\", \"pattern\": …}]}";
    let refused = |message: String| Problem::new("invalid_playbook", message).with_hint(hint);
    let value: Value =
        parse_value("the playbook", text).map_err(|problem| refused(problem.message))?;
    serde_json::from_value(value)
        .map_err(|error| refused(format!("the playbook is not as it should be: {error}")))
}

/// The text of a file, ending in a line.
///
/// # Errors
/// `internal_error` where it has no JSON form.
pub fn written(file: &PlaybookFile) -> Result<String, Problem> {
    let text = serde_json::to_string_pretty(file)
        .map_err(|error| Problem::new("internal_error", error.to_string()))?;
    Ok(format!("{text}\n"))
}
