//! Command `bullets search`: finds bullets by words in their texts, tags, and sections.

use super::CommandResult;
use crate::api::verbs::bullets::SearchBullets;
use crate::cli::form::{Form, Request, Typed};
use crate::cli::output::{Outcome, bullets};
use crate::cli::session::Session;

pub(super) const FORM: Form = Form::new("bullets.search", &[("words", Typed::Words("WORDS"))]);

/// Searches for bullets.
pub(super) async fn run(session: &Session, request: Request) -> CommandResult {
    let request: SearchBullets = request.read(session)?;
    let access = session.access_there()?;
    let shown = session.wait("searching", access.answer(request)).await?;
    bullets::show(&session.output, &shown)?;
    Ok(Outcome::from_verb::<SearchBullets>(&shown))
}
