//! Command `lessons review`: gives a lesson a status as a person.

use super::CommandResult;
use crate::api::responses::lessons::LessonResponse;
use crate::cli::args::lessons::ReviewArgs;
use crate::cli::output::{Outcome, Tone};
use crate::cli::session::Session;
use crate::engine::lessons::ReviewRequest;

/// Reviews a lesson.
pub(crate) async fn run(session: &Session, args: ReviewArgs) -> CommandResult {
    let opened = session.open_lessons_there()?;
    let request = ReviewRequest {
        lesson: opened.lesson_id(&args.id).await?,
        to: args.to.into(),
        author: session.typed_author(),
        note: args.note,
    };
    let work = opened.engine.review_lesson(&opened.owner, request);
    let shown = LessonResponse::from(&session.wait("reviewing", work).await?);
    session.output.show(&shown, |page| {
        page.line(Tone::Good, format_args!("{} is {}", shown.id, shown.status));
    })?;
    Ok(Outcome::Done)
}
