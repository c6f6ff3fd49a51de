//! Command `trajectory log`: logs a step of a trajectory.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, Tone, lessons, redacted};
use crate::session::Session;
use hindlore_api::verbs::trajectory::LogStep;

pub(crate) const FORM: Form = Form::new(
    "trajectory.log",
    &[
        ("trajectory", Typed::Word("ID")),
        ("description", Typed::Words("DESCRIPTION")),
        (
            "action",
            Typed::Text("The action, as a command; by default the description of an action"),
        ),
        (
            "metadata",
            Typed::Json("Further data, any JSON up to 64 kB"),
        ),
    ],
);

/// Logs a step.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let logged = session.answer::<LogStep>("logging", request).await?;
    session.output.show(&logged, |page| {
        let what = match (logged.repeated, logged.failed) {
            (true, _) => " was there",
            (false, true) => " failed",
            (false, false) => "",
        };
        page.line(
            Tone::Good,
            format_args!("step {} of {}{what}", logged.number, logged.trajectory),
        );
        lessons::notes(page, &logged.notes);
        redacted::redacted(page, logged.redacted.as_ref());
    })?;
    Ok(Outcome::Done)
}
