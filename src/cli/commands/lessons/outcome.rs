//! Command `lessons outcome`: reports the result of a returned lesson.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, Tone, lessons};
use crate::session::Session;
use hindlore_api::verbs::lessons::ReportOutcome;

pub(crate) const FORM: Form = Form::new(
    "lessons.outcome",
    &[
        ("activation", Typed::Word("ACTIVATION")),
        ("step_efficiency_gain", Typed::Named("step-gain")),
        ("referee_score_gain", Typed::Named("score-gain")),
    ],
);

/// Reports an outcome.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let shown = session
        .answer::<ReportOutcome>("reporting", request)
        .await?;
    session.output.show(&shown, |page| {
        let word = if shown.repeated {
            "was known"
        } else {
            "is kept"
        };
        page.line(
            Tone::Good,
            format_args!("the outcome of {} {word}", shown.activation),
        );
        page.field("utility", format_args!("{:+.3}", shown.utility));
        page.field("reliability", format_args!("{:.3}", shown.reliability));
        lessons::decided(page, &shown.decisions);
    })?;
    Ok(Outcome::Done)
}
