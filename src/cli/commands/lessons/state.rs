//! Command `lessons state`: takes in the lessons that an agent states in its reply.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, Tone};
use crate::session::Session;
use hindlore_api::verbs::lessons::StateLessons;

pub(crate) const FORM: Form = Form::new("lessons.state", &[("text", Typed::Words("TEXT"))]);

/// Takes the lessons in.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let stated = session.answer::<StateLessons>("noting", request).await?;
    session.output.show(&stated, |page| {
        if stated.lessons.is_empty() {
            page.line(Tone::Faint, "no line of the text states a lesson");
        }
        for lesson in &stated.lessons {
            let id = page.id(lesson.id.to_string());
            page.line(
                Tone::Plain,
                format_args!("{id}  {}  {}", lesson.status, lesson.rule),
            );
        }
    })?;
    Ok(Outcome::from_verb::<StateLessons>(&stated))
}
