//! The state of a call's report, and its results.

use serde::Serialize;

use hindlore_api::problem::Problem;
use hindlore_api::responses::ended::EndedRunResponse;
use hindlore_api::responses::errors::CapturedStepResponse;
use hindlore_api::responses::lesson_answers::RetrievedLessonsResponse;
use hindlore_api::responses::playbooks::PlaybookChangedResponse;

/// The state of a call's report.
pub(in crate::commands) enum Fate {
    /// It is in the store.
    Learned(Box<Learned>),
    /// It waits for the store.
    Waits,
    /// It is lost.
    Lost(Problem),
}

/// The results of a call.
#[derive(Serialize)]
pub(in crate::commands) struct Learned {
    pub(in crate::commands) step: CapturedStepResponse,
    /// Advice; absent unless it was requested and the command failed.
    pub(in crate::commands) hint: Option<RetrievedLessonsResponse>,
    /// The playbook after it; absent unless one was named and the run shows something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::commands) playbook: Option<PlaybookChangedResponse>,
    /// Absent while the run is open.
    pub(in crate::commands) ended: Option<EndedRunResponse>,
}
