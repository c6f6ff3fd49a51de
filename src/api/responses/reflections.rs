//! Reflections: insights from trajectories.

use schemars::JsonSchema;
use serde::Serialize;

use crate::schema::{Time, Word};
use hindlore::reflections::{BatchReflected, Reflected};
use hindlore_domain::playbook::{Category, Proposal};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::records::reflection::ReflectionRow;

/// A reflection.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ReflectionResponse {
    /// Its id.
    pub id: String,
    /// Trajectories that it is about.
    pub trajectories: Vec<String>,
    /// True for one over several trajectories.
    pub batch: bool,
    /// The insights from its trajectory; empty for several.
    pub insights: Vec<InsightResponse>,
    /// Its proposals for a playbook.
    pub proposals: Vec<ProposalResponse>,
    /// Advice for the next time.
    pub recommendations: Vec<String>,
    /// Its author: `rules`, or the name of a model.
    pub reflector: String,
    /// When it was made.
    #[schemars(with = "Time")]
    pub at: Timestamp,
}

/// One thing that the steps of a trajectory show.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct InsightResponse {
    /// To do, to avoid, or seen.
    #[schemars(with = "Word<Category>")]
    pub category: Category,
    /// The sentence.
    pub pattern: String,
    /// When it applies; empty for always.
    pub context: String,
    /// The steps that show it.
    pub steps: Vec<u32>,
}

/// A proposed strategy.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "StrategyProposalResponse")]
pub struct ProposalResponse {
    /// To do, to avoid, or seen.
    #[schemars(with = "Word<Category>")]
    pub category: Category,
    /// The advice.
    pub pattern: String,
    /// When it applies; empty for always.
    pub context: String,
    /// Supporting trajectories.
    pub trajectories: Vec<String>,
    /// Their number.
    pub support: usize,
}

impl From<&Proposal> for ProposalResponse {
    fn from(proposal: &Proposal) -> Self {
        let mut trajectories: Vec<String> = proposal
            .evidence
            .iter()
            .map(|one| one.trajectory.clone())
            .collect();
        trajectories.sort_unstable();
        trajectories.dedup();
        Self {
            category: proposal.category,
            pattern: proposal.pattern.clone(),
            context: proposal.context.clone(),
            support: trajectories.len(),
            trajectories,
        }
    }
}

impl ReflectionResponse {
    /// A reflection with its id.
    pub fn new(id: String, row: ReflectionRow) -> Self {
        let insights = row.insights.into_iter().map(|one| InsightResponse {
            category: one.category,
            pattern: one.pattern,
            context: one.context,
            steps: one.steps,
        });
        Self {
            id,
            insights: insights.collect(),
            proposals: row.proposals.iter().map(Into::into).collect(),
            trajectories: row.trajectories,
            batch: row.is_batch,
            recommendations: row.recommendations,
            reflector: row.reflector,
            at: row.at,
        }
    }
}

/// The result of a reflection on one trajectory.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ReflectedResponse {
    /// The trajectory.
    pub trajectory: String,
    /// False if there was nothing to learn: one action that worked, or none.
    pub worth_learning: bool,
    /// The reflection; null if there was nothing to learn.
    pub reflection: Option<ReflectionResponse>,
    /// True if the same reflection was there already.
    pub repeated: bool,
}

impl ReflectedResponse {
    /// The result of reflecting on a trajectory.
    pub fn new(trajectory: String, reflected: Option<Reflected>) -> Self {
        Self {
            trajectory,
            worth_learning: reflected.is_some(),
            repeated: reflected.as_ref().is_some_and(|one| one.repeated),
            reflection: reflected.map(|one| ReflectionResponse::new(one.id, one.row)),
        }
    }
}

/// The result of a reflection on many trajectories.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct BatchReflectedResponse {
    /// Ended trajectories that were looked at.
    pub looked_at: usize,
    /// Those that were worth learning from.
    pub worth_learning: usize,
    /// False if there were fewer than `min_trajectories`; then nothing is proposed.
    pub enough: bool,
    /// The reflection, the best supported proposal first; null if it found nothing.
    pub reflection: Option<ReflectionResponse>,
    /// True if the same reflection was there already.
    pub repeated: bool,
}

impl From<BatchReflected> for BatchReflectedResponse {
    fn from(batch: BatchReflected) -> Self {
        Self {
            looked_at: batch.looked_at,
            worth_learning: batch.worth_learning,
            enough: batch.is_enough,
            repeated: batch.reflected.as_ref().is_some_and(|one| one.repeated),
            reflection: batch
                .reflected
                .map(|one| ReflectionResponse::new(one.id, one.row)),
        }
    }
}

/// Reflections, newest first.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ReflectionsResponse {
    /// Newest first.
    pub reflections: Vec<ReflectionResponse>,
    /// Start of the next page, for `after`; null if there is none, or none is left.
    pub next: Option<String>,
}
