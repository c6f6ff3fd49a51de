//! Command `bullets remove`: archives a bullet.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, receipts};
use crate::session::Session;
use hindlore_api::verbs::bullet_changes::RemoveBullet;

pub(crate) const FORM: Form = Form::new("bullets.remove", &[("id", Typed::Word("ID"))]);

/// Removes a bullet.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let request: RemoveBullet = request.read(session)?;
    let access = session.access_there()?;
    let applied = session.wait("removing", access.answer(request)).await?;
    session
        .output
        .show(&applied, |page| receipts::applied(page, &applied))?;
    Ok(Outcome::from_verb::<RemoveBullet>(&applied))
}
