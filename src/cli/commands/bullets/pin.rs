//! Command `bullets pin`: pins or unpins a bullet.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, receipts};
use crate::session::Session;
use hindlore_api::verbs::bullets::PinBullet;

pub(crate) const FORM: Form = Form::new("bullets.pin", &[("id", Typed::Word("ID"))]);

/// Pins a bullet, or unpins it.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let request: PinBullet = request.read(session)?;
    let access = session.access_there()?;
    let applied = session.wait("pinning", access.answer(request)).await?;
    session
        .output
        .show(&applied, |page| receipts::applied(page, &applied))?;
    Ok(Outcome::from_verb::<PinBullet>(&applied))
}
