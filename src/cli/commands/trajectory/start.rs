//! Command `trajectory start`: starts the record of an agent's work on a task.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, Tone, redacted};
use crate::session::Session;
use hindlore_api::verbs::trajectory::StartTrajectory;

pub(crate) const FORM: Form = Form::new(
    "trajectory.start",
    &[("description", Typed::Words("DESCRIPTION"))],
)
.with_after_help(
    "The answer is the id, by which `trajectory log` and `trajectory complete` know it:\n\n  \
     id=$(hindlore trajectory start \"fetch the report\" --task-type api_call --agent scout --json | jq -r .id)",
);

/// Starts a trajectory.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let started = session
        .answer::<StartTrajectory>("starting", request)
        .await?;
    session.output.show(&started, |page| {
        let what = if started.was_there {
            "was open"
        } else {
            "is open"
        };
        page.line(Tone::Good, format_args!("trajectory {} {what}", started.id));
        redacted::redacted(page, started.redacted.as_ref());
    })?;
    Ok(Outcome::Done)
}
