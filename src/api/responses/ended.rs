//! What the end of a run answers, and what a whole trace does.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::RedactedResponse;
use super::decisions::DecidedResponse;
use super::errors::CapturedResponse;
use super::lesson_answers::RetrievedLessonsResponse;
use crate::api::schema::{Id, Word};
use crate::domain::lesson::candidate::Origin;
use crate::domain::lesson::evidence_row::RowKind;
use crate::domain::lesson::ids::{ActivationId, LessonId};
use crate::domain::lesson::lesson::Status as LessonStatus;
use crate::domain::lesson::metrics::RunMetrics;
use crate::engine::lessons::{EndedRun, Learned, RejectedCandidate, Settled, TraceLearned};

/// What the end of a run brought.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct EndedRunResponse {
    /// The run.
    pub run: String,
    /// It was ended because nothing was reported of it any more.
    pub idle: bool,
    /// It had ended before; this is what its end brought then.
    pub repeated: bool,
    /// Its metrics.
    pub metrics: MetricsResponse,
    /// The lessons that it leaves.
    pub learned: Vec<LearnedResponse>,
    /// What was proposed and turned away.
    pub rejected: Vec<RejectedResponse>,
    /// What came of the lessons that were returned in it.
    pub settled: Vec<SettledResponse>,
    /// Lessons whose status changed.
    pub decisions: Vec<DecidedResponse>,
    /// Pairs of lessons that were found to contradict each other.
    #[schemars(with = "Vec<(Id, Id)>")]
    pub conflicts: Vec<(LessonId, LessonId)>,
    /// Secrets that were taken out of what was proposed, by the rule that found them; absent where there were none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub redacted: BTreeMap<String, u64>,
}

impl From<EndedRun> for EndedRunResponse {
    fn from(ended: EndedRun) -> Self {
        Self {
            run: ended.run,
            idle: ended.idle,
            repeated: ended.repeated,
            metrics: ended.metrics.into(),
            learned: ended.learned.into_iter().map(Into::into).collect(),
            rejected: ended.rejected.into_iter().map(Into::into).collect(),
            settled: ended.settled.into_iter().map(Into::into).collect(),
            decisions: ended.decisions.into_iter().map(Into::into).collect(),
            conflicts: ended.conflicts,
            redacted: ended.redacted.by_rule().clone(),
        }
    }
}

/// The metrics of one run.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct MetricsResponse {
    /// The run.
    pub run: String,
    /// Lessons were withheld.
    pub control: bool,
    /// What an evaluator said.
    pub passed: Option<bool>,
    /// Its score.
    pub score: Option<f64>,
    /// Steps taken.
    pub steps: u32,
    /// Failed steps.
    pub tool_errors: u64,
    /// Lessons that were returned.
    pub activations: u64,
    /// Lessons that would have been returned.
    pub withheld: u64,
    /// Failures whose fingerprint was raised before, in this run or an earlier one.
    pub recurrences: u64,
    /// Decisions that promoted.
    pub promoted: u64,
    /// Decisions that suppressed.
    pub suppressed: u64,
    /// Activations that helped over activations with an outcome; null without one.
    pub precision: Option<f64>,
}

impl From<RunMetrics> for MetricsResponse {
    fn from(metrics: RunMetrics) -> Self {
        Self {
            run: metrics.run,
            control: metrics.control,
            passed: metrics.passed,
            score: metrics.score,
            steps: metrics.steps,
            tool_errors: metrics.tool_errors,
            activations: metrics.activations,
            withheld: metrics.withheld,
            recurrences: metrics.recurrences,
            promoted: metrics.promoted,
            suppressed: metrics.suppressed,
            precision: metrics.precision,
        }
    }
}

/// A lesson that a run left.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LearnedResponse {
    /// The lesson under which it is kept.
    #[schemars(with = "Id")]
    pub lesson: LessonId,
    /// `new`, `merged`, `confirmed` or `inherits`.
    pub placement: String,
    /// What it says.
    pub rule: String,
    /// Where it stands.
    #[schemars(with = "Word<LessonStatus>")]
    pub status: LessonStatus,
    /// Who proposed it.
    #[schemars(with = "Word<Origin>")]
    pub origin: Origin,
    /// The steps that show it.
    pub evidence_steps: Vec<u32>,
}

impl From<Learned> for LearnedResponse {
    fn from(learned: Learned) -> Self {
        Self {
            lesson: learned.lesson,
            placement: learned.placement,
            rule: learned.rule,
            status: learned.status,
            origin: learned.origin,
            evidence_steps: learned.evidence_steps,
        }
    }
}

/// A proposal that was turned away.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct RejectedResponse {
    /// What it says.
    pub rule: String,
    /// Why it was turned away.
    pub reason: String,
}

impl From<RejectedCandidate> for RejectedResponse {
    fn from(rejected: RejectedCandidate) -> Self {
        Self {
            rule: rejected.rule,
            reason: rejected.reason,
        }
    }
}

/// What came of a lesson that was returned.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct SettledResponse {
    /// Which use of it.
    #[schemars(with = "Id")]
    pub activation: ActivationId,
    /// The lesson.
    #[schemars(with = "Id")]
    pub lesson: LessonId,
    /// The error came again, or the advice failed in another way.
    pub recurred: bool,
    /// What it brought, from -1 to 1.
    pub utility: f64,
    /// It was followed and worked.
    pub helped: bool,
    /// What was done after it; null in answers of the first rules.
    #[schemars(with = "Option<Word<RowKind>>")]
    pub row: Option<RowKind>,
}

impl From<Settled> for SettledResponse {
    fn from(settled: Settled) -> Self {
        Self {
            activation: settled.activation,
            lesson: settled.lesson,
            recurred: settled.recurred,
            utility: settled.utility,
            helped: settled.helped,
            row: settled.row,
        }
    }
}

/// What a trace left.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct TraceResponse {
    /// Steps that were reported.
    pub steps: usize,
    /// Error events that are new.
    pub captured: usize,
    /// Error events that were there already.
    pub repeated: usize,
    /// Steps that worked.
    pub worked: usize,
    /// The runs that ended, and what each of them left.
    pub runs: Vec<EndedRunResponse>,
    /// What was cut or replaced.
    pub notes: Vec<String>,
    /// Secrets that were taken out of the steps; absent where there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
    /// What helps against the last step; absent where it worked, or nobody asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<RetrievedLessonsResponse>,
}

impl TraceResponse {
    /// The answer to a trace, with what reading it has to say.
    pub fn of(learned: TraceLearned, mut notes: Vec<String>) -> Self {
        let captured = CapturedResponse::from(learned.captured);
        let steps = captured.steps.len();
        notes.extend(captured.steps.into_iter().flat_map(|step| step.notes));
        Self {
            steps,
            captured: captured.captured,
            repeated: captured.repeated,
            worked: captured.worked,
            runs: learned.ended.into_iter().map(Into::into).collect(),
            notes,
            redacted: captured.redacted,
            hint: learned.hint.map(Into::into),
        }
    }
}
