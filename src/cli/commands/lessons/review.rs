//! Command `lessons review`: a person sets the status of a lesson.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, Tone};
use crate::session::Session;
use hindlore_api::verbs::lessons::ReviewLesson;

pub(crate) const FORM: Form = Form::new("lessons.review", &[("id", Typed::Word("ID"))]);

/// Reviews a lesson.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<ReviewLesson>("reviewing", request).await?;
    session.output.show(&shown, |page| {
        page.line(Tone::Good, format_args!("{} is {}", shown.id, shown.status));
    })?;
    Ok(Outcome::Done)
}
