//! Command `bullets search`: finds bullets by words in their texts, tags, and sections.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, bullets};
use crate::session::Session;
use hindlore_api::verbs::bullets::SearchBullets;

pub(crate) const FORM: Form = Form::new("bullets.search", &[("words", Typed::Words("WORDS"))]);

/// Searches for bullets.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let request: SearchBullets = request.read(session)?;
    let access = session.access_there()?;
    let shown = session.wait("searching", access.answer(request)).await?;
    bullets::show(&session.output, &shown)?;
    Ok(Outcome::from_verb::<SearchBullets>(&shown))
}
