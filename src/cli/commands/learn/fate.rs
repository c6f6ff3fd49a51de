//! What became of what a call has to say, and what it left behind.

use serde::Serialize;

use crate::api::problem::Problem;
use crate::api::responses::ended::EndedRunResponse;
use crate::api::responses::errors::CapturedStepResponse;
use crate::api::responses::lesson_answers::RetrievedLessonsResponse;
use crate::api::responses::playbooks::PlaybookChangedResponse;
use crate::domain::lesson::lesson_policy::RetrievalNumbers;

/// What became of what a call has to say.
pub(in crate::cli::commands) enum Fate {
    /// It is in the store.
    Learned(Box<Learned>),
    /// It waits for the store.
    Waits,
    /// It is lost.
    Lost(Problem),
}

/// What a call left behind.
#[derive(Serialize)]
pub(in crate::cli::commands) struct Learned {
    pub(in crate::cli::commands) step: CapturedStepResponse,
    /// What helps; absent unless it was asked for and the command failed.
    pub(in crate::cli::commands) hint: Option<RetrievedLessonsResponse>,
    /// The playbook after it; absent unless one was named and the run shows something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli::commands) playbook: Option<PlaybookChangedResponse>,
    /// Absent while the run goes on.
    pub(in crate::cli::commands) ended: Option<EndedRunResponse>,
    /// What the scores of the hint were made with.
    #[serde(skip)]
    pub(in crate::cli::commands) weights: RetrievalNumbers,
}
