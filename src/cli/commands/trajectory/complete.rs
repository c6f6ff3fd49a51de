//! Command `trajectory complete`: ends a trajectory with its outcome.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, lessons};
use crate::session::Session;
use hindlore_api::verbs::trajectory::CompleteTrajectory;

pub(crate) const FORM: Form = Form::new(
    "trajectory.complete",
    &[
        ("trajectory", Typed::Word("ID")),
        ("success_score", Typed::Also("score")),
        (
            "metrics",
            Typed::Json(
                "Measured numbers by name, such as {\"tokens\": 1500, \"cost_usd\": 0.03, \"duration_ms\": 2340}",
            ),
        ),
    ],
);

/// Completes a trajectory.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let ended = session
        .answer::<CompleteTrajectory>("learning", request)
        .await?;
    session
        .output
        .show(&ended, |page| lessons::ended(page, &ended))?;
    Ok(Outcome::Done)
}
