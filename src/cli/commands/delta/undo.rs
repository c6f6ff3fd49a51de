//! Command `delta undo`: reverses a delta.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, receipts};
use crate::session::Session;
use hindlore_api::verbs::deltas::UndoDelta;

pub(crate) const FORM: Form = Form::new("delta.undo", &[("id", Typed::Word("ID"))]);

/// Undoes a delta.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let request: UndoDelta = request.read(session)?;
    let access = session.access_there()?;
    let undone = session
        .wait("undoing the delta", access.answer(request))
        .await?;
    session
        .output
        .show(&undone, |page| receipts::applied(page, &undone))?;
    Ok(Outcome::Done)
}
