//! Uses of lessons: the reason and the result of each.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::proofs::EvidenceRowResponse;
use crate::schema::{Id, Time, Word};
use hindlore_domain::lesson::activation::{RetrievalChannel, Trigger};
use hindlore_domain::lesson::evidence::outcome::{Baseline, Outcome};
use hindlore_errors::fingerprint::Level;
use hindlore_primitives::ids::{ActivationId, FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::rows::ActivationRow;

/// A use of a lesson.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ActivationResponse {
    /// Id of the use.
    #[schemars(with = "Id")]
    pub id: ActivationId,
    /// The run.
    pub run: String,
    /// The lesson.
    #[schemars(with = "Id")]
    pub lesson: LessonId,
    /// The trigger of its return.
    #[schemars(with = "Word<Trigger>")]
    pub moment: Trigger,
    /// Step that failed; 0 before the run.
    pub step: u32,
    /// Fingerprint that triggered it; null before the run.
    #[schemars(with = "Option<Id>")]
    pub trigger: Option<FingerprintId>,
    /// Level of that fingerprint; null before the run.
    #[schemars(with = "Option<Word<Level>>")]
    pub trigger_level: Option<Level>,
    /// Fingerprints it was active for.
    #[schemars(with = "Vec<Id>")]
    pub in_force_for: Vec<FingerprintId>,
    /// Channel that found it.
    #[schemars(with = "Word<RetrievalChannel>")]
    pub lane: RetrievalChannel,
    /// Score that it was ranked by.
    pub score: f64,
    /// True: withheld, because the run is a control run.
    pub withheld: bool,
    /// Contradicting lessons that lost to it.
    #[schemars(with = "Vec<Id>")]
    pub beat: Vec<LessonId>,
    /// When.
    #[schemars(with = "Time")]
    pub at: Timestamp,
    /// Its outcome; null while the run is open.
    pub outcome: Option<UseOutcomeResponse>,
    /// Path, and parts of the score.
    pub explanation: Value,
}

impl From<ActivationRow> for ActivationResponse {
    fn from(row: ActivationRow) -> Self {
        let activation = row.activation;
        Self {
            id: activation.id,
            run: activation.run,
            lesson: activation.lesson,
            moment: activation.moment,
            step: activation.step,
            trigger: activation.trigger.map(|(id, _)| id),
            trigger_level: activation.trigger.map(|(_, level)| level),
            in_force_for: row.triggers,
            lane: activation.lane,
            score: activation.score,
            withheld: activation.withheld,
            beat: activation.beat,
            at: activation.at,
            outcome: activation.outcome.map(Into::into),
            explanation: serde_json::from_str(&row.explanation).unwrap_or_default(),
        }
    }
}

/// The outcome of a use.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct UseOutcomeResponse {
    /// The error occurred (again), or the step after the advice failed in another way.
    pub recurred: bool,
    /// Failures of the run after the use.
    pub failures_after: u32,
    /// The baseline compared with.
    pub baseline: BaselineResponse,
    /// In -1..=1.
    pub error_reduction: f64,
    /// In -1..=1.
    pub step_efficiency_gain: f64,
    /// In -1..=1; null without a referee.
    pub referee_score_gain: Option<f64>,
    /// Weighted sum of the parts.
    pub utility: f64,
    /// The actions after the advice.
    pub row: EvidenceRowResponse,
    /// When it was settled.
    #[schemars(with = "Time")]
    pub at: Timestamp,
}

impl From<Outcome> for UseOutcomeResponse {
    fn from(outcome: Outcome) -> Self {
        Self {
            recurred: outcome.recurred,
            failures_after: outcome.failures_after,
            baseline: outcome.baseline.into(),
            error_reduction: outcome.error_reduction,
            step_efficiency_gain: outcome.step_efficiency_gain,
            referee_score_gain: outcome.referee_score_gain,
            utility: outcome.utility,
            row: outcome.row.into(),
            at: outcome.at,
        }
    }
}

/// The course of runs without the lesson.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct BaselineResponse {
    /// Share of samples with the error, in 0..=1.
    pub rate: f64,
    /// Samples of `rate`.
    pub samples: u64,
    /// Median steps of comparable runs without the lesson.
    pub median_steps: Option<f64>,
    /// Mean score of these runs.
    pub mean_score: Option<f64>,
}

impl From<Baseline> for BaselineResponse {
    fn from(baseline: Baseline) -> Self {
        Self {
            rate: baseline.rate,
            samples: baseline.samples,
            median_steps: baseline.median_steps,
            mean_score: baseline.mean_score,
        }
    }
}
