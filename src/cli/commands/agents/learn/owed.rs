//! Work that waits for a store: a call that has ended, or the end of a run.

use serde::{Deserialize, Serialize};

use super::record::Record;
use crate::session::OpenLessons;
use hindlore::lessons::EndRun;
use hindlore_api::problem::Problem;
use hindlore_api::responses::ended::EndedRunResponse;

/// The content of a file that waits.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(in crate::commands) enum Owed {
    /// A call.
    Call(Box<Record>),
    /// The end of a run, after all its calls.
    End(RunEnd),
}

/// The end of a run.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::commands) struct RunEnd {
    pub(in crate::commands) tenant: String,
    pub(in crate::commands) learner: String,
    pub(in crate::commands) ended_run: String,
}

impl Owed {
    /// Tenant and learner.
    pub(in crate::commands) fn owner(&self) -> (&str, &str) {
        match self {
            Self::Call(record) => (&record.tenant, &record.learner),
            Self::End(end) => (&end.tenant, &end.learner),
        }
    }

    /// The run.
    pub(super) fn run(&self) -> &str {
        match self {
            Self::Call(record) => &record.run,
            Self::End(end) => &end.ended_run,
        }
    }
}

impl RunEnd {
    /// Ends the run; absent where nothing of it came into the store.
    pub(in crate::commands) async fn take(
        &self,
        opened: &OpenLessons,
    ) -> Result<Option<EndedRunResponse>, Problem> {
        let request = EndRun {
            run: self.ended_run.clone(),
            ..EndRun::default()
        };
        match opened.engine.end_run(&opened.owner, request).await {
            Ok(ended) => Ok(Some(ended.into())),
            Err(error) => match Problem::from(error) {
                problem if problem.code == "no_run" => Ok(None),
                problem => Err(problem),
            },
        }
    }
}
