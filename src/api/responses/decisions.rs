//! Decisions about lessons, with all their grounds, so that a user can follow them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::proofs::{EvidenceRowResponse, ProofResponse, SupportResponse};
use crate::schema::{Id, Time, Word};
use hindlore::lessons::{Decided, PutAway};
use hindlore_domain::lesson::evidence::evidence_rows::{Arm, EvidenceRows, OutcomeRow, RunRow};
use hindlore_domain::lesson::evidence::summary::Summary;
use hindlore_domain::lesson::evidence::verdict_numbers::VerdictNumbers;
use hindlore_domain::lesson::lesson::{Cause, Contest, Status as LessonStatus};
use hindlore_domain::lesson::promotion::{Decision, Reason};
use hindlore_domain::lesson::status::StatusChange;
use hindlore_primitives::ids::{ActivationId, DecisionId, LessonId};
use hindlore_primitives::timestamp::Timestamp;

/// A change of status in brief.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct DecidedResponse {
    /// Id of the decision.
    #[schemars(with = "Id")]
    pub decision: DecisionId,
    /// The lesson.
    #[schemars(with = "Id")]
    pub lesson: LessonId,
    /// Status before it.
    #[schemars(with = "Word<LessonStatus>")]
    pub from: LessonStatus,
    /// Status after it.
    #[schemars(with = "Word<LessonStatus>")]
    pub to: LessonStatus,
    /// Reason.
    #[schemars(with = "Word<Reason>")]
    pub reason: Reason,
}

impl From<Decided> for DecidedResponse {
    fn from(decided: Decided) -> Self {
        Self {
            decision: decided.decision,
            lesson: decided.lesson,
            from: decided.from,
            to: decided.to,
            reason: decided.reason,
        }
    }
}

/// A change of status that the rules decided.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct StatusChangeResponse {
    /// Status before it.
    #[schemars(with = "Word<LessonStatus>")]
    pub from: LessonStatus,
    /// Status after it.
    #[schemars(with = "Word<LessonStatus>")]
    pub to: LessonStatus,
    /// Reason.
    #[schemars(with = "Word<Reason>")]
    pub reason: Reason,
    /// When.
    #[schemars(with = "Time")]
    pub at: Timestamp,
}

impl From<StatusChange> for StatusChangeResponse {
    fn from(change: StatusChange) -> Self {
        Self {
            from: change.from,
            to: change.to,
            reason: change.reason,
            at: change.at,
        }
    }
}

/// A lesson with a change of its status.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ChangedLessonResponse {
    /// The lesson.
    #[schemars(with = "Id")]
    pub lesson: LessonId,
    /// The result.
    #[serde(flatten)]
    pub change: StatusChangeResponse,
}

impl From<&PutAway> for ChangedLessonResponse {
    fn from(one: &PutAway) -> Self {
        Self {
            lesson: one.lesson,
            change: one.change.into(),
        }
    }
}

impl From<&Decision> for ChangedLessonResponse {
    fn from(decision: &Decision) -> Self {
        Self {
            lesson: decision.lesson,
            change: StatusChangeResponse {
                from: decision.from,
                to: decision.to,
                reason: decision.reason,
                at: decision.at,
            },
        }
    }
}

/// A change of status with its evidence.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct DecisionResponse {
    /// Id of the decision.
    #[schemars(with = "Id")]
    pub id: DecisionId,
    /// The lesson.
    #[schemars(with = "Id")]
    pub lesson: LessonId,
    /// Status before it.
    #[schemars(with = "Word<LessonStatus>")]
    pub from: LessonStatus,
    /// Status after it.
    #[schemars(with = "Word<LessonStatus>")]
    pub to: LessonStatus,
    /// Its trigger.
    #[schemars(with = "Word<Cause>")]
    pub cause: Cause,
    /// Reason.
    #[schemars(with = "Word<Reason>")]
    pub reason: Reason,
    /// Summary of the evidence.
    pub summary: SummaryResponse,
    /// The numbers (weights, limits, gates) in force.
    #[schemars(with = "BTreeMap<String, Value>")]
    pub numbers: VerdictNumbers,
    /// The rows that it rests on.
    pub evidence: EvidenceResponse,
    /// When.
    #[schemars(with = "Time")]
    pub at: Timestamp,
}

impl From<Decision> for DecisionResponse {
    fn from(decision: Decision) -> Self {
        Self {
            id: decision.id,
            lesson: decision.lesson,
            from: decision.from,
            to: decision.to,
            cause: decision.cause,
            reason: decision.reason,
            summary: decision.summary.into(),
            numbers: decision.numbers,
            evidence: decision.evidence.into(),
            at: decision.at,
        }
    }
}

