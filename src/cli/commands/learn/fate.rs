//! The state of a call's report, and its results.

use serde::Serialize;

use crate::api::problem::Problem;
use crate::api::responses::ended::EndedRunResponse;
use crate::api::responses::errors::CapturedStepResponse;
use crate::api::responses::lesson_answers::RetrievedLessonsResponse;
use crate::api::responses::playbooks::PlaybookChangedResponse;
use crate::domain::lesson::lesson_policy::RetrievalNumbers;

/// The state of a call's report.
pub(in crate::cli::commands) enum Fate {
    /// It is in the store.
    Learned(Box<Learned>),
    /// It waits for the store.
    Waits,
    /// It is lost.
    Lost(Problem),
}

/// The results of a call.
#[derive(Serialize)]
pub(in crate::cli::commands) struct Learned {
    pub(in crate::cli::commands) step: CapturedStepResponse,
    /// Advice; absent unless it was requested and the command failed.
    pub(in crate::cli::commands) hint: Option<RetrievedLessonsResponse>,
    /// The playbook after it; absent unless one was named and the run shows something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli::commands) playbook: Option<PlaybookChangedResponse>,
    /// Absent while the run is open.
    pub(in crate::cli::commands) ended: Option<EndedRunResponse>,
    /// The weights of the scores in the hint.
    #[serde(skip)]
    pub(in crate::cli::commands) weights: RetrievalNumbers,
}
