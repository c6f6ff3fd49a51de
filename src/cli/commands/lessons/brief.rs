//! Command `lessons brief`: the lessons worth knowing at the start of a session, as text for a prompt.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::Outcome;
use crate::session::Session;
use hindlore_api::verbs::lesson_brief::BriefLessons;

pub(crate) const FORM: Form = Form::new("lessons.brief", &[("max_results", Typed::Named("max"))]);

/// Prints them; nothing at all when there are none, since the text goes into a prompt.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let request: BriefLessons = request.read(session)?;
    let access = session.access_of::<BriefLessons>().await?;
    let shown = session.wait("looking", access.answer(request)).await?;
    match &shown.prompt {
        Some(prompt) if !session.output.is_json() => session.output.raw(prompt.text.as_bytes())?,
        _ => session.output.show(&shown, |_| ())?,
    }
    Ok(Outcome::from_verb::<BriefLessons>(&shown))
}
