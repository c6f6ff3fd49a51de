//! Command `digest`: digests and position of a memory.

use crate::commands::CommandResult;
use crate::form::{Form, Request};
use crate::output::Outcome;
use crate::session::Session;
use hindlore_api::verbs::memory::ShowDigest;

pub(crate) const FORM: Form = Form::new("digest", &[]);

/// Prints the digests of a memory.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let request: ShowDigest = request.read(session)?;
    let access = session.access_there()?;
    let shown = session
        .wait("reading the memory", access.answer(request))
        .await?;
    session.output.show(&shown, |page| {
        page.field("digest", &shown.digest);
        page.field("content digest", &shown.content_digest);
        page.field("revision", shown.revision);
        page.field("clock", shown.clock);
        page.field("active", shown.active);
        page.field("archived", shown.archived);
        page.field("rejected", shown.rejected);
    })?;
    Ok(Outcome::Done)
}