/// The result of the evidence for a decision.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct SummaryResponse {
    /// Settled outcomes.
    pub outcomes: usize,
    /// Relevant runs.
    pub relevant_runs: usize,
    /// Mean utility of the outcomes.
    pub mean: f64,
    /// Lower bound of the share of runs in which the advice was followed and worked.
    pub lower: f64,
    /// Upper confidence bound of the mean.
    pub upper: f64,
    /// Share of runs with the lesson in which its fingerprints were raised.
    pub recurrence_with: Option<f64>,
    /// The share for runs without it.
    pub recurrence_without: Option<f64>,
    /// Attributable regressions among the last relevant runs.
    pub regressions: usize,
    /// The result of both proofs.
    pub proof: ProofResponse,
}

impl From<Summary> for SummaryResponse {
    fn from(summary: Summary) -> Self {
        Self {
            outcomes: summary.outcomes,
            relevant_runs: summary.relevant_runs,
            mean: summary.mean,
            lower: summary.lower,
            upper: summary.upper,
            recurrence_with: summary.recurrence_with,
            recurrence_without: summary.recurrence_without,
            regressions: summary.regressions,
            proof: summary.proof.into(),
        }
    }
}

/// The rows that a decision rests on, oldest first.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct EvidenceResponse {
    /// Settled outcomes.
    pub outcomes: Vec<OutcomeRowResponse>,
    /// Relevant runs, and comparable ones without the lesson.
    pub runs: Vec<RunRowResponse>,
    /// Decided contests with conflicting lessons.
    pub contests: Vec<ContestResponse>,
    /// Reliability at the time.
    pub reliability: f64,
    /// Relevant opportunities since it was last returned.
    pub unused_opportunities: u32,
    /// Runs that taught it again.
    pub supports: Vec<SupportResponse>,
    /// Runs that show its need.
    pub needs: Vec<String>,
    /// Its rule names a right form.
    pub has_correct: bool,
    /// A person had set its status.
    pub by_person: bool,
    /// When its status had last changed.
    #[schemars(with = "Option<Time>")]
    pub status_at: Option<Timestamp>,
}

impl From<EvidenceRows> for EvidenceResponse {
    fn from(rows: EvidenceRows) -> Self {
        Self {
            outcomes: rows.outcomes.into_iter().map(Into::into).collect(),
            runs: rows.runs.into_iter().map(Into::into).collect(),
            contests: rows.contests.into_iter().map(Into::into).collect(),
            reliability: rows.reliability,
            unused_opportunities: rows.unused_opportunities,
            supports: rows.supports.into_iter().map(Into::into).collect(),
            needs: rows.needs,
            has_correct: rows.has_correct,
            by_person: rows.by_person,
            status_at: rows.status_at,
        }
    }
}

/// An outcome as evidence.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct OutcomeRowResponse {
    /// The use.
    #[schemars(with = "Id")]
    pub activation: ActivationId,
    /// The run.
    pub run: String,
    /// Its utility; below 0: harm.
    pub utility: f64,
    /// The actions after the advice.
    pub row: EvidenceRowResponse,
}

impl From<OutcomeRow> for OutcomeRowResponse {
    fn from(row: OutcomeRow) -> Self {
        Self {
            activation: row.activation,
            run: row.run,
            utility: row.utility,
            row: row.row.into(),
        }
    }
}

/// A relevant run as evidence.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RunRowResponse {
    /// The run.
    pub run: String,
    /// True if the lesson was active in it.
    pub with_lesson: bool,
    /// True if one of its fingerprints was raised.
    pub raised: bool,
    /// The evaluator's verdict.
    pub passed: Option<bool>,
    /// The evaluator's score.
    pub score: Option<f64>,
    /// It was a major regression, and the lesson was followed at or before a failing step.
    pub regression: bool,
    /// Its side in the comparison; null where it is on none.
    #[schemars(with = "Option<Word<Arm>>")]
    pub arm: Option<Arm>,
    /// It is of the control share.
    pub control: bool,
    /// Steps taken.
    pub steps: u32,
}

impl From<RunRow> for RunRowResponse {
    fn from(row: RunRow) -> Self {
        Self {
            run: row.run,
            with_lesson: row.with_lesson,
            raised: row.raised,
            passed: row.passed,
            score: row.score,
            regression: row.regression,
            arm: row.arm,
            control: row.control,
            steps: row.steps,
        }
    }
}

/// A contest between two conflicting lessons, decided by an outcome.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ContestResponse {
    /// The conflicting lesson.
    #[schemars(with = "Id")]
    pub other: LessonId,
    /// True if this one was returned, and helped.
    pub won: bool,
    /// The deciding use.
    #[schemars(with = "Id")]
    pub activation: ActivationId,
    /// When.
    #[schemars(with = "Time")]
    pub at: Timestamp,
}

impl From<Contest> for ContestResponse {
    fn from(contest: Contest) -> Self {
        Self {
            other: contest.other,
            won: contest.won,
            activation: contest.activation,
            at: contest.at,
        }
    }
}
