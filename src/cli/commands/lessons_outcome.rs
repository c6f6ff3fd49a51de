//! Command `lessons outcome`: what came of a lesson that was returned.

use super::CommandResult;
use crate::api::responses::lesson_answers::OutcomeResponse;
use crate::cli::args::lessons::OutcomeArgs;
use crate::cli::output::{Outcome, Tone, lessons};
use crate::cli::session::Session;
use crate::engine::lessons::OutcomeReport;

/// Reports an outcome.
pub(crate) async fn run(session: &Session, args: OutcomeArgs) -> CommandResult {
    let opened = session.open_lessons_there()?;
    let report = OutcomeReport {
        activation: opened.activation_id(&args.activation).await?,
        error_reduction: args.error_reduction,
        step_efficiency_gain: args.step_gain,
        referee_score_gain: args.score_gain,
    };
    let work = opened.engine.report_outcome(&opened.owner, report);
    let shown = OutcomeResponse::from(session.wait("reporting", work).await?);
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
