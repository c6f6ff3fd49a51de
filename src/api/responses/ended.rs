//! The results of ending a run, and of learning from a whole trace.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::RedactedResponse;
use super::decisions::DecidedResponse;
use super::errors::CapturedResponse;
use super::lesson_answers::RetrievedLessonsResponse;
use super::playbooks::PlaybookChangedResponse;
use super::reading::ReadingResponse;
use crate::schema::{Id, Word};
use hindlore::lessons::{Captured, EndedRun, Learned, RejectedCandidate, Settled, TraceLearned};
use hindlore_domain::lesson::evidence::evidence_row::RowKind;
use hindlore_domain::lesson::learning::candidate::Origin;
use hindlore_domain::lesson::lesson::Status as LessonStatus;
use hindlore_domain::lesson::metrics::RunMetrics;
use hindlore_primitives::ids::{ActivationId, LessonId};
use hindlore_redact::Redactions;

/// Notes about steps that an answer holds; more are counted.
const NOTES_MAX: usize = 100;

/// The results of ending a run.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct EndedRunResponse {
    /// The run.
    pub run: String,
    /// True if it was ended for lack of reports.
    pub idle: bool,
    /// True if it had ended before; these are the results of that time.
    pub repeated: bool,
    /// Its metrics.
    pub metrics: MetricsResponse,
    /// Lessons it produced.
    pub learned: Vec<LearnedResponse>,
    /// Rejected proposals.
    pub rejected: Vec<RejectedResponse>,
    /// Outcomes of lessons returned in it.
    pub settled: Vec<SettledResponse>,
    /// Lessons whose status changed.
    pub decisions: Vec<DecidedResponse>,
    /// Pairs of lessons found to contradict each other.
    #[schemars(with = "Vec<(Id, Id)>")]
    pub conflicts: Vec<(LessonId, LessonId)>,
    /// Work that its end had to leave out, with the reason; absent if none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Secrets redacted from the proposals, by rule; absent if none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub redacted: BTreeMap<String, u64>,
    /// The playbook that was curated with the insights; absent if none was named, or there was nothing to learn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playbook: Option<PlaybookChangedResponse>,
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
            notes: ended.notes,
            redacted: ended.redacted.by_rule().clone(),
            playbook: None,
        }
    }
}

/// The metrics of one run.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct MetricsResponse {
    /// The run.
    pub run: String,
    /// True if lessons were withheld.
    pub control: bool,
    /// The evaluator's verdict.
    pub passed: Option<bool>,
    /// The evaluator's score.
    pub score: Option<f64>,
    /// Steps taken.
    pub steps: u32,
    /// Failed steps.
    pub tool_errors: u64,
    /// Lessons returned.
    pub activations: u64,
    /// Lessons withheld.
    pub withheld: u64,
    /// Failures whose fingerprint had been raised before, in this run or an earlier one.
    pub recurrences: u64,
    /// Promotions.
    pub promoted: u64,
    /// Suppressions.
    pub suppressed: u64,
    /// Share of followed uses that helped, as in `health`; null: none was followed.
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

/// A lesson produced by a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LearnedResponse {
    /// The lesson it was stored as.
    #[schemars(with = "Id")]
    pub lesson: LessonId,
    /// `new`, `merged`, `confirmed` or `inherits`.
    pub placement: String,
    /// Its text.
    pub rule: String,
    /// Its status.
    #[schemars(with = "Word<LessonStatus>")]
    pub status: LessonStatus,
    /// Its origin.
    #[schemars(with = "Word<Origin>")]
    pub origin: Origin,
    /// Steps that support it.
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

/// A rejected proposal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct RejectedResponse {
    /// Its text.
    pub rule: String,
    /// Why it was rejected.
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

/// The outcome of a returned lesson.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct SettledResponse {
    /// The use.
    #[schemars(with = "Id")]
    pub activation: ActivationId,
    /// The lesson.
    #[schemars(with = "Id")]
    pub lesson: LessonId,
    /// The error recurred, or the advice failed in another way.
    pub recurred: bool,
    /// Its utility, in -1..=1.
    pub utility: f64,
    /// It was followed and worked.
    pub helped: bool,
    /// The actions after it.
    #[schemars(with = "Word<RowKind>")]
    pub row: RowKind,
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

/// The results of a trace.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct TraceResponse {
    /// Steps reported.
    pub steps: usize,
    /// New error events.
    pub captured: usize,
    /// Known error events.
    pub repeated: usize,
    /// Steps that succeeded.
    pub worked: usize,
    /// Ended runs, with their results.
    pub runs: Vec<EndedRunResponse>,
    /// Notes about the reading.
    #[serde(flatten)]
    pub reading: ReadingResponse,
    /// Texts that were cut or replaced.
    pub notes: Vec<String>,
    /// Secrets redacted from the steps; absent if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<RedactedResponse>,
    /// Advice against the last step; absent if it succeeded, or not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<RetrievedLessonsResponse>,
}

/// The steps of a trace, counted as they are written.
#[derive(Default)]
pub struct TraceTally {
    steps: usize,
    captured: usize,
    repeated: usize,
    worked: usize,
    notes: Vec<String>,
    /// Notes that are not kept.
    more: usize,
    redacted: Redactions,
    /// The step that was counted last.
    last: Option<(String, u32)>,
}

impl TraceTally {
    /// Counts further steps.
    pub fn add(&mut self, captured: Captured) {
        self.redacted.add(&captured.redacted());
        let captured = CapturedResponse::from(captured);
        self.captured += captured.captured;
        self.repeated += captured.repeated;
        self.worked += captured.worked;
        for step in captured.steps {
            for note in step.notes {
                if self.notes.len() < NOTES_MAX {
                    self.notes.push(note);
                } else {
                    self.more += 1;
                }
            }
            // A step with several diagnostics occurs once for each of them.
            let number = Some((step.run, step.step));
            self.steps += usize::from(number != self.last);
            self.last = number;
        }
    }

    /// The answer, with notes about the reading.
    pub fn answer(
        self,
        learned: TraceLearned,
        reading: ReadingResponse,
        mut notes: Vec<String>,
    ) -> TraceResponse {
        notes.extend(learned.continued.into_iter().map(|(part, run)| {
            format!("the run `{run}` has ended; what came after is the run `{part}`")
        }));
        notes.extend(learned.recorded.into_iter().map(|run| {
            format!("the run `{run}` was recorded while it ran; its steps were left out")
        }));
        notes.extend(self.notes);
        if self.more > 0 {
            notes.push(format!("{} more notes", self.more));
        }
        TraceResponse {
            steps: self.steps,
            captured: self.captured,
            repeated: self.repeated,
            worked: self.worked,
            runs: learned.ended.into_iter().map(Into::into).collect(),
            reading,
            notes,
            redacted: RedactedResponse::from_redactions(&self.redacted),
            hint: learned.hint.map(Into::into),
        }
    }
}
