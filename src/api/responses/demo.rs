//! The answer of the demonstration, step by step.

use schemars::JsonSchema;
use serde::Serialize;

use super::ended::EndedRunResponse;
use super::lesson_answers::RetrievedLessonsResponse;
use super::{DeltaApplied, RetrievalResponse};
use crate::schema::Id;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::DeltaId;

/// The demonstration.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct DemoResponse {
    /// The subject of the demonstration: `memory`.
    pub demo: &'static str,
    /// Tenant, learner, and scope, separated by `/`.
    pub memory: String,
    /// Its store; null if temporary.
    pub store: Option<String>,
    /// The changes of the memory.
    pub steps: Vec<DemoStep>,
    /// How failures became lessons.
    pub failures: DemoFailures,
}

/// A step of the demonstration.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum DemoStep {
    /// A playbook is imported.
    Import {
        /// Records in it.
        read: u64,
        /// The receipt.
        receipt: DeltaApplied,
    },
    /// A lesson is learned.
    Learn {
        /// The point of the step.
        shows: &'static str,
        /// Its text.
        text: &'static str,
        /// The bullet of the playbook that it met; null: none.
        met: Option<String>,
        /// Active bullets afterwards.
        active: u64,
        /// The receipt.
        receipt: DeltaApplied,
    },
    /// A query.
    Retrieve {
        /// The query.
        query: &'static str,
        /// The answer.
        answer: RetrievalResponse,
    },
    /// Feedback on the answer.
    Feedback {
        /// The bullet that helped.
        #[schemars(with = "Id")]
        helped: BulletId,
        /// The bullet that did harm.
        #[schemars(with = "Id")]
        harmed: BulletId,
        /// The receipts of the votes.
        receipts: Vec<DeltaApplied>,
    },
    /// The query, repeated.
    RetrieveAgain {
        /// The query.
        query: &'static str,
        /// The answer.
        answer: RetrievalResponse,
        /// Ranks of the bullets now.
        ranks: Vec<DemoRank>,
    },
    /// A delta is undone.
    Undo {
        /// The undo.
        #[schemars(with = "Id")]
        delta: DeltaId,
        /// Content digest before the delta.
        content_digest_before: String,
        /// Content digest after it.
        content_digest_changed: String,
        /// Content digest after the undo.
        content_digest_restored: String,
        /// True if the content was restored.
        is_restored: bool,
        /// State digest after the undo.
        digest: String,
        /// Revision after the undo.
        revision: u64,
        /// Clock after the undo.
        clock: u64,
    },
    /// The history is shown.
    History {
        /// The events, in order.
        events: Vec<DemoEvent>,
    },
}

/// Rank of a bullet before and after the feedback; null if it was not in the answer.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct DemoRank {
    /// Id of the bullet.
    #[schemars(with = "Id")]
    pub id: BulletId,
    /// Its text.
    pub content: String,
    /// Rank before, from 1.
    pub rank_before: Option<usize>,
    /// Rank after, from 1.
    pub rank_after: Option<usize>,
    /// Score before.
    pub score_before: Option<f64>,
    /// Score after.
    pub score_after: Option<f64>,
}

/// One event of the history.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct DemoEvent {
    /// Its tick.
    pub tick: u64,
    /// Its kind.
    pub event: &'static str,
    /// Revision it made; null for a retrieval.
    pub revision: Option<u64>,
    /// Its description.
    pub text: String,
}

/// A task that failed, the lessons, and another task without those failures.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct DemoFailures {
    /// The run that failed.
    pub first_run: DemoRun,
    /// Lessons returned before the second run.
    pub found: RetrievedLessonsResponse,
    /// The run with these lessons.
    pub second_run: DemoRun,
}

/// A run.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct DemoRun {
    /// Its goal.
    pub intent: &'static str,
    /// Tried lines, in order.
    pub tries: Vec<DemoTry>,
    /// Number of lines the tool refused.
    pub errors: usize,
    /// The results of its end.
    pub ended: EndedRunResponse,
}

/// A tried line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct DemoTry {
    /// The line.
    pub line: String,
    /// The tool's error; null: accepted.
    pub error: Option<String>,
    /// The habit that a lesson replaced; null: none.
    pub instead_of: Option<&'static str>,
}
