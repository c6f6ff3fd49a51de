//! Command `bullets remove`: archives a bullet.

use super::CommandResult;
use crate::api::verbs::bullet_changes::RemoveBullet;
use crate::cli::form::{Form, Request, Typed};
use crate::cli::output::{Outcome, receipts};
use crate::cli::session::Session;

pub(super) const FORM: Form = Form::new("bullets.remove", &[("id", Typed::Word("ID"))]);

/// Removes a bullet.
pub(super) async fn run(session: &Session, request: Request) -> CommandResult {
    let request: RemoveBullet = request.read(session)?;
    let access = session.access_there()?;
    let applied = session.wait("removing", access.answer(request)).await?;
    session
        .output
        .show(&applied, |page| receipts::applied(page, &applied))?;
    Ok(Outcome::from_verb::<RemoveBullet>(&applied))
}
