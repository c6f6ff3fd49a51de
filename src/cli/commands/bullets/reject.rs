//! Command `bullets reject`: keeps a text from being learned again.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, receipts};
use crate::session::Session;
use hindlore_api::verbs::bullets::RejectBullet;

pub(crate) const FORM: Form = Form::new("bullets.reject", &[("id", Typed::Word("ID"))]);

/// Rejects a bullet.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let request: RejectBullet = request.read(session)?;
    let access = session.access_there()?;
    let applied = session.wait("rejecting", access.answer(request)).await?;
    session
        .output
        .show(&applied, |page| receipts::applied(page, &applied))?;
    Ok(Outcome::from_verb::<RejectBullet>(&applied))
}
