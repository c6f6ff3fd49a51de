//! Command `lessons list`: the lessons of a learner, newest first.

use crate::commands::CommandResult;
use crate::form::{Form, Request};
use crate::output::{Outcome, lessons};
use crate::session::Session;
use hindlore_api::verbs::lessons::ListLessons;

pub(crate) const FORM: Form = Form::new("lessons.list", &[]);

/// Lists lessons.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<ListLessons>("listing", request).await?;
    session
        .output
        .show(&shown, |page| lessons::table(page, &shown.lessons))?;
    Ok(Outcome::from_verb::<ListLessons>(&shown))
}
