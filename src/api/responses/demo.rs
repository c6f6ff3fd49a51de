//! What the demonstration answers: what happened, step by step.

use schemars::JsonSchema;
use serde::Serialize;

use super::ended::EndedRunResponse;
use super::lesson_answers::RetrievedLessonsResponse;
use super::{DeltaApplied, RetrievalResponse};
use crate::api::schema::Id;
use crate::domain::memory::bullet::BulletId;
use crate::domain::memory::delta::DeltaId;

/// The demonstration.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct DemoResponse {
    /// What is demonstrated: `memory`.
    pub demo: &'static str,
    /// Tenant, learner and scope, parted by `/`.
    pub memory: String,
    /// Store that it is kept in; null for one that is gone afterwards.
    pub store: Option<String>,
    /// What happened to the memory.
    pub steps: Vec<DemoStep>,
    /// How failures became lessons.
    pub failures: DemoFailures,
}

/// A step of the demonstration.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum DemoStep {
    /// A playbook comes in.
    Import {
        /// Records in it.
        read: u64,
        /// What they did.
        receipt: DeltaApplied,
    },
    /// A lesson is learned.
    Learn {
        /// What it shows.
        shows: &'static str,
        /// What it says.
        text: &'static str,
        /// The bullet of the playbook that it met; null: none.
        met: Option<String>,
        /// Active bullets afterwards.
        active: u64,
        /// What it did.
        receipt: DeltaApplied,
    },
    /// A question is asked.
    Retrieve {
        /// The question.
        query: &'static str,
        /// The answer.
        answer: RetrievalResponse,
    },
    /// The answer is judged.
    Feedback {
        /// The bullet that helped.
        #[schemars(with = "Id")]
        helped: BulletId,
        /// The bullet that did harm.
        #[schemars(with = "Id")]
        harmed: BulletId,
        /// What the votes did.
        receipts: Vec<DeltaApplied>,
    },
    /// The question is asked again.
    RetrieveAgain {
        /// The question.
        query: &'static str,
        /// The answer.
        answer: RetrievalResponse,
        /// Where bullets stand now.
        ranks: Vec<DemoRank>,
    },
    /// A delta is taken back.
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
        /// True when the content is what it was.
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

/// Where a bullet stood before and after the feedback; null where it was not in the answer.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct DemoRank {
    /// Id of the bullet.
    #[schemars(with = "Id")]
    pub id: BulletId,
    /// What it says.
    pub content: String,
    /// Place before, from 1.
    pub rank_before: Option<usize>,
    /// Place after, from 1.
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
    /// What it is.
    pub event: &'static str,
    /// Revision that it made; null for a retrieval.
    pub revision: Option<u64>,
    /// What it did.
    pub text: String,
}

/// A task that failed, what was learned, and another task without those failures.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct DemoFailures {
    /// The run that failed.
    pub first_run: DemoRun,
    /// What was returned before the second run.
    pub found: RetrievedLessonsResponse,
    /// The run that knew it.
    pub second_run: DemoRun,
}

/// A run as it went.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct DemoRun {
    /// What was to be reached.
    pub intent: &'static str,
    /// The lines that were tried, in order.
    pub tries: Vec<DemoTry>,
    /// How often the tool refused one.
    pub errors: usize,
    /// What its end brought.
    pub ended: EndedRunResponse,
}

/// A line that was tried.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct DemoTry {
    /// The line.
    pub line: String,
    /// What the tool said against it; null: it took it.
    pub error: Option<String>,
    /// The habit that a lesson replaced; null: none.
    pub instead_of: Option<&'static str>,
}
