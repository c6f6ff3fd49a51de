//! Command `memory rollback`: takes a consolidation back.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::words::plural;
use crate::output::{Outcome, Tone};
use crate::session::Session;
use hindlore_api::verbs::consolidation::RollBackConsolidation;

pub(crate) const FORM: Form = Form::new("memory.rollback", &[("id", Typed::Word("ID"))]);

/// Rolls back.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let request: RollBackConsolidation = request.read(session)?;
    let access = session.access_there()?;
    let done = session.wait("rolling back", access.answer(request)).await?;
    session.output.show(&done, |page| {
        if done.undone.is_empty() {
            page.line(Tone::Faint, "it was rolled back before; nothing changed");
        } else {
            let restored = plural(
                usize::try_from(done.restored).unwrap_or(usize::MAX),
                "bullet",
            );
            page.line(
                Tone::Good,
                format_args!("{restored} restored, {} archived", done.archived),
            );
        }
        page.field("content digest", &done.content_digest);
    })?;
    Ok(Outcome::Done)
}
