//! Command `trajectory feedback`: reports how a trajectory turned out.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, Tone, redacted};
use crate::session::Session;
use hindlore_api::verbs::trajectory::GiveTrajectoryFeedback;

pub(crate) const FORM: Form = Form::new(
    "trajectory.feedback",
    &[
        ("trajectory", Typed::Word("ID")),
        ("kind", Typed::Also("type")),
        ("metrics", Typed::Json("Measured numbers by name")),
    ],
);

/// Gives feedback.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let taken = session
        .answer::<GiveTrajectoryFeedback>("giving feedback", request)
        .await?;
    session.output.show(&taken, |page| {
        let what = if taken.repeated {
            "was there"
        } else {
            "is kept"
        };
        page.line(
            Tone::Good,
            format_args!(
                "feedback {} on {} {what}",
                taken.feedback.id, taken.trajectory
            ),
        );
        if let Some(score) = taken.effective_score {
            page.field("score", format_args!("{score:.3}"));
        }
        if let Some(priority) = taken.relearning {
            page.field("learn again", format_args!("priority {priority} of 10"));
        }
        redacted::redacted(page, taken.redacted.as_ref());
    })?;
    Ok(Outcome::Done)
}
